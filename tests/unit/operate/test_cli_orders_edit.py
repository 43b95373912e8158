"""``fairgate orders edit --email``: asked, logged without an address, tickets mailed again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.tickets.open_link import find_orders
from fairgate_ops.operate.target import QueueUrls
from tests.unit.operate.test_cli_orders_staff import Sent, office, order, run
from tests.unit.refunds.test_give_back import now

if TYPE_CHECKING:
    import pytest

    from fairgate.service.shared.records.orders import Order
    from tests.support.sale import Sale

__all__ = ["office", "order"]  # fixtures


def with_queue(office: Sale, sqs: Any) -> None:
    urls = {"mails": QueueUrls("mails", "")}
    office.target = replace(office.target, sqs=lambda: sqs, queues=lambda: urls)


def test_the_address_is_corrected_and_the_tickets_are_mailed_again(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    with_queue(office, sent := Sent())
    words = f"edit {order.order_id} --email anne@example.org --reason typo"
    refused = run(office, capsys, words, 1)["error"]["detail"]
    assert "to anne@example.org, no longer to ann@example.org" in refused
    assert "Confirm with --yes." in refused
    assert run(office, capsys, f"{words} --dry-run")["dry_run"] is True
    assert (now(office.world, order).email, sent.bodies) == ("ann@example.org", [])
    done = run(office, capsys, f"{words} --yes")
    assert (done["order"]["email"], done["tickets_mailed"]) == ("anne@example.org", True)
    assert sent.bodies == [{"mail": order.order_id, "again": True}]
    assert find_orders(office.world.table, order.mailbox).orders == []
    assert run(office, capsys, f"{words} --yes")["again"] is True
    assert len(sent.bodies) == 1
    assert office.run("event log final --json") == 0
    log = capsys.readouterr().out
    acts = [e["act"] for e in json.loads(log)["entries"] if e["phase"] == "done"]
    assert acts == ["create", "order edit"]
    assert "example.org" not in log


def test_what_cannot_be_corrected_is_refused(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"edit {order.order_id} --reason typo --yes --email"
    refused = run(office, capsys, f"{words} anna.@example.com", 1)
    assert "No mail can be sent to this address." in refused["error"]["detail"]
    assert now(office.world, order).email == "ann@example.org"
    erased = {"email": "erased", "mailbox": "", "erasedAt": "2027-01-01T00:00:00.000Z"}
    office.world.table.update(Update("reservations", *order.key, set=erased))
    refused = run(office, capsys, f"{words} anne@example.org", 1)
    assert "erased on request" in refused["error"]["detail"]


def test_the_correction_stands_when_the_mail_cannot_be_asked_for(
    office: Sale,
    order: Order,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from fairgate_ops.operate.cli import order_address

    def away(_target: object) -> Any:
        raise DependencyUnavailableError("away")

    monkeypatch.setattr(order_address, "operators_mail_queue", away)
    words = f"edit {order.order_id} --email anne@example.org --reason typo --yes"
    assert run(office, capsys, words, 1)["tickets_mailed"] is False
    assert now(office.world, order).email == "anne@example.org"
