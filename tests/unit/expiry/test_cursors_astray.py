"""A cursor from a wrong clock, years ahead or years old, hides nothing for long."""

from __future__ import annotations

import re

import msgspec
import pytest

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Table, Update
from fairgate.service.catalog.read_catalog import Catalog
from fairgate.service.expiry import sweep_cursors, sweep_expired
from fairgate.service.expiry.sweep_cursors import QUIET_MS
from fairgate.service.expiry.sweep_expired import AHEAD_LOOK_BACK_MS
from fairgate.service.shared.due import minute_of
from fairgate.service.shared.keys import REFUNDS, swept_key
from fairgate.service.shared.records.cursors import SweepCursor
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import held
from tests.unit.expiry.test_sweep_expired import OVER_S, state_of, sweep, sweeper
from tests.unit.refunds.test_refunds import sweep as sweep_refunds
from tests.unit.refunds.test_refunds_in_time import Run, errors, of_order, states

pytestmark = pytest.mark.table_in_memory


def cursor(world: World, event: str, minute: str, **more: str) -> None:
    changes = {"minute": minute} | more
    world.table.update(Update("reservations", *swept_key(event), set=changes))


def minute_in(world: World, seconds: int) -> str:
    return minute_of(rfc3339(world.clock.ms + seconds * 1000))


@pytest.mark.parametrize("minute", ["9999-12-31T23:59", "2027-01-15T20:00"])
def test_a_cursor_of_a_clock_that_ran_ahead_hides_no_refund_of_an_outage(
    world: World, minute: str
) -> None:
    sweep_refunds(world)
    order = of_order(world, 0)
    cursor(world, REFUNDS, minute)
    world.clock.tick(5 * 3_600)  # no run in all that time
    runs = [sweep_refunds(world) for _ in range(4)]
    assert states(world, [order]) == ["succeeded"]
    assert [errors(run) for run in runs] == [["CursorAheadError"], [], [], []]


def test_a_cursor_that_is_minutes_ahead_begins_minutes_back(world: World) -> None:
    world.clock.tick(10 * 3_600)
    order = of_order(world, 0)
    world.clock.tick(300 + OVER_S)
    cursor(world, REFUNDS, minute_in(world, AHEAD_LOOK_BACK_MS // 1000))
    swept = sweep_refunds(world)
    assert (swept.refunded, errors(swept)) == (1, ["CursorAheadError"])
    assert states(world, [order]) == ["succeeded"]
    world.clock.tick(60)
    assert sweep_refunds(world).failures == ()


def test_each_refund_is_looked_at_once_behind_a_cursor_that_was_ahead(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = [of_order(world, number) for number in range(5)]
    world.clock.tick(300 + OVER_S)
    cursor(world, REFUNDS, minute_in(world, 120), reached="~")
    run = Run(world, monkeypatch, 2)
    assert [errors(run()) for _ in range(3)] == [
        ["CursorAheadError", "OutOfTimeError"],
        ["OutOfTimeError"],
        [],
    ]
    assert states(world, orders) == ["succeeded"] * 5
    assert len(run.looked) == 5


def test_a_cursor_of_years_ago_hides_nothing_for_months(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        sweep_cursors, "CURSOR_AGE_MAX_MS", 4 * 3_600_000
    )  # 31 days take much reading
    order, mine = of_order(world, 0), held(world, seconds=60)
    world.clock.tick(3_600)
    for event in (REFUNDS, EVENT):
        cursor(world, event, "2019-01-01T00:00")
    for _ in range(2):
        sweep_refunds(world)
        sweep(world)
    assert states(world, [order]) == ["succeeded"]
    assert state_of(world, mine) == "expired"


def test_an_event_whose_cursor_is_ahead_does_not_rest(world: World) -> None:
    mine = held(world, seconds=60)
    closed = msgspec.structs.replace(world.event, state="closed")
    busy = minute_in(world, 0)
    cursor(world, EVENT, minute_in(world, QUIET_MS // 1000), busy=busy)
    world.clock.tick(60 + OVER_S)
    swept = sweeper(world).sweep(closed)
    assert (swept.expired, errors(swept)) == (1, ["CursorAheadError"])
    assert state_of(world, mine) == "expired"


@pytest.mark.parametrize("event", [REFUNDS, EVENT])
def test_a_cursor_that_moved_on_while_it_was_read_is_not_ahead(
    event: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.clock.tick(300 + OVER_S)
    read = sweep_cursors.find_cursor

    def late(table: Table, of: str) -> SweepCursor | None:
        world.clock.tick(300)  # and others sweep meanwhile
        cursor(world, event, minute_in(world, -120))
        return read(table, of)

    monkeypatch.setattr(sweep_expired, "find_cursor", late)
    swept = sweep_refunds(world) if event == REFUNDS else sweeper(world).sweep(world.event)
    assert swept.failures == ()


@pytest.mark.parametrize("form", ["{0}{1}{2}T{3}", "{0}-{1}-{2} {3}"])
@pytest.mark.parametrize("event", [REFUNDS, EVENT])
def test_a_cursor_of_another_form_does_not_stand_for_ever(
    world: World, event: str, form: str
) -> None:
    world.clock.tick(300 + OVER_S)
    cursor(world, event, form.format(*re.split("[-T]", minute_in(world, -300))))
    run = sweep_refunds if event == REFUNDS else sweep
    first, second = run(world), run(world)
    assert (errors(first), errors(second)) == (["DamagedItemError"], [])
    assert second.until == ""  # nothing is looked at again


class PutRight:
    """A clock that stands hours behind for so many readings, and is put right then."""

    def __init__(self, world: World, readings: int) -> None:
        self.world, self.readings = world, readings

    def now_ms(self) -> int:
        self.readings -= 1
        return self.world.clock.ms - (5 * 3_600_000 if self.readings >= 0 else 0)


@pytest.mark.parametrize("readings", range(5))
def test_a_clock_that_is_put_right_in_a_run_hides_no_refund_of_an_outage(
    world: World, monkeypatch: pytest.MonkeyPatch, readings: int
) -> None:
    monkeypatch.setattr(
        sweep_cursors, "REFUNDS_LOOK_BACK_MS", 3_600_000
    )  # a week takes much reading
    order = of_order(world, 0)
    cursor(world, REFUNDS, minute_in(world, -60))
    world.clock.tick(4 * 3_600)  # no run in all that time
    behind = msgspec.structs.replace(sweeper(world), clock=PutRight(world, readings))
    behind.sweep_refunds(Catalog([world.event], []))
    for _ in range(5):
        sweep_refunds(world)
    assert states(world, [order]) == ["succeeded"]
