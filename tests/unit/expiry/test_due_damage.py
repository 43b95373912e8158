"""An entry of what is due that names what nobody can ask for stops no other entry of its minute."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.shared.ids import SessionId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Put
from fairgate.service.books.find_sold import sold_orders
from fairgate.service.shared.due import minute_of
from fairgate.service.shared.failures import Failure
from fairgate.service.shared.keys import REFUNDS, due_key, due_partitions
from fairgate.service.shared.records.sessions import DueEntry
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.expiry.test_sweep_expired import OVER_S, state_of, sweep
from tests.unit.refunds.test_refunds import sweep as sweep_refunds
from tests.unit.refunds.test_refunds import tasks
from tests.unit.refunds.test_refunds_in_time import Run, errors, of_order, states

LONG = "x" * 2_049
ORDER = f"ord_{'a' * 32}_{'b' * 8}"
SESSION = f"ses_{'a' * 32}"


def enter(world: World, event: str, name: str, in_s: int, **about: Any) -> DueEntry:
    by_ms = world.clock.ms + in_s * 1000
    key = due_key(event, minute_of(rfc3339(by_ms)), name)
    entry = DueEntry(*key, **{"ttl": by_ms // 1000} | about)
    world.table.transact([Put.of(entry, condition="")])
    return entry


@pytest.mark.parametrize("session", ["", LONG, "ses_"])
def test_an_entry_of_a_session_that_nobody_can_ask_for_stops_no_other(
    world: World, session: str
) -> None:
    mine = held(world, seconds=60)
    enter(world, EVENT, "ses_other", 60, session_id=SessionId(session))
    world.clock.tick(60 + OVER_S)
    swept = sweep(world)
    assert (swept.expired, errors(swept)) == (1, ["DamagedItemError"])
    assert state_of(world, mine) == "expired"
    assert [task.kind for task in tasks(world)] == ["entry-failed"]
    world.clock.tick(60)
    assert sweep(world).failures == ()


def test_a_session_that_two_entries_name_is_ended(world: World) -> None:
    mine = held(world, seconds=60)
    enter(world, EVENT, "ses_other", 60, session_id=mine.session)
    minute = minute_of(rfc3339(world.clock.ms + 60_000))
    pk, sk = due_key(EVENT, minute, mine.session)
    other = next(one for one in due_partitions(EVENT, minute) if one != pk)
    astray = DueEntry(other, sk, session_id=mine.session, ttl=1)
    world.table.transact([Put.of(astray, condition="")])
    world.clock.tick(60 + OVER_S)
    swept = sweep(world)
    assert (swept.expired, errors(swept)) == (1, ["DamagedItemError"] * 2)
    assert state_of(world, mine) == "expired"


@pytest.mark.parametrize(
    "about",
    [
        {"payment_id": LONG},
        {"payment_id": ""},
        {"session_id": SessionId("")},
        {"session_id": SessionId(LONG)},
        {"order_id": ORDER.replace("a", "c")},
        {"order_id": ""},
        {"part": 7},
    ],
    ids=[0, 1, 2, 3, 4, 5, 6],
)
def test_an_entry_of_a_refund_that_nobody_can_ask_for_stops_no_other(
    world: World, about: dict[str, Any]
) -> None:
    order = of_order(world, 0)
    whole = {"session_id": SessionId(SESSION), "order_id": ORDER, "payment_id": "p"}
    enter(world, REFUNDS, f"refund#{ORDER}#p", 300, **whole | about)
    world.clock.tick(300 + OVER_S)
    swept = sweep_refunds(world)
    assert (swept.refunded, errors(swept)) == (1, ["DamagedItemError"])
    assert states(world, [order]) == ["succeeded"]
    assert [task.kind for task in tasks(world)] == ["entry-failed"]
    world.clock.tick(60)
    assert sweep_refunds(world).failures == ()


def test_an_entry_that_is_damaged_is_counted_by_one_run_of_several(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = [of_order(world, number) for number in range(3)]
    enter(world, REFUNDS, "refund#", 300, session_id=SessionId(SESSION))
    world.clock.tick(300 + OVER_S)
    run = Run(world, monkeypatch, 2)
    assert [errors(run()) for _ in range(2)] == [["DamagedItemError", "OutOfTimeError"], []]
    assert states(world, orders) == ["succeeded"] * 3


def test_an_entry_of_an_order_that_nobody_can_ask_for_hides_no_sold_order(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    about = {"session_id": SessionId(SESSION), "order_id": LONG}
    enter(world, EVENT, SESSION, world.event.checkout_s, **about)
    checkout_ms = (world.event.checkout_s * 1000,) * 2
    failures: list[Failure] = []
    window = (world.clock.ms - 60_000, world.clock.ms + 60_000)
    sold = sold_orders(world.table, EVENT, *window, checkout_ms=checkout_ms, failures=failures)
    assert [one.order_id for one in sold] == [order.order_id]
    assert [failure.error for failure in failures] == ["DamagedItemError"]
