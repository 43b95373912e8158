"""How often a request that changes something may be made: a token bucket for each who and what.

A bucket is one number, the time at which it will be full again: each request moves that time on by
what one token takes to come back, and a request that would move it further than a whole bucket is
refused. Source: ITU-T I.371, annex A, "generic cell rate algorithm".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

LimitName = Literal["admission", "cancel", "checkout", "holds", "leave", "releases", "transfer"]


class RateLimit(Struct, frozen=True):
    """A bucket of ``quota`` requests that fills within ``window_s`` seconds."""

    quota: int
    window_s: int

    @property
    def token_ms(self) -> int:
        """How long one token takes to come back, in milliseconds."""
        return self.window_s * 1000 // self.quota

    @property
    def burst_ms(self) -> int:
        """How far ahead the bucket's full time may lie while a token is left, in milliseconds."""
        return self.token_ms * (self.quota - 1)


class RateState(Struct, frozen=True):
    """A bucket after a request: whether it had a token, and ``ahead_ms`` until it is full again."""

    limit: RateLimit
    taken: bool
    ahead_ms: int

    @property
    def remaining(self) -> int:
        """How many more requests it has tokens for now."""
        return max(0, (self.limit.burst_ms - self.ahead_ms) // self.limit.token_ms + 1)

    @property
    def wait_s(self) -> int:
        """Whole seconds until it has a token again; 0 when it has one."""
        return max(0, -((self.limit.burst_ms - self.ahead_ms) // 1000))


# Of one account, for each event. Whoever uses the page asks less often; and where the page is told
# to wait, it does, and asks again by itself.
USER_LIMITS: Mapping[LimitName, RateLimit] = {
    "holds": RateLimit(3, 10),
    "releases": RateLimit(10, 10),
    "admission": RateLimit(5, 10),
    "checkout": RateLimit(5, 10),
    "leave": RateLimit(5, 10),
    "cancel": RateLimit(5, 10),
    "transfer": RateLimit(5, 10),
}
# Of one address, for each event and each of the above: a campus behind one address is many buyers.
ADDRESS_LIMIT = RateLimit(1_000, 10)
# Of mails with a link to tickets: to a mailbox, which is somebody's who may not have asked; and
# from an address, behind which many may have lost theirs. A link is good for a day: whoever is sent
# as many as a day has, because somebody else asks and asks, has one that opens.
MAILBOX_LINKS = RateLimit(3, 3_600)
MAILBOX_LINKS_A_DAY = RateLimit(10, 86_400)
ADDRESS_LINKS = RateLimit(60, 3_600)
