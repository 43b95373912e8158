"""A checkout's end: the pages are closed and asked first, and only then are seats given back."""

from __future__ import annotations

from typing import Any, cast
from unittest.mock import patch

import msgspec
import pytest

from fairgate.domain.orders.order import SETTLING_S
from fairgate.domain.shared.credential import Credential
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    NotFoundError,
    PaymentRefusedError,
    ProviderAwayError,
    ProviderSetupError,
)
from fairgate.ports.payments import Capture
from fairgate.ports.table import Update
from fairgate.service.checkout.end_checkout import ASK_AGAIN_S, CheckoutEnder, expire_session
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.shared.keys import user_status_key
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.session_view import SessionView
from fairgate_lab.engine.payments import MemoryPayments
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import held, order_of, settle, status_of
from tests.unit.checkout.test_open_payment import NewPages, capture_of, open_page
from tests.unit.refunds.test_refunds import sweep as sweep_refunds
from tests.unit.shared.test_idempotency import begin_as

OVER_S = 301  # after the checkout began


def ender(world: World, table: Any = None) -> CheckoutEnder:
    return CheckoutEnder.of(table or world.table, world.clock, world.payments)


def expire(world: World, session: str) -> str:
    return expire_session(ender(world), world.reminders, session)


def in_checkout(world: World, area: int = 1) -> tuple[Credential, Order, str]:
    """A session in checkout, its order and the payment page."""
    mine = held(world, area=area)
    page = open_page(world, mine, "k")
    return mine, begin_as(world, mine, "k").order, page


def is_free(world: World) -> bool:
    seat = world.seat(world.seat_ids[0])
    return bool(seat["availability"] == "available") and world.remaining() == 10


def taken(world: World) -> int:
    return status_of(world, "ann").places_taken


def test_a_payment_buys_when_its_webhook_is_away_longer_than_the_time_to_pay(world: World) -> None:
    mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order)
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "paid"
    assert world.seat(world.seat_ids[0])["availability"] == "reserved"
    assert settle(world, order, "the webhook, at last") == "duplicate"
    assert (order_of(world, order).state, world.payments.refunds) == ("paid", {})
    assert taken(world) == 3


def test_an_unpaid_checkout_is_ended_once_its_page_is_closed(world: World) -> None:
    mine, order, page = in_checkout(world)
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "ended"
    assert world.payments.closed == [page]
    assert is_free(world)
    assert order_of(world, order).state == "expired"
    assert (taken(world), status_of(world, "ann").live_session) == (0, "")
    assert expire(world, mine.session) == "over"


def test_nothing_is_closed_before_the_orders_end(world: World) -> None:
    mine, _order, _page = in_checkout(world)
    world.clock.tick(100)
    world.reminders.sent.clear()
    assert expire(world, mine.session) == "later"
    assert world.reminders.sent == [(mine.session, 201)]
    assert world.payments.closed == []


def test_a_payment_of_another_amount_is_given_back_and_the_seats_too(world: World) -> None:
    mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order, amount_minor=1)
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "ended"
    assert is_free(world)
    assert order_of(world, order).state == "refunded"
    assert (world.payments.refunds, taken(world)) == ({"pay1": 1}, 0)


def test_of_two_pages_that_took_money_one_buys_and_one_is_given_back(world: World) -> None:
    world.payments = NewPages()
    mine, order, first = in_checkout(world)
    world.payments.refuse["close_checkout"] = DependencyUnavailableError("away")
    second = open_page(world, mine, "k2")
    world.payments.refuse.clear()
    world.payments.paid |= {first: capture_of(order), second: capture_of(order, "pay2")}
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "paid"
    assert order_of(world, order).payment_id == "pay1"
    assert world.payments.refunds == {"pay2": order.total_minor}


def test_a_capture_that_another_hand_gave_back_buys_nothing(world: World) -> None:
    mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order, refunded_minor=order.total_minor)
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "ended"
    assert (is_free(world), world.payments.refunds) == (True, {})


def test_nothing_is_released_while_the_provider_is_away(world: World) -> None:
    mine, order, page = in_checkout(world)
    world.payments.fail = DependencyUnavailableError("away")
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "unanswered"
    assert world.reminders.sent[-1] == (mine.session, ASK_AGAIN_S)
    assert world.seat(world.seat_ids[0])["sessionId"] == mine.session
    world.clock.tick(3 * 3_600)
    assert expire(world, mine.session) == "unanswered"
    world.payments.fail = None
    world.payments.paid[page] = capture_of(order)
    assert expire(world, mine.session) == "paid"


def test_a_refusal_for_good_keeps_seats_no_longer_than_their_locks_run(world: World) -> None:
    mine, _order, _page = in_checkout(world)
    refusal = PaymentRefusedError("never heard of it", reason="unknown-payment")
    world.payments.refuse["close_checkout"] = refusal
    world.clock.tick(OVER_S)
    with pytest.raises(PaymentRefusedError):
        ender(world).end(mine.session)
    assert expire(world, mine.session) == "unanswered"
    assert not is_free(world)
    world.clock.tick(SETTLING_S)
    assert expire(world, mine.session) == "ended"
    assert is_free(world)


def test_a_checkout_without_a_page_needs_no_provider(world: World) -> None:
    mine = held(world, area=1)
    begin_as(world, mine, "k")
    world.payments.fail = DependencyUnavailableError("away")
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "ended"
    assert is_free(world)


def test_leaving_closes_the_page_first(world: World) -> None:
    mine, order, page = in_checkout(world)
    with pytest.raises(NotFoundError):
        ender(world).end(mine.session, "cancelled", "eve")
    assert ender(world).end(mine.session, "cancelled", mine.user) == "ended"
    assert world.payments.closed == [page]
    assert (is_free(world), order_of(world, order).state) == (True, "failed")
    assert taken(world) == 0


def test_leaving_a_moment_after_paying_keeps_the_seats(world: World) -> None:
    mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order)
    assert ender(world).end(mine.session, "cancelled", mine.user) == "paid"
    assert ender(world).end(mine.session, "cancelled", mine.user) == "paid"
    assert order_of(world, order).state == "paid"


def test_leaving_is_not_possible_while_the_provider_is_away(world: World) -> None:
    mine, order, _page = in_checkout(world)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        ender(world).end(mine.session, "cancelled", mine.user)
    assert order_of(world, order).state == "pending"


@pytest.mark.parametrize(
    "failure",
    [
        DependencyUnavailableError("away", retry_after_s=3),
        ProviderSetupError("no key", retry_after_s=60),
        ProviderAwayError("hangs", opens_at_ms=1, retry_after_s=30),
        PaymentRefusedError("never heard of it", reason="unknown-payment"),
    ],
)
def test_a_buyer_who_leaves_is_told_that_nobody_knows_whether_they_paid(
    world: World, failure: FairgateError
) -> None:
    mine, order, _page = in_checkout(world)
    world.payments.refuse["close_checkout"] = failure
    with pytest.raises(DependencyUnavailableError) as refused:
        ender(world).end(mine.session, "cancelled", mine.user)
    until = order_of(world, order).settling_until
    assert refused.value.fields == {"settling_until": until}
    assert f"by {until[11:16]} UTC at the latest" in refused.value.detail
    assert refused.value.retry_after_s == failure.retry_after_s
    assert isinstance(refused.value, ProviderSetupError) == isinstance(failure, ProviderSetupError)
    with pytest.raises(type(failure)) as plain:
        ender(world).end(mine.session, "cancelled")
    assert plain.value is failure  # the backstop's log says what the provider said


def test_a_buyer_who_leaves_is_told_that_their_payment_is_being_settled(world: World) -> None:
    mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order)
    busy = DependencyUnavailableError("The order is being changed; try again.", retry_after_s=2)
    asked = ender(world)
    with patch.object(PaymentSettler, "settle_capture", side_effect=busy):
        with pytest.raises(DependencyUnavailableError) as refused:
            asked.end(mine.session, "cancelled", mine.user)
        with pytest.raises(DependencyUnavailableError) as plain:
            asked.end(mine.session, "cancelled")
    assert refused.value.detail.startswith("A payment for these seats has just arrived")
    assert refused.value.fields == {"settling_until": order_of(world, order).settling_until}
    assert refused.value.retry_after_s == 2
    assert plain.value is busy
    assert not is_free(world)


class OpensAnother(NewPages):
    """A provider that is slow to close the first page: meanwhile the buyer opens another one."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world, self.mine = world, cast("Credential | None", None)

    def close_checkout(self, page: str) -> Capture | None:
        mine, self.mine = self.mine, None
        if mine is not None:
            open_page(self.world, mine, "k2")
        return super().close_checkout(page)


def test_a_page_opened_while_the_older_one_is_closed_is_closed_too(world: World) -> None:
    world.payments = pages = OpensAnother(world)
    mine, order, first = in_checkout(world)
    pages.mine = mine  # from now on
    assert ender(world).end(mine.session, "cancelled", mine.user) == "ended"
    (second,) = order_of(world, order).pages
    assert second != first
    assert pages.closed[-1] == second
    assert is_free(world)


def test_two_workers_end_one_checkout_once(world: World) -> None:
    mine, _order, _page = in_checkout(world)
    world.clock.tick(OVER_S)
    outcomes = []
    table = InterleavedTable(world.table, lambda: outcomes.append(expire(world, mine.session)))
    outcomes.append(ender(world, table).end(mine.session))
    assert outcomes == ["ended", "over"]
    assert (is_free(world), taken(world)) == (True, 0)


class Crashing(MemoryPayments):
    """A provider whose answer to the first closing finds nobody: the process is gone."""

    crashes = 1

    def close_checkout(self, page: str) -> Capture | None:
        capture = super().close_checkout(page)
        if self.crashes:
            self.crashes -= 1
            raise KeyboardInterrupt
        return capture


def test_the_same_message_settles_when_a_worker_crashed_after_closing(world: World) -> None:
    world.payments = Crashing()
    mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order)
    world.clock.tick(OVER_S)
    with pytest.raises(KeyboardInterrupt):
        expire(world, mine.session)
    assert expire(world, mine.session) == "paid"


def test_the_same_message_releases_when_a_worker_crashed_after_settling(world: World) -> None:
    """It had given a payment of another amount back; the places are taken off once."""
    mine, order, page = in_checkout(world)
    settle(world, order, amount_minor=1)
    world.payments.paid[page] = capture_of(order, amount_minor=1)
    assert (order_of(world, order).state, taken(world)) == ("refunded", 0)
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "ended"
    assert (is_free(world), taken(world)) == (True, 0)
    assert world.payments.refunds == {"pay1": 1}


def test_a_long_checkout_is_reminded_of_until_its_end(world: World) -> None:
    """The queue delays a message by a quarter of an hour at most."""
    world.event = msgspec.structs.replace(world.event, checkout_s=7_200)
    mine, _order, _page = in_checkout(world)
    outcomes = []
    for _ in range(9):
        world.clock.tick(900)
        outcomes.append(expire(world, mine.session))
    assert outcomes == ["later"] * 7 + ["ended", "over"]


def test_a_clock_that_jumps_ahead_sells_what_was_paid(world: World) -> None:
    mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order)
    world.clock.tick(86_400)
    assert expire(world, mine.session) == "paid"
    world.clock.tick(-86_400)
    assert expire(world, mine.session) == "paid"


def test_a_message_about_no_session_is_done_with(world: World) -> None:
    assert expire(world, "ses_" + "0" * 32) == "over"


# --- places taken


def test_pending_places_count_for_the_limit_and_go_back_where_they_are_not_paid(
    world: World,
) -> None:
    mine, order, _page = in_checkout(world)
    assert taken(world) == 3
    settle(world, order)
    assert taken(world) == 3
    other = held(world, "ann", world.seat_ids[5])
    begin_as(world, other, "k")
    assert taken(world) == 4
    ender(world).end(other.session, "cancelled", other.user)
    assert taken(world) == 3
    assert ender(world).end(mine.session) == "paid"


def test_a_late_payment_is_given_back_when_the_user_is_over_the_limit(world: World) -> None:
    """Belt and braces: the places of a pending order count, so nobody gets here by themselves."""
    mine, order, _page = in_checkout(world)
    key = user_status_key("ann", EVENT)
    world.table.update(Update("reservations", *key, add={"placesTaken": 8}))
    assert settle(world, order) == "refunded"
    assert taken(world) == 8
    assert ender(world).end(mine.session, "cancelled", mine.user) == "ended"
    assert is_free(world)


def test_a_late_payment_over_the_limit_is_given_back_beside_a_newer_session(world: World) -> None:
    _mine, order, _page = in_checkout(world)
    world.clock.tick(OVER_S + SETTLING_S)
    newer = world.session()
    key = user_status_key("ann", EVENT)
    world.table.update(Update("reservations", *key, add={"placesTaken": 8}))
    assert settle(world, order) == "refunded"
    assert (taken(world), status_of(world, "ann").live_session) == (8, newer.session)


# --- controls: what happens without each step


def _never_asked(_ender: CheckoutEnder, _view: SessionView) -> tuple[list[Capture], None]:
    return [], None


def _not_settled(_settler: PaymentSettler, _capture: Capture) -> str:
    return "noted"


CONTROLS: list[tuple[type, str, Any, Any]] = [
    (
        CheckoutEnder,
        "_closed",
        _never_asked,
        test_a_payment_buys_when_its_webhook_is_away_longer_than_the_time_to_pay,
    ),
    (CheckoutEnder, "_closed", _never_asked, test_nothing_is_released_while_the_provider_is_away),
    (
        PaymentSettler,
        "settle_capture",
        _not_settled,
        test_leaving_a_moment_after_paying_keeps_the_seats,
    ),
]


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control[3].__name__)
def test_a_paid_seat_is_lost_without_this_step(
    world: World, control: tuple[type, str, Any, Any]
) -> None:
    owner, name, instead, scenario = control
    with patch.object(owner, name, instead), pytest.raises(AssertionError):
        scenario(world)


def two_pages(world: World) -> tuple[Credential, Order, str, str]:
    """A session in checkout with two pages, of which the provider has closed neither."""
    world.payments = NewPages()
    mine, order, first = in_checkout(world)
    world.payments.refuse["close_checkout"] = DependencyUnavailableError("away")
    second = open_page(world, mine, "k2")
    world.payments.refuse.clear()
    return mine, order, first, second


@pytest.mark.parametrize(
    "error",
    [DependencyUnavailableError("away"), PaymentRefusedError("no", reason="unknown-payment")],
)
@pytest.mark.parametrize("silent", [0, 1])
def test_a_page_of_which_nobody_tells_hides_no_payment_of_another(
    world: World, error: Exception, silent: int
) -> None:
    mine, order, *pages = two_pages(world)
    world.payments.refuse[f"close_checkout {pages[silent]}"] = error
    world.payments.paid[pages[1 - silent]] = capture_of(order)
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "paid"


@pytest.mark.parametrize(
    "error",
    [DependencyUnavailableError("away"), PaymentRefusedError("no", reason="unknown-payment")],
)
@pytest.mark.parametrize("silent", [0, 1])
def test_nothing_is_released_while_one_page_of_two_may_still_be_paid(
    world: World, error: Exception, silent: int
) -> None:
    mine, _order, *pages = two_pages(world)
    world.payments.refuse[f"close_checkout {pages[silent]}"] = error
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "unanswered"
    assert not is_free(world)


@pytest.mark.parametrize(
    "error", [DependencyUnavailableError("low balance"), ProviderSetupError("no permission")]
)
def test_a_refund_that_cannot_be_sent_yet_keeps_no_seats(world: World, error: Exception) -> None:
    mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order, amount_minor=1)
    world.payments.refuse["refund"] = error
    world.clock.tick(OVER_S)
    assert expire(world, mine.session) == "ended"
    assert is_free(world)
    assert order_of(world, order).state == "refund_due"
    world.payments.refuse.clear()
    world.clock.tick(400)
    assert sweep_refunds(world).refunded == 1
    assert world.payments.refunds == {"pay1": 1}
