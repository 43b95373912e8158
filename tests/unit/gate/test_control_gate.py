"""The operators' use-cases on one gate's value, over a store with AWS's ETag rule."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key, parse_gate
from fairgate.domain.gate.gate_value import unpack
from fairgate.domain.gate.pace import slope_at
from fairgate.errors import (
    DependencyUnavailableError,
    LimitExceededError,
    MalformedInputError,
    NotFoundError,
    VersionConflictError,
    WrongStateError,
)
from fairgate.service.catalog.set_target import set_target
from fairgate.service.gate.control_gate import GateControl, redacted
from fairgate.service.gate.update_value import update
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.outside import MemoryEdgeConfig
from tests.support.world import EVENT, START_MS, gate

pytestmark = pytest.mark.through_boto3

START_S = START_MS // 1000
KEY = gate_key(EVENT)


class Store:
    """Strict about ETags; ``rivals`` are writes by others that come first."""

    spread, spread_from_ms = MemoryEdgeConfig.spread, MemoryEdgeConfig.spread_from_ms

    def __init__(self, value=None):
        self.values = {} if value is None else {KEY: value}
        self.version = 1
        self.writes = 0
        self.rivals = []
        self.lost_answers = 0

    def read(self, key):
        return self.values.get(key), str(self.version)

    def write(self, key, value, etag):
        if self.rivals:
            self.values[key] = self.rivals.pop(0)
            self.version += 1
        if etag != str(self.version):
            raise VersionConflictError("stale")
        self.values[key] = value
        self.version += 1
        self.writes += 1
        if self.lost_answers:
            self.lost_answers -= 1
            raise VersionConflictError("the answer was lost, and the client tried again")
        return str(self.version)

    @property
    def gate(self):
        return parse_gate(self.values[KEY])


@pytest.fixture
def clock():
    return MemoryClock()


@pytest.fixture
def store():
    epochs = (Epoch(START_S - 3600.0, 0.0, 0.0), Epoch(START_S - 1200.0, 0.0, 1 / 600))
    return Store(dump_gate(gate(epochs=epochs, sale_start_s=START_S - 1200)))


@pytest.fixture
def waits():
    return []


@pytest.fixture
def control(store, clock, waits):
    return GateControl(store, clock, waits.append)


def waiting_store(sale_start_in_s=600, **changes):
    sale_start_s = START_S + sale_start_in_s
    epochs = (Epoch(START_S - 60.0, 0.0, 0.0), Epoch(float(sale_start_s), 0.0, 1 / 600))
    return Store(dump_gate(gate(epochs=epochs, sale_start_s=sale_start_s, **changes)))


def h_at(store, seconds):
    return operational_time(store.gate.epochs, START_S + seconds)


def test_tau_bends_the_line_from_a_dated_epoch_on_when_it_is_set(control, store):
    before = h_at(store, 60)
    control.set_tau(EVENT, 300.0)
    assert store.gate.epochs[-1] == Epoch(START_S + 60.0, before, 1 / 300)
    assert h_at(store, 60) == before
    assert h_at(store, 360) == pytest.approx(before + 1)


def test_tau_changes_nothing_at_once_when_it_is_set(control, store):
    before = [h_at(store, s) for s in range(-600, 61, 30)]
    control.set_tau(EVENT, 1.0)
    assert [h_at(store, s) for s in range(-600, 61, 30)] == before


@pytest.mark.parametrize("tau_s", [0.5, -1.0, 0.0, 10_000_001.0, float("nan"), float("inf")])
def test_tau_is_refused_when_it_is_out_of_range(control, store, tau_s):
    with pytest.raises(MalformedInputError):
        control.set_tau(EVENT, tau_s)
    assert store.writes == 0


@pytest.mark.parametrize("starts_in_s", [-1.0, 3601.0, float("nan")])
def test_a_change_is_refused_when_its_date_is_out_of_range(control, store, starts_in_s):
    with pytest.raises(MalformedInputError):
        control.pause(EVENT, starts_in_s=starts_in_s)
    assert store.writes == 0


def test_tau_replaces_the_pace_of_the_start_when_that_is_later(clock, waits):
    store = waiting_store()
    GateControl(store, clock, waits.append).set_tau(EVENT, 120.0)
    assert [e.slope for e in store.gate.epochs] == [0.0, 1 / 120]
    assert store.gate.epochs[-1].start_s == store.gate.sale_start_s == START_S + 600


def test_a_pause_stops_the_line_and_a_resume_goes_on_without_a_jump(control, store, clock):
    control.pause(EVENT)
    assert store.gate.state == "paused"
    clock.tick(1000)
    stood = h_at(store, 1000)
    assert stood == h_at(store, 60)
    control.resume(EVENT)
    assert store.gate.state == "open"
    assert h_at(store, 1060) == stood
    assert h_at(store, 1660) == pytest.approx(stood + 1)


def test_h_stands_still_after_the_start_when_it_was_paused_before(clock, waits):
    store = waiting_store()
    control = GateControl(store, clock, waits.append)
    control.pause(EVENT)
    clock.tick(6_000)
    assert h_at(store, 6_000) == 0.0
    control.resume(EVENT)  # at the pace that was planned for the sale start
    assert [round(1 / e.slope) for e in store.gate.epochs if e.slope] == [600]
    control.pause(EVENT, starts_in_s=0)
    control.resume(EVENT, tau_s=100.0)
    assert h_at(store, 6_060) == 0.0
    assert h_at(store, 6_160) == pytest.approx(1)


def test_a_pace_must_be_said_when_there_was_none(clock, waits):
    epochs = (Epoch(START_S - 10, 0.0, 0.0),)
    store = Store(dump_gate(gate(epochs=epochs, sale_start_s=START_S + 600)))
    control = GateControl(store, clock, waits.append)
    control.pause(EVENT)
    with pytest.raises(WrongStateError, match="no pace to return to"):
        control.resume(EVENT)


def test_tau_is_refused_with_advice_when_the_event_is_paused(control, store):
    control.pause(EVENT)
    with pytest.raises(WrongStateError, match="event resume"):
        control.set_tau(EVENT, 60.0)
    assert store.writes == 1


def test_a_pause_changes_nothing_more_when_it_is_repeated(control, store, clock):
    control.pause(EVENT)
    clock.tick(30)
    change = control.pause(EVENT)
    assert change.before == change.after
    assert store.writes == 1


def test_a_closed_sale_stays_closed(control, store):
    control.sold_out(EVENT)
    assert store.gate.state == "soldout"
    control.resume(EVENT, tau_s=50.0)
    control.close(EVENT)
    assert store.gate.state == "closed"
    for change in (control.resume, control.pause, control.sold_out, control.open):
        with pytest.raises(WrongStateError, match="stays closed"):
            change(EVENT)


def test_a_draining_room_keeps_its_pace_and_can_be_paused_closed_or_opened(control, store, clock):
    epochs = store.gate.epochs
    control.drain(EVENT)
    assert store.gate.state == "draining"
    assert store.gate.epochs == epochs
    assert control.drain(EVENT).before == control.drain(EVENT).after
    control.set_tau(EVENT, 300.0)
    assert store.gate.state == "draining"
    control.bend(EVENT, START_S + 120.0, 1 / 90)
    assert slope_at(store.gate, START_S + 500) == 1 / 90
    control.pause(EVENT)
    control.resume(EVENT)
    assert store.gate.state == "open"
    control.drain(EVENT)
    clock.tick(120)
    control.resume(EVENT, tau_s=50.0)
    assert (store.gate.state, store.gate.epochs[-1].slope) == ("open", 1 / 50)
    control.drain(EVENT)
    control.sold_out(EVENT)
    with pytest.raises(WrongStateError, match="sold out"):
        control.drain(EVENT)


def test_a_room_drains_before_its_start(clock, waits):
    store = waiting_store()
    GateControl(store, clock, waits.append).drain(EVENT)
    assert store.gate.state == "draining"
    assert store.gate.epochs[-1].slope > 0


def test_the_gate_stands_open_for_a_named_time_at_most_a_day(control, store):
    control.open_until(EVENT, START_S + 600)
    assert store.gate.open_until_s == START_S + 600
    for until_s in (START_S - 1, START_S + 60, START_S + 86_401):
        with pytest.raises(MalformedInputError, match="every edge"):
            control.open_until(EVENT, until_s)
    assert store.gate.open_until_s == START_S + 600
    control.open_until(EVENT, None)
    assert store.gate.open_until_s == 0


def test_the_gate_does_not_stand_open_when_nobody_is_admitted(control, store):
    control.pause(EVENT)
    with pytest.raises(WrongStateError, match="paused"):
        control.open_until(EVENT, START_S + 600)
    control.open_until(EVENT, None)  # what ends it is always possible
    assert store.gate.open_until_s == 0


def test_the_target_is_one_conditional_write(world):
    set_target(world.table, world.clock, EVENT, 100, control="auto")

    def meanwhile():
        set_target(world.table, world.clock, EVENT, 200)

    between = BetweenReadAndWrite(world.table, meanwhile)
    change = set_target(between, world.clock, EVENT, 300)
    assert (change.before.live_max, change.after.live_max) == (200, 300)
    item = world.item("catalog", ("EVENT", EVENT))
    assert (item["liveMax"], item["control"], item["version"]) == (300, "auto", 4)


def test_the_target_is_refused_when_it_is_none_or_there_is_no_event(world):
    for live_max in (0, -1, 10_000_001):
        with pytest.raises(MalformedInputError):
            set_target(world.table, world.clock, EVENT, live_max)
    with pytest.raises(NotFoundError):
        set_target(world.table, world.clock, "nothing", 5)


class BetweenReadAndWrite:
    """A table in which somebody else acts before our next update."""

    def __init__(self, table, meanwhile):
        self.table = table
        self.meanwhile = meanwhile

    def __getattr__(self, name):
        return getattr(self.table, name)

    def update(self, action):
        meanwhile, self.meanwhile = self.meanwhile, lambda: None
        meanwhile()
        self.table.update(action)


def test_the_start_moves_with_its_pace_when_it_is_far(clock, waits):
    store = waiting_store()
    control = GateControl(store, clock, waits.append)
    control.open(EVENT, sale_start_s=START_S + 900)
    assert store.gate.sale_start_s == START_S + 900
    assert h_at(store, 900) == 0.0
    assert h_at(store, 1500) == pytest.approx(1)
    control.open(EVENT)
    assert store.gate.sale_start_s == START_S + 60
    assert h_at(store, 660) == pytest.approx(1)


def test_the_start_does_not_move_when_it_is_past_or_too_soon(control, clock, waits):
    with pytest.raises(WrongStateError, match="tau set"):
        control.open(EVENT)
    soon = GateControl(waiting_store(sale_start_in_s=30), clock, waits.append)
    with pytest.raises(WrongStateError, match="too soon"):
        soon.open(EVENT, sale_start_s=START_S + 3_000)
    far = GateControl(waiting_store(), clock, waits.append)
    with pytest.raises(MalformedInputError, match="every edge"):
        far.open(EVENT, sale_start_s=START_S + 59)


def test_a_change_is_made_again_when_another_was_faster(control, store, waits):
    rival = replace(store.gate, pow_bits=20)
    store.rivals = [dump_gate(rival)]
    control.set_tau(EVENT, 300.0)
    assert store.gate.pow_bits == 20
    assert store.gate.epochs[-1].slope == 1 / 300
    assert waits == [1]


def test_nothing_is_written_twice_when_the_first_answer_was_lost(control, store):
    store.lost_answers = 1
    control.set_tau(EVENT, 300.0)
    assert store.writes == 1
    assert [e.slope for e in store.gate.epochs] == [0.0, 1 / 600, 1 / 300]


def test_a_resume_with_a_pace_succeeds_when_the_first_answer_was_lost(control, store):
    control.pause(EVENT)
    store.lost_answers = 1
    assert control.resume(EVENT, tau_s=50.0).after.state == "open"
    assert store.writes == 2


def test_update_gives_up_when_others_keep_writing(store, waits):
    store.rivals = [dump_gate(gate(pow_bits=n)) for n in range(20)]
    with pytest.raises(VersionConflictError):
        update(store, KEY, lambda _before: "{}", wait=waits.append)
    assert waits == [1, 2, 3, 4, 5, 6, 7]
    assert store.writes == 0


def test_update_does_not_guess_when_the_store_is_away(waits):
    class Away(Store):
        def write(self, *_what):
            raise DependencyUnavailableError("away")

    with pytest.raises(DependencyUnavailableError):
        update(Away(), KEY, lambda _before: "{}", wait=waits.append)
    assert waits == []


def test_a_dry_run_returns_the_value_and_writes_nothing(store, clock, waits):
    control = GateControl(store, clock, waits.append, dry_run=True)
    change = control.set_tau(EVENT, 300.0)
    assert change.after.epochs[-1].slope == 1 / 300
    assert store.writes == 0
    text = json.dumps(redacted(change.after))
    for secret in unpack(store.values[KEY])["t"].values():
        assert secret not in text
    assert redacted(change.after)["d"] == redacted(change.after)["a"]["1"] == "(hidden)"


def test_a_change_is_refused_when_too_many_are_still_to_come(control, clock):
    for _ in range(5):
        control.set_tau(EVENT, 300.0)
        clock.tick(1)
    with pytest.raises(LimitExceededError, match="55 seconds"):
        control.set_tau(EVENT, 200.0)


def test_old_epochs_make_room_when_the_pace_changes_for_hours(control, store, clock):
    for _ in range(100):
        control.set_tau(EVENT, 300.0)
        clock.tick(120)
    assert len(store.gate.epochs) == 6
    assert operational_time(store.gate.epochs, clock.ms / 1000) == pytest.approx(
        1260 / 600 + (100 * 120 - 60) / 300
    )


def test_nothing_is_written_when_the_value_would_be_wrong(control, store):
    with pytest.raises(MalformedInputError):
        control.change_rules(EVENT, lambda g: replace(g, curve=0.5))
    assert store.writes == 0


def test_an_unknown_event_is_named(clock, waits):
    with pytest.raises(NotFoundError, match="show"):
        GateControl(Store(), clock, waits.append).pause(EVENT)


def test_a_second_creation_keeps_the_draw_when_the_first_broke_off(clock, waits):
    store = Store()
    control = GateControl(store, clock, waits.append)
    control.create(EVENT, gate(draw_key=b"1" * 32))
    after = control.create(EVENT, gate(draw_key=b"2" * 32, pow_bits=9)).after
    assert after.draw_key == b"1" * 32
    assert after.pow_bits == 9


def test_the_controllers_epoch_gives_way_when_the_event_was_paused(control, store):
    control.pause(EVENT)
    control.bend(EVENT, START_S + 120.0, 1.0)
    assert store.gate.state == "paused"
    assert slope_at(store.gate, START_S + 500) == 0.0
