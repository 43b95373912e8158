"""Build the calendar entry of a buyer's order."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from fairgate.domain.shared.language import language_of
from fairgate.domain.shared.times import epoch_ms
from fairgate.domain.shared.wording import wording
from fairgate.domain.tickets.calendar_entry import CalendarEntry
from fairgate.errors import NotFoundError
from fairgate.service.shared.localised import localised
from fairgate.service.shared.start_text import start_text
from fairgate.service.tickets.issue_tickets import read_ticketed

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order

CALENDAR = "event.ics"  # what its file is called in a mail


def read_calendar(
    table: Table, *, user: str, order: str, public_url: str, now_ms: int
) -> CalendarEntry:
    """Read the calendar entry of the user's own order.

    Raises:
        NotFoundError: no such order, or somebody else's; or its event has no date.
        WrongStateError: the order has no valid tickets (yet, or any more).

    Consistency: strong. Cost: two reads.
    """
    own, event = read_ticketed(table, user=user, order=order)
    entry = calendar_entry(own, event, user, public_url=public_url, now_ms=now_ms)
    if entry is None:
        raise NotFoundError("This event has no date yet.")
    return entry


def calendar_entry(
    order: Order, event: Event | None, user: str = "", *, public_url: str, now_ms: int
) -> CalendarEntry | None:
    """Return the calendar entry of a ticketed order in its language; None if its event has no date.

    ``user``: whose tickets; "": its buyer's.
    """
    if event is None or not event.starts_at:
        return None
    kind = "o" if user in ("", order.user_id) else "t"
    page = f"{public_url}/#/{kind}/{order.order_id}"
    words = wording(language_of(order.language))
    places = [words.place(entry.label) for entry in order.held_by(user or order.user_id)]
    starts = start_text(event.starts_at, event.time_zone, words.language)
    begins, tickets = words("calendar.begins", start=starts), words("calendar.tickets", page=page)
    return CalendarEntry(
        uid=str(uuid.uuid5(uuid.NAMESPACE_URL, page)),
        sequence=event.version,
        name=localised(event, order.language).name,
        starts_at_ms=epoch_ms(event.starts_at),
        said_at_ms=now_ms,
        place=", ".join(part for part in (event.venue_name, event.venue_address) if part),
        details="\n".join([begins, *places, tickets]),
        url=page,
    )
