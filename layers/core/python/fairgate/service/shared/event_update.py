"""Change an event, which many write: each write needs the version that was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from fairgate.errors import NotFoundError, VersionConflictError
from fairgate.ports.table import Update
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import EVENT_AS_READ
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.seen_version import event_written, must_be_seen_event

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Done = TypeVar("Done")


def change_event(
    table: Table, clock: Clock, event: str, decide: Callable[[Event], Write[Done]]
) -> Done:
    """Write what ``decide`` makes of the event, and return its result (``change``).

    Raises:
        NotFoundError.
        VersionConflictError: others keep changing the event.
        PreconditionFailedError: it is not as the caller saw it (``seen_version.only_if``).
    """

    def contended() -> VersionConflictError:
        return VersionConflictError(f"Others keep changing {event}. Please try again.")

    def decided(sale: Event) -> Write[tuple[Done, bool]]:
        must_be_seen_event(sale)
        write = decide(sale)
        return Write((write.done, bool(write.actions)), write.actions, write.refused)

    read = partial(read_event, table, event)
    done, written = change(table, clock, read, decided, contended=contended)
    if written:
        event_written(event)
    return done


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
