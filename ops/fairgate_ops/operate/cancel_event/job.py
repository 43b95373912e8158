"""Give all of a cancelled event's money back: passes over its orders until nothing is left to do.

The tables alone say what is done. After an interruption at any point the job starts again, and it
goes on from there: an order is decided once by the condition of its write, and the provider makes
one refund of a capture however often it is asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fairgate.domain.shared.session import LIVE_STATES
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import (
    DependencyUnavailableError,
    NotFoundError,
    PaymentRefusedError,
    ProviderSetupError,
)
from fairgate.ports.record import DamagedItemError
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate.service.shared.records.sessions import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fairgate.ports.record import Key
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.cancel_event.give_all_back import AllGiver
    from fairgate_ops.operate.cancel_event.pace import Pace

# After an event is marked nothing begins any more that did not know of it: what a function keeps of
# the catalogue (5 s), and a request that was under way (30 s). The last pass begins after that.
STILL_S = 40
_AGAIN_S = 30.0  # before a pass that follows one which got nowhere
_IN_VAIN_MAX = 3  # such passes in a row


@dataclass
class Work:
    """What one pass did, and what it could not."""

    decided: int = 0
    sent: int = 0
    ended: int = 0
    unsent: int = 0
    undecided: int = 0
    unended: int = 0

    @property
    def done(self) -> int:
        return self.decided + self.sent + self.ended

    @property
    def left(self) -> int:
        return self.unsent + self.undecided + self.unended


@dataclass(frozen=True)
class CancelJob:
    """Attributes:
    walk: lists the event's orders and sessions as they are.
    step: is told of each order and session that was looked at.
    """

    giver: AllGiver
    clock: Clock
    walk: Callable[[], Iterator[Order | Session | Key]]
    pace: Pace
    step: Callable[[], object] = lambda: None
    failed: Counter[Key] = field(default_factory=Counter)  # how often sending a refund did

    def run(self, event: Event) -> Work:
        """Return what the last pass left, which is nothing if all has been sent that can be.

        Raises ProviderSetupError: a person has to mend the provider's key first.
        """
        in_vain = 0
        while True:
            still_in_s = epoch_ms(event.cancelled_at) / 1000 + STILL_S - self.clock.now_ms() / 1000
            work = self._pass(event)
            in_vain = 0 if work.done else in_vain + 1
            if not work.left and not work.done and still_in_s <= 0:
                return work
            if work.left and in_vain >= _IN_VAIN_MAX:
                return work
            if not work.done:
                pause_s = max(still_in_s, _AGAIN_S if work.left else 0.0)
                self.pace.say(f"Looking again in {pause_s:.0f} s.")
                self.pace.sleep(pause_s)

    def _pass(self, event: Event) -> Work:
        """Look at everything once; what could not be sent before is tried after what is new."""
        work, again = Work(), list[OwedRefund]()
        self.pace.begin_again()
        for found in self.walk():
            if isinstance(found, Session):
                self._end(found, work)
            elif isinstance(found, Order):
                for owed in self._decided(event, found, work):
                    if self.failed[owed.key]:
                        again.append(owed)
                    else:
                        self._send(owed, work)
            self.step()
        for owed in sorted(again, key=lambda one: self.failed[one.key]):
            self._send(owed, work)
        return work

    def _end(self, session: Session, work: Work) -> None:
        """End it as its buyer would; what its payment page took is settled, and given back."""
        if session.state not in LIVE_STATES:
            return
        if session.state == "checkout" and not self.pace.may_ask():
            work.unended += 1
            return
        try:
            ending = self.giver.end(session.id)
        except ProviderSetupError:
            raise
        except DependencyUnavailableError as away:
            self.pace.refused(away)
            work.unended += 1
        except (PaymentRefusedError, DamagedItemError):
            work.unended += 1  # until the locks of its seats run out
        except NotFoundError:
            return
        else:
            work.ended += ending in ("ended", "paid")

    def _decided(self, event: Event, order: Order, work: Work) -> list[OwedRefund]:
        """Void the order and owe all of it back, once; return what of it is to be sent."""
        if order.state == "pending":
            return []  # its session ends it, and what it took is then owed back or sold
        try:
            decided = self.giver.decide(event, order)
            work.decided += decided.state != order.state
            return [one for one in self.giver.refunds(decided) if one.waits]
        except (DependencyUnavailableError, DamagedItemError):
            work.undecided += 1
            return []

    def _send(self, owed: OwedRefund, work: Work) -> None:
        if not self.pace.may_ask():
            work.unsent += 1
            return
        try:
            self.giver.send(owed)
        except ProviderSetupError:
            raise
        except DependencyUnavailableError as away:
            self.pace.refused(away)
            self.failed[owed.key] += 1
            work.unsent += 1
        else:
            self.pace.taken()
            work.sent += 1
