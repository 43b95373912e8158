"""Rotate signing keys step by step, each step logged, with a wait that lets everybody have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fairgate.domain.gate.key_ring import Step
    from fairgate.service.gate.operator_acts import OperatorActs

STEPS_MAX = 3  # retire, add, switch


class KeySteps(Struct, frozen=True):
    """Rotates one key in steps.

    Attributes:
        act: how the log names it: ``keys`` or ``auth keys``.
        events: lists in whose logs it stands. The auth keys are in every event's gate, so in all.
        next_step: says what is to be done now, None while nothing is.
        steps: what each step does.
        wait: returns once every edge has a key that was added.
    """

    acts: OperatorActs
    act: str
    events: Callable[[], Iterable[str]]
    next_step: Callable[[], Step | None]
    steps: Mapping[Step, Callable[[], object]]
    wait: Callable[[], None]

    def rotate(self, only: Step | None = None) -> list[Step]:
        """Do all that is to be done, or only one step. Returns the steps that were made.

        The old key is retired when it may be, another is made where one is due, and once everybody
        has it, it signs. A rotation that broke off thus goes on where it was. A dry run makes the
        first step alone: what comes after depends on what would have been written.

        Raises: what the steps raise, and what ``OperatorActs.do`` raises.
        """
        made: list[Step] = []
        while len(made) < STEPS_MAX and (step := only or self.next_step()) is not None:
            if made[-1:] == ["add"]:
                self.wait()
            self.acts.do_in_each(self.events(), f"{self.act} {step}", {}, self.steps[step])
            made.append(step)
            if only or step == "switch" or self.acts.gates.dry_run:
                break
        return made
