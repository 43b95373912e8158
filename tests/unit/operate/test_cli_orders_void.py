"""``fairgate orders void``: tickets that admit nobody, with its reason in the log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.support.world import EVENT
from tests.unit.operate.test_cli_orders_staff import office, order, run
from tests.unit.refunds.test_give_back import now

if TYPE_CHECKING:
    import pytest

    from fairgate.service.shared.records.orders import Order
    from tests.support.sale import Sale

__all__ = ["office", "order"]  # fixtures


def test_tickets_are_void_and_stand_in_the_log(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (entry.ticket for entry in order.tickets)
    words = f"void {EVENT} {order.order_id} --reason forged --yes"
    one = run(office, capsys, f"{words} --ticket {first}")
    assert (one["again"], one["tickets"]) == (False, [first])
    assert (one["order"]["tickets"], one["order"]["void"]) == ([second], [first])
    assert run(office, capsys, words)["tickets"] == [second]
    again = run(office, capsys, words)
    assert (again["again"], again["tickets"]) == (True, [])
    assert office.world.payments.refunds == {}
    assert now(office.world, order).left_minor == 10_000
    assert office.run("event log final --json") == 0
    log = capsys.readouterr().out
    done = [e for e in json.loads(log)["entries"] if e["phase"] == "done"]
    assert [entry["act"] for entry in done] == ["create", "order void", "order void"]
    assert done[1]["detail"]["tickets"] == [first]
    assert done[1]["detail"]["reason"] == "forged"
    assert "example.org" not in log


def test_people_are_told_what_admits_nobody_and_what_to_do_at_the_doors(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"orders void {EVENT} {order.order_id} --reason forged --yes"
    assert office.run(f"{words} --ticket {order.tickets[0].ticket}") == 0
    said = capsys.readouterr().out
    assert f"Void: {order.tickets[0].label}" in said
    assert "Still good: 1." in said
    assert f"fairgate ticket void-list {EVENT}" in said
    assert office.run(f"orders show {order.order_id}") == 0
    assert f"{order.tickets[0].label}, VOID" in capsys.readouterr().out
    assert office.run(words) == 0
    capsys.readouterr()
    assert office.run(words) == 0
    assert "void already" in capsys.readouterr().out


def test_what_cannot_be_made_void_is_refused(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"{order.order_id} --reason x --yes"
    for wrong in (f"other {words}", f"{EVENT} ord_none --reason x --yes"):
        assert run(office, capsys, f"void {wrong}", 1)["error"]["code"] == "not-found"
    unknown = f"void {EVENT} {words} --ticket tkt_0"
    assert run(office, capsys, unknown, 1)["error"]["code"] == "not-found"
    assert run(office, capsys, f"void {EVENT} {words}")["again"] is False
    refused = run(office, capsys, f"resend {order.order_id} --reason lost", 1)
    assert "is void" in refused["error"]["detail"]
