"""``fairgate buyer``: what is stored about a person, and its erasure; no log has the address."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.domain.orders.erasure import ERASED
from fairgate.domain.shared.ids import Mailbox
from fairgate.ports.record import GSI1SK
from fairgate.ports.table import Update
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.orders import erase_buyer
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.shared.keys import held_order_key, order_in_event, session_key
from fairgate.service.shared.mailbox_keys import (
    mailbox_order_key,
    mailed_link_key,
    sent_mail_key,
)
from fairgate_ops.operate.cli import act, buyer
from fairgate_ops.operate.cli.buyer_shape import ELSEWHERE, KINDS
from tests.support.world import EVENT
from tests.unit.books.test_number_documents import SELLER, bought
from tests.unit.operate.test_cli_orders_staff import office, order
from tests.unit.operate.test_cli_orders_staff import run as run_orders
from tests.unit.refunds.test_give_back import now
from tests.unit.shared.test_data_page import rows
from tests.unit.tickets.test_passing_on import FOREVER, Hands

if TYPE_CHECKING:
    from pathlib import Path

    from fairgate.service.shared.records.orders import Order
    from tests.support.sale import Sale

__all__ = ["office", "order"]  # fixtures

ADDRESS = "ann@example.org"
ERASE = f"erase --email {ADDRESS} --reason asked --yes"


@pytest.fixture(autouse=True)
def _one_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """The world's event has no gate of its own: its acts stand in the other event's log."""
    monkeypatch.setattr(buyer, "every_log", lambda _target, events: list(events))


def run(office: Sale, capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert office.run(f"buyer {words} --json") == code, capsys.readouterr().out
    return json.loads(capsys.readouterr().out)


def void(office: Sale, order: Order) -> None:
    TicketVoider(office.world.table, office.world.clock).void(order)


def kinds(shown: Any) -> dict[str, tuple[int, int]]:
    return {one["kind"]: (one["count"], one["with_address"]) for one in shown["kinds"]}


def logged(office: Sale, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert office.run("event log final --json") == 0
    return capsys.readouterr().out


def test_what_is_stored_is_shown_by_kind_and_whole(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = run(office, capsys, "show --email ANN@example.org")
    assert kinds(shown)["order"] == (1, 1)
    assert kinds(shown)["session"] == (1, 0)
    assert "user status" not in kinds(shown)
    assert (shown["accounts"], shown["addresses"]) == (["ann"], [ADDRESS])
    stored = next(one["item"] for one in shown["items"] if one["kind"] == "order")
    assert stored["orderId"] == order.order_id
    assert [sorted(ticket) for ticket in stored["tickets"]] == [["label", "ticket", "unit"]] * 2
    by_account = run(office, capsys, "show --user ann")
    assert kinds(by_account)["user status"] == (1, 0)
    assert kinds(by_account).items() >= kinds(shown).items()
    assert "payment provider" in by_account["elsewhere"][0]


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (None, "where the stage makes any: each for backup_days days"),
        (0, "none are made now; earlier ones stay in the vault for their time"),
        (35, "each for 35 days, so today's until 2027-02-19"),
    ],
)
def test_an_erasure_says_how_long_daily_backups_keep_the_address(
    office: Sale,
    order: Order,
    capsys: pytest.CaptureFixture[str],
    days: int | None,
    said: str,
) -> None:
    office.target = replace(office.target, backup_days=days)
    void(office, order)
    line = f"daily backups of the tables: {said}"
    assert line in run(office, capsys, ERASE)["elsewhere"]
    assert office.run(f"buyer show --email {ADDRESS}") == 1  # nothing is stored any more
    capsys.readouterr()
    assert office.run("buyer show --user ann") == 0
    assert line in capsys.readouterr().out


def test_who_took_a_ticket_over_is_shown_that_and_to_nobody_else(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    table = office.world.table
    table.update(Update("reservations", *order.key, set={"transferUntil": FOREVER}))
    hands = Hands.__new__(Hands)
    hands.world, hands.order = office.world, order
    hands.accept(hands.offer(), "b-o-b")
    hands.accept(hands.offer("b-o-b"), "c-i-d")
    for who in ("b-o-b", "c-i-d"):
        shown = run(office, capsys, f"show --user {who}")
        assert kinds(shown)["held order"] == (1, 0)
        assert order.order_id in json.dumps(shown)
    bought = json.dumps(run(office, capsys, "show --email ann@example.org"))
    assert "b-o-b" not in bought
    assert "c-i-d" not in bought
    assert "another account" in bought
    assert "ann@example.org" not in json.dumps(run(office, capsys, "show --user b-o-b"))


def test_whom_a_ticket_was_passed_on_to_is_told_to_nobody(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = now(office.world, order).item()["tickets"]
    gone = {"ticket": "tkt_0", "became": first["ticket"], "holder": "bob", "number": 1}
    back = gone | {"giver": "bob", "holder": "ann", "number": 2}
    passed = {
        "tickets": [first | {"holder": "bob"}, second],
        "passed": [one | {"at": order.created_at} for one in (gone, back)],
    }
    office.world.table.update(Update("reservations", *order.key, set=passed))
    shown = run(office, capsys, f"show --email {ADDRESS}")
    assert "bob" not in json.dumps(shown)
    stored = next(one["item"] for one in shown["items"] if one["kind"] == "order")
    assert [one.get("holder", "") for one in stored["tickets"]] == ["(another account)", ""]
    assert [one["holder"] for one in stored["passed"]] == ["(another account)", "ann"]
    assert office.run(f"buyer show --email {ADDRESS} --csv") == 0
    assert "bob" not in capsys.readouterr().out


def test_every_field_is_a_row_and_no_cell_a_formula(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    formula = "=1+1@example.org"
    office.world.table.update(Update("reservations", *order.key, set={"email": formula}))
    assert office.run("buyer show --user ann --csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out[1:])))
    assert list(rows[0]) == ["kind", "pk", "sk", "field", "value"]
    cells = {(row["kind"], row["field"]): row["value"] for row in rows}
    assert cells["order", "email"] == f"'{formula}"
    assert cells["session", "userId"] == "ann"
    with pytest.raises(SystemExit) as refused:
        office.run("buyer show --user ann --csv --json")
    assert refused.value.code == 2


def test_an_erasure_stands_in_the_log_without_the_address(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    void(office, order)
    done = run(office, capsys, ERASE)
    assert (done["orders"], done["documents"]) == ([order.order_id], [])
    assert (done["accounts"], done["addresses"]) == (["ann"], [])
    assert kinds(done)["order"] == (1, 0)
    assert now(office.world, order).email == ERASED
    log = logged(office, capsys)
    entry = json.loads(log)["entries"][-1]
    assert (entry["act"], entry["phase"]) == ("buyer erase", "done")
    assert entry["detail"] == {
        "request": done["request"],
        "orders": 1,
        "documents": 0,
        "reason": "asked",
    }
    assert "example.org" not in log
    gone = run(office, capsys, ERASE, 1)
    assert gone["error"]["code"] == "not-found"
    left = run(office, capsys, "show --user ann")
    assert kinds(left)["order"] == (1, 0)
    again = run(office, capsys, "erase --user ann --reason asked --yes")
    assert (again["orders"], again["request"]) == ([], None)
    assert logged(office, capsys) == log


def test_what_the_law_keeps_is_named_and_shown_after(
    office: Sale, order: Order, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_event(office.world.table, office.world.clock, EVENT, SELLER)
    void(office, order)
    refused = run(office, capsys, ERASE, 1)["error"]
    assert "orders invoice" in refused["errors"][0]["what"]
    run_orders(office, capsys, f"invoice {EVENT} {order.order_id} --to {tmp_path / 'i.pdf'}")
    done = run(office, capsys, ERASE)
    assert (kinds(done)["order"], kinds(done)["document"]) == ((1, 0), (1, 1))
    (law,) = [one["at_erasure"] for one in done["kinds"] if one["kind"] == "document"]
    year = int(now(office.world, order).paid_at[:4]) + 10
    assert law == f"kept by law, as they were given out, until {year}-12-31"
    office.world.clock.tick(11 * 366 * 86_400)
    later = run(office, capsys, ERASE)
    assert (later["orders"], len(later["documents"]), later["addresses"]) == ([], 1, [])
    run(office, capsys, f"show --email {ADDRESS}", 1)


def test_what_is_owed_is_listed_and_nothing_is_erased(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    other = bought(office.world, "bob", 3)  # of the same address in these tests, and not ticketed
    assert other.email == order.email
    void(office, order)
    refused = run(office, capsys, ERASE, 1)["error"]
    assert refused["code"] == "wrong-state"
    assert [one["where"] for one in refused["errors"]] == [other.order_id]
    assert now(office.world, order).email == ADDRESS
    assert office.run(f"buyer {ERASE}") == 1
    assert f"{other.order_id}: it is paid" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("whose", "reason"),
    [
        (("--email", "ann@host"), "ANN@host asked"),
        (("--email", "ann@host"), "asked by Ann, of the same name"),
        (("--user", "ann"), "by ann@host"),
        (("--user", "ann"), "the account (ann)"),
    ],
)
def test_a_reason_that_names_the_buyer_is_refused_however_they_were_looked_for(
    office: Sale,
    order: Order,
    whose: tuple[str, str],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    void(office, order)
    host = {GSI1SK: order_in_event(order.created_at, order.order_id, "ann@host")}
    key = session_key(order.session)
    office.world.table.update(Update("reservations", *order.key, set={"email": "ann@host"}))
    office.world.table.update(Update("reservations", *key, set=host))
    words = ["buyer", "erase", *whose, "--yes", "--json", "--reason"]
    capsys.readouterr()
    assert office.run("", *words, reason) == 1
    assert "without the address" in json.loads(capsys.readouterr().out)["error"]["detail"]
    assert now(office.world, order).email == "ann@host"
    assert office.run("", *words, "planned by mail") == 0


@pytest.mark.parametrize("words", ["buyer erase --user ann", "orders void final", "orders done x"])
def test_no_reason_of_any_command_has_a_mail_address(
    office: Sale, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        office.run("", *words.split(), "--reason", f"asked by <{ADDRESS}>")
    assert refused.value.code == 2
    assert "without a mail address" in capsys.readouterr().err


def test_a_task_that_comes_up_while_somebody_thinks_is_done_first(
    office: Sale,
    order: Order,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    void(office, order)
    tasks = ManualTasks(office.world.table, office.world.clock)

    def thinks(*_about: object) -> None:
        tasks.note("refund-failed", "Give it back by hand.", order=order.order_id)

    monkeypatch.setattr(act, "confirm", thinks)
    refused = run(office, capsys, ERASE, 1)["error"]
    assert "it has an open task" in refused["errors"][0]
    assert now(office.world, order).email == ADDRESS


# About a person, and found by no name of theirs: what of what is shown leads to them.
NOT_SHOWN = {
    "seat": "session",
    "due entry": "session",
    "sweep cursor": "order",
    "redeemed token": "session",
    "payment event": "order",
    "shared count": "order",
    "movement": "order",
    "manual task": "the operators' log and tasks",
    "api token": "the operators' log and tasks",
    "role grant": "the operators' log and tasks",
    "pending act": "the operators' log and tasks",
    "rehearsal": "the operators' log and tasks",
    "job": "the operators' log and tasks",
    "act answer": "the operators' log and tasks",
    "log entry": "the operators' log and tasks",
    "creation": "the operators' log and tasks",
    "house block": "the operators' log and tasks",
}


def test_every_kind_about_a_person_is_shown_or_said_to_lie_elsewhere() -> None:
    about = {kind for kind, (what, _becomes) in rows("About a person").items() if what}
    assert about == KINDS.keys() | NOT_SHOWN.keys()
    assert not KINDS.keys() & NOT_SHOWN.keys()
    for leads in NOT_SHOWN.values():
        assert leads in KINDS or any(one.startswith(leads) for one in ELSEWHERE)


def test_what_was_mailed_and_taken_over_is_shown_too(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    table, box = office.world.table, Mailbox("b" * 22)
    table.update(Update("reservations", *order.key, set={"mailbox": box}))
    mark = {"sentAt": order.created_at, "ttl": 1}
    table.update(Update("reservations", *sent_mail_key(order.order_id, "changed#1"), set=mark))
    found = {"orderId": order.order_id}
    table.update(Update("reservations", *mailbox_order_key(box, order.order_id), set=found))
    link = {"at": order.created_at, "ttl": 1}
    table.update(Update("reservations", *mailed_link_key(box, "1" * 32), set=link))
    held = {"orderId": order.order_id, "eventId": EVENT, "at": order.created_at}
    table.update(Update("reservations", *held_order_key("bob", order.order_id), set=held))
    mails = {"sent mail": (1, 0), "mailbox order": (1, 0), "mailed link": (1, 0)}
    for whose in ("--user ann", f"--email {ADDRESS}"):
        assert kinds(run(office, capsys, f"show {whose}")).items() >= mails.items()
    assert kinds(run(office, capsys, "show --user bob")) == {"held order": (1, 0)}


@pytest.mark.parametrize("years", ["4", "31", "ten", "-1"])
def test_years_that_no_law_asks_for_are_no_words_of_it(office: Sale, years: str) -> None:
    with pytest.raises(SystemExit) as refused:
        office.run(f"buyer show --user ann --keep-years {years}")
    assert refused.value.code == 2


def test_killed_after_any_order_it_goes_on(
    office: Sale,
    order: Order,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = bought(office.world, "bob", 3)
    for one in (order, other):
        values = {"state": "ticketed", "voided": [], "tickets": []}
        office.world.table.update(Update("reservations", *one.key, set=values))
    erase, calls = erase_buyer.BuyerEraser.erase, [0]

    def killed(*arguments: Any) -> Order:
        calls[0] += 1
        if calls[0] == 2:
            raise KeyboardInterrupt
        return erase(*arguments)

    monkeypatch.setattr(erase_buyer.BuyerEraser, "erase", killed)
    capsys.readouterr()
    assert office.run(f"buyer {ERASE}") == 130
    left = [one for one in (order, other) if now(office.world, one).email == ADDRESS]
    assert len(left) == 1
    monkeypatch.undo()
    monkeypatch.setattr(buyer, "every_log", lambda *_about: [])
    assert run(office, capsys, ERASE, 1)["error"]["code"] == "wrong-state"  # no log would have it


def test_what_comes_up_meanwhile_is_named_and_the_others_are_erased(
    office: Sale,
    order: Order,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    void(office, order)
    other = bought(office.world, "bob", 3)
    quiet = {"state": "expired"}
    office.world.table.update(Update("reservations", *other.key, set=quiet))
    erase = erase_buyer.BuyerEraser.erase

    def disputed(eraser: Any, key: Any, tasks: Any = ()) -> Order:
        if key == other.key:
            change = Update("reservations", *other.key, set={"state": "disputed"})
            office.world.table.update(change)
        return erase(eraser, key, tasks)

    monkeypatch.setattr(erase_buyer.BuyerEraser, "erase", disputed)
    refused = run(office, capsys, ERASE, 1)["error"]
    assert "come up meanwhile" in refused["detail"]
    assert other.order_id in refused["errors"][0]
    assert now(office.world, order).email == ERASED
    assert now(office.world, other).email == ADDRESS


def test_nobody_is_mailed_again_and_the_order_says_since_when(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    void(office, order)
    run(office, capsys, ERASE)
    refused = run_orders(office, capsys, f"resend {order.order_id} --reason lost", 1)
    assert "address was erased on request" in refused["error"]["detail"]
    shown = run_orders(office, capsys, f"show {order.order_id}")
    assert (shown["email"], shown["erased_at"]) == (
        ERASED,
        now(office.world, order).erased_at,
    )
    assert office.run(f"orders show {order.order_id}") == 0
    assert f"ann · erased at {shown['erased_at']}" in capsys.readouterr().out


def test_of_nobody_there_is_nothing(office: Sale, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ("show --email none@example.org", "show --user nobody"):
        assert run(office, capsys, words, 1)["error"]["code"] == "not-found"
    with pytest.raises(SystemExit):
        office.run("buyer show --email")
