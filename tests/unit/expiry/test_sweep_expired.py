"""The backstop: what a lost message left behind is found without a scan, and done once."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.service.catalog.read_catalog import Catalog
from fairgate.service.checkout.open_payment import open_payment
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.expiry import sweep_cursors, sweep_expired
from fairgate.service.expiry.sweep_cursors import GRACE_S
from fairgate.service.expiry.sweep_expired import LANDED_MS, ExpirySweeper
from fairgate.service.expiry.swept import AGAIN_S, Swept
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.due import minute_of
from fairgate.service.shared.keys import refund_key, session_key, swept_key
from fairgate.service.shared.records.cursors import SweepCursor
from fairgate.service.shared.records.orders import OwedRefund
from fairgate.service.shared.records.sessions import Session
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, expire, held, order_of, settle
from tests.unit.refunds.test_refunds import sweep as sweep_refunds
from tests.unit.shared.test_idempotency import begin_as, cancel

OVER_S = 60 + GRACE_S  # at most this long after its expiry a session is swept


def sweeper(world: World) -> ExpirySweeper:
    releaser = SeatReleaser(world.table, world.clock)
    refunder = Refunder(world.table, world.clock, world.payments)
    return ExpirySweeper(world.table, world.clock, releaser, refunder)


def sweep(world: World) -> Swept:
    return sweeper(world).sweep(world.event)


def page_of(world: World, mine: Credential) -> str:
    settler = PaymentSettler(world.table, world.clock, world.payments)
    return open_payment(settler, begin_as(world, mine, "k"), "http://shop.example")


def state_of(world: World, mine: Credential) -> str:
    session = world.table.find(Session, session_key(mine.session))
    assert session is not None
    return session.state


def test_a_session_is_ended_when_its_message_was_lost(world: World) -> None:
    mine = held(world, area=3, seconds=60)
    world.clock.tick(60 + OVER_S)
    assert sweep(world).expired == 1
    assert state_of(world, mine) == "expired"
    assert world.seat(world.seat_ids[0])["availability"] == "available"
    assert world.remaining() == 10


def test_nothing_is_swept_twice_and_nothing_that_ended_by_itself(world: World) -> None:
    first, second = held(world, seconds=60), world.session("bob", seconds=60)
    world.clock.tick(60 + OVER_S)
    assert expire(world, first.session) == "ended"
    assert sweep(world).expired == 1
    assert state_of(world, second) == "expired"
    assert sweep(world) == Swept(world.event.id)


def test_a_session_that_lands_after_its_minute_was_swept_is_ended(world: World) -> None:
    sent_ms = world.clock.ms
    world.clock.tick(60 + OVER_S)
    assert sweep(world).until
    landed_ms, world.clock.ms = world.clock.ms, sent_ms
    mine = held(world, area=3, seconds=60)
    world.clock.ms = landed_ms
    assert sweep(world).expired == 0
    world.clock.tick(LANDED_MS // 1000)
    assert sweep(world).expired == 1
    assert state_of(world, mine) == "expired"
    assert world.remaining() == 10
    world.clock.tick(60)
    assert sweep(world).expired == 0


def test_a_session_is_left_alone_when_it_lives(world: World) -> None:
    mine = held(world, seconds=600)
    world.clock.tick(300)
    assert sweep(world).expired == 0
    assert state_of(world, mine) == "reservation"


def test_a_session_in_checkout_is_swept_at_its_later_end_only(world: World) -> None:
    mine = held(world, seconds=60)
    order = begin(world, mine).order
    world.clock.tick(60 + OVER_S)
    assert sweep(world).expired == 0
    world.clock.tick(420)
    assert sweep(world).expired == 1
    assert order_of(world, order).state == "expired"


def test_an_outage_is_caught_up_a_bounded_piece_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_cursors, "MINUTES_MAX", 10)
    held(world, seconds=1_500)
    world.clock.tick(1_500 + OVER_S)
    runs = [sweep(world).expired for _ in range(4)]
    assert runs == [0, 0, 1, 0]


def test_a_run_ends_early_when_it_has_seen_enough(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_expired, "ENTRIES_MAX", 1)
    world.session("ann", seconds=60)
    world.session("bob", seconds=120)
    world.clock.tick(120 + OVER_S)
    assert [sweep(world).expired for _ in range(3)] == [1, 1, 0]


class Failing(SeatReleaser, frozen=True):
    def end_session(
        self, session: str, state: Any, user: str | None = None, *, page: str = ""
    ) -> bool:
        raise DependencyUnavailableError(f"{session} {state} {user} {page}")


def test_a_failure_is_looked_at_again_and_holds_nobody_up(world: World) -> None:
    mine = held(world, seconds=60)
    world.clock.tick(60 + OVER_S)
    refunder = Refunder(world.table, world.clock, world.payments)
    broken = ExpirySweeper(world.table, world.clock, Failing(world.table, world.clock), refunder)
    assert broken.sweep(world.event).postponed == 1
    assert sweep(world).expired == 0
    world.clock.tick(120 + OVER_S)
    assert sweep(world).expired == 1
    assert state_of(world, mine) == "expired"


def test_the_cursor_never_moves_back(world: World) -> None:
    world.clock.tick(3_600)
    swept = sweep(world)
    sweep_cursors.remember(world.table, world.event.id, "2000-01-01T00:00", "")
    cursor = world.table.find(SweepCursor, swept_key(EVENT))
    assert cursor is not None
    assert cursor.minute == swept.until


def test_an_owed_refund_is_sent_when_nobody_came_back_for_it(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    assert order_of(world, order).state == "cancelled"
    world.clock.tick(300 + OVER_S)
    assert sweep_refunds(world).overdue == 1
    world.payments.fail = None
    world.clock.tick(AGAIN_S + OVER_S)
    swept = sweep_refunds(world)
    assert (swept.refunded, swept.overdue) == (1, 0)
    assert order_of(world, order).state == "refunded"
    assert world.payments.refunds == {"pay1": 10_000}
    world.clock.tick(300 + OVER_S)
    assert sweep_refunds(world).refunded == 0


def test_a_sweeper_that_comes_late_for_the_first_time_looks_at_every_refund(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.fail = None
    world.clock.tick(3 * 3_600)
    assert [sweep_refunds(world).refunded for _ in range(2)] == [1, 0]
    assert order_of(world, order).state == "refunded"


FIRST_LOOKS = {
    # ages of events in minutes, damaged ones → age in minutes of the last minute of the first run
    "no event sold anything": ((), (), None),
    "an event of ten minutes ago": ((10,), (), 2),
    "the oldest of two": ((10, 150), (), 31),
    "at most seven days back": ((10, 19_000), (), 9_961),
    "nobody knows how old": ((10,), ("another",), 9_961),
}


@pytest.mark.parametrize("case", FIRST_LOOKS)
def test_refunds_are_looked_for_from_the_first_event_on(world: World, case: str) -> None:
    ages, damaged, last = FIRST_LOOKS[case]
    world.clock.tick(14 * 86_400)
    now_ms = world.clock.now_ms()

    def ago(minutes: int) -> str:
        return rfc3339(now_ms - minutes * 60_000)

    events = [replace(world.event, created_at=ago(age)) for age in ages]
    swept = sweeper(world).sweep_refunds(Catalog(events, list(damaged)))
    assert swept.until == ("" if last is None else minute_of(ago(last)))


def test_a_second_capture_owed_back_leaves_the_order_paid(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        settle(world, order, "evt2", payment="pay2")
    world.payments.fail = None
    assert settle(world, order, "evt3", payment="pay2") == "refunded"
    assert settle(world, order, "evt2", payment="pay2") == "duplicate"
    assert order_of(world, order).state == "paid"
    owed = world.table.find(OwedRefund, refund_key(order.session, order.order_id, "pay2"))
    assert owed is not None
    assert owed.sent_at


def test_a_declined_attempt_is_told_until_the_next_one(world: World) -> None:
    mine = held(world)
    order = begin(world, mine).order
    settle(world, order, "evt1", kind="failed")
    assert order_of(world, order).last_attempt == "declined"
    page_of(world, mine)
    assert order_of(world, order).last_attempt == ""
    assert settle(world, order, "evt2") == "paid"
    assert settle(world, order, "evt3", kind="failed") == "noted"
    assert settle(world, order, "evt3", kind="failed") == "duplicate"
    assert order_of(world, order).last_attempt == ""


def test_the_payment_page_of_a_swept_session_is_closed(world: World) -> None:
    mine = held(world, seconds=60)
    page = page_of(world, mine)
    world.clock.tick(600 + OVER_S)
    assert sweep(world).expired == 1
    assert world.payments.closed == [page]


def test_an_absent_provider_is_asked_again_before_a_seat_is_given_away(world: World) -> None:
    mine = held(world, seconds=60)
    page_of(world, mine)
    world.payments.fail = DependencyUnavailableError("away")
    world.clock.tick(300 + OVER_S)
    assert sweep(world).postponed > 0
    assert world.seat(world.seat_ids[0])["sessionId"] == mine.session
    world.payments.fail = None
    world.clock.tick(120 + OVER_S)
    assert sweep(world).expired == 1
    assert world.seat(world.seat_ids[0])["availability"] == "available"
