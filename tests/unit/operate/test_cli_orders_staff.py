"""``fairgate orders show|refund``: a part of an order's money, once, with its reason in the log."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.records.orders import Order
from fairgate_ops.operate.target import QueueUrls
from tests.support.sale import Sale
from tests.support.world import EVENT as WORLDS_EVENT
from tests.support.world import World, stored
from tests.unit.checkout.test_checkout_and_settle import begin, held
from tests.unit.refunds.test_give_back import give_back, now, ticketed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def office(world: World, tmp_path: Path) -> Sale:
    """The command over a world whose event has a gate, and a provider in memory."""
    sale = Sale(world, tmp_path)
    sale.create()
    sale.container.__dict__["payments"] = world.payments
    return sale


def bought(office: Sale) -> Order:
    """Two seats for 50.00 each, of an event of the tests' own; the log is the created event's."""
    return ticketed(office.world)


def run(office: Sale, capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert office.run(f"orders {words} --json") == code, capsys.readouterr().out
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def order(office: Sale, monkeypatch: pytest.MonkeyPatch) -> Order:
    from fairgate.service.gate import operator_acts
    from tests.support.sale import EVENT

    log_of = operator_acts.OperatorActs.log_of
    monkeypatch.setattr(
        operator_acts.OperatorActs,
        "log_of",
        lambda acts, event: log_of(acts, EVENT if event == WORLDS_EVENT else event),
    )
    return bought(office)


def test_a_part_goes_back_once_and_stands_in_the_log(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"refund {order.order_id} --amount 12 --reason late --yes"
    first = run(office, capsys, words)
    assert (first["part"], first["again"], first["refund"]["state"]) == (1, False, "succeeded")
    assert first["order"]["left_minor"] == 8_800
    assert run(office, capsys, words)["again"] is True
    assert office.world.payments.refunds == {"pay1": 1_200}
    stored = now(office.world, order)
    assert (stored.state, stored.back_minor, len(stored.tickets)) == ("ticketed", 1_200, 2)
    capsys.readouterr()
    assert office.run("event log final --json") == 0
    log = capsys.readouterr().out
    acts = [e["act"] for e in json.loads(log)["entries"] if e["phase"] == "done"]
    assert acts == ["create", "order refund", "order refund"]
    assert "ann@example.org" not in log


def test_a_dry_run_knows_what_was_made_before_and_what_its_key_was_used_for(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"refund {order.order_id} --amount 12 --key k1 --reason late"
    assert run(office, capsys, f"{words} --dry-run")["again"] is False
    run(office, capsys, f"{words} --yes")
    assert run(office, capsys, f"{words} --dry-run")["again"] is True
    other = words.replace("12", "13")
    for switch in ("--dry-run", "--yes"):
        refused = run(office, capsys, f"{other} {switch}", code=1)["error"]
        assert refused["code"] == "idempotency-mismatch"
        assert "this --key" in refused["detail"]
    assert office.world.payments.refunds == {"pay1": 1_200}


def test_another_order_of_the_buyer_gets_the_same_back_for_the_same_reason(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was given back is remembered with the buyer; unnamed, it is this order's alone."""
    name = f"ord_{'c' * 32}_{'c' * 8}"
    sk = order.sk.replace(order.order_id, name)
    twin = msgspec.structs.replace(order, pk=f"ses_{'c' * 32}", sk=sk, order_id=name)
    office.world.put(twin)
    for number, one in enumerate((order, twin), start=1):
        words = f"refund {one.order_id} --amount 12 --reason late --yes"
        assert run(office, capsys, words)["again"] is False
        assert now(office.world, one).back_minor == 1_200, number


def test_what_is_decided_while_the_provider_is_away_is_said_and_logged_as_done(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    """ "Not done" would have somebody else give the money back once more."""
    office.world.payments.fail = DependencyUnavailableError("The provider does not answer.")
    words = f"refund {order.order_id} --amount 12 --reason late --yes"
    assert run(office, capsys, words, code=1)["refund"]["state"] == "owed"
    assert office.run(f"orders {words}") == 1
    said = capsys.readouterr().out
    assert "12.00 EUR, owed. 88.00 EUR left." in said
    assert "The provider does not answer. What is owed is sent by itself, once." in said
    assert office.run("event log final --json") == 0
    assert json.loads(capsys.readouterr().out)["entries"][-1]["phase"] == "done"
    office.world.payments.fail = None
    assert run(office, capsys, words)["refund"]["state"] == "succeeded"
    assert office.world.payments.refunds == {"pay1": 1_200}


class Sent:
    """A queue service that keeps what it is sent."""

    def __init__(self) -> None:
        self.bodies: list[Any] = []

    def send_message(self, **request: str) -> dict[str, Any]:
        assert request["QueueUrl"] == "mails"
        self.bodies.append(json.loads(request["MessageBody"]))
        return {}


def test_the_tickets_are_mailed_again_as_often_as_it_is_asked_for(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    sent = Sent()
    urls = {"mails": QueueUrls("mails", "")}
    office.target = replace(office.target, sqs=lambda: sent, queues=lambda: urls)
    words = f"resend {order.order_id} --reason lost"
    assert run(office, capsys, f"{words} --dry-run")["dry_run"] is True
    assert sent.bodies == []
    for count in (1, 2):
        assert run(office, capsys, words)["mailed_at"] is None
        assert sent.bodies == [{"mail": order.order_id, "again": True}] * count
    assert office.run("event log final --json") == 0
    entries = json.loads(capsys.readouterr().out)["entries"]
    done = [entry for entry in entries if entry["phase"] == "done"]
    assert [entry["act"] for entry in done][1:] == ["order resend"] * 2
    assert "ann@example.org" not in json.dumps(entries)


def test_what_admits_nobody_is_not_mailed_again(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    office.world.table.update(Update("reservations", *order.key, set={"state": "cancelled"}))
    refused = run(office, capsys, f"resend {order.order_id} --reason lost", 1)
    assert refused["error"]["code"] == "wrong-state"
    assert run(office, capsys, "resend ord_none --reason lost", 1)["error"]["code"] == "not-found"


def test_staff_read_why_an_order_cannot_be_mailed(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(office, capsys, f"show {order.order_id}")["unmailable"] is None
    old = {"email": "anna.@example.com"}
    office.world.table.update(Update("reservations", *order.key, set=old))
    why = "No mail can be sent to this address. An email address cannot have a period"
    assert run(office, capsys, f"show {order.order_id}")["unmailable"].startswith(why)
    assert office.run(f"orders show {order.order_id}") == 0
    assert f"  Mail      {why}" in capsys.readouterr().out
    refused = run(office, capsys, f"resend {order.order_id} --reason lost", 1)
    assert refused["error"]["detail"].startswith(why)


def test_no_more_than_is_left_goes_back(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    give_back(office.world, order)
    refused = run(office, capsys, f"refund {order.order_id} --amount 50.01 --reason x --yes", 1)
    assert refused["error"]["left_minor"] == 5_000
    run(office, capsys, f"refund {order.order_id} --amount 30 --reason x --yes")
    run(office, capsys, f"refund {order.order_id} --amount 20 --reason y --yes")
    assert office.world.payments.refunds == {"pay1": 10_000}
    run(office, capsys, f"refund {order.order_id} --amount 0.01 --reason z --yes", 1)
    after = give_back(office.world, order, 1)  # nothing is left to give for it
    assert (after.state, after.back_minor) == ("refunded", 10_000)
    refunder = Refunder(office.world.table, office.world.clock, office.world.payments)
    assert not refunder.look(order.session, order.order_id, "pay1")


def test_a_key_is_for_one_refund(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    run(office, capsys, f"refund {order.order_id} --amount 1 --reason x --key a --yes")
    run(office, capsys, f"refund {order.order_id} --amount 1 --reason x --key b --yes")
    refused = run(office, capsys, f"refund {order.order_id} --amount 2 --reason x --key a --yes", 1)
    assert refused["error"]["code"] == "idempotency-mismatch"
    assert office.world.payments.refunds == {"pay1": 200}


def test_an_order_is_shown_with_its_money_and_without_its_codes(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    give_back(office.world, order)
    shown = run(office, capsys, f"show {order.order_id}")
    assert (shown["total_minor"], shown["back_minor"], shown["left_minor"]) == (
        10_000,
        5_000,
        5_000,
    )
    assert [refund["state"] for refund in shown["refunds"]] == ["succeeded"]
    assert "FG1." not in json.dumps(shown)
    assert office.run(f"orders show {order.order_id}") == 0
    said = capsys.readouterr().out
    assert "50.00 EUR left" in said
    assert "Terms" not in said
    assert office.run("orders show ord_none") == 1
    accepted = {"acceptedTerms": "https://example.org/terms-1"}
    office.world.table.update(Update("reservations", *order.key, set=accepted))
    assert office.run(f"orders show {order.order_id}") == 0
    at = order.created_at
    assert f"https://example.org/terms-1, accepted {at}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("orders refund ORDER --amount 1", "1.00 EUR of ORDER goes back to its buyer"),
        ("orders resend ORDER", "ORDER was never mailed before"),
        ("orders void EVENT ORDER", "2 tickets of ORDER void for good"),
        ("buyer erase --email ann@example.org", "The address would go from 1 order"),
    ],
)
def test_a_dry_run_says_what_would_be_done_and_writes_nothing(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str], words: str, says: str
) -> None:
    if words.startswith("buyer"):
        words_before = f"orders void {WORLDS_EVENT} {order.order_id} --reason x --yes"
        assert office.run(words_before) == 0
    before = stored(office.world)
    typed = words.replace("ORDER", order.order_id).replace("EVENT", WORLDS_EVENT)
    capsys.readouterr()
    assert office.run(f"{typed} --reason asked --dry-run") == 0
    assert says.replace("ORDER", order.order_id) in capsys.readouterr().out
    assert stored(office.world) == before
    assert office.world.payments.refunds == {}


def test_an_order_that_was_never_paid_has_no_money_left(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    world = office.world
    order = begin(world, held(world, "cid", world.seat_ids[5])).order
    assert office.run(f"orders show {order.order_id}") == 0
    assert "Money     50.00 EUR asked for, nothing paid" in capsys.readouterr().out
    assert office.run(f"orders show {order.order_id} --json") == 0
    assert json.loads(capsys.readouterr().out)["left_minor"] == 0


def test_an_order_tells_its_lines_its_tickets_and_what_became_of_it_when(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    run(office, capsys, f"refund {order.order_id} --amount 12 --reason late --yes")
    ticket = order.tickets[0].ticket
    voiding = f"void {order.event_id} {order.order_id} --ticket {ticket} --reason resold --yes"
    run(office, capsys, voiding)
    shown = run(office, capsys, f"show {order.order_id}")
    assert sum(line["quantity"] * line["price_minor"] for line in shown["lines"]) == 10_000
    assert [one["admits"] for one in shown["entries"]] == [False, True]
    told = {one["what"]: one for one in shown["story"]}
    assert told.keys() == {"made", "paid", "ticketed", "void", "refund-owed", "refund-arrived"}
    assert told["void"]["tickets"] == [ticket]
    assert not any(entry.code and entry.code in json.dumps(shown) for entry in order.tickets)
