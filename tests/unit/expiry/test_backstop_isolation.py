"""What fails in the sweeper or in the reconciliation holds nothing else up, whatever it is.

lab/tests/simulation/test_error_controls.py takes each isolation away and sees its test fail here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from fairgate.domain.shared.ids import EventId, OrderId, SessionId
from fairgate.ports.payments import Dispute
from fairgate.ports.table import Action
from fairgate.service.books import reconcile_payments
from fairgate.service.books.compare_captures import CaptureComparer
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.books.reconcile_payments import Reconciler
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.expiry import sweep_expired
from fairgate.service.expiry.sweep_expired import ExpirySweeper
from fairgate.service.expiry.sweep_sessions import SessionSweep
from fairgate.service.expiry.swept import Swept
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.disputes import DisputeKeeper
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.due import refund_due
from fairgate.service.shared.keys import session_key
from fairgate.service.shared.records.sessions import Session
from functions.sweeper import handler as sweeper_function
from tests.support.world import EVENT, START_MS, World
from tests.unit.books.test_reconcile_payments import captured, reconcile
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.expiry.test_sweep_expired import OVER_S, sweeper
from tests.unit.refunds.test_refunds import sweep as sweep_refunds

Patch = pytest.MonkeyPatch


class UnforeseenError(Exception):
    """What nobody thought of."""


def never(*_arguments: object, **_named: object) -> NoReturn:
    raise UnforeseenError


def raises_for(monkeypatch: Patch, owner: Any, name: str, chosen: Callable[..., bool]) -> None:
    """Let a method raise for some of its calls."""
    real = getattr(owner, name)

    def sometimes(*arguments: Any, **named: Any) -> Any:
        if chosen(*arguments):
            raise UnforeseenError
        return real(*arguments, **named)

    monkeypatch.setattr(owner, name, sometimes)


def state_of(world: World, session: str) -> str:
    stored = world.table.find(Session, session_key(SessionId(session)))
    assert stored is not None
    return stored.state


def test_an_event_that_meets_a_defect_leaves_the_others_swept(
    world: World, monkeypatch: Patch
) -> None:
    other = world.item("catalog", ("EVENT", EVENT))
    assert other is not None
    world.put_item("catalog", other | {"SK": "another"})
    mine = world.session("ann", seconds=60)
    world.clock.tick(60 + OVER_S)
    raises_for(monkeypatch, ExpirySweeper, "sweep", lambda _self, event: event.id == "another")
    monkeypatch.setattr(sweeper_function, "container", lambda: world.container)
    context: Any = SimpleNamespace(get_remaining_time_in_millis=lambda: 55_000)
    swept = sweeper_function.handler({}, context)
    assert swept["failures"] == 1
    assert state_of(world, mine.session) == "expired"


def test_a_minute_that_cannot_be_read_is_a_failure_and_stays_due(
    world: World, monkeypatch: Patch
) -> None:
    mine = world.session("ann", seconds=60)
    world.clock.tick(60 + OVER_S)
    with monkeypatch.context() as broken:
        broken.setattr(sweep_expired, "due_entries", never)
        assert len(sweeper(world).sweep(world.event).failures) == 1
    assert sweeper(world).sweep(world.event).expired == 1
    assert state_of(world, mine.session) == "expired"


def test_a_session_that_cannot_be_ended_leaves_the_others_ended(
    world: World, monkeypatch: Patch
) -> None:
    first, second = (world.session(user, seconds=60) for user in ("ann", "bob"))
    world.clock.tick(60 + OVER_S)

    def of_first(actions: Sequence[Action], *_more: object) -> bool:
        return any(getattr(action, "pk", "") == first.session for action in actions)

    raises_for(monkeypatch, world.table, "transact", of_first)
    swept = sweeper(world).sweep(world.event)
    assert (swept.expired, swept.postponed, len(swept.failures)) == (1, 1, 1)
    assert state_of(world, first.session) == "reservation"
    assert state_of(world, second.session) == "expired"


def test_a_damaged_session_leaves_the_others_ended(world: World) -> None:
    first, second = (world.session(user, seconds=60) for user in ("ann", "bob"))
    item = world.item("reservations", session_key(first.session))
    assert item is not None
    world.put_item("reservations", item | {"resCount": "one"})
    world.clock.tick(60 + OVER_S)
    swept = sweeper(world).sweep(world.event)
    assert (swept.expired, len(swept.failures)) == (1, 1)
    assert state_of(world, second.session) == "expired"


def test_a_refund_that_meets_a_defect_leaves_the_others_sent(
    world: World, monkeypatch: Patch
) -> None:
    now_ms = world.clock.now_ms()
    orders = [OrderId("ord_" + letter * 32 + "_" + "b" * 8) for letter in "ab"]
    world.table.transact([refund_due(order, "pay1", now_ms) for order in orders])
    world.clock.tick(600)
    looked = []

    def look(_self: object, _session: object, order: str, _payment: str, _part: int = 0) -> bool:
        looked.append(order)
        if len(looked) == 1:
            raise UnforeseenError
        return True

    monkeypatch.setattr(Refunder, "look", look)
    swept = sweep_refunds(world)
    assert (sorted(looked), swept.refunded, len(swept.failures)) == (orders, 1, 1)


def test_invoices_that_cannot_be_numbered_leave_the_others_ended(
    world: World, monkeypatch: Patch
) -> None:
    order = begin(world, held(world, "ann", world.seat_ids[0])).order
    settle(world, order, "evt_ann")
    mine = world.session("bob", seconds=300)
    world.clock.tick(300 + OVER_S)
    with monkeypatch.context() as broken:
        broken.setattr(DocumentOffice, "invoices", never)
        swept = sweeper(world).sweep(world.event)
    assert (swept.expired, len(swept.failures)) == (1, 1)
    assert state_of(world, mine.session) == "expired"
    asked: list[Sequence[OrderId]] = []
    monkeypatch.setattr(
        DocumentOffice, "invoices", lambda _self, _event, orders: asked.append(orders)
    )
    world.clock.tick(3_600 + OVER_S)
    assert sweeper(world).sweep(world.event).failures == ()
    assert [order.order_id] in asked


def test_a_queue_that_takes_nothing_is_a_failure_and_no_more(world: World) -> None:
    queue: Any = SimpleNamespace(remind_all=never)
    mine = world.session("ann", seconds=60)
    sweep = SessionSweep(
        world.table,
        world.clock,
        SeatReleaser(world.table, world.clock),
        world.payments,
        queue,
        lambda: 60_000,
    )
    swept = sweep._hand_over(queue, [mine.session], Swept(EventId(EVENT)))
    assert (swept.handed, len(swept.failures)) == (0, 1)


@pytest.fixture
def _short_days(monkeypatch: Patch) -> None:
    monkeypatch.setattr(reconcile_payments, "_CHECKOUT_MS_MAX", 900_000)


@pytest.mark.usefixtures("_short_days")
def test_a_capture_that_meets_a_defect_leaves_the_others_compared(
    world: World, monkeypatch: Patch
) -> None:
    order = begin(world, held(world)).order
    captured(world, order, "pay0")
    captured(world, order)
    world.clock.tick(600)
    raises_for(
        monkeypatch,
        CaptureComparer,
        "judge",
        lambda _self, capture, *_more: capture.payment == "pay0",
    )
    compared = reconcile(world)
    assert (compared.captures, compared.repaired, len(compared.failures)) == (2, 1, 1)


@pytest.mark.usefixtures("_short_days")
def test_a_list_of_captures_that_breaks_off_leaves_the_disputes_heard(
    world: World, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(world.payments, "captures", never)
    heard = disputed(world, monkeypatch, "dp_1")
    compared = reconcile(world)
    assert (heard, compared.complete, len(compared.failures)) == (["dp_1"], False, 1)


@pytest.mark.usefixtures("_short_days")
def test_a_dispute_that_meets_a_defect_leaves_the_others_heard(
    world: World, monkeypatch: Patch
) -> None:
    heard = disputed(world, monkeypatch, "dp_1", "dp_2", "dp_3", broken="dp_2")
    compared = reconcile(world)
    assert (heard, len(compared.failures)) == (["dp_1", "dp_3"], 1)


@pytest.mark.usefixtures("_short_days")
def test_a_list_of_disputes_that_breaks_off_leaves_the_orders_compared(
    world: World, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(world.payments, "disputes", never)
    looked: list[str] = []
    monkeypatch.setattr(reconcile_payments, "sold_orders", sold_in(looked))
    compared = reconcile(world)
    assert (looked, len(compared.failures)) == ([EVENT], 1)


def test_an_event_whose_orders_meet_a_defect_leaves_the_others_compared(
    world: World, monkeypatch: Patch
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(reconcile_payments, "sold_orders", sold_in(looked, broken="another"))
    settler = PaymentSettler(world.table, world.clock, world.payments)
    refunder = Refunder(world.table, world.clock, world.payments)
    reconciler = Reconciler(world.table, world.clock, settler, refunder)
    compared = reconciler.run(["another", EVENT], since_ms=START_MS - 60_000)
    assert (looked, len(compared.failures)) == ([EVENT], 1)


def disputed(world: World, monkeypatch: Patch, *ids: str, broken: str = "") -> list[str]:
    """Let the provider tell of disputes; return those that are heard, as they are."""
    heard: list[str] = []
    for name in ids:
        dispute = Dispute(name, "pay1", "ord_1", 100, "EUR", "open", world.clock.ms)
        world.payments.opened.append(dispute)

    def hear(_self: object, dispute: Dispute) -> str:
        if dispute.id == broken:
            raise UnforeseenError
        heard.append(dispute.id)
        return "duplicate"

    monkeypatch.setattr(DisputeKeeper, "heard", hear)
    return heard


def sold_in(looked: list[str], broken: str = "") -> Callable[..., list[Any]]:
    def sold(_table: object, event: str, *_more: Any, **_: Any) -> Any:
        if event == broken:
            raise UnforeseenError
        looked.append(event)
        return []

    return sold
