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
    """Write what ``decide`` makes of the event, and return what is then done (``change``).

    Raises NotFoundError; VersionConflictError: others keep changing the event.
    """

    def read() -> Event:
        sale = table.find(Event, event_key(event))
        if sale is None:
            raise NotFoundError(f"There is no event {event}. `event list` shows what there is.")
        return sale

    def contended() -> VersionConflictError:
        return VersionConflictError(f"Others keep changing {event}. Please try again.")

    return change(table, clock, read, decide, contended=contended)


def event_update(sale: Event, changes: Mapping[str, Any]) -> Update:
    """Write ``changes``, unless somebody has changed the event since ``sale`` was read."""
    return Update(
        "catalog",
        *sale.key,
        condition=EVENT_AS_READ,
        values={"version": sale.version},
        set=changes,
        add={"version": 1},
    )
