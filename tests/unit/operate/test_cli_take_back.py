"""``fairgate orders take-back``: what was passed on by fraud is its buyer's again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fairgate.adapters.tickets.ed25519 import public_key_of, verifier
from fairgate.domain.tickets.ticket import verify
from fairgate.ports.table import Update
from fairgate.service.tickets.issue_tickets import face_of
from tests.support.world import EVENT
from tests.unit.operate.test_cli_orders_staff import office, order, run
from tests.unit.refunds.test_give_back import now
from tests.unit.tickets.test_passing_on import FOREVER, Hands

if TYPE_CHECKING:
    from fairgate.service.shared.records.orders import Order
    from tests.support.sale import Sale

__all__ = ["office", "order"]  # fixtures


@pytest.fixture
def stolen(office: Sale, order: Order) -> str:
    """The first ticket of the order, as somebody has it who used its buyer's account."""
    hands = Hands.__new__(Hands)
    hands.world, hands.order = office.world, order
    office.world.table.transact([_may_be_passed_on(order)])
    return hands.accept(hands.offer()).ticket


def _may_be_passed_on(order: Order) -> Update:
    return Update("reservations", *order.key, set={"transferUntil": FOREVER})


def test_its_buyer_has_it_again_and_it_stands_in_the_log(
    office: Sale, order: Order, stolen: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"take-back {EVENT} {order.order_id} --ticket {stolen} --reason robbed --yes"
    done = run(office, capsys, words)
    assert (done["again"], done["order"]["passed_on"]) == (False, [])
    entry = now(office.world, order).tickets[0]
    assert (entry.ticket, entry.holder) == (done["ticket"], "")
    face = face_of(now(office.world, order), None, office.world.sign, 0)
    key = verifier(public_key_of(office.world.secrets.current.ticket))
    assert verify(face.code, key).ticket == done["ticket"]
    again = run(office, capsys, words)
    assert (again["again"], again["ticket"]) == (True, None)
    assert office.run("event log final --json") == 0
    log = json.loads(capsys.readouterr().out)["entries"]
    [entered] = [e for e in log if (e["act"], e["phase"]) == ("order take-back", "done")]
    assert (entered["detail"]["ticket"], entered["detail"]["reason"]) == (stolen, "robbed")


def test_people_are_told_what_to_do_next(
    office: Sale, order: Order, stolen: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"orders take-back {EVENT} {order.order_id} --ticket {stolen} --reason robbed --yes"
    assert office.run(words) == 0
    said = capsys.readouterr().out
    assert "is its buyer's again" in said
    assert f"fairgate orders resend {order.order_id}" in said
    assert f"fairgate ticket void-list {EVENT}" in said
    assert office.run(words) == 0
    assert "Nothing to do" in capsys.readouterr().out


def test_another_order_or_ticket_is_refused(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    more = "--reason x --yes"
    for wrong in (
        f"other {order.order_id} --ticket {order.tickets[0].ticket}",
        f"{EVENT} {order.order_id} --ticket tkt_0",
    ):
        refused = run(office, capsys, f"take-back {wrong} {more}", 1)
        assert refused["error"]["code"] == "not-found"
