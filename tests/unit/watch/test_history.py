"""An event's history is one bounded item: no point doubled, lost or invented."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.ports.table import Update
from fairgate.service.shared.keys import figures_memory_key, history_key
from fairgate.service.shared.records.gate import HistoryRecord
from fairgate.service.watch import history
from fairgate.service.watch.figures import Figures, RoomFigures
from fairgate.service.watch.history import COLUMNS, POINTS_MAX, Kept, columns_of, keep_point
from fairgate.service.watch.make_figures import FigureMaker
from fairgate.service.watch.read_figures import HISTORY_MS, HistoryReader
from tests.support.world import EVENT, START_MS, World, gate

ITEM_BYTES_MAX = 400 * 1024  # Source: DynamoDB Developer Guide, "Service quotas"
WIDEST = 99_999_999


@pytest.fixture
def sale(world: World) -> World:
    """A sale a minute after its start."""
    start_s = START_MS / 1000
    epochs = (Epoch(start_s - 3600, 0.0, 0.0), Epoch(start_s - 60, 0.0, 1 / 600))
    world.edge_config.values[gate_key(EVENT)] = dump_gate(gate(epochs=epochs, sample_queue=0.1))
    starts = rfc3339(START_MS - 60_000)
    world.event = msgspec.structs.replace(
        world.event, live_max=100, counted=True, sale_starts_at=starts
    )
    world.put(world.event)
    return world


def make(world: World, table: Any = None) -> Any:
    return FigureMaker(table or world.table, world.clock).make(world.event)


def kept(world: World) -> Kept:
    record = world.table.find(HistoryRecord, history_key(EVENT))
    assert record is not None
    found = history.decoded(record)
    assert found is not None
    return found


def times_s(world: World) -> list[float]:
    return [(int(row[0] or 0) - START_MS) / 1000 for row in kept(world).rows]


def figures_at(world: World, live: int | None = 0) -> Figures:
    at = rfc3339(world.clock.now_ms())
    return Figures(event=EVENT, name="x", at=at, room=RoomFigures(at=at, live=live))


def test_a_point_is_what_the_figures_said_then(sale: World) -> None:
    figures = make(sale)
    [row] = kept(sale).rows
    assert row[0] == START_MS
    for value, (part, column) in zip(row[1:], COLUMNS, strict=True):
        shown = getattr(getattr(figures, part), column)
        assert value == (round(shown, 3) if isinstance(shown, float) else shown)
    assert row[1 + COLUMNS.index(("gate", "tau_s"))] == 600.0
    assert row[1 + COLUMNS.index(("room", "live_max"))] == 100


def test_a_figure_that_was_not_read_is_null_and_not_its_old_value(sale: World) -> None:
    make(sale)
    sale.clock.tick(10)
    sale.event = msgspec.structs.replace(sale.event, counted=False)
    assert make(sale).sale.paid == 0  # the old value, with its error
    read = HistoryReader(sale.table, sale.clock).read(EVENT)
    assert list(read.paid) == [0, None]
    assert list(read.live) == [0, 0]


def test_points_are_kept_from_half_an_hour_before_the_sale_start(sale: World) -> None:
    starts_ms = START_MS + history.LEAD_MS + 10_000
    sale.event = msgspec.structs.replace(sale.event, sale_starts_at=rfc3339(starts_ms))
    make(sale)
    assert sale.table.find(HistoryRecord, history_key(EVENT)) is None
    sale.clock.tick(10)
    make(sale)
    assert times_s(sale) == [10]


def test_a_full_history_is_halved_and_keeps_its_first_and_last_point(sale: World) -> None:
    due_ms, written = 0, []
    for number in range(POINTS_MAX * 4):
        before = due_ms
        due_ms = keep_point(sale.table, sale.event, figures_at(sale, number), due_ms)
        if due_ms != before:
            written.append(float(number * 10))
            now = kept(sale)
            assert len(now.rows) <= POINTS_MAX
            assert times_s(sale)[0] == 0
            assert times_s(sale)[-1] == number * 10
            steps = {b - a for a, b in zip(times_s(sale), times_s(sale)[1:], strict=False)}
            assert steps <= {float(now.step_s)}  # even, and no gap appeared
        sale.clock.tick(10)
    assert kept(sale).step_s == 40
    assert set(times_s(sale)) <= set(written)
    live = 1 + COLUMNS.index(("room", "live"))
    assert [row[live] for row in kept(sale).rows] == [at_s / 10 for at_s in times_s(sale)]


def test_runs_that_come_early_or_late_lose_no_point(sale: World) -> None:
    for late_ms in (0, 400, -400, 900, -900):
        sale.clock.ms = sale.clock.ms // 10_000 * 10_000 + late_ms
        make(sale)
        sale.clock.ms += 10_000 if late_ms >= 0 else 20_000
    assert len(kept(sale).rows) == 5


def test_ten_hours_of_the_widest_figures_fit_one_item(sale: World) -> None:
    full = Kept()
    for number in range(10 * 360):
        at_ms = START_MS + number * 10_000
        if full.due(at_ms):
            full.add([at_ms, *(WIDEST + 0.123 for _ in COLUMNS)])
    assert full.step_s == 80
    assert len(msgspec.json.encode(full)) < ITEM_BYTES_MAX / 3


def test_a_gap_stays_a_gap(sale: World) -> None:
    for wait_s in (10, 10, 300, 10):
        make(sale)
        sale.clock.tick(wait_s)
    assert times_s(sale) == [0, 10, 20, 320]  # nothing was put in between
    read = HistoryReader(sale.table, sale.clock).read(EVENT)
    assert [at_s - START_MS / 1000 for at_s in read.at_s] == [0, 10, 20, 30, 320]
    assert list(read.live) == [0, 0, 0, None, 0]
    lengths = {len(getattr(read, name)) for name in ("at_s", *(name for _, name in COLUMNS))}
    assert lengths == {5}


def test_gaps_that_are_longer_than_a_step_survive_the_halving() -> None:
    rows = [at_s for at_s in range(0, 6_200, 10) if not 3_000 < at_s < 3_200]
    full = Kept()
    for at_s in rows:
        full.add([at_s * 1000])
    assert full.step_s == 20
    at = columns_of("x", full).at_s
    [mark] = [one for one in at if one not in rows]
    assert 3_000 <= mark <= 3_200


def test_of_two_runs_at_once_one_writes_the_point(sale: World) -> None:
    keep_point(sale.table, sale.event, figures_at(sale, 1), 0)
    sale.clock.tick(10)
    before = [figures_at(sale, 2)]

    class Overtaken:
        """Another run writes after this one has read."""

        def __getattr__(self, name: str) -> Any:
            return getattr(sale.table, name)

        def update(self, action: Update) -> None:
            if before:
                keep_point(sale.table, sale.event, before.pop(), 0)
            sale.table.update(action)

    sale.clock.tick(1)
    assert keep_point(Overtaken(), sale.event, figures_at(sale, 3), 0) == 0
    assert times_s(sale) == [0, 10]
    sale.clock.tick(9)
    keep_point(sale.table, sale.event, figures_at(sale, 4), 0)
    assert times_s(sale) == [0, 10, 20]


def test_of_two_first_runs_one_writes_the_point(sale: World) -> None:
    class Overtaken:
        def __getattr__(self, name: str) -> Any:
            return getattr(sale.table, name)

        def update(self, action: Update) -> None:
            keep_point(sale.table, sale.event, figures_at(sale, 2), 0)
            sale.table.update(action)

    assert keep_point(Overtaken(), sale.event, figures_at(sale, 1), 0) == 0
    assert [row[1 + COLUMNS.index(("room", "live"))] for row in kept(sale).rows] == [2]


def test_a_run_right_after_another_one_doubles_no_point(sale: World) -> None:
    make(sale)
    sale.table.update(Update("reservations", *figures_memory_key(EVENT), set={"document": "{}"}))
    sale.clock.tick(1)
    make(sale)  # it does not know when the next point is due
    assert times_s(sale) == [0]


class Counted:
    """A table that counts the calls about the history, and fails them if told to."""

    def __init__(self, table: Any) -> None:
        self._table, self.calls = table, 0

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._table, name)

        def counted(*what: Any, **how: Any) -> Any:
            self.calls += getattr(what[0], "__name__", "") == "HistoryRecord"
            self.calls += getattr(what[0], "sk", "") == "HISTORY"
            return call(*what, **how)

        return counted


def test_a_run_without_a_point_asks_nothing_of_the_history(sale: World) -> None:
    long = Kept(step_s=40, rows=[[START_MS - 40_000]])
    sale.put(
        HistoryRecord(
            *history_key(EVENT), version=3, document=msgspec.json.encode(long).decode(), ttl=1
        )
    )
    table, calls = Counted(sale.table), []
    for _ in range(8):
        before = table.calls
        make(sale, table)
        calls.append(table.calls - before)
        sale.clock.tick(10)
    assert calls == [2, 0, 0, 0, 2, 0, 0, 0]


@pytest.mark.parametrize("damage", [{"document": '{"rows": 3'}, {"version": "one", "document": 5}])
def test_a_damaged_history_begins_anew(sale: World, damage: dict[str, Any]) -> None:
    make(sale)
    sale.table.update(Update("reservations", *history_key(EVENT), set=damage))
    with pytest.raises(NotFoundError):
        HistoryReader(sale.table, sale.clock).read(EVENT)
    sale.clock.tick(10)
    make(sale)
    assert times_s(sale) == [10]


def test_figures_are_made_when_the_history_cannot_be_kept(
    sale: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(history, "row_of", lambda _figures: 1 / 0)
    assert make(sale).room.error == ""
    assert f"no point of the history of {EVENT} is kept" in caplog.text
    assert sale.table.find(HistoryRecord, history_key(EVENT)) is None


def test_many_who_look_at_the_history_cost_one_read_in_ten_seconds(sale: World) -> None:
    make(sale)
    table = Counted(sale.table)
    reader = HistoryReader(table, sale.clock)
    for _ in range(50):
        reader.read(EVENT)
        sale.clock.ms += HISTORY_MS // 100
    assert table.calls == 1
    sale.clock.ms += HISTORY_MS
    assert json.loads(msgspec.json.encode(reader.read(EVENT)))["now"]
    assert table.calls == 2
