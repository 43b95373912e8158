"""Rotate signing keys step by step, each step logged, with a wait for every edge."""

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
        act: its name in the log: ``keys`` or ``auth keys``.
        events: lists the events that log it. The auth keys are in every event's gate.
        next_step: returns the step that is due; None: none is.
        steps: does each step.
        wait: returns when every edge has the added key.
    """

    acts: OperatorActs
    act: str
    events: Callable[[], Iterable[str]]
    next_step: Callable[[], Step | None]
    steps: Mapping[Step, Callable[[], object]]
    wait: Callable[[], None]

    def rotate(self, only: Step | None = None) -> list[Step]:
        """Do all steps that are due, or only one. Returns the steps that were made.

        Retire the old key if it may be retired, add a new one, and switch to it when every edge has
        it. An interrupted rotation goes on at the step that is due. A dry run makes only the first
        step, because later ones depend on what it would have written.

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
