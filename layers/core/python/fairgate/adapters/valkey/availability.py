"""Cache availability in Valkey. It is advisory, and changes may come in any order.

Each section has a slot of its own, ``{<event>:<section>}``, and so have the data of a whole event,
``{<event>}`` (``keys.py``). So the load of an event is spread, and each call uses one slot.

    seatmap:{…:…}    hash    seat index → "<version>|<code>|<expires_ms>"; ``n``, the number of
                             seats, once filled from the table; ``:free``, how many have code 0
    vector:{…:…}     string  the codes, two bits a seat, lowest bits first
    expiries:{…:…}   zset    index by the end of its lock, and ``:whole`` at infinity once filled
    changes:{…:…}    stream  what the feed brought lately (``WINDOW_MS``)
    refill:{…:…}             the lock of a refill
    claims:…, claimants:…    see ``claims.py``
    counts:{…}       hash    section → "<revision>|<free>|<end of its first lock>",
                             ga:<area>:<shard> → "<version>|<remaining>", and
                             ``:whole:<area>`` once filled from the table
    news:{…}         stream  which sections and areas changed lately
    inventory:{…}            what exists and when it is sold, for a minute
    rate:…                   see ``rates.py``

A section is valid only while all of its parts exist, so an evicted part causes a miss, never a
wrong number. The event's count follows by a second call with a growing revision: each change of a
section writes the section's present count. So repetitions do no harm, and a lost count is written
with the next change, or when the message is delivered again. A reader that finds no count, or one
with an expired lock, asks the section. Both hashes have a ``:life`` that a refill names, so a
refill is refused if the hash was lost after its read of the table. ``:since`` and ``:last`` say
what a change log has lost (``scripts.py``). Lock ends are compared with the reader's own clock.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from fairgate.adapters.valkey import keys
from fairgate.adapters.valkey.changes import (
    newest_of_places,
    newest_of_seats,
    position_of,
    window_of,
)
from fairgate.adapters.valkey.claims import ClaimScripts
from fairgate.adapters.valkey.connection import CONNECT_S, TIMEOUT_S, connect, translated
from fairgate.adapters.valkey.lua import Call, Script
from fairgate.adapters.valkey.rates import RateScripts
from fairgate.adapters.valkey.scripts import (
    APPLY,
    CHANGES,
    COUNT,
    COUNTS,
    FINISH,
    FORGET,
    LIFE,
    POSITION,
    RECORD,
    SHARDS,
    VECTOR,
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

ANSWER_S_MAX = CONNECT_S + TIMEOUT_S  # only tests on a busy machine allow more
TTL_S = 3_600  # normally the change feed keeps a section up to date
TTL_SPREAD_S = 600  # so that sections filled together do not expire together
PLACES_TTL_S = 60
REFILL_MS = 2_000
# A script blocks Valkey's only thread: these bounds keep it below a few milliseconds
# (``make bench-availability``).
SECTIONS_A_CALL = 200  # each a script of its own, answered together
SEATS_A_CALL = 250
_UNKNOWN = -2  # of COUNTS: nobody has recorded the section


class _Connected(Struct, frozen=True):
    client: Any
    apply: Script
    life: Script
    finish: Script
    forget: Script
    vector: Script
    count: Script
    counts: Script
    record: Script
    shards: Script
    position: Script
    changes: Script
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
        with self._connected() as valkey:
            names = keys.section_keys(event, section)
            applied, *count = valkey.apply(names, [_ttl_s(section), _packed(changes)])
            _record(valkey, event, [(section, count)])
            return int(applied)

    def life(self, event: str, section: str = "") -> str:
        with self._connected() as valkey:
            return str(valkey.life([keys.home_key(event, section)], [_ttl_s(section)]).decode())

    def fill(self, event: str, section: str, seats: Sequence[SeatStatus], life: str = "") -> bool:
        length = max((seat.index for seat in seats), default=-1) + 1
        names, ttl_s = keys.section_keys(event, section), _ttl_s(section)
        with self._connected() as valkey:
            for start in range(0, len(seats), SEATS_A_CALL):
                valkey.apply(names, [ttl_s, _packed(seats[start : start + SEATS_A_CALL])])
            whole, *count = valkey.finish(names, [ttl_s, length, life])
            if whole:
                _record(valkey, event, [(section, count)])
            return bool(whole)

    def forget(self, event: str, section: str) -> None:
        with self._connected() as valkey:
            gone = valkey.forget(keys.section_keys(event, section))
            _record(valkey, event, [(section, gone)])

    def forget_area(self, event: str, area: str) -> None:
        key = keys.counts_key(event)
        with self._connected() as valkey:
            shards = [f for f in valkey.client.hkeys(key) if f.startswith(f"ga:{area}:".encode())]
            valkey.client.hdel(key, f":whole:{area}", *shards)

    def section(self, event: str, section: str) -> list[SeatStatus] | None:
        with self._connected() as valkey:
            fields = valkey.client.hgetall(keys.section_key(event, section))
            if b"n" not in fields:
                return None
            seats = sorted(int(field) for field in fields if field.isdigit())
            return [_status(index, fields[b"%d" % index]) for index in seats]

    def codes(self, event: str, sections: Sequence[str], now_ms: int) -> list[bytes | None]:
        answers: list[bytes | None] = []
        with self._connected() as valkey:
            for some in _chunks(sections):
                answers += map(_codes, valkey.vector.many(_asked(event, some, now_ms)))
        return answers

    def counts(self, event: str, sections: Sequence[str], now_ms: int) -> dict[str, int]:
        with self._connected() as valkey:
            arguments = [TTL_S, now_ms, *sections]
            numbers = valkey.counts([keys.counts_key(event)], arguments)
            known = dict(zip(sections, map(int, numbers), strict=True))
            for some in _chunks([section for section in sections if known[section] < 0]):
                known |= _counted(valkey, event, {s: known[s] == _UNKNOWN for s in some}, now_ms)
            return {section: count for section, count in known.items() if count >= 0}

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
        with self._connected() as valkey:
            return int(valkey.shards([keys.counts_key(event), keys.log_key(event)], arguments))

    def shards(self, event: str) -> list[ShardStatus]:
        with self._connected() as valkey:
            fields = valkey.client.hgetall(keys.counts_key(event))
            areas = [_shard(name, text) for name, text in fields.items() if name[:3] == b"ga:"]
            return [shard for shard in areas if f":whole:{shard.area}".encode() in fields]

    def places(self, event: str) -> bytes | None:
        with self._connected() as valkey:
            document: bytes | None = valkey.client.get(keys.inventory_key(event))
            return document

    def keep_places(self, event: str, document: bytes) -> None:
        with self._connected() as valkey:
            valkey.client.set(keys.inventory_key(event), document, ex=PLACES_TTL_S)

    def position(self, event: str, section: str = "") -> Position:
        with self._connected() as valkey:
            return position_of(valkey.position([keys.log_key(event, section)]))

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
            key = keys.refill_key(event, place)
            return bool(valkey.client.set(key, b"1", nx=True, px=REFILL_MS))

    def end_refill(self, event: str, place: str) -> None:
        # The lock names no owner: ending another caller's late refill only costs one more refill.
        with self._connected() as valkey:
            valkey.client.delete(keys.refill_key(event, place))

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
        """Yield the client, with every failure of the server translated.

        The cache is not asked if its answer could come after the request's deadline.
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
        apply=Script(client, APPLY, parts=4),
        life=Script(client, LIFE),
        finish=Script(client, FINISH, parts=4),
        forget=Script(client, FORGET, parts=3),
        vector=Script(client, VECTOR, parts=3),
        count=Script(client, COUNT, parts=4),
        counts=Script(client, COUNTS, parts=0),
        record=Script(client, RECORD),
        shards=Script(client, SHARDS),
        position=Script(client, POSITION, parts=3),
        changes=Script(client, CHANGES, parts=4),
        claims=ClaimScripts(client),
        rates=RateScripts(client),
    )


def _record(valkey: _Connected, event: str, counts: Sequence[tuple[str, Sequence[object]]]) -> None:
    """Write the counts that the sections' scripts have just returned to the event's hash."""
    arguments = [part for section, count in counts for part in (section, *count[:3])]
    names = [keys.counts_key(event), keys.log_key(event)]
    valkey.record(names, [TTL_S, *arguments])


def _counted(
    valkey: _Connected, event: str, sections: Mapping[str, bool], now_ms: int
) -> dict[str, int]:
    """Return the sections' own counts, −1 for one that is not whole, and record the others."""
    calls = [
        (keys.section_keys(event, section)[:3], [now_ms, "new" if unknown else ""])
        for section, unknown in sections.items()
    ]
    counts = dict(zip(sections, valkey.count.many(calls), strict=True))
    free = {section: int(count[1]) for section, count in counts.items()}
    whole = [(s, counts[s]) for s, unknown in sections.items() if unknown and free[s] >= 0]
    if whole:
        _record(valkey, event, whole)
    return {s: free[s] + int(counts[s][3]) if free[s] >= 0 else -1 for s in sections}


def _changes(valkey: _Connected, reach_ms: int, event: str, section: str = "") -> Any:
    names = [keys.log_key(event, section), keys.home_key(event, section)]
    return valkey.changes(names, [reach_ms, "n" if section else "", _ttl_s(section)])


def _asked(event: str, sections: Sequence[str], now_ms: int) -> list[Call]:
    return [(keys.section_keys(event, section)[:3], [now_ms]) for section in sections]


def _chunks(sections: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(sections), SECTIONS_A_CALL):
        yield sections[start : start + SECTIONS_A_CALL]


def _ttl_s(section: str) -> int:
    return TTL_S - zlib.crc32(section.encode()) % TTL_SPREAD_S


def _packed(seats: Sequence[SeatStatus]) -> str:
    return ";".join(
        f"{seat.index}={seat.version}|{CODES[seat.availability]}|{seat.expires_ms}"
        for seat in seats
    )


def _codes(answer: Sequence[Any]) -> bytes | None:
    """Read a section's codes; seats with an expired lock are available."""
    seats, vector, expired = answer
    if seats is None:
        return None
    codes = bytearray(unpack(vector, int(seats)))
    for index in map(int, expired):
        if index < len(codes):
            codes[index] = AVAILABLE
    return bytes(codes)


_AVAILABILITY: dict[int, Availability] = {code: name for name, code in CODES.items()}


def _status(index: int, value: bytes) -> SeatStatus:
    version, code, expires_ms = value.split(b"|")
    return SeatStatus(index, _AVAILABILITY[int(code)], int(expires_ms), int(version))


def _shard(name: bytes, value: bytes) -> ShardStatus:
    _, area, shard = name.decode().split(":")
    version, remaining = value.split(b"|")
    return ShardStatus(area, int(shard), int(remaining), int(version))
