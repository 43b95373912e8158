"""A request to create an event is checked as a whole, before anything is written."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.errors import MalformedInputError
from fairgate.service.catalog.event_record import event_record
from fairgate.service.catalog.event_request import check_request
from fairgate_lab.engine.sizes import ITEM_BYTES_MAX, item_bytes
from tests.support import creations
from tests.support.charts import chart, places

REQUEST = replace(creations.REQUEST, draw_commitment="ab" * 32)


def test_a_request_that_is_right_is_let_through():
    check_request(REQUEST, creations.one_hall())


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"event": "Gala!"}, "event"),
        ({"event": ""}, "event"),
        ({"name": ""}, "name"),
        ({"currency": "eur"}, "currency"),
        ({"currency": "EURO"}, "currency"),
        ({"sale_starts_at": "tomorrow"}, "sale_starts_at"),
        ({"sale_starts_at": "2030-06-01T20:00:00"}, "sale_starts_at"),
        ({"sale_starts_at": None}, "sale_starts_at"),
        ({"cancel_until": "2030-06-01T20:00:00"}, "cancel_until"),
        ({"account_days": -1}, "account_days"),
        ({"members": "Fan Club"}, "members"),
        ({"members": ",".join("abcdefghi")}, "members"),
        ({"members_until": "2030-06-02T20:00:00Z"}, "members_until"),  # of whom
        ({"members": "gold", "members_until": "2030-06-01T17:00:00Z"}, "members_until"),
        ({"prices_minor": {"stalls": 4500}}, "prices_minor.standing"),
        ({"prices_minor": {"stalls": 4500, "standing": 0}}, "prices_minor.standing"),
        ({"prices_minor": {"stalls": 45.5, "standing": 100}}, "prices_minor.stalls"),
        ({"prices_minor": {"stalls": 100, "standing": 100, "gold": 1}}, "prices_minor.gold"),
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
def test_each_wrong_field_is_named(change, where):
    with pytest.raises(MalformedInputError) as refused:
        check_request(replace(REQUEST, **change), creations.one_hall())
    assert list(places(refused.value)) == [where]


@pytest.mark.parametrize(("blocks", "fits"), [(2_400, True), (3_600, False)])
def test_an_event_too_large_for_its_item_is_refused(blocks, fits):
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
    venue = parse_venue(document)
    if fits:
        check_request(REQUEST, venue)
        record = event_record(REQUEST, venue, "layout", "now")
        assert item_bytes(to_item(record.item())) <= ITEM_BYTES_MAX * 3 // 4
        return
    with pytest.raises(MalformedInputError) as refused:
        check_request(REQUEST, venue)
    assert "at most 300,000" in places(refused.value)["venue"]
