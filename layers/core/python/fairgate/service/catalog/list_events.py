"""List the events of the buyers' list, a page at a time, in the order of their ids."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import MalformedInputError
from fairgate.service.catalog.read_catalog import Catalog, in_force, is_over
from fairgate.service.shared.keys import CATALOG_PK
from fairgate.service.shared.readable import readable_pages
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.table import Table

PAGE_EVENTS = 200
LOOKED_AT_MAX = 1_000  # events that are over, hidden or drafts fill no page
READ_AT_ONCE = 100
_VERSION = b"1"  # of a cursor


class EventsPage(Struct, frozen=True):
    """Some of the events that are listed.

    Attributes:
        after: names the next page; "": these are the last.
    """

    events: Sequence[Event]
    after: str = ""


def list_events(table: Table, now_ms: int, after: str = "") -> EventsPage:
    """Read a page: at most PAGE_EVENTS, and perhaps fewer, or none, although others follow.

    Anyone reads a cursor, so it names no draft and no hidden event.

    Raises MalformedInputError: ``after`` is no cursor of this version.

    Cost: a query for each READ_AT_ONCE items, of LOOKED_AT_MAX and those before the next event
        that may be named.
    """
    found: list[Event] = []
    looked_at = 0
    last = _event_of(after) if after else ""
    for page in readable_pages(table, Event, CATALOG_PK, after=last, size=READ_AT_ONCE):
        for _key, sale in page:
            looked_at += 1
            for public in Catalog([in_force(sale, now_ms)] if sale else [], []).listed:
                if len(found) == PAGE_EVENTS:
                    return EventsPage(found, _cursor(last))
                last = public.id
                found += [] if is_over(public, now_ms) else [public]
                if looked_at >= LOOKED_AT_MAX:
                    return EventsPage(found, _cursor(last))
    return EventsPage(found)


def _cursor(event: str) -> str:
    return base64.urlsafe_b64encode(_VERSION + event.encode()).rstrip(b"=").decode()


def _event_of(cursor: str) -> str:
    """Return the last event of the page before. Raises MalformedInputError."""
    try:
        told = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        event = told.removeprefix(_VERSION).decode()
    except (binascii.Error, ValueError) as error:
        raise _no_cursor() from error
    if not told.startswith(_VERSION) or not EVENT_ID.fullmatch(event):
        raise _no_cursor()
    return event


def _no_cursor() -> MalformedInputError:
    return MalformedInputError("There is no such place in the list of events: begin again.")
