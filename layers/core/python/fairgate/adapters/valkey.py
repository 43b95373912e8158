"""The availability cache in Valkey: advisory, and convergent whatever order changes come in.

Every key of an event carries the hash tag ``{<event>}``, so a cluster keeps them in one slot and
one script may touch them all:

    seatmap:{<event>}:<section>   hash  seat index → "<version>|<code>|<expires_ms>", and ``n``, the
                                  number of seats, once the section has been filled from the table
    availability:{<event>}        hash  section → seats whose code is 0,
                                  ga:<area>:<shard> → "<version>|<remaining>"
    expiries:{<event>}            zset  <section>#<index> by the end of its lock, and <section> at
                                  infinity once it has been filled
    places:{<event>}              what exists, for a minute
    refill:{<event>}:<place>      held by the one who refills
    claims:…, claimants:…         see ``valkey_claims.py``

A count is believed only while all three of its parts exist, so losing any of them to eviction
shows as a miss, never as a wrong number. Lock ends are compared with the reader's own clock.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fairgate.adapters.valkey_claims import ClaimScripts
from fairgate.domain.status_vector import CODES, Availability, from_digits
from fairgate.ports import CacheUnavailableError, Claim, Claimed, SeatStatus, ShardStatus

TIMEOUT_S = 0.2  # a cache slower than the table's own index is no cache
POOL_WAIT_S = 1.0
CONNECTIONS_MAX = 32
TTL_S = 3_600  # last resort: normally the change feed keeps a section true
TTL_SPREAD_S = 600  # so that sections filled together do not expire together
PLACES_TTL_S = 60
REFILL_MS = 2_000
# A script keeps Valkey's one thread: 5 ms for the codes of 2,500 seats, 14 ms to apply 500 of them,
# measured on a shared core.
SECTIONS_A_CALL = 4
SEATS_A_CALL = 500

# Lua 5.1 as Valkey and Redis run it. Changes travel as "index=version|code|expires_ms;…".
# KEYS section, availability, expiries; ARGV section, ttl, changes
_APPLY = """
local applied, delta = 0, 0
for index, value, version, code, expires in
    string.gmatch(ARGV[3], '(%d+)=((%d+)|(%d)|(%d+))') do
  local old = redis.call('HGET', KEYS[1], index)
  local old_version, old_code = -1, nil
  if old then old_version, old_code = string.match(old, '^(%d+)|(%d)|') end
  if tonumber(version) > tonumber(old_version) then
    redis.call('HSET', KEYS[1], index, value)
    local member = ARGV[1] .. '#' .. index
    if code == '1' then redis.call('ZADD', KEYS[3], expires, member)
    else redis.call('ZREM', KEYS[3], member) end
    if code == '0' then delta = delta + 1 end
    if old_code == '0' then delta = delta - 1 end
    applied = applied + 1
  end
end
if redis.call('HEXISTS', KEYS[1], 'n') == 0 then
  -- Not filled: what is known must outlive any fill that began before it.
  redis.call('EXPIRE', KEYS[1], ARGV[2])
elseif delta ~= 0 and redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[2], ARGV[1], delta)
end
redis.call('EXPIRE', KEYS[3], 2 * ARGV[2])
return applied
"""

# Every seat has been applied: count them and call the section whole.
# KEYS section, availability, expiries; ARGV section, ttl, seats
_FINISH = """
local available = 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local code, expires = string.match(all[i + 1], '^%d+|(%d)|(%d+)$')
  -- The expiries may have been evicted since an earlier change wrote them.
  if code == '1' then redis.call('ZADD', KEYS[3], expires, ARGV[1] .. '#' .. all[i]) end
  if code == '0' then available = available + 1 end
end
redis.call('HSET', KEYS[1], 'n', ARGV[3])
redis.call('HSET', KEYS[2], ARGV[1], available)
redis.call('ZADD', KEYS[3], '+inf', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], 2 * ARGV[2])
redis.call('EXPIRE', KEYS[3], 2 * ARGV[2])
return available
"""

# KEYS sections; ARGV now_ms. One string of digits a section, or false.
_CODES = """
local now = tonumber(ARGV[1])
local answers = {}
for k = 1, #KEYS do
  local seats = tonumber(redis.call('HGET', KEYS[k], 'n') or -1)
  answers[k] = false
  if seats >= 0 then
    local codes = {}
    for i = 1, seats do codes[i] = '3' end
    local all = redis.call('HGETALL', KEYS[k])
    for i = 1, #all, 2 do
      local code, expires = string.match(all[i + 1], '^%d+|(%d)|(%d+)$')
      local index = tonumber(all[i])
      if code and index < seats then
        if code == '1' and tonumber(expires) <= now then code = '0' end
        codes[index + 1] = code
      end
    end
    answers[k] = table.concat(codes)
  end
end
return answers
"""

# KEYS availability, expiries, sections …; ARGV now_ms, section names …. −1: not cached.
_COUNTS = """
local expired = {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])) do
  local section = string.match(member, '^(.-)#')
  expired[section] = (expired[section] or 0) + 1
end
local counts = {}
for i = 3, #KEYS do
  local section = ARGV[i - 1]
  local count = redis.call('HGET', KEYS[1], section)
  if count and redis.call('HEXISTS', KEYS[i], 'n') == 1
      and redis.call('ZSCORE', KEYS[2], section) then
    counts[i - 2] = tonumber(count) + (expired[section] or 0)
  else
    counts[i - 2] = -1
  end
end
return counts
"""

# KEYS availability; ARGV ttl, then field, version, remaining …
_SHARDS = """
local applied = 0
for i = 2, #ARGV, 3 do
  local old = redis.call('HGET', KEYS[1], ARGV[i])
  local old_version = old and tonumber(string.match(old, '^(%d+)|')) or -1
  if tonumber(ARGV[i + 1]) > old_version then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. '|' .. ARGV[i + 2])
    applied = applied + 1
  end
end
redis.call('EXPIRE', KEYS[1], 2 * ARGV[1])
return applied
"""


@dataclass(frozen=True)
class _Connected:
    client: Any
    apply: Any
    finish: Any
    codes: Any
    counts: Any
    shards: Any
    claims: ClaimScripts


class ValkeyAvailability:
    """Implements ports.AvailabilityCache; connects at the first call.

    Args:
        url: ``valkey://host:port`` or, with TLS, ``valkeys://…``. Empty: there is no cache.
    """

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S) -> None:
        self._url = url
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._made: _Connected | None = None

    def apply(self, event: str, section: str, changes: Sequence[SeatStatus]) -> int:
        arguments = [section, _ttl_s(section), _packed(changes)]
        with self._connected() as valkey:
            return int(valkey.apply(keys=_section_keys(event, section), args=arguments))

    def fill(self, event: str, section: str, seats: Sequence[SeatStatus]) -> None:
        length = max((seat.index for seat in seats), default=-1) + 1
        keys, ttl_s = _section_keys(event, section), _ttl_s(section)
        with self._connected() as valkey:
            for start in range(0, len(seats), SEATS_A_CALL):
                some = _packed(seats[start : start + SEATS_A_CALL])
                valkey.apply(keys=keys, args=[section, ttl_s, some])
            valkey.finish(keys=keys, args=[section, ttl_s, length])

    def section(self, event: str, section: str) -> list[SeatStatus] | None:
        with self._connected() as valkey:
            fields = valkey.client.hgetall(_section_key(event, section))
        if fields.pop(b"n", None) is None:
            return None
        return [_status(int(index), fields[index]) for index in sorted(fields, key=int)]

    def codes(self, event: str, sections: Sequence[str], now_ms: int) -> list[bytes | None]:
        answers: list[bytes | None] = []
        with self._connected() as valkey:
            for start in range(0, len(sections), SECTIONS_A_CALL):
                some = sections[start : start + SECTIONS_A_CALL]
                keys = [_section_key(event, section) for section in some]
                found = valkey.codes(keys=keys, args=[now_ms])
                answers += [None if text is None else from_digits(text) for text in found]
        return answers

    def counts(self, event: str, sections: Sequence[str], now_ms: int) -> dict[str, int]:
        keys = [_availability_key(event), _expiries_key(event)]
        keys += [_section_key(event, section) for section in sections]
        with self._connected() as valkey:
            found = valkey.counts(keys=keys, args=[now_ms, *sections])
        return {s: int(count) for s, count in zip(sections, found, strict=True) if count >= 0}

    def apply_shards(self, event: str, shards: Sequence[ShardStatus]) -> int:
        arguments: list[object] = [TTL_S]
        for shard in shards:
            arguments += [f"ga:{shard.area}:{shard.shard}", shard.version, shard.remaining]
        with self._connected() as valkey:
            return int(valkey.shards(keys=[_availability_key(event)], args=arguments))

    def shards(self, event: str) -> list[ShardStatus]:
        with self._connected() as valkey:
            fields = valkey.client.hgetall(_availability_key(event))
        return [_shard(name, value) for name, value in fields.items() if name.startswith(b"ga:")]

    def places(self, event: str) -> bytes | None:
        with self._connected() as valkey:
            document: bytes | None = valkey.client.get(f"places:{{{event}}}")
            return document

    def keep_places(self, event: str, document: bytes) -> None:
        with self._connected() as valkey:
            valkey.client.set(f"places:{{{event}}}", document, ex=PLACES_TTL_S)

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

    def close(self) -> None:
        """Drop the connections; the next call connects again."""
        with self._lock:
            if self._made is not None:
                self._made.client.connection_pool.disconnect()
                self._made = None

    @contextmanager
    def _connected(self) -> Iterator[_Connected]:
        """The client, with every failure of the server translated."""
        if not self._url:
            raise CacheUnavailableError("no cache is configured")
        from valkey import exceptions

        try:
            yield self._client()
        except (
            exceptions.ConnectionError,
            exceptions.TimeoutError,
            exceptions.OutOfMemoryError,
            exceptions.ReadOnlyError,
            exceptions.ClusterError,
        ) as error:
            raise CacheUnavailableError(str(error)) from error

    def _client(self) -> _Connected:
        with self._lock:
            if self._made is None:
                self._made = _connect(self._url, self._timeout_s)
            return self._made


def _connect(url: str, timeout_s: float) -> _Connected:
    from valkey import BlockingConnectionPool, Valkey

    pool = BlockingConnectionPool.from_url(  # type: ignore[no-untyped-call] # valkey-py types half
        url,
        max_connections=CONNECTIONS_MAX,
        timeout=POOL_WAIT_S,
        socket_timeout=timeout_s,
        socket_connect_timeout=timeout_s,
    )
    client = Valkey(connection_pool=pool)
    return _Connected(
        client=client,
        apply=client.register_script(_APPLY),
        finish=client.register_script(_FINISH),
        codes=client.register_script(_CODES),
        counts=client.register_script(_COUNTS),
        shards=client.register_script(_SHARDS),
        claims=ClaimScripts(client),
    )


def _section_keys(event: str, section: str) -> list[str]:
    return [_section_key(event, section), _availability_key(event), _expiries_key(event)]


def _section_key(event: str, section: str) -> str:
    return f"seatmap:{{{event}}}:{section}"


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


_AVAILABILITY: dict[int, Availability] = {code: name for name, code in CODES.items()}


def _status(index: int, value: bytes) -> SeatStatus:
    version, code, expires_ms = value.split(b"|")
    return SeatStatus(index, _AVAILABILITY[int(code)], int(expires_ms), int(version))


def _shard(name: bytes, value: bytes) -> ShardStatus:
    _, area, shard = name.decode().split(":")
    version, remaining = value.split(b"|")
    return ShardStatus(area, int(shard), int(remaining), int(version))
