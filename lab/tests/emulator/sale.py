"""A sale over what was deployed: everything that buyers, operators, the provider and the clock do.

Each step asserts; a step's name says what went wrong.
"""

from __future__ import annotations

import time
import urllib.request
from typing import Any

from emulator.mishaps import invoke
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.times import rfc3339
from fairgate.http import paths
from fairgate_lab.emulator.system import STAGE, EmulatedSystem
from tests.e2e.shopper import Answer, Shopper, call, free_seats
from tests.support.waiting import wait_until

EVENT, DESK_EVENT = "deployed", "desked"
SEATS, SEATS_DESK = 40, 10
ROW = 10
PLACES = 500  # standing: one counter
PLACES_DESK = 2  # so that one buyer leaves nothing to another
SALE_START_IN_S = 31  # no new event opens earlier
ADMITTED_WITHIN_S = 90
CHANGED_FOR_S = 86_400  # so long orders may be cancelled and tickets passed on
CHECKOUT_S = 30  # the least that an event may say
EXPIRED_WITHIN_S = CHECKOUT_S + 60
REFUNDED_WITHIN_S = 75  # within a minute the sweeper sends what was not sent at once
JOB_WITHIN_S = 60
TIMERS = ("auditor", "controller", "sweeper", "reconcile")


def open_events(system: EmulatedSystem, seats: int = SEATS) -> None:
    """One that sessions admits to, and one whose every admission goes by the desk."""
    pace = (
        "--sale-starts-in",
        str(SALE_START_IN_S),
        "--tau",
        "1",
        "--pow",
        "6",
        "--backoff-s",
        "1",
        "2",
    )
    closes = rfc3339(round((time.time() + CHANGED_FOR_S) * 1000))
    terms = ("--checkout-s", str(CHECKOUT_S), "--cancel-until", closes, "--transfer-until", closes)
    system.create_event(EVENT, hall(seats), *pace, *terms, "--sample", "0.05")
    system.create_event(
        DESK_EVENT, hall(SEATS_DESK, PLACES_DESK), *pace, "--sample-admissions", "1"
    )


def hall(seats: int, places: int = PLACES) -> Venue:
    """One section, rows of ten: as small as a sale can be, because each seat is a write."""
    rows = [
        {
            "id": f"A-1-{row}",
            "name": str(row),
            "seats": [
                {
                    "id": f"A-{row}-{n}",
                    "number": str(n),
                    "x": 9.0 * n,
                    "y": 5.0 * row,
                    "tier": "one",
                }
                for n in range(1, ROW + 1)
            ],
        }
        for row in range(1, seats // ROW + 1)
    ]
    depth = 5 * len(rows) + 5
    outline = [[1, 1], [99, 1], [99, depth], [1, depth]]
    document = {
        "format": "fairgate-venue/1",
        "name": "Small Hall",
        "bounds": {"width": 100, "height": depth + 5},
        "focalPoint": [50, 1],
        "tiers": [{"id": "one", "name": "One", "color": "#2255aa"}],
        "zones": [],
        "sections": [
            {
                "id": "A",
                "name": "A",
                "outline": outline,
                "blocks": [{"id": "A-1", "name": "1", "rows": rows}],
            }
        ],
        "areas": [
            {
                "id": "floor",
                "name": "Floor",
                "capacity": places,
                "tier": "one",
                "outline": [[1, depth + 1], [99, depth + 1], [99, depth + 4], [1, depth + 4]],
            }
        ],
        "shapes": [],
    }
    return parse_venue(document)


def sign_in(buyer: Shopper, *groups: str) -> Shopper:
    """The one place that knows how people sign in."""
    return buyer.sign_in(groups)


def walk_in(system: EmulatedSystem, event: str = EVENT) -> Shopper:
    buyer = sign_in(Shopper(system.base_url, event))
    queued = buyer.queue()
    assert queued.status == 200, queued
    buyer.wait_for_admission(ADMITTED_WITHIN_S)
    return buyer


def look_around(system: EmulatedSystem) -> None:
    """The pages and what they read before anybody signs in."""
    page = call(system.base_url, "GET", "/")
    assert (page.status, page.data[:15]) == (200, b"<!doctype html>"), page
    assert "default-src" in page.headers["content-security-policy"]
    for path in (paths.EVENTS, paths.EVENT, paths.AVAILABILITY):
        answer = call(system.base_url, "GET", path.format(event=EVENT))
        assert answer.status == 200, (path, answer)
    layout = call(system.base_url, "GET", paths.LAYOUT.format(event=EVENT))
    assert layout.status == 307, layout
    assert call(system.base_url, "GET", layout.headers["location"]).status == 200, layout


def check_out_and_go(system: EmulatedSystem) -> Shopper:
    """A buyer who never pays."""
    gone = walk_in(system)
    assert gone.hold(areas={"floor": 1}).status == 201
    assert gone.checkout().status == 201
    gone.pay("abandon")
    return gone


def buy(system: EmulatedSystem) -> Shopper:
    """From the queue to the ticket."""
    buyer = walk_in(system)
    first = hold_free(system, buyer, 1)
    path = paths.HOLD.format(session=buyer.session["session"], hold=first.body["hold"])
    assert buyer.call("DELETE", path).status == 204
    hold_free(system, buyer, 2)
    found = buyer.call("GET", paths.LIVE_SESSION.format(event=EVENT))
    assert found.status == 200, found
    opened = buyer.checkout()
    assert opened.status == 201, opened
    buyer.pay()
    assert buyer.order_becomes("ticketed")["tickets"] == 2
    ticket = buyer.ticket()
    assert ticket.status == 200, ticket
    assert b"<svg" in ticket.data
    assert [(line["order"], line["tickets"]) for line in _own_orders(buyer)] == [(buyer.order, 2)]
    return buyer


def pass_a_ticket_on(system: EmulatedSystem) -> None:
    """From one account to another: offered, withdrawn, offered again, accepted, shown.

    With a key as the page sends one: what is asked twice is done once.
    """
    key = {"idempotency-key": f"pass-{time.time_ns()}"}
    giver, taker = walk_in(system), sign_in(Shopper(system.base_url, EVENT))
    assert giver.hold(areas={"floor": 1}).status == 201
    assert giver.checkout().status == 201
    giver.pay()
    ticket = giver.order_becomes("ticketed")["transfer"]["tickets"][0]["ticket"]
    offer = paths.TICKET_OFFER.format(order=giver.order, ticket=ticket)
    assert giver.call("POST", offer).status == 201
    assert giver.call("DELETE", offer).status == 204
    offered = [giver.call("POST", offer, headers=key) for _ in range(2)]
    assert [answer.status for answer in offered] == [201, 201], offered
    token = {"token": offered[0].body["token"]}
    assert offered[1].body["token"] == token["token"]
    accepted, again = [taker.call("POST", paths.TRANSFERS, token, key) for _ in range(2)]
    assert (accepted.status, again.status) == (200, 200), (accepted, again)
    assert again.body["ticket"] == accepted.body["ticket"]
    [held] = taker.call("GET", paths.HELD_TICKETS).body["orders"]
    assert [one["ticket"] for one in held["transfer"]["tickets"]] == [accepted.body["ticket"]]
    assert giver.ticket().status == 409  # void for them
    assert taker.call("GET", paths.TICKET_SVG.format(order=giver.order)).status == 200


def _own_orders(buyer: Shopper) -> list[dict[str, Any]]:
    answer = buyer.call("GET", paths.ORDERS)
    assert answer.status == 200, answer
    orders: list[dict[str, Any]] = answer.body["orders"]
    return orders


def hold_free(system: EmulatedSystem, buyer: Shopper, count: int) -> Answer:
    """Choose from the map like anybody; what it shows may be taken by then."""
    answers: list[Answer] = []

    def held() -> bool:
        answers.append(buyer.hold(free_seats(system.base_url, EVENT, count)))
        assert answers[-1].status in (201, 409), answers[-1]
        return answers[-1].status == 201

    wait_until(held, f"{count} free seats", within_s=20, every_s=1.0)
    return answers[-1]


def pass_the_desk(system: EmulatedSystem) -> None:
    sampled = walk_in(system, DESK_EVENT)
    assert sampled.hold_best(1).status == 201
    assert sampled.leave().status == 204


def operate(system: EmulatedSystem) -> None:
    """What operators ask and set: over HTTP, and with the command."""
    system.client("lambda").invoke(FunctionName=f"fairgate-{STAGE}-controller")  # makes figures
    operator = sign_in(Shopper(system.base_url, EVENT), "operators")
    figures = operator.call("GET", paths.OPERATOR_EVENT.format(event=EVENT))
    assert figures.status == 200, figures
    assert "τ" in system.fairgate("tau", "get", EVENT)
    organiser = sign_in(Shopper(system.base_url, EVENT), "fairgate-organiser")
    faster = {"act": "tau set", "arguments": {"event": EVENT, "seconds": 2}, "confirm": "yes"}
    done = organiser.call("POST", paths.OPERATOR_ACTS, faster)
    assert (done.status, done.body["result"]["at_edges"]) == (200, True), done
    system.fairgate("cache", "rebuild", EVENT)
    queues = system.fairgate("queue", "list")
    assert "tickets" in queues


def do_jobs(system: EmulatedSystem) -> None:
    """A file of void tickets, and every admission decided again, by jobs."""
    organiser = sign_in(Shopper(system.base_url, EVENT), "fairgate-organiser")
    void = job_ends(organiser, "ticket void-list", event=EVENT)
    [file] = void["files"]
    with urllib.request.urlopen(file["url"]) as answer:  # noqa: S310 of the emulator's bucket
        assert len(answer.read()) == file["bytes"]
    assert job_ends(organiser, "audit check", event=EVENT)["result"]["admissions"] > 0


def job_ends(operator: Shopper, act: str, **arguments: object) -> dict[str, Any]:
    """Ask for a job, and wait until it is done."""
    asked = {"act": act, "arguments": arguments, "confirm": "yes"}
    key = {"idempotency-key": f"{act} {time.time_ns()}"}
    begun = operator.call("POST", paths.OPERATOR_ACTS, asked, key)
    assert begun.status == 200, begun
    shown = {"act": "job show", "arguments": {"job": begun.body["result"]["job"]["id"]}}
    states: list[dict[str, Any]] = []

    def ended() -> bool:
        states.append(operator.call("POST", paths.OPERATOR_ACTS, shown).body["result"]["job"])
        return states[-1]["state"] in ("done", "failed")

    wait_until(ended, f"the job “{act}”", JOB_WITHIN_S, every_s=1.0)
    assert states[-1]["state"] == "done", states[-1]
    return states[-1]


def let_time_pass(system: EmulatedSystem) -> None:
    """Call what the clock calls, once each: whatever failed is counted in what it answers."""
    for name in TIMERS:
        said = invoke(system, name)
        assert said["failures"] == 0, (name, said)


def order_expires(system: EmulatedSystem, gone: Shopper) -> None:
    _becomes(gone, "expired", EXPIRED_WITHIN_S)
    again = gone.checkout()
    assert again.status in (409, 410), again


def order_is_refunded(system: EmulatedSystem, buyer: Shopper) -> None:
    """The buyer cancels; the money goes back, once, and the provider says so."""
    cancelled = buyer.call("POST", paths.ORDER_CANCEL.format(order=buyer.order))
    assert cancelled.status == 200, cancelled
    _becomes(buyer, "refunded", REFUNDED_WITHIN_S)
    books = call(system.base_url, "GET", "/sandbox/v1/payments").body
    refunds = [line for line in books["refunds"] if line["order"] == buyer.order]
    assert len(refunds) == 1, books


def _becomes(buyer: Shopper, state: str, within_s: float) -> None:
    states: list[str] = []

    def arrived() -> bool:
        states.append(buyer.order_now()["state"])
        return states[-1] == state

    wait_until(arrived, f"the order to be {state}", within_s=within_s, every_s=0.5)
