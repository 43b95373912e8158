"""A disputed order's tickets admit nobody until it is decided, however its news come."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.tickets.ticket import places_of
from fairgate.errors import DependencyUnavailableError, WrongStateError
from fairgate.ports.payments import Dispute, PaymentEvent
from fairgate.ports.table import Update
from fairgate.service.checkout.payment_events import PaymentEvents
from fairgate.service.ledger.manual_tasks import PROVIDER, ManualTasks
from fairgate.service.refunds.disputes import DisputeKeeper
from fairgate.service.shared.keys import dispute_key
from fairgate.service.shared.records.orders import DisputeRecord, Order, TicketEntry
from fairgate.service.tickets.issue_tickets import read_tickets
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.shared.test_idempotency import cancel


def ticketed(world: World) -> Order:
    order = begin(world, held(world)).order
    settle(world, order)
    entries = [
        TicketEntry(ticket=f"tkt_{unit:016x}", unit=unit, label=place.label, code="FG1.x").as_map()
        for unit, place in enumerate(places_of(order.units))
    ]
    tickets = {"state": "ticketed", "tickets": entries}
    world.table.update(Update("reservations", *order.key, set=tickets))
    return order


def hear(
    world: World, order: Order, state: Any, dispute: str = "dp1", payment: str = "pay1"
) -> str:
    told = Dispute(dispute, payment, order.order_id, 10_000, "EUR", state, world.clock.ms, "fraud")
    event = PaymentEvent(
        f"evt_{state}_{dispute}", "disputed", order.order_id, 10_000, "EUR", payment, dispute=told
    )
    return PaymentEvents(world.table, world.clock, world.payments).apply(event)


def provider_says(world: World, order: Order, state: Any, dispute: str = "dp1") -> None:
    """What it answers when it is asked how the dispute stands now."""
    told = Dispute(dispute, "pay1", order.order_id, 10_000, "EUR", state, world.clock.ms, "fraud")
    world.payments.opened[:] = [told]


def record_of(world: World, order: Order) -> DisputeRecord:
    record = world.table.find(DisputeRecord, dispute_key(order.session, order.order_id, "dp1"))
    assert record is not None
    return record


def kinds(world: World) -> list[str]:
    return sorted(task.kind for task in ManualTasks(world.table, world.clock).open())


def test_tickets_are_void_while_a_dispute_is_open_and_good_again_when_it_is_won(
    world: World,
) -> None:
    order = ticketed(world)
    assert len(read_tickets(world.table, world.sign, user="ann", order=order.order_id)) == 2
    assert hear(world, order, "open") == "noted"
    assert order_of(world, order).state == "disputed"
    assert "over 100.00 EUR." in ManualTasks(world.table, world.clock).open()[0].what
    with pytest.raises(WrongStateError):
        read_tickets(world.table, world.sign, user="ann", order=order.order_id)
    assert hear(world, order, "won") == "noted"
    assert order_of(world, order).state == "ticketed"
    assert len(read_tickets(world.table, world.sign, user="ann", order=order.order_id)) == 2
    assert kinds(world) == []
    (task,) = ManualTasks(world.table, world.clock).all()
    assert (task.kind, task.done_by, task.reason) == ("disputed", PROVIDER, "The dispute is won.")


def test_an_order_whose_dispute_is_lost_is_charged_back_and_keeps_its_seats(world: World) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    assert hear(world, order, "lost") == "noted"
    assert order_of(world, order).state == "charged_back"
    assert kinds(world) == ["charged-back"]
    answered = [task for task in ManualTasks(world.table, world.clock).all() if task.done_at]
    assert [(task.kind, task.done_by) for task in answered] == [("disputed", PROVIDER)]
    assert "lost" in answered[0].reason
    assert world.seat(world.seat_ids[0])["availability"] == "reserved"
    with pytest.raises(WrongStateError):
        read_tickets(world.table, world.sign, user="ann", order=order.order_id)


def test_news_of_a_dispute_come_again_and_late_without_effect(world: World) -> None:
    order = ticketed(world)
    assert [hear(world, order, "open"), hear(world, order, "open")] == ["noted", "duplicate"]
    hear(world, order, "won")
    provider_says(world, order, "won")
    assert hear(world, order, "open") == "duplicate"
    assert kinds(world) == []
    assert order_of(world, order).state == "ticketed"
    record = record_of(world, order)
    assert (record.state, record.reason) == ("won", "fraud")


def test_an_order_without_tickets_yet_waits_and_gets_them_when_the_dispute_is_won(
    world: World,
) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    hear(world, order, "open")
    assert order_of(world, order).state == "disputed"
    hear(world, order, "won")
    assert order_of(world, order).state == "paid"


def test_the_worst_of_two_disputes_counts(world: World) -> None:
    order = ticketed(world)
    hear(world, order, "open", "dp1")
    hear(world, order, "open", "dp2")
    hear(world, order, "won", "dp1")
    assert order_of(world, order).state == "disputed"
    hear(world, order, "won", "dp2")
    assert order_of(world, order).state == "ticketed"


def test_a_dispute_heard_before_the_payment_voids_it_when_it_is_heard_again(world: World) -> None:
    order = begin(world, held(world)).order
    for _ in range(2):
        with pytest.raises(DependencyUnavailableError):
            hear(world, order, "open")
    assert order_of(world, order).state == "pending"
    settle(world, order)
    assert hear(world, order, "open") == "noted"
    assert order_of(world, order).state == "disputed"


def test_a_disputed_order_cannot_be_cancelled_and_a_refunded_one_stays_so(world: World) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    with pytest.raises(WrongStateError):
        cancel(world, order, "")
    hear(world, order, "won")
    assert cancel(world, order, "").state == "refunded"
    assert hear(world, order, "open", "dp2") == "noted"
    assert order_of(world, order).state == "refunded"


def test_a_dispute_of_another_capture_leaves_the_order_alone(world: World) -> None:
    order = ticketed(world)
    assert hear(world, order, "open", payment="pay2") == "noted"
    assert order_of(world, order).state == "ticketed"
    assert kinds(world) == ["disputed"]


def test_a_dispute_of_an_order_that_nobody_knows_is_a_task(world: World) -> None:
    told = Dispute("dp1", "pay1", "nonsense", 1, "EUR", "open", world.clock.ms)
    event = PaymentEvent("evt1", "disputed", "nonsense", 1, "EUR", "pay1", dispute=told)
    events = PaymentEvents(world.table, world.clock, world.payments)
    assert [events.apply(event), events.apply(event)] == ["unknown-order"] * 2
    assert kinds(world) == ["disputed"]
    won = replace(event, id="evt2", dispute=replace(told, state="won"))
    assert [events.apply(won), events.apply(won)] == ["unknown-order"] * 2
    assert [task.done_by for task in ManualTasks(world.table, world.clock).all()] == [PROVIDER]


def answer_all(world: World) -> None:
    tasks = ManualTasks(world.table, world.clock)
    for task in tasks.open():
        tasks.done(task.task_id, "op", "answered")


def test_a_second_dispute_of_a_payment_is_another_task(world: World) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    hear(world, order, "won")
    answer_all(world)
    hear(world, order, "open", "dp2")
    assert (order_of(world, order).state, kinds(world)) == ("disputed", ["disputed"])


@pytest.mark.parametrize(("end", "left"), [("won", []), ("lost", ["charged-back"])])
def test_a_won_dispute_that_is_opened_again_voids_the_tickets_until_it_is_decided(
    world: World, end: str, left: list[str]
) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    for times in (1, 2):
        hear(world, order, "won")
        assert kinds(world) == []
        provider_says(world, order, "open")
        assert [hear(world, order, "open"), hear(world, order, "open")] == ["noted", "duplicate"]
        assert (order_of(world, order).state, kinds(world)) == ("disputed", ["disputed"])
        assert record_of(world, order).reopened == times
        assert "Open again" in ManualTasks(world.table, world.clock).open()[0].what
    assert hear(world, order, end) == "noted"
    state = "ticketed" if end == "won" else "charged_back"
    assert (order_of(world, order).state, kinds(world)) == (state, left)


def test_a_lost_dispute_that_is_opened_again_is_a_task_and_the_tickets_stay_void(
    world: World,
) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    hear(world, order, "lost")
    answer_all(world)
    provider_says(world, order, "open")
    assert hear(world, order, "open") == "noted"
    (task,) = ManualTasks(world.table, world.clock).open()
    assert (task.kind, "was lost and is now said to be open" in task.what) == ("disputed", True)
    assert (order_of(world, order).state, record_of(world, order).state) == (
        "charged_back",
        "lost",
    )
    assert hear(world, order, "open") == "duplicate"


@pytest.mark.parametrize("before", ["won", "lost"])
def test_old_news_that_a_decided_dispute_is_open_changes_nothing(world: World, before: str) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    hear(world, order, before)
    answer_all(world)
    was = order_of(world, order).state
    for says in (before, None):  # the provider knows better, or does not know it
        world.payments.opened.clear()
        if says:
            provider_says(world, order, says)
        assert hear(world, order, "open") == "duplicate"
        assert (order_of(world, order).state, kinds(world)) == (was, [])


def test_news_that_a_decided_dispute_is_open_wait_for_a_provider_that_is_away(
    world: World,
) -> None:
    order = ticketed(world)
    hear(world, order, "won")
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        hear(world, order, "open")
    assert (order_of(world, order).state, kinds(world)) == ("ticketed", [])


def test_a_task_is_not_left_open_when_the_dispute_is_won_meanwhile(world: World) -> None:
    order = ticketed(world)
    told = Dispute("dp1", "pay1", order.order_id, 10_000, "EUR", "open", world.clock.ms, "fraud")
    provider_says(world, order, "won")
    table = InterleavedTable(world.table, lambda: hear(world, order, "won"))
    assert DisputeKeeper(table, world.clock, world.payments).heard(told) == "duplicate"
    assert (order_of(world, order).state, kinds(world)) == ("ticketed", [])


@pytest.mark.parametrize(("first", "meanwhile"), [("open", "won"), ("won", "open")])
def test_an_order_follows_its_dispute_when_two_hear_of_it_at_once(
    world: World, first: Any, meanwhile: Any
) -> None:
    """The dispute was heard of before the payment, so the order has still to follow it."""
    order = begin(world, held(world)).order
    with pytest.raises(DependencyUnavailableError):
        hear(world, order, "open")
    settle(world, order)
    provider_says(world, order, "won")
    told = Dispute("dp1", "pay1", order.order_id, 10_000, "EUR", first, world.clock.ms, "fraud")
    table = InterleavedTable(world.table, lambda: hear(world, order, meanwhile))
    DisputeKeeper(table, world.clock, world.payments).heard(told)
    assert record_of(world, order).state == "won"
    assert (order_of(world, order).state, kinds(world)) == ("paid", [])


def test_the_last_of_two_disputes_that_are_won_at_once_ends_it(world: World) -> None:
    order = ticketed(world)
    for dispute in ("dp1", "dp2"):
        hear(world, order, "open", dispute)
    told = Dispute("dp1", "pay1", order.order_id, 10_000, "EUR", "won", world.clock.ms, "fraud")
    table = InterleavedTable(world.table, lambda: hear(world, order, "won", "dp2"))
    assert DisputeKeeper(table, world.clock, world.payments).heard(told) == "noted"
    assert (order_of(world, order).state, kinds(world)) == ("ticketed", [])


def test_a_person_may_tick_a_task_off_at_the_same_moment(world: World) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    told = Dispute("dp1", "pay1", order.order_id, 10_000, "EUR", "won", world.clock.ms, "fraud")
    table = InterleavedTable(world.table, lambda: answer_all(world))
    assert DisputeKeeper(table, world.clock, world.payments).heard(told) == "noted"
    assert order_of(world, order).state == "ticketed"
    assert [task.done_by for task in ManualTasks(world.table, world.clock).all()] == ["op"]


@pytest.mark.parametrize(
    ("first", "then", "state", "kind"),
    [
        ("lost", "won", "charged_back", "disputed"),
        ("won", "lost", "ticketed", "charged-back"),
    ],
)
def test_what_is_decided_otherwise_later_is_looked_at_by_a_person(
    world: World, first: str, then: str, state: str, kind: str
) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    hear(world, order, first)
    answer_all(world)
    assert hear(world, order, then) == "noted"
    assert (order_of(world, order).state, kinds(world)) == (state, [kind])
    assert hear(world, order, then) == "duplicate"
    assert hear(world, order, first) == "duplicate"
    assert kinds(world) == [kind]


def test_a_lost_dispute_of_a_refunded_order_says_that_it_may_go_back_twice(world: World) -> None:
    order = ticketed(world)
    cancel(world, order, "c")
    hear(world, order, "lost")
    (task,) = ManualTasks(world.table, world.clock).open()
    assert (task.kind, order_of(world, order).state) == ("charged-back", "refunded")
    assert "twice" in task.what
    assert "seats" not in task.what
