"""The file of the events that are listed, by which the start page finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairgate.http.views.events import EventsView, event_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.catalog import Event

EVENTS_MAX = 5_000  # docs/adr/0056: a phone loads half a megabyte of them


def events_file(now: str, sales: Sequence[Event]) -> bytes:
    """Return the events as the API lists them; of too many the next ones from ``now`` on."""
    kept = list(sales)
    if len(kept) > EVENTS_MAX:
        kept.sort(key=lambda sale: (_date(sale) < now, _date(sale)))
    return msgspec.json.encode(EventsView([*map(event_summary, kept[:EVENTS_MAX])], None))


def _date(sale: Event) -> str:
    return sale.ends_at or sale.sale_starts_at
