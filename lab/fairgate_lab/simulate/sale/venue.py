"""The smallest venue in which all can go wrong: five seats in a row, a table, an area of six."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.gate.gate_config import dump_gate
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK
from fairgate.service.catalog.publish_event import NewEvent, publish_event
from fairgate.service.orders.reconcile_payments import OVERLAP_MS
from fairgate.service.shared import keys
from fairgate.service.shared.keys import area_key, gate_value_key, reconciled_key
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate.service.shared.records.marks import ReconciledMark
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.engine.writer import MemoryWriter
from fairgate_lab.worlds.open_gate import open_gate

if TYPE_CHECKING:
    from fairgate.ports.record import TableName

EVENT, SECTION, AREA = "show", "A", "floor"
OTHER_EVENT = "other"  # in the same venue; in most sales nothing of it is sold
EVENTS = (EVENT, OTHER_EVENT)
START_MS = 1_800_000_000_000
SEATS = tuple(f"A-1-{number}" for number in range(1, 6))
TABLE, TABLE_PLACES = "A-1-6", 3  # sold whole
SHARDS, SHARD_CAPACITY = 2, 3
PRICES_MINOR = {"stalls": 4_500, "standing": 2_500}
VAT_BP = {"stalls": 700, "standing": 1_900}
FOREVER, PAST = "2099-01-01T00:00:00.000Z", "2001-01-01T00:00:00.000Z"


TWO_EVENTS = 0.25
TRANSFER_HOLDS = 5  # so long tickets may be passed on, in the longest times of a hold


@cache
def published() -> tuple[Mapping[str, Mapping[TableName, list[dict[str, Any]]]], MemoryLayouts]:
    """What publishing each event writes, with the area's places in two counters."""
    layouts = MemoryLayouts()
    return {event: _published(event, layouts) for event in EVENTS}, layouts


def _published(event: str, layouts: MemoryLayouts) -> Mapping[TableName, list[dict[str, Any]]]:
    writer = MemoryWriter()
    request = NewEvent(
        event,
        "Show",
        rfc3339(START_MS),
        "EUR",
        PRICES_MINOR,
        "ab" * 32,
        vat_bp=VAT_BP,
        seller_name="Tides GmbH",
        seller_address="Quay 1",
        seller_vat_id="DE123456789",
    )
    publish_event(request, _venue(), writer=writer, layouts=layouts, clock=MemoryClock(START_MS))
    published_seats = writer.tables["seats"].values()
    seats = [item for item in published_seats if item[SK] == keys.SEAT]
    (counter,) = (item for item in published_seats if item[SK] == keys.AREA)
    counters = [
        counter
        | {
            PK: area_key(event, AREA, shard).pk,
            "shard": shard,
            "capacity": SHARD_CAPACITY,
            "remaining": SHARD_CAPACITY,
        }
        for shard in range(SHARDS)
    ]
    (record,) = writer.tables["catalog"].values()
    record["areas"][AREA]["shards"] = SHARDS
    return {"seats": [*seats, *counters], "catalog": [record]}


def initial_items(rng: random.Random) -> tuple[dict[TableName, list[dict[str, Any]]], int]:
    """Typed items of a fresh sale whose limits the seed chose, and its longest hold in ms."""
    tables, _ = published()
    session_s, checkout_s = rng.choice((30, 60, 120)), rng.choice((30, 60))
    long_ms = max(session_s, checkout_s + 120) * 1000
    # The books have been compared until now, so that an hourly run looks at this sale alone.
    mark = rfc3339(START_MS + OVERLAP_MS)
    typed: dict[TableName, list[dict[str, Any]]] = {
        "reservations": [to_item(ReconciledMark(*reconciled_key(), until=mark).item())],
        "seats": [],
        "catalog": [],
    }
    for event in EVENTS[: 1 + (rng.random() < TWO_EVENTS)]:
        (record,) = tables[event]["catalog"]
        hold_limit = rng.choice((2, 3, 4, 6))
        record = record | {
            "holdLimit": hold_limit,
            "userLimit": hold_limit + rng.choice((0, 2)),
            "sessionsLimit": rng.choice((1, 2, 3)),
            "liveMax": rng.choice((0, 3)),
            "sessionS": session_s,
            "checkoutS": checkout_s,
            "cancelFeeMinor": rng.choice((0, 0, 250)),
            # In half of the sales a time within it; no draw, so that all else is as it was.
            "transferUntil": FOREVER
            if long_ms % 60_000
            else rfc3339(START_MS + TRANSFER_HOLDS * long_ms),
            "cancelUntil": rng.choice((*(FOREVER,) * 5, "", PAST, _soon(rng, long_ms))),
        }
        typed["catalog"] += [to_item(record), to_item(_gate_value(event).item())]
        typed["seats"] += [to_item(item) for item in tables[event]["seats"]]
    if len(typed["catalog"]) == 2:  # noqa: PLR2004 an event and its gate
        seats = tables[OTHER_EVENT]["seats"]
        typed["seats"] += [to_item(item) for item in seats if item[SK] == keys.SEAT]
    return typed, long_ms


def _gate_value(event: str) -> GateValueRecord:
    value = dump_gate(open_gate(START_MS))
    return GateValueRecord(*gate_value_key(event), value=value, at_ms=START_MS, version=1, heard=1)


def _soon(rng: random.Random, long_ms: int) -> str:
    """A time within the sale."""
    return rfc3339(START_MS + rng.randint(0, 3 * long_ms))


def _venue() -> Venue:
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
