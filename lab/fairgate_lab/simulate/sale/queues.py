"""Queues as SQS has them: batches, partial failures, dead letters, and redriving them.

A message comes at least once and in any order. What fails comes again after its time of
invisibility, up to ATTEMPTS_MAX times; then it lies among the dead letters until somebody sends it
back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate_lab.simulate.sale.fleet import Fleet, sqs_event

if TYPE_CHECKING:
    from fairgate_lab.simulate.sale.faults import FaultInjector

ATTEMPTS_MAX = 5  # as infra/constructs/work_queue.py, which needs the CDK to be read
VISIBILITY_MS = 30_000
BATCH_MAX = 10
CONSUMERS_MAX = 2
# Fairgate writes none of these; a consumer has to take the messages beside them.
POISONS = ("", "no JSON", "[]", "null", "7", "{}", '{"session": null}', '{"dynamodb": []}')


@dataclass
class Message:
    body: str
    poison: bool = False
    receives: int = 0


Observer = Callable[[Sequence[str]], Callable[[], None]]


class WorkQueue:
    """One function's queue.

    Args:
        observe: is told the bodies of a batch before it is delivered; what it returns is called
            afterwards.
    """

    def __init__(
        self, function: str, fleet: Fleet, faults: FaultInjector, observe: Observer | None = None
    ) -> None:
        self._function, self._fleet, self._faults = function, fleet, faults
        self._observe = observe
        self._waiting: dict[str, Message] = {}
        self._consumers = 0
        self._poisoned = 0
        self.dead: dict[str, Message] = {}

    def send(self, name: str, body: str) -> None:
        """A message arrives, perhaps twice, perhaps beside one that is none."""
        faults = self._faults
        for copy in range(1 + faults.chance(faults.plan.repeat)):
            self._waiting[f"{name}-{copy}"] = Message(body)
        if faults.chance(faults.plan.poison):
            self._poisoned += 1
            poison = faults.rng.choice(POISONS)
            self._waiting[f"poison-{self._poisoned}"] = Message(poison, poison=True)
        self._attend()

    def redrive(self) -> None:
        """Send every dead letter back, as an operator does who has mended the cause."""
        if self.dead:
            self._faults.scheduler.note(f"{len(self.dead)} dead letters of {self._function} again")
            for message in self.dead.values():
                message.receives = 0
            self._waiting |= self.dead
            self.dead = {}
            self._attend()

    def _attend(self) -> None:
        """A consumer comes soon, and at most two are at work."""
        if self._consumers < CONSUMERS_MAX:
            self._consumers += 1
            self._faults.scheduler.spawn(self._function, self._consume, after_ms=self._pause_ms())

    def _consume(self) -> None:
        """Carry messages in batches of any order, some of them more than once."""
        rng, scheduler = self._faults.rng, self._faults.scheduler
        while self._waiting:
            size = min(len(self._waiting), rng.randint(1, BATCH_MAX))
            names = rng.sample(sorted(self._waiting), size)
            batch = {name: self._waiting.pop(name) for name in names}
            if failed := self._deliver(batch):
                scheduler.sleep(VISIBILITY_MS)
                self._waiting |= failed
            else:
                scheduler.sleep(self._pause_ms())
        self._consumers -= 1

    def _deliver(self, batch: Mapping[str, Message]) -> dict[str, Message]:
        """Return what is to be delivered again."""
        bodies = {name: message.body for name, message in batch.items()}
        heard = None if self._observe is None else self._observe(list(bodies.values()))
        answer = self._fleet.invoke(self._function, sqs_event(bodies))
        if heard is not None:
            heard()
        failures = (answer or {}).get("batchItemFailures", ())
        failed = {failure["itemIdentifier"] for failure in failures}
        again: dict[str, Message] = {}
        for name, message in batch.items():
            message.receives += 1
            if answer is not None and name not in failed:
                if self._faults.chance(self._faults.plan.repeat):
                    again[name] = message
            elif message.receives < ATTEMPTS_MAX:
                again[name] = message
            else:
                self.dead[name] = message
        return again

    def _pause_ms(self) -> int:
        return self._faults.rng.randint(1, 50 + self._faults.plan.delay_ms)
