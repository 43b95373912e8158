"""Keep token buckets in Valkey, by its own clock: one key a bucket, gone when it is full again.

    rate:{<event>:<bucket>}   string   when the bucket is full, milliseconds

Each bucket has a slot of its own. All are asked at once. If one has no token, the others get theirs
back; in between, another request may be refused although a token is unused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairgate.adapters.valkey.keys import rate_key
from fairgate.adapters.valkey.lua import Script
from fairgate.domain.shared.rate_limit import RateLimit, RateState

_AHEAD = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ahead = math.max(0, (tonumber(redis.call('GET', KEYS[1])) or now) - now)
"""

# KEYS bucket; ARGV token_ms, burst_ms. Whether it had a token, and how far ahead it is.
_TAKE = (
    _AHEAD
    + """
if ahead > tonumber(ARGV[2]) then return {0, ahead} end
ahead = ahead + ARGV[1]
redis.call('SET', KEYS[1], string.format('%.0f', now + ahead), 'PX', ahead)
return {1, ahead}
"""
)

# KEYS bucket; ARGV token_ms. How far ahead it is without that token.
_GIVE_BACK = (
    _AHEAD
    + """
ahead = ahead - ARGV[1]
if ahead <= 0 then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('SET', KEYS[1], string.format('%.0f', now + ahead), 'PX', ahead)
return ahead
"""
)


class RateScripts:
    """Runs the scripts on one client."""

    def __init__(self, client: Any) -> None:
        self._take = Script(client, _TAKE, parts=2)
        self._give_back = Script(client, _GIVE_BACK)

    def take(self, event: str, buckets: Sequence[tuple[str, RateLimit]]) -> list[RateState]:
        """Take a token of each, or of none. Cost: one round trip; two if one has none."""
        calls = [
            ([rate_key(event, name)], [limit.token_ms, limit.burst_ms]) for name, limit in buckets
        ]
        states = [
            RateState(limit, bool(taken), int(ahead))
            for (_, limit), (taken, ahead) in zip(buckets, self._take.many(calls), strict=True)
        ]
        taken = [at for at, state in enumerate(states) if state.taken]
        if 0 < len(taken) < len(states):
            back = self._give_back.many([(calls[at][0], calls[at][1][:1]) for at in taken])
            for at, ahead in zip(taken, back, strict=True):
                states[at] = RateState(buckets[at][1], taken=True, ahead_ms=int(ahead))
        return states
