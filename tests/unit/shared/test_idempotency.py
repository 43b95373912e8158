"""A key gives one request one effect and one answer for a day."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairgate.domain.shared.credential import Credential
from fairgate.errors import IdempotencyMismatchError, SeatsTakenError, WrongStateError
from fairgate.service.checkout.begin_checkout import CheckoutBeginner, CheckoutBegun
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.idempotency import KEPT_S, IdempotentRequest, fingerprint
from fairgate.service.shared.keys import idempotency_key, session_key
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import World, gate
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.holds.test_hold_seats import floor, holder, seats
from tests.unit.sessions.test_open_session import open_it, token_for

CANCELLABLE = {"cancel_until": "2099-01-01T00:00:00.000Z"}


def count_of(world: World, mine: Credential) -> int:
    head = world.item("reservations", session_key(mine.session))
    assert head is not None
    return int(head["resCount"])


def test_another_payload_is_refused_and_holds_nothing_when_the_key_was_used(world: World) -> None:
    mine = world.session()
    holder(world).hold(mine, seats(world.seat_ids[0]), idempotency_key="k")
    with pytest.raises(IdempotencyMismatchError):
        holder(world).hold(mine, seats(world.seat_ids[1]), idempotency_key="k")
    assert world.seat(world.seat_ids[1])["availability"] == "available"
    assert count_of(world, mine) == 1


def test_another_quantity_is_another_payload(world: World) -> None:
    mine = world.session()
    holder(world).hold(mine, [floor(2)], shards={"floor": 1}, idempotency_key="k")
    with pytest.raises(IdempotencyMismatchError):
        holder(world).hold(mine, [floor(3)], shards={"floor": 1}, idempotency_key="k")
    assert world.remaining() == 8


def test_a_mixed_hold_is_answered_again_unit_by_unit(world: World) -> None:
    mine = world.session()
    wanted = [floor(2), *seats(world.seat_ids[3], world.seat_ids[1])]
    first = holder(world).hold(mine, wanted, shards={"floor": 1}, idempotency_key="k")
    assert holder(world).hold(mine, wanted, shards={"floor": 1}, idempotency_key="k") == first
    assert (world.remaining(), count_of(world, mine)) == (8, 4)


def test_the_answer_stays_the_same_when_the_hold_has_been_given_back(world: World) -> None:
    mine = world.session()
    first = holder(world).hold(mine, seats(world.seat_ids[0]), idempotency_key="k")
    SeatReleaser(world.table, world.clock).release_hold(mine.session, mine.user, first.hold)
    again = holder(world).hold(mine, seats(world.seat_ids[0]), idempotency_key="k")
    assert again == first
    assert world.seat(world.seat_ids[0])["availability"] == "available"


def test_twins_at_once_hold_once(world: World) -> None:
    mine = world.session()
    made = []

    def twin() -> None:
        made.append(holder(world).hold(mine, seats(*world.seat_ids[:2]), idempotency_key="k"))

    table = InterleavedTable(world.table, twin)
    mine_too = SeatHolder(table, world.clock, world.ids)
    assert [mine_too.hold(mine, seats(*world.seat_ids[:2]), idempotency_key="k")] == made
    assert count_of(world, mine) == 2


def test_a_refused_hold_is_not_remembered(world: World) -> None:
    seat = world.seat_ids[0]
    theirs = world.session("bob")
    taken = holder(world).hold(theirs, seats(seat))
    mine = world.session()
    with pytest.raises(SeatsTakenError):
        holder(world).hold(mine, seats(seat), idempotency_key="k")
    SeatReleaser(world.table, world.clock).release_hold(theirs.session, "bob", taken.hold)
    assert holder(world).hold(mine, seats(seat), idempotency_key="k").units[0].place == seat


def test_the_same_key_means_another_request_in_another_session_or_route(world: World) -> None:
    mine, theirs = world.session(), world.session("bob")
    one = holder(world).hold(mine, seats(world.seat_ids[0]), idempotency_key="k")
    two = holder(world).hold(theirs, seats(world.seat_ids[1]), idempotency_key="k")
    assert one.hold != two.hold
    assert begin_as(world, mine, "k").order.state == "pending"


def test_a_key_is_free_again_after_a_day(world: World) -> None:
    once = IdempotentRequest.of("U#ann", "cancel", "k", {"order": "1"})
    other = IdempotentRequest.of("U#ann", "cancel", "k", {"order": "2"})
    assert once is not None
    assert other is not None
    world.table.transact([once.record(world.clock.ms, {"order": "1"})])
    world.clock.tick(KEPT_S - 0.001)
    with pytest.raises(IdempotencyMismatchError):
        other.before(world.table, world.clock.ms)
    world.clock.tick(0.001)
    assert other.before(world.table, world.clock.ms) is None
    world.table.transact([other.record(world.clock.ms, {"order": "2"})])
    assert other.before(world.table, world.clock.ms) == {"order": "2"}


def test_the_table_may_forget_a_record_only_when_its_day_is_over(world: World) -> None:
    once = IdempotentRequest.of("U#ann", "cancel", "k", {})
    assert once is not None
    world.table.transact([once.record(world.clock.ms, {})])
    item = world.item("reservations", idempotency_key("U#ann", "cancel", "k"))
    assert item is not None
    assert item["ttl"] >= world.clock.ms // 1000 + KEPT_S


def test_a_fingerprint_ignores_the_order_of_names_and_nothing_else() -> None:
    assert fingerprint({"a": 1, "b": [2]}) == fingerprint({"b": [2], "a": 1})
    assert fingerprint({"a": [1, 2]}) != fingerprint({"a": [2, 1]})


# --- checkout


def begin_as(
    world: World, mine: Credential, key: str, email: str = "ann@example.org", table: Any = None
) -> CheckoutBegun:
    beginner = CheckoutBeginner(table or world.table, world.clock, world.ids, world.reminders)
    return beginner.begin(world.event, mine.session, mine.user, email, idempotency_key=key)


def test_a_checkout_is_answered_again_and_refused_with_another_address(world: World) -> None:
    mine = held(world)
    first = begin_as(world, mine, "k")
    assert begin_as(world, mine, "k") == first
    with pytest.raises(IdempotencyMismatchError):
        begin_as(world, mine, "k", "eve@example.org")


def test_a_checkout_is_answered_again_when_it_has_been_paid_meanwhile(world: World) -> None:
    mine = held(world)
    first = begin_as(world, mine, "k")
    settle(world, first.order)
    assert begin_as(world, mine, "k").order.state == "paid"
    with pytest.raises(WrongStateError):
        begin_as(world, mine, "other")


def test_twin_checkouts_make_one_order(world: World) -> None:
    for number, key in enumerate(("k", "")):
        mine = held(world, f"ann{number}", world.seat_ids[number])
        made: list[Any] = []

        def twin(key: str = key, mine: Credential = mine, made: list[Any] = made) -> None:
            made.append(begin_as(world, mine, key))

        second = begin_as(world, mine, key, table=InterleavedTable(world.table, twin))
        assert [second] == made
        assert len(world.items("reservations", mine.session, "O#")) == 1


def test_a_second_key_leads_to_the_same_order_and_stands_for_its_own_payload(world: World) -> None:
    mine = held(world)
    first = begin_as(world, mine, "k")
    second = begin_as(world, mine, "k2", "ann@example.com")
    assert second.order.order_id == first.order.order_id
    assert second.order.email == "ann@example.com"  # the last address counts
    with pytest.raises(IdempotencyMismatchError):
        begin_as(world, mine, "k2", "eve@example.org")


# --- cancel


def cancel(world: World, order: Order, key: str, table: Any = None) -> Order:
    canceller = OrderCanceller(table or world.table, world.clock, world.payments)
    event = msgspec.structs.replace(world.event, **CANCELLABLE)
    return canceller.cancel(event, order_of(world, order), idempotency_key=key)


def test_a_cancellation_is_answered_again(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    for key in ("k", "k", "other", ""):
        assert cancel(world, order, key).state == "refunded"
    assert world.payments.refunds == {"pay1": 10_000}


def test_a_key_cancels_one_order_only(world: World) -> None:
    first = begin(world, held(world, "ann", world.seat_ids[0])).order
    settle(world, first)
    second = begin(world, held(world, "ann", world.seat_ids[1])).order
    settle(world, second, "evt2", payment="pay2")
    cancel(world, first, "k")
    with pytest.raises(IdempotencyMismatchError):
        cancel(world, second, "k")
    assert world.seat(world.seat_ids[1])["availability"] == "reserved"


def test_twin_cancellations_have_one_effect(world: World) -> None:
    order = begin(world, held(world, area=2)).order
    settle(world, order)
    table = InterleavedTable(world.table, lambda: cancel(world, order, "k"))
    assert cancel(world, order, "k", table).state == "refunded"
    assert world.remaining() == 10
    assert world.payments.refunds == {"pay1": 20_000}


# --- admission


def test_an_admission_is_answered_again_and_refused_with_another_token(world: World) -> None:
    rules = gate()
    first = open_it(world, rules, token_for(rules), idempotency_key="k")
    again = open_it(world, rules, token_for(rules), idempotency_key="k")
    assert again.session == first.session
    with pytest.raises(IdempotencyMismatchError):
        open_it(world, rules, token_for(rules, n=2), idempotency_key="k")
