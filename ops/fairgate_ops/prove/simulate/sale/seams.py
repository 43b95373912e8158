"""Where the code meets the world: each call yields to others first, and may meet trouble.

The seams lie below the adapters: the real retries, codecs and translations of errors run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairgate.adapters.payments.sandbox import SandboxPayments
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.availability import CacheUnavailableError, Claim, Claimed, Position
from fairgate_ops.prove.simulate.sale.scheduler import CrashedError

if TYPE_CHECKING:
    from fairgate.ports.world import Clock, SecretStore
    from fairgate_ops.prove.simulate.sale.fault_plan import FaultPlan
    from fairgate_ops.prove.simulate.sale.scheduler import Scheduler

REAL_TTL_MS = 3_600_000


class FaultInjector:
    """Take the chances of the plan that holds now: it may stall, crash or refuse a call."""

    def __init__(self, scheduler: Scheduler, plan: FaultPlan) -> None:
        self.scheduler, self.plan = scheduler, plan
        self.rng = scheduler.rng

    def chance(self, rate: float) -> bool:
        return rate > 0 and self.rng.random() < rate

    def call(self, what: str) -> None:
        """Before every call: others may go first, and the process may stall or die."""
        plan = self.plan
        stalls = self.chance(plan.stall)
        delay_ms = self.rng.randint(0, plan.stall_ms) if stalls else 0
        self.scheduler.pause(what, delay_ms=delay_ms)
        task = self.scheduler.current
        if task.process is not None and self.chance(plan.crash):
            self.scheduler.note("crashes")
            task.crashed = True
            raise CrashedError(what)

    def called(self, what: str) -> None:
        """After a call took effect: the function's time may be up before it learns of that."""
        task = self.scheduler.current
        if task.process is not None and self.chance(self.plan.time_out):
            self.scheduler.note("its time is up")
            task.crashed = True
            raise CrashedError(what)

    def dark(self) -> bool:
        now_ms = self.scheduler.now_ms
        return any(begins <= now_ms < ends for begins, ends in self.plan.outages)


class VirtualTimes:
    """Claims and readings by the simulation's clock: the server's runs on meanwhile."""

    def __init__(self, cache: Any, scheduler: Scheduler) -> None:
        self._cache, self._scheduler = cache, scheduler
        self._ends_ms: dict[tuple[str, str, tuple[str, str]], int] = {}

    def __getattr__(self, name: str) -> Any:
        if name in ("claimed", "unclaim"):
            self._end()
        return getattr(self._cache, name)

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        self._end()
        claimed: Claimed = self._cache.claim(event, choices, token, REAL_TTL_MS)
        if claimed.choice is not None:
            for unit in choices[claimed.choice].units:
                self._ends_ms[event, token, unit] = self._scheduler.now_ms + ttl_ms
        return claimed

    def position(self, event: str, section: str = "") -> Position:
        self._cache.position(event, section)
        return Position(self._scheduler.now_ms * 1_000, quiet_ms=0)

    def _end(self) -> None:
        over = [key for key, ms in self._ends_ms.items() if ms <= self._scheduler.now_ms]
        for event, token, unit in over:
            del self._ends_ms[event, token, unit]
            self._cache.unclaim(event, [unit], token)


class CacheSeam:
    """The availability cache of one process: real adapter and server, with trouble before them."""

    def __init__(self, cache: Any, faults: FaultInjector) -> None:
        self._cache, self._faults = cache, faults

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        call = getattr(self._cache, name)

        def through(*arguments: Any, **named: Any) -> Any:
            faults = self._faults
            faults.call(f"cache.{name}")
            lost = faults.chance(faults.plan.cache)
            if lost and faults.chance(0.5):
                raise CacheUnavailableError("lost before")
            answer = call(*arguments, **named)
            if lost:
                raise CacheUnavailableError("lost after")
            faults.called(name)
            return answer

        return through


class QueueSeam:
    """Implements ports.ExpiryQueue for one process."""

    def __init__(self, send: Callable[[str, int], None], faults: FaultInjector) -> None:
        self._send, self._faults = send, faults

    def remind(self, session: str, delay_s: int) -> None:
        faults = self._faults
        faults.call(f"reminds of {session[-4:]} in {delay_s} s")
        lost = faults.chance(faults.plan.queue)
        if not lost or faults.chance(0.5):
            self._send(session, delay_s)
        if lost:
            raise DependencyUnavailableError("The expiry queue is unavailable.")
        faults.called("reminds")


class PaymentsSeam(SandboxPayments):
    """The real adapter; only its connection is replaced."""

    def __init__(
        self,
        secrets: SecretStore,
        clock: Clock,
        answer: Callable[[str, Mapping[str, Any]], tuple[int, bytes]],
        faults: FaultInjector,
    ) -> None:
        super().__init__("http://provider", secrets, clock)
        self._answer, self._faults = answer, faults

    def _send(self, path: str, body: bytes) -> tuple[int, bytes]:
        faults = self._faults
        faults.call(f"provider: {path.rpartition('/')[2]}")
        lost = faults.chance(faults.plan.provider)
        if lost and faults.chance(0.5):
            raise OSError("lost before")
        answer = self._answer(path, json.loads(body))
        if lost:
            raise OSError("lost after")
        faults.called("provider")
        return answer
