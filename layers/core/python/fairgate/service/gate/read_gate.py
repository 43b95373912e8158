"""Read an event's gate at the origin: the same value that the edge decides by."""

from __future__ import annotations

from typing import Protocol

from fairgate.domain.gate.gate_config import GateConfig, gate_at, gate_key, parse_gate
from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import DependencyUnavailableError, MalformedInputError, UnknownEventError
from fairgate.ports.world import Clock

GATE_CACHE_MS = 5_000
RETRY_AFTER_S = 30  # the controller's next comparison repairs an unreadable value
_KEPT_MAX = 64


class ReadValues(Protocol):
    """A source of values: the catalogue."""

    def read(self, key: str) -> tuple[str | None, str]:
        """Read the value (None: there is none) and its version."""
        ...


class GateReader:
    """Keeps each value for five seconds.

    If the table is away, or its value cannot be read, the last known value stays in force.
    """

    def __init__(self, values: ReadValues, clock: Clock) -> None:
        self._values = values
        self._clock = clock
        self._gates: dict[str, tuple[int, GateConfig]] = {}

    def gate(self, event: str) -> GateConfig:
        """Read the gate, with the state in force now. Raises NotFoundError for a draft too."""
        gate = gate_at(self.stored(event), self._clock.now_ms() / 1000)
        if gate.state == "draft":
            raise UnknownEventError(event)
        return gate

    def stored(self, event: str) -> GateConfig:
        """Read the gate as it is stored, also a draft's.

        Raises NotFoundError; DependencyUnavailableError: it was never read.
        """
        if not EVENT_ID.fullmatch(event):
            raise UnknownEventError(event)
        now_ms = self._clock.now_ms()
        cached = self._gates.get(event)
        if cached is not None and now_ms - cached[0] <= GATE_CACHE_MS:
            return cached[1]
        try:
            gate = self._read(event)
        except DependencyUnavailableError:
            if cached is None:
                raise
            gate = cached[1]  # and nobody waits for the table for five seconds
        if gate is None:
            raise UnknownEventError(event)
        if len(self._gates) >= _KEPT_MAX:
            self._gates.clear()
        self._gates[event] = (now_ms, gate)
        return gate

    def _read(self, event: str) -> GateConfig | None:
        value, _version = self._values.read(gate_key(event))
        try:
            return None if value is None else parse_gate(value)
        except MalformedInputError as error:  # not the caller's fault
            cannot = "The event's gate cannot be read just now. Please try again."
            raise DependencyUnavailableError(cannot, retry_after_s=RETRY_AFTER_S) from error
