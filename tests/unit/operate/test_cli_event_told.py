"""``fairgate event edit``: who is written to is said before; everybody once, however it ends."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate import operator_acts
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event, LastChange
from fairgate_ops.operate.target import QueueUrls
from tests.support.sale import EVENT as LOGGED
from tests.support.sale import Sale
from tests.support.world import EVENT, World
from tests.unit.refunds.test_give_back import ticketed

if TYPE_CHECKING:
    from pathlib import Path


class Sent:
    """A queue service that keeps what it is sent; ``fails`` of the next batches are not taken."""

    def __init__(self) -> None:
        self.bodies: list[Any] = []
        self.fails = 0

    def send_message_batch(self, **request: Any) -> dict[str, Any]:
        assert request["QueueUrl"] == "mails"
        if self.fails:
            self.fails -= 1
            return {"Failed": [{"Id": "0"}]}
        self.bodies += [json.loads(entry["MessageBody"]) for entry in request["Entries"]]
        return {}


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
def sale(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: Sent) -> Sale:
    """The command over a world with an event of its own, whose log is the created event's."""
    sale = Sale(world, tmp_path)
    sale.create()
    urls = {"mails": QueueUrls("mails", "")}
    sale.target = replace(sale.target, sqs=lambda: sent, queues=lambda: urls)
    log_of = operator_acts.OperatorActs.log_of
    monkeypatch.setattr(
        operator_acts.OperatorActs,
        "log_of",
        lambda acts, event: log_of(acts, LOGGED if event == EVENT else event),
    )
    return sale


def edit(sale: Sale, capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert sale.run(f"event edit {EVENT} {words} --json") == code
    return json.loads(capsys.readouterr().out)


def last_change(sale: Sale) -> LastChange | None:
    event = sale.table.find(Event, event_key(EVENT))
    assert event is not None
    return event.last_change


def open_tasks(sale: Sale) -> list[str]:
    return [task.kind for task in ManualTasks(sale.table, sale.clock).open()]


def test_everybody_with_tickets_is_written_to_once_somebody_said_so(
    sale: Sale, sent: Sent, capsys: pytest.CaptureFixture[str]
) -> None:
    order = ticketed(sale.world)
    refused = edit(sale, capsys, "--artist Ann", code=1)
    detail = refused["error"]["detail"]
    assert detail == "Writes to the buyers of 1 order; --no-mail does not. Confirm with --yes."
    assert (last_change(sale), sent.bodies) == (None, [])
    dry = edit(sale, capsys, "--artist Ann --dry-run")
    assert (dry["mails"], last_change(sale), sent.bodies) == (
        {"orders": 1, "damaged": []},
        None,
        [],
    )
    done = edit(sale, capsys, "--artist Ann --yes --reason ill")
    assert done["mails"] == {"orders": 1, "damaged": []}
    change = last_change(sale)
    assert change is not None
    assert (change.artist, change.told_at != "") == ("", True)
    assert sent.bodies == [{"mail": order.order_id, "change": change.number}]
    assert sale.run(f"event log {LOGGED} --json") == 0
    entries = json.loads(capsys.readouterr().out)["entries"]
    done_acts = [entry["act"] for entry in entries if entry["phase"] == "done"]
    assert done_acts[-2:] == ["event edited", "event told"]
    assert open_tasks(sale) == []


def test_nobody_is_asked_or_written_to_where_nobody_goes_by_it(
    sale: Sale, sent: Sent, capsys: pytest.CaptureFixture[str]
) -> None:
    assert edit(sale, capsys, "--artist Ann")["mails"] == {"orders": 0, "damaged": []}
    ticketed(sale.world)
    assert edit(sale, capsys, "--text Coats")["mails"] is None
    assert edit(sale, capsys, "--artist Ann")["mails"] is None  # it is so already
    assert edit(sale, capsys, "--artist Bob --no-mail")["mails"] is None
    assert sent.bodies == []
    assert edit(sale, capsys, "--artist=", code=1)["error"]["code"] == "wrong-state"
    assert edit(sale, capsys, "--name= --yes", code=1)["error"]["code"] == "malformed-input"


def test_what_was_ended_in_the_middle_goes_on_and_is_a_task_until_then(
    sale: Sale, sent: Sent, capsys: pytest.CaptureFixture[str]
) -> None:
    order = ticketed(sale.world)
    sent.fails = 1
    edit(sale, capsys, "--artist Ann --yes", code=1)
    change = last_change(sale)
    assert change is not None
    assert change.told_at == ""
    assert open_tasks(sale) == ["change-untold"]
    again = edit(sale, capsys, "--tell --yes")
    assert (again["changed"], again["mails"]["orders"]) == (False, 1)
    assert sent.bodies == [{"mail": order.order_id, "change": change.number}]
    assert open_tasks(sale) == []
    assert edit(sale, capsys, "--tell")["mails"] is None
    sent.fails = 1
    edit(sale, capsys, "--artist Cy --yes", code=1)
    assert edit(sale, capsys, "--artist Cy --yes")["mails"]["orders"] == 1  # the same again


def test_a_change_behind_one_that_was_not_told_says_what_people_know(
    sale: Sale, sent: Sent, capsys: pytest.CaptureFixture[str]
) -> None:
    ticketed(sale.world)
    sent.fails = 1
    edit(sale, capsys, "--artist Ann --yes", code=1)
    edit(sale, capsys, "--venue-name Quay --yes")
    change = last_change(sale)
    assert change is not None
    assert (change.artist, change.venue_name) == ("", "The Hall")
    assert [body["change"] for body in sent.bodies] == [change.number]


def test_telling_of_an_event_that_others_keep_changing_is_begun_again(
    sale: Sale, sent: Sent, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairgate.service.catalog import last_change as module

    ticketed(sale.world)

    def ends(*_arguments: object) -> None:
        raise DependencyUnavailableError("away")

    with monkeypatch.context() as patch:
        patch.setattr(module, "event_update", ends)
        edit(sale, capsys, "--artist Ann --yes", code=1)
    assert open_tasks(sale) == ["change-untold"]
    edit(sale, capsys, "--tell --yes")
    assert len(sent.bodies) == 2  # asked for twice; each buyer's mark lets one through
    assert open_tasks(sale) == []
