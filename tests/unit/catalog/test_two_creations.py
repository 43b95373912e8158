"""Of two creations of one event at once only one goes on, and only its rows remain."""

from __future__ import annotations

import pytest

from fairgate.adapters.dynamodb import guarded_writer
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.gate.draw_proof import commitment_of
from fairgate.domain.gate.gate_config import gate_key, parse_gate
from fairgate.errors import WrongStateError
from fairgate.service.catalog import create_event, creation_run
from fairgate.service.catalog.create_event import UNDER_WAY_S
from fairgate.service.catalog.event_rows import seat_records, shard_records
from fairgate.service.gate.operator_log import OperatorLog
from fairgate.service.gate.record_gate import read_history
from fairgate.service.shared.keys import creation_key, event_key, gate_value_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import Creation, GateValueRecord
from tests.support.creations import GALA, Hall, Run, first_of, meet, second_of
from tests.support.world import NAMES

NEVER = 99
BATCH = 3  # of rows in a transaction, so that there are several


@pytest.fixture(autouse=True)
def _few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_writer, "_BATCH", BATCH)


def calls_of_one() -> int:
    run = first_of(Hall())
    run.reads_too = True
    run()
    return run.calls


def is_whole(run: Run) -> None:
    """Check that the tables have what this run has written, and nothing else."""
    hall = run.hall
    sale = hall.table().find(Event, event_key(GALA))
    assert sale is not None
    records = [*seat_records(GALA, run.venue, sale.created_at)]
    counters = [*shard_records(GALA, run.venue, sale.created_at)]
    assert hall.rows() == {record.key: record.item() for record in [*records, *counters]}
    value = hall.table().find(GateValueRecord, gate_value_key(GALA))
    assert value is not None
    assert value.value == hall.edge.values[gate_key(GALA)]
    gate = parse_gate(value.value)
    assert run.created is not None
    assert (run.created.layout, run.created.gate) == (sale.layout, gate)
    assert gate.sale_start_s == run.rules.sale_start_s
    assert sale.draw_commitment == commitment_of(gate.draw_key)
    assert [list(epoch) for epoch in sale.epochs_log] == [
        [epoch.start_s, epoch.h, epoch.slope] for epoch in gate.epochs
    ]
    history = read_history(hall.table(), GALA)
    assert [version.sale_start_s for version in history] == [gate.sale_start_s]
    log = OperatorLog.of(hall.table(), hall.clock, GALA, gate)
    assert log.check(log.read()) == []


def obey_the_laws(hall: Hall, *runs: Run) -> None:
    well = [run for run in runs if run.created is not None]
    assert len(well) <= 1
    for run in well:
        is_whole(run)
    for run in runs:
        assert (run.created is None) == (run.refused is not None)
    if not well:
        again = second_of(hall)
        again()
        is_whole(again)
        well = [again]
    stands_whatever_comes_late(hall, well[0], runs)


def stands_whatever_comes_late(hall: Hall, well: Run, runs: tuple[Run, ...]) -> None:
    (key, row), *_rest = hall.rows().items()
    hall.engine.put_item(
        TableName=NAMES["seats"], Item=to_item(row | {"availability": "reserved", "version": 1})
    )
    before = {name: sorted(map(str, hall.engine.items(name))) for name in NAMES.values()}
    for run in {well, *runs}:
        run.send_again()
    assert {name: sorted(map(str, hall.engine.items(name))) for name in NAMES.values()} == before
    assert hall.rows()[key]["version"] == 1


@pytest.mark.parametrize("who", ["ann@desk", "bob@desk"])
@pytest.mark.parametrize("starts_at", range(1, calls_of_one() + 1))
def test_one_of_two_goes_on_wherever_the_second_begins_and_is_held_up(
    starts_at: int, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if who != "ann@desk":  # as after five minutes, which the first has needed by then
        monkeypatch.setattr(create_event, "UNDER_WAY_S", 0)
    for waits_at in range(1, calls_of_one() + 6):  # the last are never reached
        hall = Hall()
        first, second = first_of(hall), second_of(hall, who)
        first.reads_too = second.reads_too = who == "ann@desk"
        meet(first, second, starts_at, waits_at)
        obey_the_laws(hall, first, second)


def test_an_overtaken_run_is_told_what_to_do_and_logged() -> None:
    hall = Hall()
    first, second = first_of(hall), second_of(hall)
    meet(first, second, 5, NEVER)  # the gate, the log, and one of the batches are written
    assert first.refused is not None
    assert "or another shell of yours, is creating gala now" in str(first.refused)
    assert "`event show gala`" in str(first.refused)
    assert second.created is not None
    assert second.created.completes
    log = OperatorLog.of(hall.table(), hall.clock, GALA, second.created.gate)
    assert [(entry.act, entry.phase) for entry in log.read()] == [
        ("create", phase) for phase in ("asked", "asked", "done", "refused")
    ]


def test_somebody_else_waits_until_five_minutes_have_passed() -> None:
    hall = Hall()
    first, second = first_of(hall), second_of(hall, "bob@desk")
    meet(first, second, 4, NEVER)
    assert "ann@desk began to create or delete gala 0 s ago" in str(second.refused)
    is_whole(first)
    hall = Hall()
    third, fourth = first_of(hall), second_of(hall, "bob@desk")
    third.tell = lambda number: hall.clock.tick(UNDER_WAY_S) if number == 4 else None
    late = third.tell

    def five_minutes_later(number: int) -> None:
        late(number)
        if number == 4:
            fourth()

    third.tell = five_minutes_later
    third()
    obey_the_laws(hall, third, fourth)
    assert fourth.created is not None


def test_a_creation_of_an_older_version_is_completed() -> None:
    hall = Hall()
    old = Creation(*creation_key(GALA), at_ms=0, who="ann@desk")
    hall.engine.put_item(TableName=NAMES["catalog"], Item=to_item(old.item()))
    run = first_of(hall)
    run()
    is_whole(run)


# --- each clause is needed


def who_goes_on(starts_at: int, waits_at: int) -> str:
    """The second begins before this write of the first, and waits before one of its own."""
    hall = Hall()
    first, second = first_of(hall), second_of(hall, "bob@desk")
    meet(first, second, starts_at, waits_at)
    obey_the_laws(hall, first, second)
    return "first" if first.created else "second"


def test_control_without_the_nonce_as_read_an_early_reader_overtakes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first has read that nobody is at it; before it writes that it begins, the second has."""
    assert who_goes_on(1, 4) == "second"
    without = "attribute_not_exists(#nonce) OR #nonce = :nonce OR NOT #nonce = :nonce"
    monkeypatch.setattr(creation_run, "CREATION_AS_READ", without)
    assert who_goes_on(1, 4) == "first"


def test_control_without_its_own_nonce_an_overtaken_run_writes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(create_event, "UNDER_WAY_S", 0)
    assert who_goes_on(5, NEVER) == "second"
    monkeypatch.setattr(creation_run, "CREATION_IS_OURS", "#nonce = :nonce OR NOT #nonce = :nonce")
    with pytest.raises(AssertionError):
        who_goes_on(5, NEVER)


def test_control_a_creation_that_asks_only_for_its_nonce_cannot_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(creation_run, "CREATION_AS_READ", "#nonce = :nonce")
    run = first_of(Hall())
    run()
    assert isinstance(run.refused, WrongStateError)


def test_control_without_the_look_for_the_event_one_on_sale_is_begun_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its run has read before the other began, and writes when that one's event is on sale."""

    def goes_by() -> int:
        hall = Hall()
        first, second = first_of(hall), second_of(hall)
        second.tell = lambda number: first() if number == 1 else None
        second()
        assert first.created is not None
        value = hall.table().find(GateValueRecord, gate_value_key(GALA))
        assert value is not None
        return parse_gate(value.value).sale_start_s - first.rules.sale_start_s

    assert goes_by() == 0
    monkeypatch.setattr(
        creation_run, "IS_NEW", "attribute_exists(#PK) OR attribute_not_exists(#PK)"
    )
    assert goes_by() == 30  # the gate of an event on sale is another one's
