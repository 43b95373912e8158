"""Take an event out of the list of events, or back into it; its own page and gate go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.errors import WrongStateError
from fairgate.service.shared.change import Write
from fairgate.service.shared.event_update import change_event, event_update

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event


def set_hidden(
    table: Table, clock: Clock, event: str, *, hidden: bool, dry_run: bool = False
) -> Event:
    """Return the event as it is then. Caches show the former list for up to twenty seconds.

    Raises:
        NotFoundError.
        WrongStateError: it is so already.
        VersionConflictError: others keep changing the event.

    Cost: one read, one conditional write.
    """

    def decide(sale: Event) -> Write[Event]:
        if sale.hidden == hidden:
            now = "hidden" if hidden else "in the list"
            raise WrongStateError(f"{event} is {now} already.", state=sale.state)
        changed = replace(sale, hidden=hidden, version=sale.version + 1)
        return Write(changed, [] if dry_run else [event_update(sale, {"hidden": hidden})])

    return change_event(table, clock, event, decide)
