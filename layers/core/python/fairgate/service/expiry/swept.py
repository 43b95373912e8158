"""Count what a run of the sweeper did, and report what failed."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.ids import EventId
from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.failures import Failure, failure_of
from fairgate.service.shared.keys import REFUNDS

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

STOP_MS = 8_000  # with less time left, the run ends, and the next one begins at this minute
AGAIN_S = 120  # when to look again at what may succeed later
MUCH_LATER_S = 3_600  # when to look again at what fails until somebody repairs it
# If the provider refuses to answer about a page, its seats stay until their locks expire.
_PASSING = (DependencyUnavailableError, PaymentRefusedError)


class OutOfTimeError(Exception):
    """Ends a run before the function's timeout; the next run does the rest."""

    def __init__(self) -> None:
        super().__init__("the rest of the minute is left to the next run")


def _unbounded() -> int:
    return 1 << 40


class Swept(Struct, frozen=True):
    """What one run found and did for one event."""

    event: EventId
    until: str = ""  # the last minute that was looked at; "": none
    expired: int = 0
    refunded: int = 0  # refunds that were sent or made progress
    overdue: int = 0  # refunds that are still owed five minutes after they should have been sent
    postponed: int = 0  # sessions that could not be ended now; looked at again in two minutes
    handed: int = 0  # sessions that were given to the expiry queue
    freed: int = 0  # house seats and places whose time had come
    failures: tuple[Failure, ...] = ()

    @property
    def eventful(self) -> bool:
        """Say whether there was anything to do."""
        return self != Swept(self.event, self.until)


# What was done so far, and the last refund that was looked at in the minute; "": none.
Steps: TypeAlias = Generator[tuple[Swept, str], None, Swept]


def again_s(error: Exception) -> int:
    """Return after how many seconds to try again after this error."""
    return AGAIN_S if isinstance(error, _PASSING) else MUCH_LATER_S


class Teller(Struct, frozen=True):
    """Counts failures, and makes a manual task of a lasting one."""

    table: Table
    clock: Clock

    def failed(self, swept: Swept, what: str, error: Exception, *, lasting: bool = False) -> Swept:
        """Count a failure. One that is lasting, or will come again, becomes a manual task."""
        failure = failure_of(what, error)
        if lasting or not isinstance(error, _PASSING):
            self._task(swept, what, f"{failure.error} at {failure.where}")
        return replace(swept, failures=(*swept.failures, failure))

    def unreadable(self, swept: Swept, what: str) -> Swept:
        """Count a damaged item, and make a manual task of it."""
        self._task(swept, what, "an item is damaged")
        failure = Failure(what, "DamagedItemError", "")
        return replace(swept, failures=(*swept.failures, failure))

    def _task(self, swept: Swept, what: str, why: str) -> None:
        text = (
            f"The sweeper cannot do this ({why}), and tries again each hour: {what}. Look for a"
            " damaged item among its items and the seats that it holds, and repair it."
        )
        event = "" if swept.event == REFUNDS else swept.event
        ManualTasks(self.table, self.clock).note("entry-failed", text, event=event, thing=what)
