"""Money that moves is entered once, with what moves it, and the entries add up."""

from __future__ import annotations

import pytest

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import PaymentEvent, Refund
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.ledger.ledger import captured
from fairgate.service.ledger.read_ledger import read_ledger
from fairgate.service.refunds.refund_part import PartRefunder
from fairgate.service.shared.records.orders import LedgerEntry
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.refunds.test_disputes import hear, provider_says, ticketed
from tests.unit.refunds.test_refunds import arrives, cancelled_while_pending, heard, paid
from tests.unit.shared.test_idempotency import cancel


def ledger(world: World, event: str = EVENT) -> list[LedgerEntry]:
    return [entry for some in read_ledger(world.table, event) for entry in some.records]


def lines(world: World) -> list[tuple[str, int]]:
    return [(entry.kind, entry.amount_minor) for entry in ledger(world)]


def test_a_paid_order_has_one_capture_however_often_it_is_told(world: World) -> None:
    order = paid(world)
    for event in ("evt1", "evt9", "closed-pay1"):
        settle(world, order, event)
    (entry,) = ledger(world)
    assert (entry.kind, entry.amount_minor, entry.currency) == ("capture", 10_000, "EUR")
    assert (entry.order_id, entry.payment_id, entry.event_id) == (order.order_id, "pay1", EVENT)
    assert entry.entry_id == "capture#pay1"
    assert ledger(world, "other") == []


def test_a_payment_that_bought_nothing_is_taken_and_goes_back(world: World) -> None:
    order = begin(world, held(world)).order
    SeatReleaser(world.table, world.clock).end_session(order.session, "cancelled")
    assert settle(world, order) == "refunded"
    assert sorted(lines(world)) == [("capture", 10_000), ("refund", -10_000)]


def test_money_of_another_currency_goes_back_as_what_it_is(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order, currency="USD")
    assert {(e.kind, e.currency) for e in ledger(world)} == {("capture", "USD"), ("refund", "USD")}


def test_what_is_owed_and_not_sent_has_no_entry(world: World) -> None:
    order = paid(world)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    assert lines(world) == [("capture", 10_000)]


def test_a_refund_is_entered_as_it_sets_out_and_its_arrival_moves_nothing(world: World) -> None:
    order = cancelled_while_pending(world)
    assert sorted(lines(world)) == [("capture", 10_000), ("refund", -10_000)]
    assert heard(world, order, "succeeded") == "noted"
    assert sum(amount for _, amount in lines(world)) == 0
    assert len(lines(world)) == 2


def test_a_refund_that_comes_back_and_is_sent_by_another_hand_is_entered_each_time(
    world: World,
) -> None:
    order = cancelled_while_pending(world)
    heard(world, order, "succeeded")
    arrives(world, "failed")
    heard(world, order, "failed")
    assert sum(amount for _, amount in lines(world)) == 10_000
    by_hand = Refund("re_2", "pay1", order.order_id, order.total_minor, "succeeded")
    world.payments.refund_states["re_2"] = by_hand
    heard(world, order, "succeeded", refund="re_2")
    assert sorted(lines(world)) == [
        ("capture", 10_000),
        ("refund", -10_000),
        ("refund", -10_000),
        ("refund-returned", 10_000),
    ]
    names = [entry.entry_id for entry in ledger(world) if entry.kind != "capture"]
    assert sorted(names) == ["refund#pay1#0", "refund#pay1#1", "refund#pay1#2"]
    assert {e.thing for e in ledger(world) if e.kind == "refund"} == {"re_pay1", "re_2"}


def test_parts_are_entered_each_by_itself(world: World) -> None:
    order = paid(world)
    refunder = PartRefunder(world.table, world.clock, world.payments)
    refunder.refund(order_of(world, order), 300, key="a")
    refunder.refund(order_of(world, order), 500, key="b")
    assert sorted(lines(world)) == [("capture", 10_000), ("refund", -500), ("refund", -300)]


def test_a_dispute_takes_the_money_and_gives_it_back_when_it_is_won(world: World) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    hear(world, order, "open")
    assert sum(amount for _, amount in lines(world)) == 0
    hear(world, order, "won")
    assert sorted(lines(world)) == [
        ("capture", 10_000),
        ("dispute", -10_000),
        ("dispute-won", 10_000),
    ]
    provider_says(world, order, "open")
    hear(world, order, "open")
    hear(world, order, "lost")
    assert sum(amount for _, amount in lines(world)) == 0
    assert lines(world).count(("dispute-lost", 0)) == 1


@pytest.mark.parametrize(("state", "amount"), [("won", 0), ("lost", -10_000)])
def test_a_dispute_that_is_heard_of_at_its_end_is_one_entry(
    world: World, state: str, amount: int
) -> None:
    hear(world, ticketed(world), state)
    assert sorted(lines(world)) == [("capture", 10_000), (f"dispute-{state}", amount)]


def test_an_entry_is_never_written_over(world: World) -> None:
    order = paid(world)
    payment = PaymentEvent("evt2", "succeeded", order.order_id, 1, "EUR", "pay1")
    again = captured(order, payment, "2030-01-01T00:00:00.000Z")
    with pytest.raises(TransactionRefusedError):
        world.table.transact([again])
    assert lines(world) == [("capture", 10_000)]


def test_the_oldest_entries_come_first_whatever_their_sessions(world: World) -> None:
    for number, user in enumerate(("ann", "bob", "cy")):
        order = begin(world, held(world, user, world.seat_ids[number])).order
        settle(world, order, f"evt-{user}", payment=f"pay-{user}")
        world.clock.tick(1)
    assert [entry.payment_id for entry in ledger(world)] == ["pay-ann", "pay-bob", "pay-cy"]
