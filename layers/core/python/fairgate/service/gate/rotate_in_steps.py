"""Rotate signing keys step by step, each step logged, with a wait that lets everybody have them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fairgate.service.gate.operator_acts import OperatorActs

    Step = Literal["add", "switch", "retire"]


@dataclass(frozen=True)
class KeySteps:
    """Rotates one key in steps.

    Attributes:
        act: how the log names it: ``keys`` or ``auth keys``.
        events: in whose logs it stands. The auth keys are in every event's gate, so in all.
        steps: what each step does.
        wait: returns once every edge has a key that was added.
    """

    acts: OperatorActs
    act: str
    events: Sequence[str]
    steps: Mapping[Step, Callable[[], object]]
    wait: Callable[[], None]

    def rotate(self, only: Step | None = None) -> list[Step]:
        """Add a key, wait, let it sign; or do only one step. Returns the steps that were made.

        A dry run makes the first alone: what comes after depends on what would have been written.

        Raises: what the steps raise, and what ``OperatorActs.do`` raises.
        """
        names: list[Step] = [only] if only else ["add", "switch"]
        if self.acts.gates.dry_run:
            names = names[:1]
        for position, name in enumerate(names):
            if position:
                self.wait()
            self._logged(f"{self.act} {name}", self.steps[name])
        return names

    def _logged(self, act: str, do: Callable[[], object]) -> None:
        """Do a step once every log has it that it was asked for."""
        for event in self.events:
            do = partial(self.acts.do, event, act, {}, do)
        do()
