"""Limit how often a changing request may be made: a token bucket for each subject and action.

A bucket is one number, the time at which it will be full again: each request moves that time on by
what one token takes to come back, and a request that would move it further than a whole bucket is
refused. Source: ITU-T I.371, annex A, "generic cell rate algorithm".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

LimitName = Literal[
    "admission", "appeal", "cancel", "checkout", "email", "holds", "leave", "releases", "transfer"
]


class RateLimit(Struct, frozen=True):
    """A bucket of ``quota`` requests that fills within ``window_s`` seconds."""

    quota: int
    window_s: int

    @property
    def token_ms(self) -> int:
        """Return how long a token takes to come back, in milliseconds."""
        return self.window_s * 1000 // self.quota

    @property
    def burst_ms(self) -> int:
        """Return how far ahead the full time may be while a token is left, in milliseconds."""
        return self.token_ms * (self.quota - 1)


class RateState(Struct, frozen=True):
    """A bucket after a request: whether it had a token, and ``ahead_ms`` until it is full again."""

    limit: RateLimit
    taken: bool
    ahead_ms: int

    @property
    def remaining(self) -> int:
        """Return for how many more requests it has tokens now."""
        return max(0, (self.limit.burst_ms - self.ahead_ms) // self.limit.token_ms + 1)

    @property
    def wait_s(self) -> int:
        """Return whole seconds until it has a token again; 0 if it has one."""
        return max(0, -((self.limit.burst_ms - self.ahead_ms) // 1000))


# For each account and event. The page asks less often; if it is told to wait, it waits and asks
# again by itself.
USER_LIMITS: Mapping[LimitName, RateLimit] = {
    "holds": RateLimit(3, 10),
    "releases": RateLimit(10, 10),
    "admission": RateLimit(5, 10),
    "appeal": RateLimit(5, 600),  # one counts; the others are its repetitions
    "checkout": RateLimit(5, 10),
    "leave": RateLimit(5, 10),
    "cancel": RateLimit(5, 10),
    "transfer": RateLimit(5, 10),
    "email": RateLimit(5, 86_400),  # each sends a mail, perhaps to whom it is no use
}
# For each address, event and each of the above: many buyers of a campus share one address.
ADDRESS_LIMIT = RateLimit(1_000, 10)
# All of an event's buyers together, in so many buckets, each chosen by chance.
EVENT_BUCKETS, EVENT_WINDOW_S = 10, 2
# Mails with a link to tickets: for each mailbox, whose owner may not have asked for them, and for
# each address that asks. A link is valid for a day: with a day's limit of mails, one still works.
MAILBOX_LINKS = RateLimit(3, 3_600)
MAILBOX_LINKS_A_DAY = RateLimit(10, 86_400)
ADDRESS_LINKS = RateLimit(60, 3_600)


def event_limit(per_s: int) -> RateLimit:
    """Return the limit of each of an event's buckets, which together take ``per_s`` a second."""
    return RateLimit(max(1, per_s * EVENT_WINDOW_S // EVENT_BUCKETS), EVENT_WINDOW_S)
