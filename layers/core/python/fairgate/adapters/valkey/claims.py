"""Claim units in Valkey for a few seconds, so that callers choose different seats.

``SET NX`` with an expiry claims one unit; these scripts claim several of a section at once, all or
none. A section with claims has two keys in its own slot:

    claims:{<event>:<section>}     zset  unit → end of its claim, milliseconds of Valkey's clock
    claimants:{<event>:<section>}  hash  unit → the token that claimed it

Units of several sections are claimed section by section, in the order of their names, so that the
first of two callers gets all of them. Claims before a refusal are given up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairgate.adapters.valkey.keys import claimants_key, claims_key
from fairgate.adapters.valkey.lua import Call, Script
from fairgate.ports.availability import Claim, Claimed

# Choices travel as "unit,…;near:far,…".
# KEYS claims, claimants; ARGV token, ttl_ms (0: only look), choices …
# Which choice was claimed, or -1 and the units that block the first choice.
_CLAIM = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token, ttl = ARGV[1], tonumber(ARGV[2])
local seen = {}
local function other(unit)
  if seen[unit] == nil then
    local ends = redis.call('ZSCORE', KEYS[1], unit)
    seen[unit] = ends and tonumber(ends) > now
      and redis.call('HGET', KEYS[2], unit) ~= token or false
  end
  return seen[unit]
end
local first = {}
for choice = 3, #ARGV do
  local wanted, beside = string.match(ARGV[choice], '^(.-);(.*)$')
  local free = true
  for unit in string.gmatch(wanted, '[^,]+') do
    if other(unit) then
      free = false
      if choice > 3 then break end
      first[#first + 1] = unit
    end
  end
  if free then
    for near, far in string.gmatch(beside, '([^,:]+):([^,]*)') do
      if not other(near) and (far == '' or other(far)) then
        free = false
        break
      end
    end
  end
  if free and ttl > 0 then
    for unit in string.gmatch(wanted, '[^,]+') do
      redis.call('ZADD', KEYS[1], now + ttl, unit)
      redis.call('HSET', KEYS[2], unit, token)
    end
    local gone = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 64)
    if #gone > 0 then
      redis.call('ZREM', KEYS[1], unpack(gone))
      redis.call('HDEL', KEYS[2], unpack(gone))
    end
    redis.call('PEXPIRE', KEYS[1], 2 * ttl)
    redis.call('PEXPIRE', KEYS[2], 2 * ttl)
  end
  if free then return {choice - 3, {}} end
end
return {-1, first}
"""

# KEYS claims. One text: a reply of a thousand parts takes a client 1 ms.
_CLAIMED = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return table.concat(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf'), ',')
"""

# KEYS claims, claimants; ARGV token, units …
_UNCLAIM = """
for i = 2, #ARGV do
  if redis.call('HGET', KEYS[2], ARGV[i]) == ARGV[1] then
    redis.call('ZREM', KEYS[1], ARGV[i])
    redis.call('HDEL', KEYS[2], ARGV[i])
  end
end
return 0
"""


class ClaimScripts:
    """Runs the scripts on one client."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._claim = Script(client, _CLAIM, parts=2)
        self._claimed = Script(client, _CLAIMED)
        self._unclaim = Script(client, _UNCLAIM)

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        """Claim the first free choice.

        Cost: one round trip for choices that follow each other in one section; for a choice in
        several sections one for each, and two more when it is refused.
        """
        in_the_way: tuple[tuple[str, str], ...] = ()
        start = 0
        while start < len(choices):
            end, parts = _next_choices(choices, start)
            made, taken = (
                self._claim_alone(event, next(iter(parts)), choices[start:end], token, ttl_ms)
                if len(parts) == 1
                else self._claim_together(event, parts, token, ttl_ms)
            )
            if made is not None:
                return Claimed(start + made)
            if start == 0:
                in_the_way = tuple(unit for unit in choices[0].units if unit in taken)
            start = end
        return Claimed(None, tuple(unit for _, unit in in_the_way))

    def _claim_alone(
        self, event: str, section: str, choices: Sequence[Claim], token: str, ttl_ms: int
    ) -> tuple[int | None, set[tuple[str, str]]]:
        packed = [_packed(choice) for choice in choices]
        choice, first = self._claim(_keys(event, section), [token, ttl_ms, *packed])
        if choice >= len(choices):
            raise ValueError("a claim of what was not asked for")
        return (int(choice) if choice >= 0 else None), {(section, unit.decode()) for unit in first}

    def _claim_together(
        self, event: str, parts: Mapping[str, Claim], token: str, ttl_ms: int
    ) -> tuple[int | None, set[tuple[str, str]]]:
        sections = sorted(parts)
        for done, section in enumerate(sections):
            made, taken = self._claim_alone(event, section, [parts[section]], token, ttl_ms)
            if made is None:
                self.unclaim(event, [u for s in sections[:done] for u in parts[s].units], token)
                others = sections[done + 1 :]
                looks = [(_keys(event, s), [token, 0, _packed(parts[s])]) for s in others]
                answers = self._claim.many(looks) if looks else []
                for other, (_, more) in zip(others, answers, strict=True):
                    taken |= {(other, unit.decode()) for unit in more}
                return None, taken
        return 0, set()

    def claimed(self, event: str, sections: Sequence[str]) -> set[str]:
        calls: list[Call] = [([claims_key(event, section)], ()) for section in sections]
        claimed = self._claimed.many(calls) if calls else []
        return {unit for units in claimed if units for unit in units.decode().split(",")}

    def unclaim(self, event: str, units: Sequence[tuple[str, str]], token: str) -> None:
        by_section: dict[str, list[str]] = {}
        for section, unit in units:
            by_section.setdefault(section, []).append(unit)
        calls = [(_keys(event, s), [token, *some]) for s, some in by_section.items()]
        if calls:
            self._unclaim.many(calls)

    def end(self, event: str, section: str, units: Sequence[str]) -> None:
        together = self._client.pipeline(transaction=False)
        together.zrem(claims_key(event, section), *units)
        together.hdel(claimants_key(event, section), *units)
        together.execute()


def _next_choices(choices: Sequence[Claim], start: int) -> tuple[int, dict[str, Claim]]:
    """Return the end of the choices from ``start`` in one section, with that section; or the parts
    of a single choice in several sections.
    """
    parts = _by_section(choices[start])
    end = start + 1
    while len(parts) == 1 and end < len(choices) and list(_by_section(choices[end])) == [*parts]:
        end += 1
    return end, parts


def _by_section(choice: Claim) -> dict[str, Claim]:
    sections = dict.fromkeys(part[0] for part in (*choice.units, *choice.beside))
    return {
        section: Claim(
            tuple(unit for unit in choice.units if unit[0] == section),
            tuple(beside for beside in choice.beside if beside[0] == section),
        )
        for section in sections
    }


def _packed(claim: Claim) -> str:
    units = ",".join(unit for _, unit in claim.units)
    return f"{units};{','.join(f'{near}:{far}' for _, near, far in claim.beside)}"


def _keys(event: str, section: str) -> list[str]:
    return [claims_key(event, section), claimants_key(event, section)]
