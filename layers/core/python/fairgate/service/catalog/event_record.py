"""Make the catalogue's item of a new event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.domain.shared.session import LIVE_COUNTERS
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.service.catalog.event_rows import area_facts, section_facts
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event, Fees, Tier
from fairgate.service.shared.zoned_times import utc_moment

if TYPE_CHECKING:
    from fairgate.domain.seating.venue import Venue
    from fairgate.service.catalog.event_request import NewEvent


def event_record(request: NewEvent, venue: Venue, layout: str, now: str) -> Event:
    """Return the item, without its gate; ``layout`` names the published geometry."""
    return Event(
        *event_key(request.event),
        **_facts(request, venue),
        state=request.state,
        hidden=request.hidden,
        sale_starts_at=rfc3339(epoch_ms(request.sale_starts_at)),
        currency=request.currency,
        layout=layout,
        chart=request.chart,
        hold_limit=request.hold_limit,
        user_limit=request.user_limit,
        sessions_limit=request.sessions_limit,
        live_max=request.live_max,
        control=request.control,
        session_s=request.session_s,
        checkout_s=request.checkout_s,
        requests_per_s=request.requests_per_s,
        session_mean_s=request.session_mean_s,
        tiers=[
            Tier(
                id=t.id,
                name=t.name,
                color=t.color,
                price_minor=request.prices_minor[t.id],
                vat_bp=request.vat_bp.get(t.id, 0),
            )
            for t in venue.tiers
        ],
        fees=Fees(
            order_minor=request.fee_order_minor,
            ticket_minor=request.fee_ticket_minor,
            vat_bp=request.vat_fees_bp,
        ),
        areas={area.id: area_facts(area) for area in venue.areas},
        sections=[section_facts(section) for section in venue.sections],
        draw_commitment=request.draw_commitment,
        epochs_log=[],  # its gate's, when it is put on sale
        counted=True,
        live_counters=LIVE_COUNTERS,
        created_at=now,
        gate_behind=0,
        version=0,
    )


def _facts(request: NewEvent, venue: Venue) -> dict[str, Any]:
    """Return the event's facts: times in UTC, by default the chart's name of the venue."""
    facts = {one.name: getattr(request, one.name) for one in FACTS}
    zone, times = request.time_zone, [one.name for one in FACTS if one.fact.kind == "moment"]
    moments = {name: utc_moment(facts[name], zone) for name in times}
    return facts | moments | {"venue_name": request.venue_name or venue.name}
