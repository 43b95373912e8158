"""What operators did can be read by anyone, and changed by nobody unnoticed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairgate.errors import VersionConflictError
from fairgate.service.gate import operator_log
from fairgate.service.gate.operator_log import OperatorLog, log_key
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import EVENT, World, gate


def log_of(world: World) -> OperatorLog:
    return OperatorLog.of(world.table, world.clock, EVENT, gate())


def three(world: World) -> OperatorLog:
    log = log_of(world)
    log.append("ann@desk", "pause", "asked", {"reason": "smoke"})
    world.clock.tick(1)
    log.append("ann@desk", "pause", "done", {"reason": "smoke"}, gate(state="paused"))
    world.clock.tick(60)
    log.append("bob@desk", "tau set", "asked", {"tau_s": 0.1})
    return log


def change(world: World, number: int, **values: object) -> None:
    item = world.item("catalog", (f"LOG#{EVENT}", f"{number:08d}"))
    assert item is not None
    world.put_item("catalog", item | values)


def test_the_log_says_who_did_what_and_when(world: World) -> None:
    log = three(world)
    entries = log.read()
    assert [(e.number, e.who, e.act, e.phase) for e in entries] == [
        (1, "ann@desk", "pause", "asked"),
        (2, "ann@desk", "pause", "done"),
        (3, "bob@desk", "tau set", "asked"),
    ]
    assert entries[0].at == "2027-01-15T08:00:00.000Z"
    assert entries[0].detail == {"reason": "smoke"}
    assert log.check(entries) == []


def test_what_was_written_is_kept_without_its_keys(world: World) -> None:
    entry = three(world).read()[1]
    assert entry.gate is not None
    assert entry.gate["s"] == "paused"
    assert entry.gate["d"] == entry.gate["g"] == entry.gate["t"]["1"] == "(hidden)"


@pytest.mark.parametrize(
    "values",
    [
        {"who": "eve@desk"},
        {"act": "resume"},
        {"phase": "refused"},
        {"at": "2027-01-15T09:00:00.000Z"},
        {"detail": '{"reason":"none"}'},
        {"detail": "{"},
        {"gate": "null"},
        {"mac": "é"},
    ],
)
def test_a_changed_entry_is_noticed(world: World, values: dict[str, object]) -> None:
    log = three(world)
    change(world, 2, **values)
    wrong = log.check(log.read())
    assert "Entry 2 is not what was signed." in wrong


def test_an_entry_taken_out_is_noticed(world: World) -> None:
    log = three(world)
    entries = log.read()
    assert log.check([entries[0], entries[2]]) == ["Entry 2 is missing."]
    assert log.check(entries[1:]) == ["Entry 1 is missing."]
    renumbered = [entries[0], replace(entries[2], number=2)]
    assert log.check(renumbered) == ["Entry 2 is not what was signed."]


def test_an_entry_of_another_event_or_key_does_not_count(world: World) -> None:
    entries = three(world).read()
    for key, event in ((log_key(gate(edge_key=b"x" * 32)), EVENT), (log_key(gate()), "other")):
        assert len(OperatorLog(world.table, world.clock, event, key).check(entries)) == 3


def test_entries_keep_their_order_when_two_operators_act_at_once(world: World) -> None:
    first = log_of(world)

    def meanwhile() -> None:
        first.append("bob", "drain", "asked", {})

    slow = replace(first, table=InterleavedTable(world.table, meanwhile))
    slow.append("ann", "pause", "asked", {})
    assert [(e.number, e.who) for e in first.read()] == [(1, "bob"), (2, "ann")]
    assert first.check(first.read()) == []


def test_it_gives_up_when_others_keep_writing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = three(world)
    entries = log.read()
    monkeypatch.setattr(operator_log.OperatorLog, "read", lambda _self: entries[:2])
    with pytest.raises(VersionConflictError):
        log.append("ann", "pause", "asked", {})
