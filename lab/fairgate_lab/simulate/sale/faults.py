"""Draw troubles from the seed, at the rates of the plan that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_lab.simulate.sale.scheduler import CrashedError

if TYPE_CHECKING:
    from fairgate_lab.simulate.sale.fault_plan import FaultPlan
    from fairgate_lab.simulate.sale.scheduler import Scheduler


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

    def webhooks_back_in_ms(self) -> int:
        """How long no webhook arrives yet; 0 while they do."""
        now_ms = self.scheduler.now_ms
        return max((e - now_ms for b, e in self.plan.webhooks_out if b <= now_ms < e), default=0)
