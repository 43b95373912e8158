"""A provider that stalls, a clock that ran ahead, a damaged item: the backstop goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from fairgate import deadline
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.checkout.end_checkout import CheckoutEnder, expire_session
from fairgate.service.expiry.sweep_sessions import HAND_OVER_MS
from fairgate.service.expiry.swept import MUCH_LATER_S
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import TASK, reconciled_key, session_key
from fairgate_lab.engine.clock import MemoryClock
from tests.support.world import World
from tests.unit.books.test_reconcile_payments import captured, reconcile
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.expiry.test_sweep_expired import OVER_S, page_of, sweep, sweeper
from tests.unit.refunds.test_refunds import sweep as sweep_refunds
from tests.unit.refunds.test_refunds_in_time import of_order
from tests.unit.shared.test_idempotency import cancel

pytestmark = pytest.mark.table_in_memory

AWAY = DependencyUnavailableError("away")


@dataclass
class Queue:
    """Delivers by the clock what it was asked to."""

    clock: MemoryClock
    waiting: list[tuple[int, str, bool]] = field(default_factory=list)

    def remind(self, session: str, delay_s: int, *, handed: bool = False) -> None:
        self.waiting.append((self.clock.ms + delay_s * 1000, session, handed))

    def remind_all(self, sessions: Sequence[str]) -> None:
        for session in sessions:
            self.remind(session, 0, handed=True)

    def deliver(self, ender: CheckoutEnder) -> None:
        due = [message for message in self.waiting if message[0] <= self.clock.ms]
        self.waiting = [message for message in self.waiting if message not in due]
        for _at_ms, session, handed in due:
            expire_session(ender, self, session, handed=handed)


def test_messages_do_not_multiply_while_the_provider_is_away(world: World) -> None:
    page_of(world, held(world, seconds=60))
    world.payments.fail = AWAY
    queue = Queue(world.clock)
    ender = CheckoutEnder.of(world.table, world.clock, world.payments)
    short = replace(sweeper(world), queue=queue, left_ms=lambda: HAND_OVER_MS - 1)
    world.clock.tick(540)
    for _minute in range(30):
        world.clock.tick(60)
        short.sweep(world.event)
        queue.deliver(ender)
    assert queue.waiting == []  # each is handed over again, and goes on by nothing else


def test_a_session_that_was_repaired_is_ended(world: World) -> None:
    key = session_key(held(world, area=3, seconds=60).session)
    whole = world.item("reservations", key)
    assert whole is not None
    world.put_item("reservations", {k: v for k, v in whole.items() if k != "expiresAt"})
    world.clock.tick(60 + OVER_S)
    assert len(sweep(world).failures) == 1
    world.put_item("reservations", whole)
    world.clock.tick(MUCH_LATER_S + OVER_S)
    assert sweep(world).expired == 1
    assert world.remaining() == 10


def test_a_refund_is_sent_though_a_clock_ran_ahead(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    world.clock.tick(6 * 3_600)
    sweep_refunds(world)
    world.clock.tick(-5 * 3_600)
    world.payments.fail = AWAY
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.fail = None
    world.clock.tick(300 + OVER_S)
    swept = sweep_refunds(world)
    assert [failure.error for failure in swept.failures] == ["CursorAheadError"]
    assert order_of(world, order).state == "refunded"


def test_captures_are_compared_though_a_clock_ran_ahead(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    world.clock.tick(600)
    ahead = rfc3339(world.clock.ms + 6 * 3_600_000)
    world.table.update(Update("reservations", *reconciled_key(), set={"until": ahead}))
    assert reconcile(world, since_ms=None).captures == 1
    assert order_of(world, order).state == "paid"


def test_a_refund_that_stalls_has_its_share_of_the_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        of_order(world, number)
    shares: list[float] = []

    def look(_refunder: Refunder, *_ids: str) -> bool:
        shares.append(deadline.left_s())
        return False

    monkeypatch.setattr(Refunder, "look", look)
    world.clock.tick(300 + OVER_S)
    with deadline.within(30):
        sweep_refunds(world)
    assert [round(share) for share in shares] == [10, 15, 30]


def test_a_damaged_task_is_listed_and_hides_no_other(world: World) -> None:
    tasks = ManualTasks(world.table, world.clock)
    tasks.note("disputed", "x", order="a")
    tasks.note("disputed", "y", order="b")
    damaged = world.items("reservations", TASK)[0]
    world.put_item("reservations", {k: v for k, v in damaged.items() if k != "since"})
    assert [task.kind for task in tasks.open()] == ["entry-failed", "disputed"]
    assert tasks.open()[0].task_id == damaged["SK"]
