"""Publishing an event: whole or invisible, completed by a second run, never two at once."""

from __future__ import annotations

import boto3
import pytest
from msgspec.structs import replace

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.seating.area_shards import shard_count
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.errors import MalformedInputError, WrongStateError
from fairgate.ports.record import GSI1PK
from fairgate.service.catalog.publish_event import (
    NewEvent,
    publish_event,
    sort_number,
)
from fairgate.service.shared.keys import CATALOG_PK, event_key
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.engine.sizes import ITEM_BYTES_MAX, item_bytes
from fairgate_lab.engine.writer import BrokenOffError, MemoryWriter
from fairgate_lab.worlds.bulk_writer import DynamoWriter
from fairgate_ops.operate.importers.demo import demo_venue
from tests.support.charts import chart, places
from tests.support.world import NAMES

NOW_MS = 1_700_000_000_123
REQUEST = NewEvent(
    event="gala",
    name="Gala",
    sale_opens_at="2030-06-01T20:00:00+02:00",
    currency="EUR",
    prices_minor={"stalls": 4500, "standing": 2500},
    draw_commitment="ab" * 32,
)


def _hall():
    return parse_venue(chart("little-hall.venue.json"))


def _publish(writer, request=REQUEST, venue=None, layouts=None):
    return publish_event(
        request,
        venue or _hall(),
        writer=writer,
        layouts=layouts or MemoryLayouts(),
        clock=MemoryClock(NOW_MS),
    )


def test_published_seat_is_available_and_knows_its_place():
    writer = MemoryWriter()
    _publish(writer)
    assert writer.tables["seats"]["gala#A-1-2-1", "META"] == {
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
    writer = MemoryWriter()
    _publish(writer)
    shards = [writer.tables["seats"][f"gala#floor#{n}", "GA"] for n in range(3)]
    assert [s["capacity"] for s in shards] == [401, 400, 400]
    assert all(s["remaining"] == s["capacity"] for s in shards)
    assert ("gala#floor#3", "GA") not in writer.tables["seats"]
    assert all(GSI1PK not in s for s in shards)  # they would all share one key of the index


@pytest.mark.parametrize(
    ("capacity", "shards"), [(1, 1), (500, 1), (501, 2), (9_501, 20), (20_000, 40), (120_000, 100)]
)
def test_area_has_a_shard_for_every_500_places_up_to_100(capacity, shards):
    assert shard_count(capacity) == shards


def test_catalogue_item_says_what_is_on_sale():
    writer, layouts = MemoryWriter(), MemoryLayouts()
    published = _publish(writer, layouts=layouts)
    item = writer.tables["catalog"][CATALOG_PK, "gala"]
    assert item == published.record.item()
    assert item["layout"] == published.layout == split_layout(_hall()).hash
    assert (item["layout"], "sections/A.json") in layouts.files
    assert item["saleOpensAt"] == "2030-06-01T18:00:00.000Z"
    assert item["tiers"][0] == {
        "id": "stalls", "name": "Stalls", "color": "#2b6cb0", "priceMinor": 4500,
    }  # fmt: skip
    assert item["areas"] == {"floor": {"capacity": 1201, "shards": 3, "tier": "standing"}}
    assert item["sections"] == [
        {"id": "A", "name": "Stalls A", "seats": 4, "blocks": [{"id": "A-1", "seats": 4}]}
    ]
    assert (published.seats, published.area_places) == (4, 1201)


@pytest.mark.parametrize(
    ("wish", "kept"),
    [({"cancel_until": "2030-06-02T20:00:00+02:00"}, "2030-06-02T18:00:00.000Z"), ({}, None)],
)
def test_catalogue_item_says_until_when_buyers_may_cancel(wish, kept):
    writer = MemoryWriter()
    _publish(writer, replace(REQUEST, **wish))
    assert writer.tables["catalog"][CATALOG_PK, "gala"].get("cancelUntil") == kept


def test_catalogue_item_is_written_last():
    writer = MemoryWriter()
    _publish(writer)
    assert writer.order[-1] == CATALOG_PK
    assert writer.order.count(CATALOG_PK) == 1


def test_event_is_invisible_when_publishing_breaks_off_and_a_second_run_completes_it():
    writer = MemoryWriter(breaks_after=5)
    with pytest.raises(BrokenOffError):
        _publish(writer)
    assert writer.tables["catalog"] == {}
    writer.breaks_after = None
    _publish(writer)
    whole = MemoryWriter()
    _publish(whole)
    assert writer.tables == whole.tables


def test_seats_are_left_alone_when_the_event_exists():
    writer = MemoryWriter()
    _publish(writer)
    sold = writer.tables["seats"]["gala#A-1-1-1", "META"]
    sold["availability"] = "reserved"
    with pytest.raises(WrongStateError, match="“gala” already"):
        _publish(writer)
    assert sold["availability"] == "reserved"
    assert writer.tables["seats"]["gala#A-1-1-1", "META"] is sold


def test_second_of_two_publishers_is_refused_when_both_began_before_either_ended(monkeypatch):
    writer = MemoryWriter()
    _publish(writer)
    monkeypatch.setattr(writer, "exists", lambda *_: False)
    with pytest.raises(WrongStateError, match="already"):
        _publish(writer)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"event": "Gala!"}, "event"),
        ({"event": ""}, "event"),
        ({"name": ""}, "name"),
        ({"currency": "eur"}, "currency"),
        ({"currency": "EURO"}, "currency"),
        ({"sale_opens_at": "tomorrow"}, "sale_opens_at"),
        ({"sale_opens_at": "2030-06-01T20:00:00"}, "sale_opens_at"),
        ({"sale_opens_at": None}, "sale_opens_at"),
        ({"cancel_until": "2030-06-01T20:00:00"}, "cancel_until"),
        ({"prices_minor": {"stalls": 4500}}, "prices_minor.standing"),
        ({"prices_minor": {"stalls": 4500, "standing": 0}}, "prices_minor.standing"),
        ({"prices_minor": {"stalls": 45.5, "standing": 1}}, "prices_minor.stalls"),
        ({"prices_minor": {"stalls": 1, "standing": 1, "gold": 1}}, "prices_minor.gold"),
        ({"draw_commitment": ""}, "draw_commitment"),
        ({"hold_limit": 0}, "hold_limit"),
        ({"hold_limit": 41}, "hold_limit"),
        ({"user_limit": 9}, "user_limit"),
        ({"sessions_limit": 0}, "sessions_limit"),
        ({"live_max": 0}, "live_max"),
        ({"session_s": 5}, "session_s"),
        ({"checkout_s": 10**6}, "checkout_s"),
        ({"state": "maybe"}, "state"),
    ],
)
def test_nothing_is_written_when_the_request_is_wrong(change, where):
    writer, layouts = MemoryWriter(), MemoryLayouts()
    with pytest.raises(MalformedInputError) as refused:
        _publish(writer, replace(REQUEST, **change), layouts=layouts)
    assert list(places(refused.value)) == [where]
    assert writer.order == []
    assert layouts.files == {}


@pytest.mark.parametrize(("blocks", "fits"), [(2_400, True), (3_600, False)])
def test_an_event_that_its_item_has_no_room_for_is_refused(blocks, fits):
    document = chart("little-hall.venue.json")
    section = document["sections"][0]
    block = section["blocks"][0]
    seat = block["rows"][0]["seats"][0]

    def block_of(number, part):
        seats = [seat | {"id": f"p{number}-{part}"}]
        row = {"id": f"r{number}-{part}", "name": f"{part}", "seats": seats}
        return block | {"id": f"b{number:05}{part:058}", "rows": [row]}

    document["sections"] = [
        section
        | {"id": f"s{number:063}", "name": f"{number:0120}"}
        | {"blocks": [block_of(number, part) for part in range(blocks // 100)]}
        for number in range(100)
    ]
    writer, venue = MemoryWriter(), parse_venue(document)
    if fits:
        record = _publish(writer, venue=venue).record
        assert item_bytes(to_item(record.item())) <= ITEM_BYTES_MAX * 3 // 4
        return
    with pytest.raises(MalformedInputError) as refused:
        _publish(writer, venue=venue)
    assert "at most 300,000" in places(refused.value)["venue"]
    assert writer.tables.get("seats", {}) == {}


def test_seat_numbers_sort_naturally():
    numbers = ["10", "9", "100", "1"]
    assert sorted(numbers, key=sort_number) == ["1", "9", "10", "100"]
    assert sort_number("12b") == "12b"


def test_published_event_is_in_the_tables_when_dynamodb_writes_it(world):
    writer = DynamoWriter(lambda: boto3.client("dynamodb", "eu-central-1"), NAMES, threads=1)
    venue = demo_venue(80)
    prices = {tier.id: 1000 for tier in venue.tiers}
    request = replace(REQUEST, event="arena", prices_minor=prices)
    _publish(writer, request, venue)
    item = world.item("catalog", event_key("arena"))
    assert item is not None
    assert sum(section["seats"] for section in item["sections"]) == 80
    first = venue.sections[0]
    seats = world.items("seats", f"arena#{first.id}", index=True)
    by_index = sorted(seats, key=lambda seat: seat["seatIndex"])
    assert len(by_index) == sum(1 for _ in first.seats())
    assert [s["PK"] for s in by_index] == [f"arena#{seat.id}" for seat in first.seats()]
    with pytest.raises(WrongStateError):
        _publish(writer, request, venue)
