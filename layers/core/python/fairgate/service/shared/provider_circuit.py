"""Stop calling a payment provider that hangs: one circuit breaker for all functions.

    closed ──FAILURES_MAX in a row──► open for OPEN_MS ──► half open: one call is the probe
       ▲                                 ▲                        │
       └────────── it answers ───────────┴──── it fails again ────┘

A call that waits for such a provider keeps its environment for seconds, and there are not many. The
state is an item that each process reads once a second; if it cannot be read or written, the process
goes by what it has seen itself. docs/adr/0050. Source: M. Nygard, "Release It!", Circuit Breaker.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.deadline import TRY_S_MIN, left_s, require_left
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    ProviderAwayError,
    ProviderBusyError,
    ProviderSetupError,
    ProviderUndecidedError,
    RefusedForNowError,
)
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import PROBE_IS_FREE
from fairgate.service.shared.keys import provider_key
from fairgate.service.shared.records.cursors import ProviderState

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

FAILURES_MAX = 5
OPEN_MS = 30_000
PROBE_MS = 10_000  # a call of two attempts of 2 and 6 s may take longer; then another one probes
LOOK_MS = 1_000
PATIENCE_S = 4.0  # of a connection and an answer; a call with less is cut short by ourselves
# Answers of a provider that is there.
_ANSWERS = (ProviderBusyError, ProviderSetupError, ProviderUndecidedError, RefusedForNowError)

_log = logging.getLogger(__name__)


class ProviderCircuit:
    """The circuit breaker as one process sees it; threads may share it.

    ``opened`` is called when this process opens the circuit, or keeps it open after a probe.

    Cost: a read a second at most; a write for each failure, and for the answer after one.
    """

    def __init__(
        self, table: Table, clock: Clock, opened: Callable[[], None] = lambda: None
    ) -> None:
        self._table, self._clock, self._opened = table, clock, opened
        self._seen = ProviderState(*provider_key())
        self._looked_ms = -LOOK_MS

    @contextmanager
    def call(self) -> Iterator[None]:
        """Make one call of the provider in this block.

        Raises ProviderAwayError: it hangs, and was not called.
        """
        require_left(2 * TRY_S_MIN)  # a call without time says nothing about the provider
        state, now_ms = self._look(), self._clock.now_ms()
        if state.open_until_ms > now_ms:
            raise _away(state.open_until_ms, now_ms)
        if state.open_until_ms and not self._may_probe(now_ms):
            raise _away(now_ms + PROBE_MS, now_ms)
        patient = left_s() >= PATIENCE_S
        try:
            yield
        except DependencyUnavailableError as error:
            if isinstance(error, _ANSWERS):
                self._answered(state)
            elif patient:
                self._failed()
            raise
        except FairgateError:
            self._answered(state)
            raise
        self._answered(state)

    def _look(self) -> ProviderState:
        now_ms = self._clock.now_ms()
        if now_ms - self._looked_ms >= LOOK_MS:
            self._looked_ms = now_ms
            try:
                found = self._table.find(ProviderState, provider_key())
            except FairgateError:
                return self._seen
            self._seen = found or ProviderState(*provider_key())
        return self._seen

    def _may_probe(self, now_ms: int) -> bool:
        try:
            self._write(
                condition=PROBE_IS_FREE,
                values={"now": now_ms},
                set={"probeUntilMs": now_ms + PROBE_MS},
            )
        except TransactionRefusedError:
            return False
        return True

    def _failed(self) -> None:
        failures = self._seen.failures + 1
        with suppress(FairgateError):  # else what this process has seen counts
            failures = int(self._table.count(_update(add={"failures": 1}))["failures"])
        self._seen = replace(self._seen, failures=failures)
        if failures >= FAILURES_MAX:  # or more, where a probe failed
            until_ms = self._clock.now_ms() + OPEN_MS
            self._seen = replace(self._seen, open_until_ms=until_ms)
            _log.error("the payment provider hangs: it is not called for %s s", OPEN_MS // 1000)
            self._opened()
            self._write(set={"openUntilMs": until_ms, "probeUntilMs": 0})

    def _answered(self, before: ProviderState) -> None:
        if before.failures or before.open_until_ms:
            self._seen = replace(self._seen, failures=0, open_until_ms=0)
            self._write(set={"failures": 0, "openUntilMs": 0, "probeUntilMs": 0})

    def _write(self, **parts: object) -> None:
        try:
            self._table.update(_update(**parts))
        except FairgateError:
            _log.warning("the state of the payment provider cannot be written")


def _update(**parts: object) -> Update:
    return Update("reservations", *provider_key(), **parts)  # type: ignore[arg-type]


def _away(opens_at_ms: int, now_ms: int) -> ProviderAwayError:
    wait_s = max(1, -(-(opens_at_ms - now_ms) // 1000))
    return ProviderAwayError(
        f"The payment provider does not answer; it is asked again in {wait_s} s. Nothing was lost.",
        opens_at_ms=opens_at_ms,
        retry_after_s=wait_s,
    )
