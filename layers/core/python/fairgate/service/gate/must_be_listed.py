"""Require that the catalogue has an event before its gate is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import DamagedItemError
from fairgate.service.shared.event_update import no_event
from fairgate.service.shared.keys import creation_key, event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import Creation

if TYPE_CHECKING:
    from fairgate.ports.table import Table


def must_be_listed(table: Table, event: str) -> None:
    """Raise NotFoundError if the catalogue does not have the event.

    A creation writes the gate before the event, and completing a creation writes the gate again: a
    change of the gate in between would be lost. A damaged event counts as there: it can be paused
    and closed.
    """
    try:
        if table.find(Event, event_key(event)) is not None:
            return
    except DamagedItemError:
        return
    begun = table.find(Creation, creation_key(event))
    if begun is None:
        raise no_event(event)
    more = (
        f" Its creation, begun by {begun.who} at {rfc3339(begun.at_ms)}, broke off or is still"
        f" under way: `fairgate event create {event} …` completes it."
    )
    raise no_event(event, more)
