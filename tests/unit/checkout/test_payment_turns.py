"""Buyers wait for their turn at the provider with seats kept, and have all their time then."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.orders.order import DELAY_MAX_S
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import (
    DependencyUnavailableError,
    PaymentWaitsError,
    ProviderBusyError,
    SessionExpiredError,
    WrongStateError,
)
from fairgate.service.books.find_sold import SaleWindow, sold_orders
from fairgate.service.checkout.await_turn import LAST_TRY_MS, TurnAwaiter
from fairgate.service.checkout.begin_checkout import CheckoutBeginner, CheckoutBegun
from fairgate.service.checkout.payment_turns import WAIT_MAX_S, PaymentTurns
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.shared.due import due_entries, minute_of
from fairgate.service.shared.live_count import live_now
from fairgate_lab.engine.table import CountedTable, InterleavedTable
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import expire, held, order_of, settle, status_of

pytestmark = pytest.mark.through_boto3

PER_S = 10
BUSY = ProviderBusyError("busy", retry_after_s=3)


def turns(world: World, table: Any = None) -> PaymentTurns:
    return PaymentTurns(table or world.table, world.clock, PER_S)


def begin(world: World, mine: Credential) -> CheckoutBegun:
    beginner = CheckoutBeginner(
        *(world.table, world.clock, world.ids, world.reminders), turns=turns(world)
    )
    return beginner.begin(
        world.event, mine.session, mine.user, "ann@example.org", idempotency_key="k"
    )


def opened(world: World, begun: CheckoutBegun) -> str:
    settler = PaymentSettler(world.table, world.clock, world.payments)
    return TurnAwaiter(settler, turns(world), world.event.checkout_s).open(begun, "http://shop")


def waits(world: World, begun: CheckoutBegun) -> PaymentWaitsError:
    with pytest.raises(PaymentWaitsError) as waiting:
        opened(world, begun)
    return waiting.value


def take_all(world: World, seconds: int) -> None:
    """Others have taken the turns of so many seconds."""
    turns(world).take(world.clock.ms + seconds * 1000)


def test_no_second_has_more_turns_than_the_provider_takes_calls(world: World) -> None:
    given = [turns(world).take() - world.clock.ms for _ in range(7)]
    assert given == [0, 0, 100, 200, 300, 400, 500]
    world.clock.tick(60)
    assert [turns(world).take() - world.clock.ms for _ in range(3)] == [0, 0, 100]


def test_a_turn_costs_one_write_while_there_is_a_line(world: World) -> None:
    take_all(world, 3)
    table = CountedTable(world.table)
    turns(world, table).take()
    assert table.calls == {"count": 1}


def test_a_turn_after_a_pause_is_taken_once_by_two_at_once(world: World) -> None:
    first: list[int] = []
    table = InterleavedTable(world.table, lambda: first.append(turns(world).take()))
    turns(world, table).take()
    assert turns(world).take() == world.clock.ms + 100, "both of the burst are taken"


def test_a_checkout_goes_on_when_the_table_knows_no_turn(world: World) -> None:
    class Away:
        def count(self, _action: object) -> None:
            raise DependencyUnavailableError("hot")

    assert turns(world, Away()).take() == world.clock.ms


def test_a_buyer_waits_with_seats_kept_and_has_all_the_time_then(world: World) -> None:
    take_all(world, 400)  # longer than the time to pay
    mine = held(world)
    begun = begin(world, mine)
    waiting = waits(world, begun)
    turn_s = 400
    assert waiting.retry_after_s == turn_s
    assert begun.order.pay_from == rfc3339(world.clock.ms + turn_s * 1000)
    assert world.payments.pages == {}
    world.clock.tick(turn_s - 1)
    assert expire(world, mine.session) == "later"
    assert waits(world, begin(world, mine)).retry_after_s == 1
    world.clock.tick(1)
    assert opened(world, begin(world, mine))
    order = order_of(world, begun.order)
    assert order.expires_at == rfc3339(world.clock.ms + 300_000)
    assert order.pay_from == ""


def test_asking_too_early_takes_no_turn_and_writes_nothing(world: World) -> None:
    take_all(world, 10)
    begun = begin(world, held(world))
    table = world.table = CountedTable(world.table)  # type: ignore[assignment]
    waits(world, begun)
    assert not table.calls


def test_a_line_that_is_too_long_leaves_the_session_its_own_time(world: World) -> None:
    mine = held(world)
    ahead = PaymentTurns(world.table, world.clock, PER_S)
    ahead.take(world.clock.ms + WAIT_MAX_S * 1000)
    ahead.take()
    with pytest.raises(PaymentWaitsError, match=mine.expires_at[11:19]) as waiting:
        begin(world, mine)
    assert waiting.value.fields["held_until"] == mine.expires_at
    assert world.items("reservations", mine.session, "O#") == []
    assert world.items("reservations", mine.session, "S#")[0]["state"] == "reservation"


def test_a_provider_that_is_too_busy_delays_the_order_and_keeps_its_seats(world: World) -> None:
    mine = held(world, area=1)
    begun = begin(world, mine)
    world.clock.tick(200)
    world.payments.fail = BUSY
    waiting = waits(world, begun)
    assert waiting.retry_after_s == 3
    order = order_of(world, begun.order)
    assert order.expires_at == waiting.fields["held_until"] == rfc3339(world.clock.ms + 303_000)
    due = due_entries(world.table, EVENT, minute_of(order.expires_at)).records
    assert [entry.order_id for entry in due] == [order.order_id]
    seat = world.seat(world.seat_ids[0])
    session = world.items("reservations", mine.session, "S#")[0]
    until = order.settling_until
    assert seat["expiresAt"] == session["expiresAt"] == status_of(world, "ann").live_until == until
    assert (
        live_now(world.table, EVENT, until) == live_now(world.table, EVENT, begun.expires_at) == 1
    )
    world.payments.fail = None
    world.clock.tick(250)  # past the first end of the order
    assert expire(world, mine.session) == "later"
    assert opened(world, begin(world, mine))
    assert settle(world, order) == "paid"
    assert live_now(world.table, EVENT, rfc3339(world.clock.ms)) == 0
    found = sold_orders(
        world.table,
        EVENT,
        epoch_ms(order.created_at) - 60_000,
        world.clock.ms + 60_000,
        checkout_ms=SaleWindow.of(world.event).checkout_ms or (0, 0),
        failures=[],
    )
    assert [one.order_id for one in found] == [order.order_id], "once, however often it is due"


def test_a_short_delay_only_moves_the_turn(world: World) -> None:
    begun = begin(world, held(world))
    world.payments.fail = BUSY
    waits(world, begun)
    order = order_of(world, begun.order)
    assert (order.expires_at, order.pay_from) == (
        begun.order.expires_at,
        rfc3339(world.clock.ms + 3_000),
    )


def test_an_order_is_put_off_for_a_limited_time(world: World) -> None:
    mine = held(world)
    begun = begin(world, mine)
    world.payments.fail = BUSY
    last = rfc3339(epoch_ms(begun.order.created_at) + (DELAY_MAX_S + 300) * 1000)
    for _ in range((DELAY_MAX_S + 300) // 100 - 1):
        world.clock.tick(100)
        waiting = waits(world, begin(world, mine))
        world.clock.tick(waiting.retry_after_s or 0)
    assert order_of(world, begun.order).expires_at == last
    world.clock.ms = epoch_ms(last) - 1_000
    waiting = waits(world, begin(world, mine))
    assert epoch_ms(order_of(world, begun.order).pay_from) == epoch_ms(last) - LAST_TRY_MS
    world.clock.tick(1)
    with pytest.raises(SessionExpiredError):
        opened(world, begun)


def test_another_try_to_pay_waits_for_a_turn_of_its_own(world: World) -> None:
    begun = begin(world, held(world))
    page = opened(world, begun)
    take_all(world, 10)
    again = CheckoutBegun(order_of(world, begun.order), begun.expires_at)
    waiting = waits(world, again)
    world.clock.tick(waiting.retry_after_s or 0)
    again = CheckoutBegun(order_of(world, begun.order), begun.expires_at)
    assert opened(world, again) == page
    assert order_of(world, begun.order).pay_from == ""


@pytest.mark.parametrize("ends", ["paid", "over"])
def test_an_order_that_takes_no_payment_any_more_takes_no_turn(world: World, ends: str) -> None:
    """Its last card was declined, so its key would open another page."""
    mine = held(world)
    begun = begin(world, mine)
    opened(world, begun)
    settle(world, begun.order, "evt0", kind="failed", payment="pay0")
    if ends == "paid":
        settle(world, begun.order)
    else:
        world.clock.ms = epoch_ms(begun.order.expires_at)
    take_all(world, 10)
    before = turns(world).take()
    for _ in range(3):
        with pytest.raises(WrongStateError if ends == "paid" else SessionExpiredError):
            opened(world, begin(world, mine))
    assert turns(world).take() == before + 1_000 // PER_S
