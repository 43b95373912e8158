"""Ask the catalogue for an event before its gate is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.ports.record import DamagedItemError
from fairgate.service.shared.keys import creation_key, event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import Creation

if TYPE_CHECKING:
    from fairgate.ports.table import Table


def must_be_listed(table: Table, event: str) -> None:
    """Raise NotFoundError for what the catalogue does not have, saying what its creation came to.

    A creation writes the gate before the event, and whoever completes one that broke off writes
    the gate anew: what was done to it in between would be gone without a word. A damaged event is
    there, and can be paused and closed.
    """
    try:
        if table.find(Event, event_key(event)) is not None:
            return
    except DamagedItemError:
        return
    detail = f"There is no event {event}. `event list` shows what there is."
    begun = table.find(Creation, creation_key(event))
    if begun is not None:
        detail += (
            f" Its creation, begun by {begun.who} at {rfc3339(begun.at_ms)}, broke off or is still"
            f" under way: `fairgate event create {event} …` completes it."
        )
    raise NotFoundError(detail)
