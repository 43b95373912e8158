"""Claim units in Valkey: hints of a few seconds that keep callers off each other's seats.

What ``SET NX`` with an expiry does for one unit, these scripts do for several at once, all or none.
Two keys a section, both with the event's hash tag, gone when nobody claims there any more:

    claims:{<event>}:<section>     zset  unit → end of its claim, milliseconds of Valkey's clock
    claimants:{<event>}:<section>  hash  unit → the token that claimed it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairgate.ports.availability import Claim, Claimed

# Choices travel as "section:unit,…;section:near:far,…" with sections as numbers of the KEYS pairs.
# KEYS claims, claimants of each section; ARGV token, ttl_ms, choices …
_CLAIM = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token, ttl = ARGV[1], tonumber(ARGV[2])
local seen = {}
local function other(section, unit)
  local name = section .. ':' .. unit
  if seen[name] == nil then
    local ends = redis.call('ZSCORE', KEYS[2 * section - 1], unit)
    seen[name] = ends and tonumber(ends) > now
      and redis.call('HGET', KEYS[2 * section], unit) ~= token or false
  end
  return seen[name]
end
local first = {}
for choice = 3, #ARGV do
  local wanted, beside = string.match(ARGV[choice], '^(.-);(.*)$')
  local free = true
  for section, unit in string.gmatch(wanted, '(%d+):([^,]+)') do
    if other(section, unit) then
      free = false
      if choice > 3 then break end
      first[#first + 1] = unit
    end
  end
  if free then
    for section, near, far in string.gmatch(beside, '(%d+):([^,:]+):([^,]*)') do
      if not other(section, near) and (far == '' or other(section, far)) then
        free = false
        break
      end
    end
  end
  if free then
    for section, unit in string.gmatch(wanted, '(%d+):([^,]+)') do
      redis.call('ZADD', KEYS[2 * section - 1], now + ttl, unit)
      redis.call('HSET', KEYS[2 * section], unit, token)
    end
    for section = 1, #KEYS / 2 do
      local gone = redis.call('ZRANGEBYSCORE', KEYS[2 * section - 1], '-inf', now, 'LIMIT', 0, 64)
      if #gone > 0 then
        redis.call('ZREM', KEYS[2 * section - 1], unpack(gone))
        redis.call('HDEL', KEYS[2 * section], unpack(gone))
      end
      redis.call('PEXPIRE', KEYS[2 * section - 1], 2 * ttl)
      redis.call('PEXPIRE', KEYS[2 * section], 2 * ttl)
    end
    return {choice - 3}
  end
end
return {-1, first}
"""

# KEYS claims of each section. One text a section: a reply of a thousand parts takes a client 1 ms.
_CLAIMED = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = {}
for k = 1, #KEYS do
  found[k] = table.concat(redis.call('ZRANGEBYSCORE', KEYS[k], '(' .. now, '+inf'), ',')
end
return found
"""

# KEYS claims, claimants of each section; ARGV token, then number of the section, unit …
_UNCLAIM = """
for i = 2, #ARGV, 2 do
  local section, unit = tonumber(ARGV[i]), ARGV[i + 1]
  if redis.call('HGET', KEYS[2 * section], unit) == ARGV[1] then
    redis.call('ZREM', KEYS[2 * section - 1], unit)
    redis.call('HDEL', KEYS[2 * section], unit)
  end
end
return 0
"""


class ClaimScripts:
    """Runs the scripts, registered with one client."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._claim = client.register_script(_CLAIM)
        self._claimed = client.register_script(_CLAIMED)
        self._unclaim = client.register_script(_UNCLAIM)

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        sections = _Sections(event)
        packed = [sections.packed(choice) for choice in choices]
        choice, *rest = self._claim(keys=sections.keys(), args=[token, ttl_ms, *packed])
        if choice >= len(choices):
            raise ValueError("a claim of what was not asked for")
        if choice >= 0:
            return Claimed(int(choice))
        return Claimed(None, tuple(unit.decode() for unit in rest[0]))

    def claimed(self, event: str, sections: Sequence[str]) -> set[str]:
        claimed = self._claimed(keys=[_claims_key(event, section) for section in sections])
        return {unit for units in claimed if units for unit in units.decode().split(",")}

    def unclaim(self, event: str, units: Sequence[tuple[str, str]], token: str) -> None:
        sections = _Sections(event)
        arguments: list[object] = [token]
        for section, unit in units:
            arguments += [sections.number(section), unit]
        self._unclaim(keys=sections.keys(), args=arguments)

    def end(self, event: str, section: str, units: Sequence[str]) -> None:
        together = self._client.pipeline(transaction=False)
        together.zrem(_claims_key(event, section), *units)
        together.hdel(_claimants_key(event, section), *units)
        together.execute()


class _Sections:
    """Numbers sections from 1, in the order in which they are first named."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._numbers: dict[str, int] = {}

    def number(self, section: str) -> int:
        return self._numbers.setdefault(section, len(self._numbers) + 1)

    def packed(self, claim: Claim) -> str:
        units = ",".join(f"{self.number(section)}:{unit}" for section, unit in claim.units)
        beside = ",".join(f"{self.number(s)}:{near}:{far}" for s, near, far in claim.beside)
        return f"{units};{beside}"

    def keys(self) -> list[str]:
        return [
            key
            for section in self._numbers
            for key in (_claims_key(self._event, section), _claimants_key(self._event, section))
        ]


def _claims_key(event: str, section: str) -> str:
    return f"claims:{{{event}}}:{section}"


def _claimants_key(event: str, section: str) -> str:
    return f"claimants:{{{event}}}:{section}"
