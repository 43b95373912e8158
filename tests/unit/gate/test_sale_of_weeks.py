"""A sale of weeks: its line is bent each minute, its event's item stays small, nothing is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key
from fairgate.domain.gate.gate_history import GateVersion
from fairgate.domain.gate.gate_value import EPOCHS_MAX
from fairgate.ports.table import Update
from fairgate.service.gate.control_gate import LEAD_S, GateControl
from fairgate.service.gate.record_gate import read_history
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.watch.make_figures import AFTER_CLOSE_S, is_shown
from fairgate_lab.bench.audit.made_sale import SALE_START, forge_one, honest_lines, rules
from fairgate_lab.engine.sizes import item_bytes
from fairgate_ops.operate.audit.check import operational_time, windows
from fairgate_ops.operate.audit.rules import SaleRules
from tests.support.lengths import at_length
from tests.support.memory_client import MemoryClient
from tests.support.world import EVENT, World, gate
from tests.unit.operate.test_audit import audited

READ_UNIT_BYTES = 4096  # read strongly; Developer Guide, read and write operations
MINUTES = at_length(600, 21 * 1_440)  # ten hours, three weeks
EARLY_MINUTES = 300
BEFORE_THE_LIMIT = 15_600  # entries of 26 bytes: the longest log that an older version could write


@dataclass
class LongSale:
    """A sale that is bent each minute, then paused, then closed.

    Attributes:
        line: every epoch that came, as one list would keep them.
        sizes: of the event's item, once an hour.
        states: of the event after the last minute, the pause and the end.
    """

    world: World
    control: GateControl
    line: list[tuple[float, float, float]]
    sizes: list[int]
    states: list[str]

    @property
    def event(self) -> Event:
        event = self.world.table.find(Event, event_key(EVENT))
        assert event is not None
        return event

    def item_bytes(self) -> int:
        item = self.world.item("catalog", event_key(EVENT))
        assert item is not None
        return item_bytes(to_item(item))

    def minute(self, number: int) -> None:
        start_s = self.world.clock.ms / 1000 + LEAD_S
        self.keep(self.control.bend(EVENT, start_s, (1 + number % 7) / 2_400).after.epochs)
        self.world.clock.tick(60)

    def keep(self, epochs: tuple[Epoch, ...]) -> None:
        while self.line and self.line[-1][0] >= epochs[0].start_s:
            self.line.pop()
        self.line += [(e.start_s, e.h, e.slope) for e in epochs]


def begun() -> LongSale:
    world = World(MemoryClient())
    world.clock.ms = (SALE_START - 3_600) * 1000
    first = (Epoch(SALE_START - 3600.0, 0.0, 0.0), Epoch(float(SALE_START), 0.0, 1 / 900))
    world.edge_config.values[gate_key(EVENT)] = dump_gate(
        gate(epochs=first, sale_start_s=SALE_START)
    )
    control = GateControl(world.container.gate_values, world.clock, lambda _attempt: None)
    sale = LongSale(world, control, [], [], [])
    sale.keep(control.set_tau(EVENT, 600.0).after.epochs)  # the first that the history has
    world.clock.ms = SALE_START * 1000
    return sale


@pytest.fixture(scope="module")
def sale() -> LongSale:
    sale = begun()
    for number in range(MINUTES):
        sale.minute(number)
        if number % 60 == 0:
            sale.sizes.append(sale.item_bytes())
    sale.states.append(sale.event.state)
    for end in (sale.control.pause, sale.control.close):
        sale.keep(end(EVENT).after.epochs)
        sale.states.append(sale.event.state)
        sale.world.clock.tick(60)
    return sale


def test_the_events_item_stays_small_and_the_event_can_be_paused(sale: LongSale) -> None:
    assert len(sale.line) > MINUTES
    assert max(sale.sizes) <= READ_UNIT_BYTES
    assert sale.states == ["open", "paused", "closed"]
    assert len(sale.event.epochs_log) <= EPOCHS_MAX


def test_a_log_that_an_older_version_let_grow_goes_with_the_next_change() -> None:
    sale = begun()
    log = [
        [SALE_START - 60.0 * n, 0.1234567890123456, 5.54397e-06] for n in range(BEFORE_THE_LIMIT)
    ]
    sale.world.table.update(Update("catalog", *event_key(EVENT), set={"epochsLog": log[::-1]}))
    assert sale.item_bytes() > 400_000
    sale.control.pause(EVENT)
    assert sale.event.state == "paused"
    assert sale.item_bytes() <= READ_UNIT_BYTES


def test_the_history_has_the_whole_line(sale: LongSale) -> None:
    again = LongSale(sale.world, sale.control, [], [], [])
    history = read_history(sale.world.table, EVENT)
    for version in history:
        again.keep(tuple(Epoch(*epoch) for epoch in version.epochs))
    assert again.line == sale.line
    whole = structs.replace(history[-1], epochs=tuple(sale.line))
    for version, from_s, until_s in islice(windows(history), 1, EARLY_MINUTES):
        moments = np.linspace(from_s, until_s)
        assert operational_time(version, moments) == pytest.approx(
            operational_time(whole, moments), abs=1e-9
        )


def test_the_audit_finds_in_the_history_what_it_would_find_in_the_whole_line(
    sale: LongSale, tmp_path: Path
) -> None:
    history = read_history(sale.world.table, EVENT)
    held = replace(rules(), versions=history)
    by_line = replace(rules(), versions=with_whole_line(history, sale.line))
    lines = honest_lines(400, by_line)
    assert verdicts(tmp_path, lines, held) == verdicts(tmp_path, lines, by_line) == {}
    forged = forge_one(lines)
    assert verdicts(tmp_path, lines, held) == verdicts(tmp_path, lines, by_line) == forged


def with_whole_line(
    history: list[GateVersion], line: list[tuple[float, float, float]]
) -> list[GateVersion]:
    """Let each version of the early hours, and the last, have every epoch that ever came."""
    early = tuple(line[: EARLY_MINUTES + EPOCHS_MAX])
    return [structs.replace(version, epochs=early) for version in history[:EARLY_MINUTES]]


def verdicts(folder: Path, lines: list[dict[str, Any]], held: SaleRules) -> dict[str, int]:
    return dict(audited(folder, lines, held).counts)


def test_figures_end_two_hours_after_the_end_as_with_the_whole_line(sale: LongSale) -> None:
    whole = structs.replace(sale.event, epochs_log=[list(epoch) for epoch in sale.line])
    ends_s = sale.world.clock.ms / 1000 - 60 + LEAD_S + AFTER_CLOSE_S
    for event in (sale.event, whole):
        assert is_shown(event, ends_s - 1)
        assert not is_shown(event, ends_s + 1)
