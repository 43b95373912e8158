"""Do what an operator asks for, and log it before and after."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from fairgate.errors import DependencyUnavailableError, FairgateError
from fairgate.service.gate.control_gate import GateChange
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.gate.operator_log import OperatorLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateControl

Result = TypeVar("Result")


class OperatorActs(Struct, frozen=True):
    """Does the actions of one operator, each logged.

    Attributes:
        gates: if it is a dry run, actions are tried and nothing is logged.
        who: names the operator, for the log.
    """

    table: Table
    clock: Clock
    gates: GateControl
    who: Callable[[], str]

    def log_of(self, event: str) -> OperatorLog:
        """Return the event's log. Raises NotFoundError: the event has no gate."""
        return OperatorLog.of(self.table, self.clock, event, self.gates.read(event))

    def do(
        self,
        event: str,
        act: str,
        detail: Mapping[str, Any],
        do: Callable[[], Result],
        *,
        not_done: Callable[[Result], Mapping[str, str]] = lambda _: {},
    ) -> Result:
        """Log that ``do`` was asked for, call it, log the outcome, and return its result.

        A refusal is logged as well. An unknown outcome stays as ``asked``.

        Args:
            detail: what was asked for, without the entries that are None.
            not_done: names the steps that a result lacks, each with the reason.

        Raises: NotFoundError (no gate), DependencyUnavailableError, and whatever ``do`` raises.
        """
        if self.gates.dry_run:
            return do()
        log, who = self.log_of(event), self.who()
        given = {name: value for name, value in detail.items() if value is not None}
        log.append(who, act, "asked", given)
        try:
            result = do()
        except DependencyUnavailableError:
            raise
        except FairgateError as error:
            log.append(who, act, "refused", {"code": error.code, "detail": error.detail})
            raise
        gate = result.after if isinstance(result, GateChange) else None
        if missing := not_done(result):
            log.append(who, act, "incomplete", given | {"not_done": dict(missing)}, gate)
        else:
            log.append(who, act, "done", given, gate)
        return result

    def do_in_each(
        self,
        events: Iterable[str],
        act: str,
        detail: Mapping[str, Any],
        do: Callable[[], Result],
        *,
        not_done: Callable[[Result], Mapping[str, str]] = lambda _: {},
    ) -> Result:
        """Do what concerns several events, logged in each. Raises as ``do``."""
        for event in events:
            do = partial(self.do, event, act, detail, do, not_done=not_done)
        return do()

    def change_gate(
        self, event: str, act: str, detail: Mapping[str, Any], change: Callable[[], GateChange]
    ) -> GateChange:
        """Change the gate of an event that the catalogue has, logged as by ``do``."""
        must_be_listed(self.table, event)
        return self.do(event, act, detail, change)
