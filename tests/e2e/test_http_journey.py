"""A buyer's way through the running system, over HTTP: from the queue to the ticket."""

from __future__ import annotations

import json
import re
import secrets
import time

import pytest

from fairgate.http import paths
from fairgate_ops.shared.paths import ROOT
from tests.e2e.selling import books, sell, send_webhook
from tests.e2e.shopper import (
    Answer,
    Shopper,
    call,
    free_seats,
    read_anew,
    section_of,
    status_becomes,
)
from tests.support.waiting import wait_until

NEVER_S = 86_400
CHART = ROOT / "tests" / "charts" / "one-row.venue.json"


@pytest.fixture
def shopper(system):
    return Shopper(system.base_url, system.event)


def area_of(system) -> str:
    areas = call(system.base_url, "GET", paths.AVAILABILITY.format(event=system.event)).body[
        "areas"
    ]
    return next(iter(areas))


def area_left(system, area) -> int:
    path = paths.AVAILABILITY.format(event=system.event)
    return int(read_anew(system.base_url, path).body["areas"][area]["available"])


def payments_of(system, order) -> tuple[int, int]:
    """Count captures and refunds of an order in the provider's books."""
    shown = books(system)
    return tuple(sum(line["order"] == order for line in shown[k]) for k in ("captures", "refunds"))


def webhook(system, shopper, event_id, kind) -> Answer:
    """Send a webhook about the order as the provider would."""
    order = shopper.order_now()
    event = {
        "id": event_id,
        "kind": kind,
        "order": shopper.order,
        "amount_minor": order["total_minor"],
        "currency": order["currency"],
        "payment": "pay_x",
    }
    return send_webhook(system, json.dumps(event).encode())


def test_buyer_holds_a_ticket_when_they_go_all_the_way(system, shopper):
    shopper.sign_in()
    queued = shopper.queue()
    assert queued.status == 200
    assert queued.headers["cache-control"] == "no-store"
    admitted = shopper.wait_for_admission()
    assert admitted.body["state"] == "reservation"
    seats = free_seats(system.base_url, system.event, 2)
    held = shopper.hold(seats)
    assert held.status == 201
    assert sorted(unit["seat"] for unit in held.body["units"]) == sorted(seats)
    status_becomes(system.base_url, system.event, seats[0], "1")
    checkout = shopper.checkout()
    assert checkout.status == 201
    order = checkout.body["order"]
    assert order["state"] == "pending"
    assert order["total_minor"] == sum(n["quantity"] * n["price_minor"] for n in order["lines"]) > 0
    assert shopper.ticket().status == 409
    shopper.pay()
    assert shopper.order_becomes("ticketed")["tickets"] == 2
    for unit in (0, 1):
        ticket = shopper.ticket(unit)
        assert ticket.status == 200
        assert ticket.headers["content-type"].startswith("image/svg+xml")
        assert b"<svg" in ticket.data
    assert shopper.ticket(2).status == 404
    status_becomes(system.base_url, system.event, seats[0], "2")
    assert payments_of(system, shopper.order) == (1, 0)


def test_a_session_keeps_what_it_holds_when_requests_are_repeated(system, shopper):
    shopper.walk_in()
    again = shopper.attempt()
    assert (again.status, again.body["session"]) == (201, shopper.session["session"])
    seats = free_seats(system.base_url, system.event, 2)
    key = {"idempotency-key": secrets.token_hex(8)}
    first, second = shopper.hold(seats, **key), shopper.hold(seats, **key)
    assert (first.status, second.status) == (201, 201)
    assert first.body["hold"] == second.body["hold"]
    elsewhere = Shopper(system.base_url, system.event, shopper.name).sign_in()
    found = elsewhere.call("GET", paths.LIVE_SESSION.format(event=system.event))
    assert (found.status, found.body["session"]) == (200, shopper.session["session"])
    assert [hold["hold"] for hold in found.body["holds"]] == [first.body["hold"]]
    elsewhere.enter(found)
    assert elsewhere.leave().status == 204
    assert shopper.attempt().status == 409


def test_no_seat_is_left_alone_where_the_organiser_avoids_it(system):
    sell(system, "rows", 80, avoid_single_seats=True)
    buyer = Shopper(system.base_url, "rows").walk_in()
    first, second, third = free_seats(system.base_url, "rows", 3)
    refused = buyer.hold([second, third])
    assert (refused.status, refused.body["code"]) == (409, "single-seat")
    assert refused.body["seats"][0] == first
    assert buyer.hold([first, second]).status == 201
    buyer.leave()


def test_one_of_two_buyers_gets_a_seat_that_both_want(system, shopper):
    shopper.walk_in()
    rival = Shopper(system.base_url, system.event).walk_in()
    seats = free_seats(system.base_url, system.event, 3)
    held = shopper.hold(seats[:2])
    assert held.status == 201, held
    refused = rival.hold(seats[1:])
    assert (refused.status, refused.body["code"]) == (409, "seats-taken")
    assert refused.body["seats"] == [seats[1]]
    assert rival.hold(seats[2:]).status == 201  # nothing of the refused hold stayed behind
    hold = held.body["hold"]
    path = paths.HOLD.format(session=shopper.session["session"], hold=hold)
    assert shopper.call("DELETE", path).status == 204
    status_becomes(system.base_url, system.event, seats[1], "0")
    wait_until(lambda: rival.hold([seats[1]]).status == 201, "the seat for the other buyer")
    shopper.leave()
    rival.leave()


def test_one_ticket_set_is_issued_when_a_card_was_declined_and_webhooks_come_twice(system, shopper):
    shopper.reserve()
    shopper.pay("decline")
    assert shopper.order_now()["state"] == "pending"
    assert shopper.checkout().status == 201
    shopper.pay("twice")
    assert shopper.order_becomes("ticketed")["tickets"] == 2
    first = shopper.ticket().data
    event_id = f"evt_{secrets.token_hex(8)}"
    assert webhook(system, shopper, event_id, "failed").body["outcome"] == "noted"
    assert webhook(system, shopper, event_id, "failed").body["outcome"] == "duplicate"
    assert shopper.order_now()["state"] == "ticketed"
    assert shopper.ticket().data == first
    assert payments_of(system, shopper.order) == (1, 0)


@pytest.mark.parametrize("abandoned", [True, False])
def test_no_money_is_taken_when_the_buyer_gives_the_seats_up(system, shopper, abandoned):
    shopper.walk_in()
    seat = shopper.hold_best(1).body["units"][0]["seat"]
    shopper.checkout()
    if abandoned:
        shopper.pay("abandon")
    assert shopper.leave().status == 204
    if not abandoned:
        shopper.pay()  # on a page that leaving has closed
    status_becomes(system.base_url, system.event, seat, "0")
    assert shopper.order_now()["state"] == "failed"
    assert payments_of(system, shopper.order) == (0, 0)
    assert shopper.ticket().status == 409


def test_places_are_sold_and_given_back_when_an_area_has_no_seats(system, shopper):
    area = area_of(system)
    before = area_left(system, area)
    shopper.walk_in()
    held = shopper.hold(areas={area: 3})
    assert held.status == 201
    assert held.body["units"][0]["quantity"] == 3
    wait_until(lambda: area_left(system, area) == before - 3, "the area's count", within_s=10)
    shopper.checkout()
    shopper.pay()
    assert shopper.order_becomes("ticketed")["tickets"] == 3
    other = Shopper(system.base_url, system.event).walk_in()
    other.hold(areas={area: 2})
    other.leave()
    wait_until(lambda: area_left(system, area) == before - 3, "the area's count", within_s=10)


def test_seats_come_back_when_a_session_expires(system):
    event = "short"
    system.fairgate(
        *("event", "create", event, "--venue", str(CHART), "--name", "Short"),
        *("--price-all", "15", "--sale-starts-at", _in(8), "--tau", "1", "--pow", "6"),
        *("--session-s", "30", "--publish"),
    )
    visitor = Shopper(system.base_url, event).walk_in()
    seat = visitor.hold_best(1).body["units"][0]["seat"]
    assert visitor.hold([seat]).status == 409
    status_becomes(system.base_url, event, seat, "1")
    status_becomes(system.base_url, event, seat, "0", within_s=45)
    late = visitor.hold([seat])
    assert (late.status, late.body["code"]) == (410, "session-expired")
    section_of(system.base_url, event, seat)


def test_admission_slows_and_quickens_when_the_operator_sets_tau(system):
    system.fairgate("tau", "set", system.event, str(NEVER_S), "--yes", "--starts-in", "0")
    slow_from = int(time.time()) + 1  # tokens count waiting from whole seconds: none of the old τ
    try:
        wait_until(lambda: time.time() >= slow_from, "the next second", within_s=5)
        visitor = Shopper(system.base_url, system.event).sign_in()
        visitor.queue()
        wait_until(lambda: time.time() >= visitor.waiting["boff"], "boff", within_s=10)
        waiting = visitor.attempt()
        assert (waiting.status, waiting.body["state"]) == (202, "waiting")
        hi_s = waiting.body["estimate"]["hi_s"]
        assert hi_s is None or hi_s >= 300  # of a visitor with the very luckiest number
    finally:
        system.fairgate("tau", "set", system.event, "1", "--yes", "--starts-in", "0")
    visitor.wait_for_admission()
    visitor.leave()


def test_admission_stops_when_the_operator_pauses_and_goes_on_afterwards(system):
    visitor = Shopper(system.base_url, system.event).sign_in()
    organiser = Shopper(system.base_url, system.event).sign_in(groups=["fairgate-organiser"])

    def do(act, **arguments):
        asked = {"act": act, "arguments": {"event": system.event, "starts_in": 0, **arguments}}
        return organiser.call("POST", paths.OPERATOR_ACTS, asked)

    done = do("event pause", reason="by HTTP")
    assert (done.status, done.body["result"]["at_edges"]) == (200, True), done.body
    assert "by HTTP" in system.fairgate("event", "log", system.event)
    try:
        queued = visitor.queue()
        assert (queued.status, queued.body["state"]) == (200, "paused")
        wait_until(lambda: time.time() >= visitor.waiting["boff"], "boff", within_s=10)
        paused = visitor.attempt()
        assert (paused.status, paused.body["state"]) == (202, "paused")
        assert paused.body["retry_after"] > 0
    finally:
        assert do("event resume", tau=1).status == 200
    visitor.wait_for_admission()
    visitor.leave()


def test_operator_sees_live_figures_and_nobody_else_does(system):
    path = paths.OPERATOR_EVENT.format(event=system.event)
    operator = Shopper(system.base_url, system.event).sign_in(groups=["operators"])
    # Of an event that was created just now they come with the controller's next run.
    answers = []

    def there():
        answers.append(operator.call("GET", path))
        return answers[-1].status == 200

    wait_until(there, "figures", within_s=30.0)
    shown = answers[-1].body
    assert shown["event"] == system.event
    assert shown["gate"]["error"] == shown["room"]["error"] == ""
    history, sections = (
        operator.call("GET", route.format(event=system.event)).body
        for route in (paths.OPERATOR_HISTORY, paths.OPERATOR_SECTIONS)
    )
    assert history["live_max"][-1] == shown["room"]["live_max"]
    assert (
        sum(one["total"] for one in sections["sections"] + sections["areas"])
        == (shown["seats"]["total"])
    )
    buyer = Shopper(system.base_url, system.event).sign_in()
    for route in (paths.OPERATOR_EVENT, paths.OPERATOR_HISTORY, paths.OPERATOR_SECTIONS):
        asked = route.format(event=system.event)
        assert buyer.call("GET", asked).status == 403
        assert call(system.base_url, "GET", asked).status == 401


def test_reads_come_from_the_cache_when_many_ask(system):
    for path in (paths.EVENTS, paths.AVAILABILITY.format(event=system.event)):
        first = call(system.base_url, "GET", path)
        assert first.status == 200
        assert "public" in first.headers["cache-control"]
    vector = call(system.base_url, "GET", paths.STATUS_VECTOR.format(event=system.event))
    assert vector.status == 200
    assert vector.headers["content-type"] == "application/octet-stream"
    changes = call(system.base_url, "GET", paths.CHANGES.format(event=system.event))
    assert changes.headers["content-type"].startswith("text/event-stream")
    assert re.match(rb"retry: \d+\n", changes.data)


def _in(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds + 1))
