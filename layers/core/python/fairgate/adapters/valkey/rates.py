"""Keep token buckets in Valkey, by its own clock: one key a bucket, gone when it is full again.

rate:{<event>}:<bucket>   string   when the bucket is full, milliseconds
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairgate.domain.shared.rate_limit import RateLimit, RateState

# KEYS the buckets; ARGV token_ms and room_ms of each. Answers how far ahead each is, and first
# whether all of them had a token: only then is anything taken.
_TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {1}
for k = 1, #KEYS do
  local ahead = math.max(0, (tonumber(redis.call('GET', KEYS[k])) or now) - now)
  if ahead > tonumber(ARGV[2 * k]) then answer[1] = 0 end
  answer[k + 1] = ahead
end
if answer[1] == 1 then
  for k = 1, #KEYS do
    local ahead = answer[k + 1] + ARGV[2 * k - 1]
    redis.call('SET', KEYS[k], string.format('%.0f', now + ahead), 'PX', ahead)
    answer[k + 1] = ahead
  end
end
return answer
"""


class RateScripts:
    """The script on one client."""

    def __init__(self, client: Any) -> None:
        self._take = client.register_script(_TAKE)

    def take(self, event: str, buckets: Sequence[tuple[str, RateLimit]]) -> list[RateState]:
        keys = [f"rate:{{{event}}}:{name}" for name, _ in buckets]
        limits = [limit for _, limit in buckets]
        arguments = [number for limit in limits for number in (limit.token_ms, limit.room_ms)]
        taken, *ahead = self._take(keys=keys, args=arguments)
        return [
            RateState(limit, bool(taken) or int(ms) <= limit.room_ms, int(ms))
            for limit, ms in zip(limits, ahead, strict=True)
        ]
