"""House seats, orders, buyers, books and the check over HTTP: in parts, and nobody in a log."""

from __future__ import annotations

import json

import pytest

from fairgate.domain.shared.times import rfc3339
from fairgate.service.books import read_movements
from fairgate.service.gate.appeals import Appeals
from fairgate.service.ledger import read_ledger
from fairgate.service.orders import list_event_orders
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.shared.movement_keys import movement_key
from fairgate.service.shared.records.movements import MovementRecord
from fairgate.service.watch.make_figures import FigureMaker
from fairgate_ops.operate.api import system
from fairgate_ops.operate.api.roles import OF_A_BUYER
from fairgate_ops.operate.cli import event_check, events, record_stream
from fairgate_ops.operate.doctor import checks, in_reach
from fairgate_ops.operate.doctor.site import UnreachableError
from tests.support.world import EVENT, START_MS, World
from tests.unit.checkout.test_checkout_and_settle import begin, held
from tests.unit.operate.test_operator_api import LATER, do, log, served
from tests.unit.refunds.test_give_back import ticketed
from tests.unit.refunds.test_refunds import sweep

__all__ = ["served"]  # a fixture


def test_house_seats_are_named_in_lists_blocked_shown_and_freed(world: World) -> None:
    row = {"event": EVENT, "seat": world.seat_ids[:2], "area": {"floor": "20%"}}
    status, blocked = do(world, "seats block", {**row, "reason": "--row"}, role="owner")
    assert (status, blocked["failed"]) == (200, False)
    assert blocked["result"]["areas"] == {"floor": 2}
    (kept,) = do(world, "seats list", {"event": EVENT}, "viewer")[1]["result"]["blocks"]
    assert (kept["seats"], kept["by"], kept["reason"]) == (row["seat"], "sign-in olga", "--row")
    free = {"event": EVENT, "names": [kept["block"]]}
    assert do(world, "seats free", free)[1]["said"] == [
        f"For sale again: 2 seats and 2 places of floor of {kept['block']}."
    ]
    assert do(world, "seats list", {"event": EVENT})[1]["result"]["blocks"] == []


def test_money_goes_back_by_the_sweeper_and_tells_no_organiser_who_bought(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    order = ticketed(world)
    asked = {"order": order.order_id, "amount": "3.00", "reason": "Row without a view"}
    status, answer = do(world, "orders refund", asked)
    assert (status, answer["reason"]) == (409, "unconfirmed")
    status, answer = do(world, "orders refund", asked, confirm="yes")
    assert (status, answer["failed"], answer["result"]["refund"]["state"]) == (200, False, "owed")
    assert answer["said"][-1] == "It is sent by itself, within minutes."
    assert world.payments.refunds == {}
    assert not OF_A_BUYER & answer["result"]["order"].keys()
    assert order.email not in json.dumps(answer)
    assert order.email not in caplog.text
    shown = do(world, "orders show", {"order": order.order_id}, "box-office")[1]["result"]
    assert (shown["email"], shown["back_minor"]) == (order.email, 300)
    again = do(world, "orders refund", asked, "box-office", confirm="yes")[1]["result"]
    assert (again["again"], again["order"]["email"]) == (True, order.email)
    world.clock.tick(400)
    sweep(world)
    assert list(world.payments.refunds.values()) == [300]


def test_a_buyer_is_shown_and_erased_and_named_in_no_log(
    world: World, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    order = ticketed(world)
    shown = do(world, "buyer show", {"email": order.email}, "box-office")[1]["result"]
    assert order.order_id in json.dumps(shown)
    asked = {"email": order.email, "reason": "Asked by letter"}
    status, answer = do(world, "buyer erase", asked, "owner", confirm="yes")
    assert (status, answer["code"]) == (409, "wrong-state")
    assert answer["errors"][0]["what"].startswith("its tickets are valid")
    TicketVoider(world.table, world.clock).void(order)
    named = {**asked, "reason": f"for {order.email.replace('@', ' at ')} and ANN"}
    assert do(world, "buyer erase", named, "owner", confirm="yes")[0] == 400
    assert do(world, "buyer erase", asked, "owner")[1]["reason"] == "unconfirmed"
    assert do(world, "buyer erase", asked, "owner", confirm="yes")[0] == 200
    assert do(world, "buyer show", {"email": order.email}, "owner")[0] == 404
    said = "".join(capsys.readouterr()) + caplog.text + repr(log(world))
    assert order.email not in said
    assert do(world, "buyer show", {}, "owner")[1]["detail"] == (
        "one of the arguments email user is required."
    )


def test_what_the_desk_decided_is_shown_and_lifted(world: World) -> None:
    asked = {"event": EVENT, "user": "ann"}
    assert do(world, "desk pardon", {**asked, "reason": "Called us"}, "owner")[0] == 404
    world.session("ann")
    assert do(world, "desk pardon", {**asked, "reason": "Called us"}, "box-office")[0] == 200
    shown = do(world, "desk show", asked, "auditor")[1]["result"]
    assert shown["pardoned"]
    assert [(one["by"], one["noticed"]) for one in shown["decisions"]] == [
        ("sign-in olga", "Called us")
    ]


def test_an_appeal_is_listed_answered_shown_and_erased_and_in_no_log(
    world: World, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    text = "I am Ann of 3 Quay Street."
    locked = {"event": EVENT, "user": "ann", "reason": "A farm, we think"}
    assert do(world, "desk extend", {**locked, "minutes": 2_000}, "owner")[0] == 400
    for minutes in (60, 90):
        assert do(world, "desk extend", {**locked, "minutes": minutes}, "box-office")[0] == 200
        Appeals(world.table, world.clock).ask(EVENT, "ann", f"{text} {minutes}")
        assert do(world, "desk extend", {**locked, "minutes": minutes}, "owner")[0] == 409
        [one] = do(world, "desk appeals", {"event": EVENT}, "auditor")[1]["result"]["appeals"]
        assert (one["user"], one["noticed"]) == ("ann", "A farm, we think")
        assert one["text"] == f"{text} {minutes}"
        world.clock.tick(1)
    lifted = {"event": EVENT, "user": "ann", "reason": "Known to us"}
    assert do(world, "desk pardon", lifted, "box-office")[0] == 200
    assert do(world, "desk appeals", {"event": EVENT}, "owner")[1]["result"]["appeals"] == []
    stored = do(world, "buyer show", {"user": "ann"}, "box-office")[1]["result"]["items"]
    appeals = [one["item"] for one in stored if one["kind"] == "desk appeal"]
    assert sorted((one["text"], one["answer"]) for one in appeals) == [
        (f"{text} 60", "kept"),
        (f"{text} 90", "lifted"),
    ]
    asked = {"user": "ann", "reason": "Asked by letter"}
    assert do(world, "buyer erase", asked, "owner", confirm="yes")[1]["result"]["appeals"] == 2
    assert text not in json.dumps(do(world, "buyer show", {"user": "ann"}, "owner")[1])
    assert text not in "".join(capsys.readouterr()) + caplog.text + repr(log(world))


def test_the_log_names_an_account_to_those_alone_who_may_see_buyers(world: World) -> None:
    world.session("ann-the-buyer")
    asked = {"event": EVENT, "user": "ann-the-buyer", "reason": "Called us"}
    assert do(world, "desk pardon", asked, "box-office")[0] == 200
    unknown = {**asked, "user": "bob-the-buyer"}
    assert do(world, "desk pardon", unknown, "box-office")[0] == 404
    assert do(world, "desk extend", {**asked, "minutes": 5}, "box-office")[0] == 200
    shown = {
        role: json.dumps(do(world, "event log", {"event": EVENT}, role)[1])
        for role in ("organiser", "auditor", "owner")
    }
    assert [
        sum(one.count(f"{name}-the-buyer") for name in ("ann", "bob")) > 0 for one in shown.values()
    ] == [False, True, True]
    assert "Called us" in shown["organiser"]
    assert "Every entry is as it was signed." in shown["organiser"]
    figures = FigureMaker(world.table, world.clock).make(world.event)
    assert figures.acts.acts
    assert "-the-buyer" not in repr(figures.acts)


def test_the_oldest_entries_are_left_out_where_an_answer_has_no_room(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes in (5, 6, 7):
        assert do(world, "event open-until", {"event": EVENT, "minutes": minutes})[0] == 200
    whole = do(world, "event log", {"event": EVENT})[1]
    assert whole["result"]["left_out"] == 0
    room = sum(len(json.dumps(one)) for one in whole["result"]["entries"][-2:])
    monkeypatch.setattr(events, "LOG_CHARS_MAX", room)
    newest = do(world, "event log", {"event": EVENT})[1]
    assert newest["result"]["entries"] == whole["result"]["entries"][-2:]
    assert newest["result"]["left_out"] == len(whole["result"]["entries"]) - 2
    left_out = "4 older entries are left out here: the command `fairgate event log` shows all."
    assert newest["said"] == [left_out, *whole["said"][-3:]]


def test_the_books_are_read_in_parts_and_sales_up_to_a_number_of_entries(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_ledger, "TOGETHER", 1)
    order, asked = ticketed(world), {"event": EVENT}
    ledger = do(world, "books ledger", asked)[1]["result"]
    assert [(one["kind"], one["amount_minor"]) for one in ledger["entries"]] == [
        ("capture", order.total_minor)
    ]
    rest = do(world, "books ledger", {**asked, "after": ledger["after"]})[1]["result"]
    assert (rest["entries"], rest["complete"]) == ([], True)
    sales = do(world, "books sales", asked, "viewer")[1]["result"]
    assert sales["total"]["amount_minor"] == order.total_minor
    monkeypatch.setattr(system, "PARTS_MAX", 0)
    assert do(world, "books sales", asked, "viewer")[0] == 422


def test_movements_are_read_in_parts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_movements, "TOGETHER", 2)
    monkeypatch.setattr(record_stream, "ENOUGH", 2)
    names = [f"txn_{number}" for number in range(3)]
    at = rfc3339(START_MS)
    for name in names:
        record = MovementRecord(
            *movement_key(at, name),
            movement_id=name,
            kind="adjustment",
            amount_minor=100,
            fee_minor=0,
            currency="EUR",
            at=at,
            entered_at=at,
        )
        world.put(record)
    world.clock.tick(1)
    since = {"since": at}
    first = do(world, "books movements", since, "auditor")[1]["result"]
    assert [one["movement"] for one in first["movements"]] == names[:2]
    rest = do(world, "books movements", {**since, "after": first["after"]}, "auditor")[1]["result"]
    assert [one["movement"] for one in rest["movements"]] == names[2:]
    end = do(world, "books movements", {"after": rest["after"]}, "auditor")[1]["result"]
    assert (end["movements"], end["complete"]) == ([], True)


def test_a_check_says_what_it_did_not_look_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(url: str, **_asked: object) -> None:
        raise UnreachableError(f"{url} does not answer")

    monkeypatch.setattr(event_check, "fetch", away)
    status, answer = do(world, "check", {"event": EVENT, "within": 3_600}, "viewer")
    assert (status, answer["failed"], answer["result"]["go"]) == (200, True, False)
    states = {one["subject"]: one["state"] for one in answer["result"]["findings"]}
    assert (states["event"], states["webhook"]) == ("ok", "unseen")
    assert not any("check itself broke" in one["text"] for one in answer["result"]["findings"])
    assert "test checkout" in answer["result"]["not_looked_at"]


def test_a_check_names_all_that_the_command_looks_at() -> None:
    reached, others = in_reach.IN_REACH, set(in_reach.OUT_OF_REACH)
    assert reached.items() <= checks.OF_AN_EVENT.items()
    assert reached.keys() | others == checks.OF_AN_EVENT.keys() | checks.OF_AN_EVENT_IN_AWS.keys()
    assert not reached.keys() & others


def test_mails_of_an_order_are_asked_for_and_its_address_is_in_no_log(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    order, right = ticketed(world), "right@example.org"
    named = {"order": order.order_id, "reason": "Typed wrongly"}
    assert do(world, "orders resend", named, "box-office")[0] == 200
    edited = do(world, "orders edit", {**named, "email": right}, "box-office", confirm="yes")
    assert (edited[0], edited[1]["result"]["order"]["email"]) == (200, right)
    assert world.mail_queue.again == [order.order_id] * 2
    assert right not in caplog.text + repr(log(world))
    assert order.email not in caplog.text + repr(log(world))
    wrong = do(world, "orders edit", {**named, "email": "no address"}, "owner", confirm="yes")
    assert (wrong[0], wrong[1]["code"]) == (400, "malformed-input")
    assert "no address" not in caplog.text


def test_orders_are_listed_a_hundred_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_event_orders, "TOGETHER", 2)
    monkeypatch.setattr(record_stream, "ENOUGH", 2)
    orders = []
    for number, seat in enumerate(world.seat_ids[:3]):
        orders.append(begin(world, held(world, f"user{number}", seat)).order.order_id)
        world.clock.tick(1)
    asked = {"event": EVENT}
    first = do(world, "orders list", asked, "auditor")[1]["result"]
    assert ([one["order"] for one in first["orders"]], first["complete"]) == (orders[:2], False)
    rest = do(world, "orders list", {**asked, "after": first["after"]}, "auditor")[1]["result"]
    assert [one["order"] for one in rest["orders"]] == orders[2:]
    assert (rest["complete"], rest["after"], rest["count"]) == (True, None, 1)
    last = do(world, "orders list", {**asked, "find": "user2"}, "owner")[1]["result"]
    assert ([one["order"] for one in last["orders"]], last["looked_at"]) == (orders[2:], 3)
    assert do(world, "orders list", {**asked, "state": "cancelled"}, "owner")[1]["result"] == {
        "event": EVENT,
        "orders": [],
        "count": 0,
        "looked_at": 3,
        "damaged": [],
        "complete": True,
        "after": None,
    }
    long = "\N{GRINNING FACE}" * 300  # 1,200 bytes: no sort key
    for place in (
        "x#1",
        f"{LATER}#" + "x" * 400,
        f"{LATER}#{long}",
        LATER,
        "9999-99-99T00:00:00Z#x",
    ):
        status, answer = do(world, "orders list", {**asked, "after": place}, "owner")
        assert (status, answer["detail"]) == (400, "argument after: it is no “after” of an answer.")
