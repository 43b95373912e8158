"""An event is cancelled with hundreds of orders, at a provider that fails for a third of them."""

from __future__ import annotations

import csv
import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from fairgate.adapters.payments import refusals
from fairgate.bootstrap import Container
from fairgate.errors import (
    FairgateError,
    SaleOverError,
    WrongStateError,
)
from fairgate.ports.payments import Capture, Refund
from fairgate.ports.table import Update
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds import cancel_order, cancel_terms
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Session
from fairgate.settings import from_environment
from fairgate_lab.engine.payments import MemoryPayments
from fairgate_ops.operate import target
from fairgate_ops.operate.cancel_event.give_all_back import AllGiver
from fairgate_ops.operate.cancel_event.walk import sold_by
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.target import Target
from tests.support.lengths import at_length
from tests.support.memory_client import MemoryClient
from tests.support.moto_direct import dynamodb
from tests.support.world import EVENT, NAMES, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.refunds.test_give_back import give_back, now, ticketed

ORDERS = at_length(100, 500)
PRICE = 5_000


class KilledError(BaseException):
    """Ends the process between any two of its steps, as ``kill -9`` does."""


@dataclass
class Troubled(MemoryPayments):
    """Fails for a third of the orders, each in its way, and ends whoever asks too long.

    Args:
        trouble: by order: ``short`` until the balance is filled, ``busy`` for two calls,
            ``refused`` for good.
        killed_in: the process ends in this many calls, before or after the refund is made, if
            one is.
    """

    trouble: dict[str, str] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    killed_in: int = 0
    ends_with: type[BaseException] = KilledError
    calls_at_s: list[float] = field(default_factory=list)
    clock_s: Any = None
    made: list[tuple[str, int]] = field(default_factory=list)

    def refund(
        self, *, payment: str, order: str, amount_minor: int, part: int = 0, attempt: int = 0
    ) -> Refund:
        self.calls_at_s.append(self.clock_s())
        self.killed_in -= 1
        if self.killed_in == 0 and (order in self.trouble or random.random() < 0.5):  # noqa: S311
            raise self.ends_with
        self.asked[order] = self.asked.get(order, 0) + 1
        match self.trouble.get(order):
            case "short":
                raise refusals.refused_for_now()
            case "busy" if self.asked[order] <= 2:
                raise refusals.away(refusals.BUSY)
            case "refused":
                raise refusals.refused("too-old")
        before = self.refunds.get(payment, 0)
        refund = super().refund(
            payment=payment, order=order, amount_minor=amount_minor, part=part, attempt=attempt
        )
        if self.refunds[payment] != before:
            self.made.append((payment, amount_minor))
        if self.killed_in == 0:
            raise self.ends_with
        return refund


class Office:
    """The command over a world of its own, whose event is ``show``."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world, self.folder = world, folder
        self.payments = Troubled(clock_s=lambda: world.clock.ms / 1000)
        world.payments = self.payments
        settings = from_environment(
            {
                "FAIRGATE_SEATS_TABLE": NAMES["seats"],
                "FAIRGATE_RESERVATIONS_TABLE": NAMES["reservations"],
                "FAIRGATE_CATALOG_TABLE": NAMES["catalog"],
            }
        )
        container = Container(
            settings,
            clock=world.clock,
            ids=world.ids,
            table=world.table,
            secrets=world.secrets,
            edge_config=world.edge_config,
            expiry_queue=world.reminders,
            payments=self.payments,
        )
        self.target = Target(
            "local",
            container,
            partial(target.SecretFile, folder),
            lambda: world.client,
            1.0,
            who=lambda: "tester",
        )
        self.report = folder / "report.csv"
        self.slept: list[float] = []

    def sell(self, count: int) -> list[Order]:
        orders = []
        for number in range(count):
            mine = held(self.world, f"user{number}", f"s-1-{number + 1}")
            order = begin(self.world, mine).order
            settle(self.world, order, event=f"evt{number}", payment=f"pay{number}")
            orders.append(now(self.world, order))
        return orders

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.world.clock.tick(seconds)

    def run(self, *more: str, reason: str = "the singer is ill") -> int:
        words = ["event", "cancel", EVENT, "--refund-all", "--reason", reason, *more]
        clock = self.world.clock
        with (
            patch.object(target, "target_of", lambda _options: self.target),
            patch("fairgate_ops.operate.cli.event_cancel.time.sleep", self.sleep),
            patch("fairgate_ops.operate.cli.event_cancel.time.monotonic", lambda: clock.ms / 1000),
        ):
            return main.main(words)

    def cancel(self, *more: str) -> int:
        return self.run("--report", str(self.report), "--yes", "--rate", "50", *more)

    def rows(self) -> list[dict[str, str]]:
        with self.report.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    def orders(self) -> list[Order]:
        return [one for one in sold_by(self.target, EVENT) if isinstance(one, Order)]

    def event(self) -> Event:
        event = self.world.table.find(Event, event_key(EVENT))
        assert event is not None
        return event


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with dynamodb() as client:
        yield Office(World(client), tmp_path)


@pytest.fixture
def large(tmp_path: Path) -> Office:
    return Office(World(MemoryClient(), seats=ORDERS), tmp_path)


def said(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def money_law(office: Office) -> None:
    """Each capture has gone back once and whole, or is on somebody's list, and none twice."""
    tasks = {task.payment_id for task in ManualTasks(office.world.table, office.world.clock).open()}
    for order in office.orders():
        back = office.payments.refunds.get(order.payment_id or "", 0)
        assert order.state in ("cancelled", "refunded")
        assert back == order.total_minor or (back == 0 and order.payment_id in tasks)
    assert len(office.payments.made) == len(set(office.payments.made))


def test_orders_of_which_a_third_fail_ended_in_the_middle_and_begun_again(
    large: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = large.sell(ORDERS)
    kinds = ("short", "busy", "refused")
    third = orders[::3]
    large.payments.trouble = {
        order.order_id: kinds[number % 3] for number, order in enumerate(third)
    }
    assert large.run("--dry-run", "--json") == 0
    before = said(capsys)["before"]
    assert (before["orders"], before["places"]) == (ORDERS, ORDERS)
    assert before["sold_minor"] == before["captured_minor"] == ORDERS * PRICE
    assert large.event().cancelled_at == ""
    assert large.payments.made == []
    random.seed(7)
    killed = 0
    for hundredths in (1, 8, 30, 18):
        calls = max(1, ORDERS * hundredths // 100)
        large.payments.killed_in = calls
        with pytest.raises(KilledError):
            large.cancel("--json")
        killed += 1
        assert not large.report.exists()  # no half of a report looks like a whole one
    assert killed == 4
    large.payments.killed_in = 0
    capsys.readouterr()
    assert large.cancel("--json") == 1
    refused = sum(kind == "refused" for kind in large.payments.trouble.values())
    short = sum(kind == "short" for kind in large.payments.trouble.values())
    document = said(capsys)
    after = document["after"]
    assert after["sold_minor"] == 0
    assert after["to_send_minor"] == short * PRICE
    assert after["in_vain_minor"] == refused * PRICE
    assert after["back_minor"] == (ORDERS - refused - short) * PRICE
    assert len(document["for_a_person"]) == refused
    assert not document["settled"]
    open_tasks = ManualTasks(large.world.table, large.world.clock).open()
    assert [task.kind for task in open_tasks].count("event-cancelled") == 1
    # The balance is filled, and the same is asked for again.
    large.payments.trouble = {
        order: kind for order, kind in large.payments.trouble.items() if kind != "short"
    }
    assert large.cancel("--json") == 1  # what was refused is still a person's
    document = said(capsys)
    assert document["settled"]
    assert document["after"]["back_minor"] == (ORDERS - refused) * PRICE
    money_law(large)
    tasks = ManualTasks(large.world.table, large.world.clock).open()
    assert {task.kind for task in tasks} == {"refund-refused"}
    rows = large.rows()
    assert {row["order"] for row in rows} == {order.order_id for order in orders}
    assert sum(round(100 * float(row["back"])) for row in rows) == (ORDERS - refused) * PRICE
    assert sum(bool(row["for_a_person"]) for row in rows) == refused
    assert large.report.stat().st_mode & 0o777 == 0o600


def test_the_providers_pace_is_kept_and_a_refusal_slows_it(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = office.sell(10)
    office.payments.trouble = {orders[4].order_id: "busy"}
    assert office.run("--report", str(office.report), "--yes", "--rate", "2") == 0
    at_s = office.payments.calls_at_s
    gaps = [later - earlier for earlier, later in itertools.pairwise(at_s)]
    assert min(gaps) >= 0.5 - 1e-3
    assert max(gaps) >= refusals.RETRY_AFTER_S
    heard = capsys.readouterr()
    assert refusals.BUSY in heard.err
    assert "takes refunds again" in heard.err
    assert "Nothing is left to a person." in heard.out
    money_law(office)


def test_a_cancelled_event_sells_nothing_more_and_its_open_sessions_end(office: Office) -> None:
    office.sell(1)
    shopping = held(office.world, "bob", "s-1-5")
    paying = held(office.world, "cid", "s-1-6")
    pending = begin(office.world, paying).order
    office.payments.paid[""] = Capture("pay-x", pending.order_id, PRICE, "EUR", 0)
    assert office.cancel() == 0
    event = office.event()
    assert (event.state, bool(event.cancelled_at)) == ("closed", True)
    late = held(office.world, "dot", "s-1-7")
    office.world.event = event
    with pytest.raises(SaleOverError, match="cancelled this event"):
        begin(office.world, late)
    sessions = {s.id: s.state for s in sold_by(office.target, EVENT) if isinstance(s, Session)}
    assert sessions[shopping.session] == sessions[paying.session] == "cancelled"
    assert office.world.seat("s-1-5")["availability"] == "available"
    assert office.world.seat("s-1-1")["availability"] == "available"
    # A payment that comes after all that goes back by itself.
    assert settle(office.world, pending, event="late", payment="pay-late") == "refunded"
    assert office.payments.refunds["pay-late"] == PRICE


def test_what_a_payment_page_took_in_the_middle_of_it_goes_back(office: Office) -> None:
    paying = held(office.world, "cid", "s-1-6")
    order = begin(office.world, paying).order
    office.world.table.update(Update("reservations", *order.key, set={"payPage": "page"}))
    office.payments.paid["page"] = Capture("pay-x", order.order_id, PRICE, "EUR", 0)
    assert office.cancel() == 0
    assert office.payments.made == [("pay-x", PRICE)]
    assert now(office.world, order).state == "refunded"


def test_fees_of_every_kind_go_back_also_what_was_kept_before(office: Office) -> None:
    order = ticketed(office.world, cancel_fee_minor=700)  # two seats
    give_back(office.world, order)
    assert office.payments.refunds == {"pay1": 4_300}
    assert office.cancel() == 0
    assert office.payments.refunds == {"pay1": 10_000}
    after = now(office.world, order)
    assert (after.state, after.back_minor, after.event_cancelled) == ("refunded", 10_000, True)
    # As a negative control: by the order's own terms some of it would stay.
    assert cancel_terms.whole_back(order) < cancel_terms.all_back(order)


def test_an_order_of_an_event_that_is_not_cancelled_is_let_be(office: Office) -> None:
    (order,) = office.sell(1)
    giver = AllGiver(office.world.table, office.world.clock, office.payments)
    with pytest.raises(WrongStateError, match="not cancelled"):
        giver.decide(office.event(), order)
    other = msgspec.structs.replace(office.event(), sk="other", cancelled_at="2027")
    with pytest.raises(WrongStateError, match="not cancelled"):
        giver.decide(other, order)
    with patch.object(cancel_order, "require_cancelled", lambda *_: None):  # taken away
        assert giver.decide(office.event(), order).state == "cancelled"


def test_a_buyer_cannot_cancel_by_terms_that_keep_a_fee(office: Office) -> None:
    order = ticketed(office.world, cancel_fee_minor=700)
    event = msgspec.structs.replace(office.event(), cancelled_at="2027-01-01T00:00:00.000Z")
    canceller = OrderCanceller(office.world.table, office.world.clock, office.payments)
    with pytest.raises(WrongStateError, match="goes back by itself"):
        canceller.cancel(event, order)


def test_what_a_bank_has_is_said_and_left(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = office.sell(2)
    office.world.table.update(Update("reservations", *first.key, set={"state": "disputed"}))
    assert office.cancel("--json") == 1
    document = said(capsys)
    assert document["after"]["banked_minor"] == PRICE
    assert [one["order"] for one in document["for_a_person"]] == [first.order_id]
    assert office.payments.made == [(second.payment_id, PRICE)]


def test_a_person_is_told_of_every_refund_of_an_order_that_could_not_be_made(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    order = ticketed(office.world)  # two seats
    office.payments.refuse["refund"] = refusals.refused("too-old")
    give_back(office.world, order)
    assert office.cancel("--json") == 1
    [one] = said(capsys)["for_a_person"]
    half = f"Refund {order.total_minor // 200}.00 EUR another way: refused, too-old."
    assert one == {"order": order.order_id, "what": one["what"], "why": f"{half} {half}"}


def test_no_cell_of_the_report_is_a_formula(office: Office) -> None:
    (order,) = office.sell(1)
    formulas = {"userId": "\t=1+1", "email": "=1+1@example.org"}
    office.world.table.update(Update("reservations", *order.key, set=formulas))
    assert office.cancel() == 0
    [row] = office.rows()
    assert (row["user"], row["email"]) == ("'\t'=1+1", "'=1+1@example.org")
    assert row["to_send"] == "0.00"


@pytest.mark.parametrize(
    "damage",
    [
        {"totalMinor": {"S": "much"}},
        {"totalMinor": {"SS": ["much"]}},
        {"lines": {"B": b"x"}},
        {"state": None},
    ],
)
def test_one_damaged_order_stops_no_other(
    office: Office, capsys: pytest.CaptureFixture[str], damage: dict[str, Any]
) -> None:
    first, second = office.sell(2)
    office.world.spoil("reservations", first.key, **damage)
    assert office.cancel("--json") == 1
    document = said(capsys)
    assert first.order_id in document["after"]["damaged"][0]
    assert not document["settled"]
    assert office.payments.made == [(second.payment_id, PRICE)]


def test_it_asks_first_wants_a_report_and_stands_in_the_log(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    office.sell(1)
    assert office.run("--yes") == 1
    assert "--report FILE" in capsys.readouterr().err
    assert office.run("--report", str(office.report)) == 1
    assert "Confirm with --yes" in capsys.readouterr().err
    assert office.event().cancelled_at == ""
    assert office.run("--report", str(office.folder / "none" / "x.csv"), "--yes") == 1
    assert "There is no folder for" in capsys.readouterr().err
    assert office.event().cancelled_at == ""
    assert office.cancel() == 0
    with patch.object(target, "target_of", lambda _options: office.target):
        capsys.readouterr()
        assert main.main(["event", "log", EVENT, "--json"]) == 0
        log = capsys.readouterr().out
        entries = [(e["act"], e["phase"]) for e in json.loads(log)["entries"]]
        assert main.main(["event", "list"]) == 0
        assert f"{EVENT:<24} cancelled" in capsys.readouterr().out
    assert entries == [
        ("event cancel", "asked"),
        ("close", "asked"),
        ("close", "done"),
        ("event cancel", "done"),
    ]
    assert "the singer is ill" in log
    assert "ann@example.org" not in log


@pytest.mark.parametrize("name", ["full", "full.csv"])
def test_a_report_for_which_there_is_no_room_stops_nothing_and_is_said(
    office: Office, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    office.sell(2)
    full = office.folder / name
    full.symlink_to("/dev/full")
    why = f"{full} cannot be written: No space left on device."
    assert office.run("--report", str(full), "--yes") == 1
    heard = capsys.readouterr().out
    assert "is cancelled since" in heard
    assert "All of it has been sent." in heard
    assert f"{why} The same command with another --report writes it." in heard
    money_law(office)
    assert office.run("--report", str(full), "--yes", "--json") == 1
    document = said(capsys)
    assert (document["report"], document["settled"]) == (None, True)
    assert why in document["report_unwritten"]
    assert office.cancel() == 0
    assert len(office.rows()) == 2
    log = office.target.acts().log_of(EVENT).read()
    assert {entry.phase for entry in log} == {"asked", "done"}


def test_a_dry_run_says_how_much_goes_back(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    office.sell(2)
    report = office.folder / "report.csv"
    assert office.run("--dry-run", "--report", str(report)) == 0
    assert not report.exists()
    assert (
        f"{2 * PRICE // 100}.00 EUR of orders that stand is to go back" in capsys.readouterr().out
    )


def test_ctrl_c_says_that_it_goes_on(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    office.sell(3)
    office.payments.ends_with, office.payments.killed_in = KeyboardInterrupt, 2
    assert office.cancel() == 130
    assert "the same command goes on from here" in capsys.readouterr().err
    assert office.cancel() == 0
    money_law(office)


def test_a_provider_that_is_not_set_up_ends_it_at_once(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    office.sell(3)
    failure: FairgateError = refusals.wrong_setup()
    office.payments.refuse["refund"] = failure
    assert office.cancel() == 1
    assert "Not done" in capsys.readouterr().err
    assert len(office.payments.calls_at_s) == 1
    office.payments.refuse.clear()
    assert office.cancel() == 0
    money_law(office)
