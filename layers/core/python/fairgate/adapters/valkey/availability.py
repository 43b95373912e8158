"""Cache availability in Valkey: advisory, and convergent whatever order changes come in.

Every key of an event carries the hash tag ``{<event>}``, so a cluster keeps them in one slot and
one script may touch them all:

    seatmap:{<event>}:<section>   hash    seat index → "<version>|<code>|<expires_ms>"; ``n``, the
                                          number of seats, once filled from the table
    vector:{<event>}:<section>    string  the codes, two bits a seat, lowest bits first
    availability:{<event>}        hash    section → seats whose code is 0,
                                          ga:<area>:<shard> → "<version>|<remaining>", and
                                          ``:whole:<area>`` once filled from the table
    expiries:{<event>}            zset    <section>#<index> by the end of its lock, and <section> at
                                          infinity once it has been filled
    changes:{<event>}[:<section>] stream  what the feed brought lately (``WINDOW_MS``)
    inventory:{<event>}           what exists and when it is sold, for a minute
    refill:{<event>}:<place>      held by the one who refills
    claims:…, claimants:…         see ``claims.py``
    rate:…                        see ``rates.py``

A section is believed only while all of its parts exist, so losing any of them to eviction shows as
a miss, never as a wrong number. Both hashes have a ``:life`` that a refill names: a reading of the
table that a change may have overtaken in a hash that was lost meanwhile is refused. ``:since`` and
``:last`` say what a change log has lost (``scripts.py``). Lock ends are compared with the
reader's own clock.
"""

from __future__ import annotations

import threading
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fairgate.adapters.valkey.changes import (
    newest_of_places,
    newest_of_seats,
    position_of,
    window_of,
)
from fairgate.adapters.valkey.claims import ClaimScripts
from fairgate.adapters.valkey.connection import CONNECT_S, TIMEOUT_S, connect, translated
from fairgate.adapters.valkey.rates import RateScripts
from fairgate.adapters.valkey.scripts import (
    APPLY,
    CHANGES,
    COUNTS,
    FINISH,
    LIFE,
    POSITION,
    SHARDS,
    VECTORS,
)
from fairgate.deadline import left_s
from fairgate.domain.seating.status_vector import AVAILABLE, CODES, Availability, unpack
from fairgate.domain.shared.rate_limit import RateLimit, RateState
from fairgate.ports.availability import (
    WINDOW_MS,
    CacheUnavailableError,
    Claim,
    Claimed,
    PlaceChanges,
    Position,
    SeatChanges,
    SeatStatus,
    ShardStatus,
)

ANSWER_S_MAX = CONNECT_S + TIMEOUT_S  # whoever gives more, does so for a busy machine's sake
TTL_S = 3_600  # last resort: normally the change feed keeps a section true
TTL_SPREAD_S = 600  # so that sections filled together do not expire together
PLACES_TTL_S = 60
REFILL_MS = 2_000
# A script keeps Valkey's one thread: these bounds keep it below a few milliseconds
# (``make bench-availability``).
SECTIONS_A_CALL = 200
SEATS_A_CALL = 250


@dataclass(frozen=True)
class _Connected:
    client: Any
    apply: Any
    life: Any
    finish: Any
    vectors: Any
    counts: Any
    shards: Any
    position: Any
    changes: Any
    claims: ClaimScripts
    rates: RateScripts


class ValkeyAvailability:
    """Implements ports.AvailabilityCache and ports.RateStore; connects at the first call.

    Args:
        url: ``valkey://host:port`` or, with TLS, ``valkeys://…``. Empty: there is no cache.
        timeout_s: of each wait for an answer.
        connect_s: of a new connection, which is made once for many questions.
    """

    def __init__(
        self, url: str, *, timeout_s: float = TIMEOUT_S, connect_s: float = CONNECT_S
    ) -> None:
        self._url = url
        self._timeout_s = timeout_s
        self._connect_s = max(connect_s, timeout_s)
        self._lock = threading.Lock()
        self._made: _Connected | None = None

    def apply(self, event: str, section: str, changes: Sequence[SeatStatus]) -> int:
        arguments = [section, _ttl_s(section), _packed(changes)]
        with self._connected() as valkey:
            return int(valkey.apply(keys=_apply_keys(event, section), args=arguments))

    def life(self, event: str, section: str = "") -> str:
        key = _section_key(event, section) if section else _availability_key(event)
        with self._connected() as valkey:
            return str(valkey.life(keys=[key], args=[_ttl_s(section)]).decode())

    def fill(self, event: str, section: str, seats: Sequence[SeatStatus], life: str = "") -> bool:
        length = max((seat.index for seat in seats), default=-1) + 1
        keys, ttl_s = _apply_keys(event, section), _ttl_s(section)
        with self._connected() as valkey:
            for start in range(0, len(seats), SEATS_A_CALL):
                some = _packed(seats[start : start + SEATS_A_CALL])
                valkey.apply(keys=keys, args=[section, ttl_s, some])
            return bool(valkey.finish(keys=keys, args=[section, ttl_s, length, life]) >= 0)

    def forget(self, event: str, section: str) -> None:
        with self._connected() as valkey:
            valkey.client.delete(_section_key(event, section), _vector_key(event, section))

    def forget_area(self, event: str, area: str) -> None:
        key = _availability_key(event)
        with self._connected() as valkey:
            shards = [f for f in valkey.client.hkeys(key) if f.startswith(f"ga:{area}:".encode())]
            valkey.client.hdel(key, f":whole:{area}", *shards)

    def section(self, event: str, section: str) -> list[SeatStatus] | None:
        with self._connected() as valkey:
            fields = valkey.client.hgetall(_section_key(event, section))
            if b"n" not in fields:
                return None
            seats = sorted(int(field) for field in fields if field.isdigit())
            return [_status(index, fields[b"%d" % index]) for index in seats]

    def codes(self, event: str, sections: Sequence[str], now_ms: int) -> list[bytes | None]:
        answers: list[bytes | None] = []
        with self._connected() as valkey:
            for start in range(0, len(sections), SECTIONS_A_CALL):
                some = sections[start : start + SECTIONS_A_CALL]
                keys = [_expiries_key(event), *_whole_keys(event, some)]
                expired, *vectors = valkey.vectors(keys=keys, args=[now_ms, *some])
                answers += _codes_of(some, expired, vectors)
        return answers

    def counts(self, event: str, sections: Sequence[str], now_ms: int) -> dict[str, int]:
        keys = [_availability_key(event), _expiries_key(event), *_whole_keys(event, sections)]
        with self._connected() as valkey:
            numbers = valkey.counts(keys=keys, args=[now_ms, *sections])
            return {s: int(count) for s, count in zip(sections, numbers, strict=True) if count >= 0}

    def apply_shards(self, event: str, shards: Sequence[ShardStatus]) -> int:
        return self._keep_shards(event, shards, "", "")

    def fill_area(
        self, event: str, area: str, shards: Sequence[ShardStatus], life: str = ""
    ) -> bool:
        return self._keep_shards(event, shards, life, area) >= 0

    def _keep_shards(self, event: str, shards: Sequence[ShardStatus], life: str, area: str) -> int:
        arguments: list[object] = [TTL_S, life, area]
        for shard in shards:
            arguments += [shard.area, shard.shard, shard.version, shard.remaining]
        keys = [_availability_key(event), _log_key(event)]
        with self._connected() as valkey:
            return int(valkey.shards(keys=keys, args=arguments))

    def shards(self, event: str) -> list[ShardStatus]:
        with self._connected() as valkey:
            fields = valkey.client.hgetall(_availability_key(event))
            areas = [_shard(name, text) for name, text in fields.items() if name[:3] == b"ga:"]
            return [shard for shard in areas if f":whole:{shard.area}".encode() in fields]

    def places(self, event: str) -> bytes | None:
        with self._connected() as valkey:
            document: bytes | None = valkey.client.get(f"inventory:{{{event}}}")
            return document

    def keep_places(self, event: str, document: bytes) -> None:
        with self._connected() as valkey:
            valkey.client.set(f"inventory:{{{event}}}", document, ex=PLACES_TTL_S)

    def position(self, event: str, section: str = "") -> Position:
        with self._connected() as valkey:
            return position_of(valkey.position(keys=[_log_key(event, section)]))

    def seat_changes(self, event: str, section: str, reach_ms: int = WINDOW_MS) -> SeatChanges:
        with self._connected() as valkey:
            window, entries = window_of(_changes(valkey, reach_ms, event, section), reach_ms)
            return SeatChanges(window, newest_of_seats(entries))

    def place_changes(self, event: str, reach_ms: int = WINDOW_MS) -> PlaceChanges:
        with self._connected() as valkey:
            window, entries = window_of(_changes(valkey, reach_ms, event), reach_ms)
            sections, areas = newest_of_places(entries)
            return PlaceChanges(window, sections, areas)

    def begin_refill(self, event: str, place: str) -> bool:
        with self._connected() as valkey:
            return bool(valkey.client.set(_refill_key(event, place), b"1", nx=True, px=REFILL_MS))

    def end_refill(self, event: str, place: str) -> None:
        # Without an owner's mark: ending another's late refill costs one more refill, no harm.
        with self._connected() as valkey:
            valkey.client.delete(_refill_key(event, place))

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        with self._connected() as valkey:
            return valkey.claims.claim(event, choices, token, ttl_ms)

    def claimed(self, event: str, sections: Sequence[str]) -> set[str]:
        with self._connected() as valkey:
            return valkey.claims.claimed(event, sections)

    def unclaim(self, event: str, units: Sequence[tuple[str, str]], token: str) -> None:
        with self._connected() as valkey:
            valkey.claims.unclaim(event, units, token)

    def end_claims(self, event: str, section: str, units: Sequence[str]) -> None:
        with self._connected() as valkey:
            valkey.claims.end(event, section, units)

    def take(self, event: str, buckets: Sequence[tuple[str, RateLimit]]) -> list[RateState]:
        with self._connected() as valkey:
            return valkey.rates.take(event, buckets)

    def close(self) -> None:
        """Drop the connections; the next call connects again."""
        with self._lock:
            if self._made is not None:
                self._made.client.connection_pool.disconnect()
                self._made = None

    @contextmanager
    def _connected(self) -> Iterator[_Connected]:
        """Give the client, with every failure of the server translated.

        A cache that could keep a request beyond its end is not asked.
        """
        if not self._url:
            raise CacheUnavailableError("no cache is configured")
        if left_s() < min(self._connect_s + self._timeout_s, ANSWER_S_MAX):
            raise CacheUnavailableError("the request has no time for the cache")
        connected = self._client()
        with translated(connected.client):
            yield connected

    def _client(self) -> _Connected:
        with self._lock:
            if self._made is None:
                self._made = _connected_to(
                    connect(self._url, timeout_s=self._timeout_s, connect_s=self._connect_s)
                )
            return self._made


def _connected_to(client: Any) -> _Connected:
    return _Connected(
        client=client,
        apply=client.register_script(APPLY),
        life=client.register_script(LIFE),
        finish=client.register_script(FINISH),
        vectors=client.register_script(VECTORS),
        counts=client.register_script(COUNTS),
        shards=client.register_script(SHARDS),
        position=client.register_script(POSITION),
        changes=client.register_script(CHANGES),
        claims=ClaimScripts(client),
        rates=RateScripts(client),
    )


def _changes(valkey: _Connected, reach_ms: int, event: str, section: str = "") -> Any:
    home = _section_key(event, section) if section else _availability_key(event)
    arguments = [reach_ms, "n" if section else "", _ttl_s(section)]
    return valkey.changes(keys=[_log_key(event, section), home], args=arguments)


def _apply_keys(event: str, section: str) -> list[str]:
    return [
        _section_key(event, section),
        _availability_key(event),
        _expiries_key(event),
        _vector_key(event, section),
        _log_key(event, section),
        _log_key(event),
    ]


def _whole_keys(event: str, sections: Sequence[str]) -> list[str]:
    return [
        key
        for section in sections
        for key in (_section_key(event, section), _vector_key(event, section))
    ]


def _section_key(event: str, section: str) -> str:
    return f"seatmap:{{{event}}}:{section}"


def _vector_key(event: str, section: str) -> str:
    return f"vector:{{{event}}}:{section}"


def _log_key(event: str, section: str = "") -> str:
    return f"changes:{{{event}}}:{section}" if section else f"changes:{{{event}}}"


def _availability_key(event: str) -> str:
    return f"availability:{{{event}}}"


def _expiries_key(event: str) -> str:
    return f"expiries:{{{event}}}"


def _refill_key(event: str, place: str) -> str:
    return f"refill:{{{event}}}:{place}"


def _ttl_s(section: str) -> int:
    return TTL_S - zlib.crc32(section.encode()) % TTL_SPREAD_S


def _packed(seats: Sequence[SeatStatus]) -> str:
    return ";".join(
        f"{seat.index}={seat.version}|{CODES[seat.availability]}|{seat.expires_ms}"
        for seat in seats
    )


def _codes_of(
    sections: Sequence[str], expired: Sequence[bytes], vectors: Sequence[bytes | None]
) -> Iterator[bytes | None]:
    """Return the vectors' codes, with the locks whose time is up as available."""
    free: defaultdict[str, list[int]] = defaultdict(list)
    for member in expired:
        place, _, number = member.decode().rpartition("#")
        free[place].append(int(number))
    for section, seats, vector in zip(sections, vectors[::2], vectors[1::2], strict=True):
        if seats is None or vector is None:
            yield None
            continue
        codes = bytearray(unpack(vector, int(seats)))
        for index in free[section]:
            if index < len(codes):
                codes[index] = AVAILABLE
        yield bytes(codes)


_AVAILABILITY: dict[int, Availability] = {code: name for name, code in CODES.items()}


def _status(index: int, value: bytes) -> SeatStatus:
    version, code, expires_ms = value.split(b"|")
    return SeatStatus(index, _AVAILABILITY[int(code)], int(expires_ms), int(version))


def _shard(name: bytes, value: bytes) -> ShardStatus:
    _, area, shard = name.decode().split(":")
    version, remaining = value.split(b"|")
    return ShardStatus(area, int(shard), int(remaining), int(version))
