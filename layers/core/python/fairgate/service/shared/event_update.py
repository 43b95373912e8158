"""Change an event, which many write: each write needs the version that was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from fairgate.errors import NotFoundError, VersionConflictError
from fairgate.ports.table import Update
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import EVENT_AS_READ
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Done = TypeVar("Done")


def change_event(
    table: Table, clock: Clock, event: str, decide: Callable[[Event], Write[Done]]
) -> Done:
    """Write what ``decide`` makes of the event, and return its result (``change``).

    Raises NotFoundError; VersionConflictError: others keep changing the event.
    """

    def contended() -> VersionConflictError:
        return VersionConflictError(f"Others keep changing {event}. Please try again.")

    return change(table, clock, lambda: read_event(table, event), decide, contended=contended)


def read_event(table: Table, event: str) -> Event:
    """Read an event strongly. Raises NotFoundError."""
    sale = table.find(Event, event_key(event))
    if sale is None:
        raise no_event(event)
    return sale


def no_event(event: str, more: str = "") -> NotFoundError:
    return NotFoundError(f"There is no event {event}. `event list` shows what there is.{more}")


def event_update(sale: Event, changes: Mapping[str, Any]) -> Update:
    """Return a write that is refused if the event has changed since ``sale`` was read."""
    return Update(
        "catalog",
        *sale.key,
        condition=EVENT_AS_READ,
        values={"version": sale.version},
        set=changes,
        add={"version": 1},
    )
