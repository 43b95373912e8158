"""The smallest venue in which everything can go wrong: five seats in a row, an area of six."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.memory.clock import MemoryClock
from fairgate.adapters.memory.layouts import MemoryLayouts
from fairgate.adapters.memory.writer import MemoryWriter
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK
from fairgate.service.catalog.publish_event import NewEvent, publish_event, seat_records
from fairgate.service.orders.reconcile_payments import OVERLAP_MS
from fairgate.service.shared import keys
from fairgate.service.shared.keys import area_key, reconciled_key
from fairgate.service.shared.records.orders import ReconciledMark

if TYPE_CHECKING:
    from fairgate.ports.record import TableName

EVENT, SECTION, AREA = "show", "A", "floor"
OTHER_EVENT = "other"  # has the same seats, and no sale
START_MS = 1_800_000_000_000
SEATS = tuple(f"A-1-{number}" for number in range(1, 6))
SHARDS, SHARD_CAPACITY = 2, 3
PRICES_MINOR = {"stalls": 4_500, "standing": 2_500}
FOREVER = "2099-01-01T00:00:00.000Z"


@cache
def published() -> tuple[Mapping[TableName, list[dict[str, Any]]], MemoryLayouts]:
    """What publishing the event writes, with the area's places in two counters."""
    writer, layouts = MemoryWriter(), MemoryLayouts()
    request = NewEvent(EVENT, "Show", rfc3339(START_MS), "EUR", PRICES_MINOR, "ab" * 32)
    publish_event(request, _venue(), writer=writer, layouts=layouts, clock=MemoryClock(START_MS))
    published_seats = writer.tables["seats"].values()
    seats = [item for item in published_seats if item[SK] == keys.SEAT]
    (counter,) = (item for item in published_seats if item[SK] == keys.AREA)
    counters = [
        counter
        | {
            PK: area_key(EVENT, AREA, shard).pk,
            "shard": shard,
            "capacity": SHARD_CAPACITY,
            "remaining": SHARD_CAPACITY,
        }
        for shard in range(SHARDS)
    ]
    (event,) = writer.tables["catalog"].values()
    event["areas"][AREA]["shards"] = SHARDS
    others = [seat.item() for seat in seat_records(OTHER_EVENT, _venue(), rfc3339(START_MS))]
    return {"seats": [*seats, *counters, *others], "catalog": [event]}, layouts


def initial_items(rng: random.Random) -> tuple[dict[TableName, list[dict[str, Any]]], int]:
    """Typed items of a fresh sale whose limits the seed chose, and its longest hold in ms."""
    tables, _ = published()
    (event,) = tables["catalog"]
    session_s, checkout_s = rng.choice((30, 60, 120)), rng.choice((30, 60))
    hold_limit = rng.choice((2, 3, 4))
    event = event | {
        "holdLimit": hold_limit,
        "userLimit": hold_limit + rng.choice((0, 2)),
        "sessionsLimit": rng.choice((1, 2, 3)),
        "liveMax": rng.choice((0, 3)),
        "sessionS": session_s,
        "checkoutS": checkout_s,
        "cancelUntil": rng.choice((FOREVER, FOREVER, FOREVER, "")),
    }
    # The books have been compared until now, so that an hourly run looks at this sale alone.
    mark = rfc3339(START_MS + OVERLAP_MS)
    typed: dict[TableName, list[dict[str, Any]]] = {
        "reservations": [to_item(ReconciledMark(*reconciled_key(), until=mark).item())],
        "seats": [to_item(item) for item in tables["seats"]],
        "catalog": [to_item(event)],
    }
    return typed, max(session_s, checkout_s + 120) * 1000


def _venue() -> Venue:
    seats = [
        {"id": seat, "number": seat[-1], "x": 20 * n, "y": 70, "tier": "stalls"}
        for n, seat in enumerate(SEATS, 1)
    ]
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
