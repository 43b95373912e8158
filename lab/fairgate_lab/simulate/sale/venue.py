"""The smallest venue in which all can go wrong: five seats in a row, a table, an area of six."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from msgspec.structs import replace

from fairgate.adapters.dynamodb.codec import from_item, to_item
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.seating import area_shards
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK, decode
from fairgate.service.books.compare_captures import OVERLAP_MS
from fairgate.service.catalog.create_event import GateRules
from fairgate.service.catalog.event_request import NewEvent
from fairgate.service.shared.keys import event_key, reconciled_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.cursors import ReconcileCursor
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.worlds.event_creator import event_creator

if TYPE_CHECKING:
    from fairgate.ports.record import TableName
    from fairgate.service.catalog.create_event import EventCreator

EVENT, SECTION, AREA = "show", "A", "floor"
OTHER_EVENT = "other"  # in the same venue; in most sales nothing of it is sold
EVENTS = (EVENT, OTHER_EVENT)
START_MS = 1_800_000_000_000
SALE_START_S = START_MS // 1000 - 60  # by START_MS the gate admits everybody
SEATS = tuple(f"A-1-{number}" for number in range(1, 6))
TABLE, TABLE_PLACES = "A-1-6", 3  # sold whole
SHARDS, SHARD_CAPACITY = 2, 3
PRICES_MINOR = {"stalls": 4_500, "standing": 2_500}
VAT_BP = {"stalls": 700, "standing": 1_900}
FOREVER, PAST = "2099-01-01T00:00:00.000Z", rfc3339(START_MS - 1)


TWO_EVENTS = 0.25
TRANSFER_HOLDS = 5  # so long tickets may be passed on, in the longest times of a hold


@dataclass(frozen=True)
class Template:
    """What the creation of an event wrote: most sales begin with it."""

    event: Event
    catalog: Sequence[Mapping[str, Any]]  # its gate's value and history, and its log
    seats: Sequence[Mapping[str, Any]]


@cache
def templates() -> tuple[Mapping[str, Template], MemoryLayouts]:
    """Create each event once a process, without trouble."""
    layouts = MemoryLayouts()
    return {event: _template(event, layouts) for event in EVENTS}, layouts


def _template(event: str, layouts: MemoryLayouts) -> Template:
    engine = MemoryDynamo({schema.name: schema for schema in TABLES}, lambda: START_MS)
    creator = event_creator(
        lambda: engine,
        {schema.name: schema.name for schema in TABLES},
        layouts,
        clock=MemoryClock(START_MS),
        token_bytes=random.Random(event).randbytes,  # noqa: S311 throw-away keys
    )
    with small_counters():
        create(creator, event, {})
    catalog = {(item[PK]["S"], item[SK]["S"]): item for item in engine.items("catalog")}
    record = decode(Event, from_item(catalog.pop(event_key(event))))
    return Template(record, list(catalog.values()), list(engine.items("seats")))


def create(creator: EventCreator, event: str, terms: Mapping[str, Any]) -> None:
    """Create the event as an organiser does. Raises what ``EventCreator.create`` raises.

    Its gate admits everybody who comes when the simulated sale begins.
    """
    request = NewEvent(
        event,
        rfc3339(SALE_START_S * 1000),
        "EUR",
        PRICES_MINOR,
        "",  # made with the draw key
        name="Show",
        vat_bp=VAT_BP,
        seller_name="Tides GmbH",
        seller_address="Quay 1",
        seller_vat_id="DE123456789",
        **terms,
    )
    rules = GateRules(
        SALE_START_S, tau_s=1.0, pow_bits=0, backoff_min_s=1, token_ttl_s=86_400, sample=0.0
    )
    creator.create(request, venue(), rules)


def small_counters() -> AbstractContextManager[object]:
    """Return a context in which the area's places are in two counters."""
    return patch.object(area_shards, "SHARD_CAPACITY", SHARD_CAPACITY)


def initial_items(
    terms: Mapping[str, Mapping[str, Any]],
) -> dict[TableName, list[Mapping[str, Any]]]:
    """Return typed items of events that were created long before, with these terms."""
    typed: dict[TableName, list[Mapping[str, Any]]] = {"catalog": [], "seats": []}
    for event, chosen in terms.items():
        template = templates()[0][event]
        record = replace(template.event, **chosen)
        typed["catalog"] += [to_item(record.item()), *template.catalog]
        typed["seats"] += template.seats
    return typed


def books_compared() -> dict[str, Any]:
    """Return the mark of a comparison until now: an hourly run looks at this sale alone."""
    mark = rfc3339(START_MS + OVERLAP_MS)
    return to_item(ReconcileCursor(*reconciled_key(), until=mark).item())


def draw_terms(rng: random.Random) -> tuple[dict[str, dict[str, Any]], int]:
    """Draw each event's limits and terms, and the sale's longest hold in ms."""
    session_s, checkout_s = rng.choice((30, 60, 120)), rng.choice((30, 60))
    long_ms = max(session_s, checkout_s + 120) * 1000
    terms: dict[str, dict[str, Any]] = {}
    for event in EVENTS[: 1 + (rng.random() < TWO_EVENTS)]:
        hold_limit = rng.choice((2, 3, 4, 6))
        terms[event] = {
            "hold_limit": hold_limit,
            "user_limit": hold_limit + rng.choice((0, 2)),
            "sessions_limit": rng.choice((1, 2, 3)),
            "live_max": rng.choice((0, 3)),
            "session_s": session_s,
            "checkout_s": checkout_s,
            "cancel_fee_minor": rng.choice((0, 0, 250)),
            # In half of the sales a time within it; no draw, so that all else is as it was.
            "transfer_until": FOREVER
            if long_ms % 60_000
            else rfc3339(START_MS + TRANSFER_HOLDS * long_ms),
            "cancel_until": rng.choice((*(FOREVER,) * 5, "", PAST, _soon(rng, long_ms))),
        }
    return terms, long_ms


def _soon(rng: random.Random, long_ms: int) -> str:
    """A time within the sale."""
    return rfc3339(START_MS + rng.randint(0, 3 * long_ms))


@cache
def venue() -> Venue:
    seats = [
        {"id": seat, "number": seat[-1], "x": 20 * n, "y": 70, "tier": "stalls"}
        for n, seat in enumerate(SEATS, 1)
    ]
    table = {"id": TABLE, "number": "6", "x": 125, "y": 70, "tier": "stalls"}
    seats.append(table | {"unit": "table", "capacity": TABLE_PLACES})
    row = {"id": "A-1", "name": "1", "seats": seats}
    return parse_venue(
        {
            "format": "fairgate-venue/1",
            "name": "Hall",
            "bounds": {"width": 200, "height": 160},
            "focalPoint": [60, 20],
            "tiers": [
                {"id": "stalls", "name": "Stalls", "color": "#2b6cb0"},
                {"id": "standing", "name": "Standing", "color": "#2f855a"},
            ],
            "zones": [],
            "sections": [
                {
                    "id": SECTION,
                    "name": "Stalls",
                    "outline": [[10, 60], [140, 60], [140, 100], [10, 100]],
                    "blocks": [{"id": "A-b", "name": "Stalls", "rows": [row]}],
                }
            ],
            "areas": [
                {
                    "id": AREA,
                    "name": "Floor",
                    "capacity": SHARDS * SHARD_CAPACITY,
                    "tier": "standing",
                    "outline": [[20, 110], [180, 110], [180, 150], [20, 150]],
                }
            ],
            "shapes": [],
        }
    )
