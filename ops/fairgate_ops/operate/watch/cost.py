"""Read what a sale has cost so far, for all who watch: modelled once in thirty seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairgate.domain.gate.gate_config import parse_gate
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.service.shared.keys import gate_value_key
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate_ops.operate.watch.cost_so_far import CostSoFar, Known, cost_so_far

if TYPE_CHECKING:
    from fairgate.bootstrap import Container
    from fairgate.service.watch.read_figures import FigureReader, HistoryReader

KEPT_MS = 30_000
_KEPT_MAX = 64


class CostReader:
    """Keeps each event's answer for KEPT_MS.

    Cost: two reads beside those of figures and history, which have answers of their own.
    """

    def __init__(self, world: Container, figures: FigureReader, history: HistoryReader) -> None:
        self._world, self._figures, self._history = world, figures, history
        self._kept: dict[str, tuple[int, CostSoFar]] = {}

    def read(self, event: str) -> CostSoFar:
        """Return the cost, ``now`` filled in.

        Raises NotFoundError (no such event, or it has no figures), DependencyUnavailableError.
        """
        now_ms = self._world.clock.now_ms()
        read_ms, found = self._kept.get(event, (0, None))
        if found is None or not 0 <= now_ms - read_ms < KEPT_MS:
            found = self._made(event)
            if len(self._kept) >= _KEPT_MAX:
                self._kept.clear()
            self._kept[event] = (now_ms, found)
        return msgspec.structs.replace(found, now=rfc3339(now_ms))

    def _made(self, event: str) -> CostSoFar:
        figures = self._figures.read(event)
        try:
            history = self._history.read(event)
        except NotFoundError:  # before the waiting room fills
            history = None
        return cost_so_far(figures, history, self._known(event))

    def _known(self, event: str) -> Known:
        sale = self._world.catalog.event(event)
        sections = len(sale.sections) + len(sale.areas)
        record = self._world.table.find(GateValueRecord, gate_value_key(event))
        if record is None:
            return Known(sections=sections)
        gate = parse_gate(record.value)
        return Known((gate.backoff_min_s, gate.backoff_max_s), gate.sample_queue, sections)
