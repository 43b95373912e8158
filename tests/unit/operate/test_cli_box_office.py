"""The operator's commands about money, tickets and messages that were given up."""

from __future__ import annotations

import io
import json
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Any

import boto3
import pytest
from msgspec.structs import replace

from fairgate.adapters.tickets.ed25519 import public_key_of, signer
from fairgate.bootstrap import Container
from fairgate.domain.orders.order import OrderState
from fairgate.domain.shared.jws import b64url
from fairgate.domain.tickets.ticket import Ticket, encode, ticket_id
from fairgate.errors import DependencyUnavailableError
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.records.orders import TicketEntry, VoidTicket
from fairgate.settings import from_environment
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.target import QueueUrls, SecretFile, Target
from fairgate_ops.run.local.pump import create_queue
from tests.support.world import EVENT, NAMES, World
from tests.unit.books.test_reconcile_payments import captured
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle

pytestmark = pytest.mark.through_boto3  # its queues are moto's, too

KEY = b"t" * 32
PUBLIC = f"--public-key={b64url(public_key_of(KEY))}"
ORDER = "ord_" + "a" * 32 + "_" + "b" * 8


def code(unit: int = 0, event: str = EVENT, key: bytes = KEY) -> str:
    ticket = Ticket(ticket_id(ORDER, unit), event, ORDER, unit, f"s-1-{unit}", 1_800_000_000)
    return encode(ticket, signer(lambda: key))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main.main([*words, "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.fixture
def system(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    settings = from_environment({"FAIRGATE_RESERVATIONS_TABLE": NAMES["reservations"]})
    container = Container(
        settings,
        clock=world.clock,
        table=world.table,
        secrets=world.secrets,
        payments=world.payments,
        edge_config=world.edge_config,
    )
    sqs = boto3.client("sqs", region_name="eu-central-1")
    queue = create_queue(sqs, "tickets")
    reached = Target(
        "local",
        container,
        partial(SecretFile, tmp_path),
        lambda: world.client,
        1.0,
        sqs=lambda: sqs,
        queues=lambda: {"tickets": QueueUrls(queue.url, queue.dead_letters_url)},
    )
    monkeypatch.setattr(target, "target_of", lambda _options: reached)
    return world


# --- the door


def test_a_ticket_is_verified_without_any_system(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run(capsys, "ticket", "verify", code(), code(1), PUBLIC)
    assert status == 0
    assert [t["place"] for t in said["tickets"]] == ["s-1-0", "s-1-1"]


def test_codes_come_from_a_scanner_when_none_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{code()}\n\n"))
    assert run(capsys, "ticket", "verify", PUBLIC)[0] == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(capsys, "ticket", "verify", PUBLIC)[0] == 1


@pytest.mark.parametrize(
    ("bad", "more", "why"),
    [
        (code(key=b"x" * 32), [], "not signed"),
        (code()[:-2] + "AA", [], "not signed"),
        ("nonsense", [], "not signed"),
        (code(event="other"), ["--event", EVENT], "another event"),
        (code(1), [], "before"),
    ],
)
def test_a_code_that_admits_nobody_is_named(
    capsys: pytest.CaptureFixture[str], bad: str, more: list[str], why: str
) -> None:
    status, said = run(capsys, "ticket", "verify", code(1), bad, PUBLIC, *more)
    assert status == 1
    verdicts = said["tickets"]
    assert ([v["valid"] for v in verdicts], said["refused"]) == ([True, False], 1)
    assert why in verdicts[1]["why"]
    assert main.main(["ticket", "verify", code(1), bad, PUBLIC, *more]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown] == ["valid", "REFUSED", "1"]
    assert why in shown[1]


@pytest.mark.parametrize("state", ["cancelled", "refunded", "disputed", "charged_back"])
def test_a_void_ticket_is_refused_at_the_door(
    system: World, tmp_path: Path, capsys: pytest.CaptureFixture[str], state: OrderState
) -> None:
    order = begin(system, held(system)).order
    gone, good = (
        TicketEntry(ticket=ticket_id(ORDER, unit), unit=unit, label="", code="") for unit in (0, 1)
    )
    system.put(replace(order, state=state, tickets=[gone]))
    system.put(replace(order, pk="ses_" + "c" * 32, state="ticketed", tickets=[good]))
    file = str(tmp_path / "void.json")
    status, said = run(capsys, "ticket", "void-list", EVENT, "--out", file)
    assert (status, said["void"]) == (0, [ticket_id(ORDER, 0)])
    status, said = run(capsys, "ticket", "verify", code(0), code(1), PUBLIC, "--void-list", file)
    assert status == 1
    assert [v["why"] for v in said["tickets"]] == ["cancelled, disputed or made void", ""]
    assert run(capsys, "ticket", "verify", code(1), "--void-list", file)[0] == 0  # target's key


def test_a_ticket_that_staff_made_void_is_refused_at_the_door(
    system: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = begin(system, held(system)).order
    tickets = [
        TicketEntry(ticket=ticket_id(ORDER, unit), unit=unit, label="", code="") for unit in (0, 1)
    ]
    void = [VoidTicket(ticket=ticket_id(ORDER, 0), at=order.created_at)]
    system.put(replace(order, state="ticketed", tickets=tickets, voided=void))
    file = str(tmp_path / "void.json")
    status, said = run(capsys, "ticket", "void-list", EVENT, "--out", file)
    assert (status, said["void"]) == (0, [ticket_id(ORDER, 0)])
    status, said = run(capsys, "ticket", "verify", code(0), code(1), PUBLIC, "--void-list", file)
    assert [v["why"] for v in said["tickets"]] == ["cancelled, disputed or made void", ""]


@pytest.mark.parametrize("text", ["{", "[]", '{"void": ["x"]}', '{"void": 5}'])
def test_a_file_that_is_no_void_list_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    file = tmp_path / "void.json"
    file.write_text(text)
    status, said = run(capsys, "ticket", "verify", code(), PUBLIC, "--void-list", str(file))
    assert (status, said["error"]["code"]) == (1, "malformed-input")


def test_a_key_of_the_wrong_shape_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for key in ("abc", "!!!"):
        status, said = run(capsys, "ticket", "verify", code(), f"--public-key={key}")
        assert (status, said["error"]["code"]) == (1, "malformed-input")


# --- money


def test_reconciling_repairs_and_a_dry_run_only_says_so(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    order = begin(system, held(system)).order
    captured(system, order)
    system.clock.tick(400)
    since = ["--since", "2027-01-15T07:59:00Z"]
    status, said = run(capsys, "orders", "reconcile", "--dry-run", *since)
    assert (status, [d["kind"] for d in said["differences"]]) == (0, ["settled"])
    assert order_of(system, order).state == "pending"
    assert main.main(["orders", "reconcile", *since]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("1 capture from 2027")
    assert "1 repaired, 0 to look at." in shown
    assert order_of(system, order).state == "paid"


def test_what_was_not_compared_is_said_and_the_comparison_logged(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    captured(system, begin(system, held(system)).order)
    system.put_item("catalog", {"PK": "EVENT", "SK": "spoilt", "name": 7})
    since = ["--since", "2027-01-15T07:59:00Z"]
    assert main.main(["orders", "reconcile", "--dry-run", *since]) == 0
    shown = capsys.readouterr().out
    assert "Left for later: 1 capture of the last five minutes: webhooks may still come." in shown
    assert "Left out in a dry run: disputes" in shown
    assert "spoilt is damaged" in shown
    reached = target.target_of(Namespace())  # the fixture's, for any options
    assert reached.acts().log_of(EVENT).read() == []
    status, said = run(capsys, "orders", "reconcile", *since)
    assert (status, said["settling"], len(said["skipped"])) == (0, 1, 2)
    entries = reached.acts().log_of(EVENT).read()
    assert [(e.act, e.phase) for e in entries] == [
        ("orders reconcile", "asked"),
        ("orders reconcile", "done"),
    ]


def test_tasks_are_listed_and_ticked_off_with_a_reason(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["orders", "tasks"]) == 0
    assert "Nothing is left to do." in capsys.readouterr().out
    tasks = ManualTasks(system.table, system.clock)
    tasks.note("refund-refused", "Refund 10000 another way.", event=EVENT, order="ord_1")
    tasks.note("unknown-capture", "Money for nothing we know.", payment="pay9")
    status, said = run(capsys, "orders", "tasks")
    assert (status, [d["kind"] for d in said["tasks"]]) == (
        0,
        ["refund-refused", "unknown-capture"],
    )
    first, second = (d["task_id"] for d in said["tasks"])
    assert run(capsys, "orders", "done", first, "--reason", "x", "--dry-run")[0] == 0
    assert len(tasks.open()) == 2
    status, said = run(capsys, "orders", "done", first, "--reason", "by bank transfer")
    assert (status, said["task"]["reason"]) == (0, "by bank transfer")
    assert said["task"]["done_by"]
    reached = target.target_of(Namespace())  # the fixture's, for any options
    entries = reached.acts().log_of(EVENT).read()
    assert [(e.act, e.phase, e.detail["reason"]) for e in entries] == [
        ("task done", "asked", "by bank transfer"),
        ("task done", "done", "by bank transfer"),
    ]
    assert run(capsys, "orders", "done", second, "--reason", "sent back")[0] == 0  # of no event
    status, said = run(capsys, "orders", "done", second, "--reason", "again")
    assert (status, said["error"]["code"]) == (1, "wrong-state")
    assert main.main(["orders", "tasks", "--all"]) == 0
    assert "refund-refused (done)" in capsys.readouterr().out
    assert run(capsys, "orders", "done", "dty_0", "--reason", "x")[0] == 1


@pytest.mark.parametrize(
    "reason", ["", "   ", "two\nlines", "2030-01-01T00:00:00.000Z\x1b[1A", "x" * 501]
)
def test_a_reason_that_is_none_or_would_forge_a_line_of_the_log_is_refused(
    system: World, capsys: pytest.CaptureFixture[str], reason: str
) -> None:
    tasks = ManualTasks(system.table, system.clock)
    tasks.note("unknown-capture", "Money for nothing we know.", payment="pay9")
    name = tasks.open()[0].task_id
    with pytest.raises(SystemExit) as ended:
        main.main(["orders", "done", name, "--reason", reason])
    assert ended.value.code == 2
    assert "--reason: it " in capsys.readouterr().err
    assert tasks.open()


def test_a_task_that_is_done_is_refused_before_anything_is_logged_and_in_a_dry_run(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = ManualTasks(system.table, system.clock)
    tasks.note("refund-refused", "Refund 10000 another way.", event=EVENT, order="ord_1")
    name = tasks.open()[0].task_id
    assert run(capsys, "orders", "done", name, "--reason", "by bank transfer")[0] == 0
    log = target.target_of(Namespace()).acts().log_of(EVENT)
    before = len(log.read())
    for switches in ([], ["--dry-run"]):
        status, said = run(capsys, "orders", "done", name, "--reason", "again", *switches)
        assert (status, said["error"]["code"]) == (1, "wrong-state")
    assert len(log.read()) == before


def test_what_the_comparison_leaves_to_a_person_is_no_success_and_says_where_it_stands(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    nobodys = replace(begin(system, held(system)).order, order_id="ord_" + "9" * 32 + "_" + "9" * 8)
    captured(system, nobodys)
    system.clock.tick(400)
    since = ["--since", "2027-01-15T07:59:00Z"]
    assert main.main(["orders", "reconcile", "--dry-run", *since]) == 1
    assert "1 to look at: a run makes tasks of them." in capsys.readouterr().out
    assert main.main(["orders", "reconcile", *since]) == 1
    assert "1 to look at: `fairgate orders tasks`." in capsys.readouterr().out
    assert len(ManualTasks(system.table, system.clock).open()) == 1


def test_a_comparison_that_could_not_be_made_is_said_and_fails(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    system.payments.fail = DependencyUnavailableError("away")
    assert main.main(["orders", "reconcile", "--since", "2027-01-15T07:59:00Z"]) == 1
    assert "Not compared: the provider's list of captures" in capsys.readouterr().out


def test_late_tickets_are_asked_for_in_their_queue(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    order = begin(system, held(system)).order
    captured(system, order)
    settle(system, order)
    system.clock.tick(700)
    status, said = run(capsys, "orders", "reconcile", "--since", "2027-01-15T07:59:00Z")
    assert (status, [d["kind"] for d in said["differences"]]) == (0, ["tickets-asked"])
    reached = target.target_of(Namespace())  # the fixture's, for any options
    sqs, url = reached.sqs(), reached.queues()["tickets"].url
    (message,) = sqs.receive_message(QueueUrl=url)["Messages"]
    assert json.loads(message["Body"]) == {"order": order.order_id}


def test_a_time_without_a_zone_is_refused(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ("yesterday", "2027-01-15T07:59:00"):
        status, said = run(capsys, "orders", "reconcile", "--since", text)
        assert (status, said["error"]["code"]) == (1, "malformed-input")


# --- messages


def test_messages_that_were_given_up_are_sent_again(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    reached = target.target_of(Namespace())  # the fixture's, for any options
    sqs, urls = reached.sqs(), reached.queues()["tickets"]
    for number in range(12):
        sqs.send_message(QueueUrl=urls.dead, MessageBody=str(number))
    assert run(capsys, "queue", "redrive", "tickets", "--dry-run")[1]["given_up"] == 12
    assert run(capsys, "queue", "redrive", "tickets", "--max", "5")[1]["moved"] == 5
    assert run(capsys, "queue", "redrive", "tickets")[1]["moved"] == 7
    figures = run(capsys, "queue", "list")[1]["queues"]
    assert figures == {"tickets": {"waiting": 12, "given_up": 0}}


def test_a_queue_that_is_not_there_is_refused(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "queue", "redrive", "expiry")[0] == 1
