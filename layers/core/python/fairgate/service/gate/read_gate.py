"""Read the event's gate configuration at the origin: the same value that the edge decides by."""

from __future__ import annotations

from fairgate.domain.gate.gate_config import GateConfig, gate_key, parse_gate
from fairgate.errors import DependencyUnavailableError, unknown_event
from fairgate.ports.outside import EdgeConfig
from fairgate.ports.world import Clock

GATE_CACHE_MS = 5_000
_KEPT_MAX = 64


class GateReader:
    """Keeps each value for five seconds; when the store is away, the last one known serves on."""

    def __init__(self, edge_config: EdgeConfig, clock: Clock) -> None:
        self._edge_config = edge_config
        self._clock = clock
        self._gates: dict[str, tuple[int, GateConfig]] = {}

    def gate(self, event: str) -> GateConfig:
        """Read the gate. Raises NotFoundError (no such event),
        DependencyUnavailableError (never read yet).
        """
        now_ms = self._clock.now_ms()
        cached = self._gates.get(event)
        if cached is not None and now_ms - cached[0] <= GATE_CACHE_MS:
            return cached[1]
        try:
            value, _etag = self._edge_config.read(gate_key(event))
        except DependencyUnavailableError:
            if cached is None:
                raise
            return cached[1]
        if value is None:
            raise unknown_event()
        if len(self._gates) >= _KEPT_MAX:
            self._gates.clear()
        gate = parse_gate(value)
        self._gates[event] = (now_ms, gate)
        return gate
