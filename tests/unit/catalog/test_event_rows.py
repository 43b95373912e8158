"""What a creation writes: a row for each seat, counters for an area, the catalogue's item."""

from __future__ import annotations

import boto3
import pytest
from msgspec.structs import replace

from fairgate.domain.seating.area_shards import shard_count
from fairgate.domain.seating.layout import split_layout
from fairgate.errors import WrongStateError
from fairgate.ports.record import GSI1PK
from fairgate.service.catalog.create_event import GateRules
from fairgate.service.catalog.event_record import event_record
from fairgate.service.catalog.event_rows import seat_records, shard_records, sort_number
from fairgate.service.shared.keys import event_key
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.worlds.event_creator import event_creator
from fairgate_ops.operate.importers.demo import demo_venue
from tests.support.creations import REQUEST, one_hall
from tests.support.world import NAMES

pytestmark = pytest.mark.through_boto3

NOW = "2023-11-14T22:13:20.123Z"


def test_a_seat_is_available_and_knows_its_place():
    by_key = {seat.pk: seat.item() for seat in seat_records("gala", one_hall(), NOW)}
    assert by_key["gala#A-1-2-1"] == {
        "PK": "gala#A-1-2-1",
        "SK": "META",
        "GSI1PK": "gala#A",
        "GSI1SK": "A-1#A-1-2#00001",
        "eventId": "gala",
        "sectionId": "A",
        "blockId": "A-1",
        "rowId": "A-1-2",
        "seatNumber": "1",
        "seatId": "A-1-2-1",
        "availability": "available",
        "expiresAt": "",
        "sessionId": "",
        "version": 0,
        "updatedAt": "2023-11-14T22:13:20.123Z",
        "priceTier": "stalls",
        "seatIndex": 3,
        "kind": "standard",
    }


def test_shards_of_an_area_hold_exactly_its_capacity():
    shards = [shard.item() for shard in shard_records("gala", one_hall(), NOW)]
    assert [shard["PK"] for shard in shards] == [f"gala#floor#{n}" for n in range(3)]
    assert [s["capacity"] for s in shards] == [401, 400, 400]
    assert all(s["remaining"] == s["capacity"] for s in shards)
    assert all(GSI1PK not in s for s in shards)  # they would all share one key of the index


@pytest.mark.parametrize(
    ("capacity", "shards"), [(1, 1), (500, 1), (501, 2), (9_501, 20), (20_000, 40), (120_000, 100)]
)
def test_area_has_a_shard_for_every_500_places_up_to_100(capacity, shards):
    assert shard_count(capacity) == shards


def test_catalogue_item_says_what_is_on_sale():
    item = event_record(REQUEST, one_hall(), "layout", NOW).item()
    assert item["layout"] == "layout"
    assert item["saleOpensAt"] == "2030-06-01T18:00:00.000Z"
    assert item["liveCounters"] == 256
    assert item["tiers"][0] == {
        "id": "stalls", "name": "Stalls", "color": "#2b6cb0", "priceMinor": 4500,
    }  # fmt: skip
    assert item["areas"] == {"floor": {"capacity": 1201, "shards": 3, "tier": "standing"}}
    assert item["sections"] == [
        {"id": "A", "name": "Stalls A", "seats": 4, "blocks": [{"id": "A-1", "seats": 4}]}
    ]


@pytest.mark.parametrize(
    ("wish", "kept"),
    [({"cancel_until": "2030-06-02T20:00:00+02:00"}, "2030-06-02T18:00:00.000Z"), ({}, None)],
)
def test_catalogue_item_says_until_when_buyers_may_cancel(wish, kept):
    item = event_record(replace(REQUEST, **wish), one_hall(), "layout", NOW).item()
    assert item.get("cancelUntil") == kept


def test_seat_numbers_sort_naturally():
    numbers = ["10", "9", "100", "1"]
    assert sorted(numbers, key=sort_number) == ["1", "9", "10", "100"]
    assert sort_number("12b") == "12b"


def test_a_created_event_is_in_the_tables_when_dynamodb_writes_it(world):
    layouts, venue = MemoryLayouts(), demo_venue(80)
    client = boto3.client("dynamodb", "eu-central-1")
    creator = event_creator(lambda: client, NAMES, layouts, sleep=lambda _s: None)
    prices = {tier.id: 1000 for tier in venue.tiers}
    request = replace(REQUEST, event="arena", prices_minor=prices)
    created = creator.create(request, venue, GateRules(world.clock.now_ms() // 1000))
    assert created.layout == split_layout(venue).hash
    first = venue.sections[0]
    assert (created.layout, f"sections/{first.id}.json") in layouts.files
    item = world.item("catalog", event_key("arena"))
    assert item is not None
    assert item["layout"] == created.layout
    assert sum(section["seats"] for section in item["sections"]) == 80
    seats = world.items("seats", f"arena#{first.id}", index=True)
    by_index = sorted(seats, key=lambda seat: seat["seatIndex"])
    assert [s["PK"] for s in by_index] == [f"arena#{seat.id}" for seat in first.seats()]
    with pytest.raises(WrongStateError):
        creator.create(request, venue, GateRules(world.clock.now_ms() // 1000))
