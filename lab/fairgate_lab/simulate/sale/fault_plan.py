"""Draw for each seed what goes wrong and how often, so that seeds differ in kind.

Each kind of trouble is on in about half of the seeds ("swarm testing": a mix of everything at once
hides what one kind alone would find).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from fairgate_lab.simulate.sale.books import PAGE_MS_MIN

WRITE_TROUBLES = (
    "throttled",
    "conflict",
    "in-progress",
    "lost-before",  # a time-out, and nothing was written
    "lost-after",  # a time-out after the commit
    "late",  # a time-out, and the commit comes afterwards
)
READ_TROUBLES = ("throttled", "lost-before")
RATES = (0.02, 0.05, 0.1, 0.2)
OFTEN, SOMETIMES, SELDOM = 0.5, 0.25, 0.1
BUSY = 0.6
KEPT = (0.2, 0.6)
SKEWS_MS = (0, 0, 1_500, 5_000, 5_000)


@dataclass(frozen=True)
class FaultPlan:
    """Chances from 0 to 1; nothing happens by default."""

    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    trouble: float = 0.0  # of each call to the table
    mixed: float = 0.0  # a refused transaction also reports a conflict
    torn: float = 0.0  # a read of several items that sees a commit in part
    half_seen: float = 0.0  # a transaction whose items are seen one by one, by any readers
    unprocessed: float = 0.0  # a batch read that answers a part, and leaves the rest to be asked
    pages: float = 0.0  # 1: a query answers at most a few items at a time
    hot: float = 0.0  # a call that makes its partition throttle for a while
    lag: float = 0.0  # an eventually consistent read that is behind
    stall: float = 0.0  # a call that takes long: its process is paused
    stall_ms: int = 0
    crash: float = 0.0  # of a process at each call
    time_out: float = 0.0  # a function's time is up when a call has taken effect
    impatient: float = 0.0  # a client that hangs up while its request goes on
    queue: float = 0.0  # a queue that cannot be reached, or whose answer is lost
    provider: float = 0.0  # the payment provider, likewise
    setup: float = 0.0  # a provider that takes neither our key nor our permission
    refused: float = 0.0  # a page or a refund that the provider refuses for good
    refund_kept: float = 0.0  # a refund whose refusal for now, or whose 500, is repeated for good
    refund_pending: float = 0.0  # a refund that takes its time
    refund_fails: float = 0.0  # a refund that comes back, at once or later
    other_hand: float = 0.0  # a capture that somebody refunds at the provider, or a part of it
    disputed: float = 0.0  # a capture that a bank takes back
    page_ms: int = 0  # how long a page is open at least, unless it is closed; as Stripe's
    cache: float = 0.0  # the cache, likewise
    forgotten: float = 0.0  # a capture that no webhook reports
    miscounted: float = 0.0  # a capture of another amount than was asked for
    repeat: float = 0.0  # a message delivered once more than needed
    poison: float = 0.0  # beside a message comes one that no consumer can take
    redrive: float = 0.0  # somebody sends dead letters back while the trouble lasts
    delay_ms: int = 50  # how late a message may be
    skew_ms: int = 0  # how far a process's clock may be off
    outages: tuple[tuple[int, int], ...] = ()  # from and to, in ms: the table answers nothing
    webhooks_out: tuple[tuple[int, int], ...] = ()  # from and to, in ms: none of them arrives
    # A provider that takes no more checkouts for the moment. Of no other draw's seed.
    busy: float = field(default=0.0, repr=False)

    def calm(self) -> FaultPlan:
        """Nothing fails any more, and messages come soon. Clocks stay as wrong as they are."""
        return FaultPlan(skew_ms=self.skew_ms)


def draw(rng: random.Random, start_ms: int, long_ms: int) -> FaultPlan:
    """Draw a seed's faults; ``long_ms`` is the time in which a sale's holds expire."""

    def perhaps(*rates: float) -> float:
        return rng.choice(rates) if rng.random() < OFTEN else 0.0

    writes = tuple(kind for kind in WRITE_TROUBLES if rng.random() < OFTEN)
    plan = FaultPlan(
        writes=writes,
        reads=READ_TROUBLES if rng.random() < OFTEN else (),
        trouble=perhaps(*RATES),
        mixed=perhaps(0.3),
        torn=perhaps(0.1, 0.3),
        half_seen=perhaps(0.3, 1.0),
        unprocessed=perhaps(0.2, 0.6),
        pages=perhaps(1.0),
        hot=perhaps(0.001, 0.005),
        lag=perhaps(0.5),
        stall=perhaps(0.01, 0.03, 0.1),
        stall_ms=rng.choice((2_000, 15_000, long_ms)),
        crash=perhaps(0.003, 0.01, 0.03),
        time_out=perhaps(0.003, 0.01, 0.03),
        impatient=perhaps(0.05, 0.15),
        queue=perhaps(0.1),
        provider=perhaps(0.1, 0.3),
        setup=perhaps(0.05),
        refused=perhaps(0.05, 0.2),
        refund_pending=perhaps(0.3, 1.0),
        refund_fails=perhaps(0.1, 0.3),
        other_hand=perhaps(0.1),
        disputed=perhaps(0.1, 0.3),
        page_ms=rng.choice((0, PAGE_MS_MIN)),
        cache=perhaps(0.05, 0.2),
        forgotten=perhaps(0.1),
        miscounted=perhaps(0.1),
        repeat=perhaps(0.2, 0.5),
        poison=perhaps(0.1),
        redrive=perhaps(0.3),
        delay_ms=rng.choice((50, 2_000, 30_000, 2 * long_ms)),
        skew_ms=rng.choice(SKEWS_MS),
    )
    if rng.random() < SOMETIMES:
        begins = start_ms + rng.randint(0, 2 * long_ms)
        plan = replace(plan, outages=((begins, begins + rng.randint(1_000, 20_000)),))
    if rng.random() < SOMETIMES:  # longer than any payment window, perhaps
        begins = start_ms + rng.randint(0, long_ms)
        plan = replace(plan, webhooks_out=((begins, begins + rng.randint(0, 4 * long_ms)),))
    apart = random.Random(str(plan))  # noqa: S311 no other draw depends on it
    kept = apart.choice(KEPT) if apart.random() < SOMETIMES else 0.0
    return replace(plan, refund_kept=kept, busy=BUSY if apart.random() < SELDOM else 0.0)
