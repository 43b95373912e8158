"""Let a second person confirm what cannot be undone, or lets everybody in at once.

Where the stage asks for it, such an act is checked as far as its first entry in the log. Then the
request is logged and kept instead, and another person with the role may confirm it for ten minutes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from fairgate.errors import ForbiddenError, MalformedInputError, WrongStateError
from fairgate.service.gate.operator_acts import OperatorActs
from fairgate.service.operators.pending_acts import PendingActs
from fairgate_ops.operate.api.caller import Caller
from fairgate_ops.operate.api.granted import may, must_be_allowed
from fairgate_ops.operate.api.job_acts import JOB_ACTS
from fairgate_ops.operate.api.roles import roles_of
from fairgate_ops.operate.cli.report import Listing, Report
from fairgate_ops.operate.target import Target

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate.http.models import ActRequest
    from fairgate.service.shared.records.operators import PendingAct

    Result = TypeVar("Result")

CONFIRM = "act confirm"
SECOND_PERSON = "second-person"  # the reason
FAST_TAU_S = 60.0  # a pace below it admits two thirds of the crowd within a minute
# Of `event edit`: what buyers pay, or do not get back. A file may have it as well.
_PRICES = (
    *("price", "price_all", "fee_order_minor", "fee_ticket_minor", "cancel_fee_minor"),
    "source",
)


def _fast(name: str) -> Callable[[argparse.Namespace], bool]:
    def is_fast(options: argparse.Namespace) -> bool:
        tau_s = getattr(options, name)
        return tau_s is not None and tau_s < FAST_TAU_S

    return is_fast


# The acts that two people do, and when.
BY_TWO: Mapping[str, Callable[[argparse.Namespace], bool]] = {
    "event close": lambda options: not options.sold_out,
    "event cancel": lambda _options: True,
    "event edit": lambda options: any(getattr(options, name, None) is not None for name in _PRICES),
    "event open-until": lambda options: not options.off,
    "event open": _fast("tau"),
    "event resume": _fast("tau"),
    "tau set": _fast("seconds"),
    "tau plan": _fast("seconds"),
}


def asking_first(
    system: Target, caller: Caller, asked: ActRequest, options: argparse.Namespace
) -> Target:
    """Return the system for this act: one that only keeps the request if it needs two people."""
    needs = BY_TWO.get(asked.act)
    if not system.world.settings.second_person or needs is None or not needs(options):
        return system
    if caller.is_token:
        raise ForbiddenError(f"“{asked.act}” needs two people here, and a token is none.")
    if asked.files:
        detail = f"“{asked.act}” needs a second person, and then takes no files: name the values."
        raise MalformedInputError(detail)
    keeping = _Keeping(**_of(system), caller=caller, kept=asked, event=options.event)
    if asked.act in JOB_ACTS:  # it is not run here as far as its first entry
        keeping.keep(system.acts())
    return keeping


def run_pending(options: argparse.Namespace) -> Report:
    system: Target = options.system
    found = PendingActs(system.world.table, system.world.clock).waiting(options.event)
    data = [_shown(one) for one in found]
    rows = [(one.sk, one.act, one.by, one.until) for one in found]
    plain = [f"{request}  {act} by {by}, until {until}" for request, act, by, until in rows]
    listing = Listing(("Request", "Act", "By", "Until"), rows, plain or ["Nothing waits."])
    return Report({"event": options.event, "pending": data}, [listing])


def run_confirm(options: argparse.Namespace) -> Report:
    """Do the act with its arguments as they were asked, by ``options.again``.

    Raises:
        NotFoundError, ForbiddenError: the person who confirms, or the one who asked, has no role
            for it now. Groups of the one who asked are those of then.
        WrongStateError: it is the same person, it is over, or somebody has confirmed it.
    """
    system: Target = options.system
    caller: Caller = options.caller
    if caller.is_token:
        raise ForbiddenError("A person has to confirm it, and a token is none.")
    pending = PendingActs(system.world.table, system.world.clock)
    request = pending.find(options.event, options.request)
    must_be_allowed(system.world, caller, request.act, options.event)
    pending.must_be_confirmable(request, caller.sub)
    groups = tuple(request.groups)
    asker = Caller(request.by, groups, roles_of(groups))
    if not may(system.world, asker, request.act, options.event):
        raise ForbiddenError(f"The role by which {request.by} asked for it was taken back.")
    if not options.dry_run:
        pending.take(request, caller.sub)
    report: Report = options.again(
        request, confirmed_by_two(system, _asked(request)), caller, dry_run=options.dry_run
    )
    return report._replace(data={**report.data, "confirmed": _shown(request)})


def _shown(one: PendingAct) -> dict[str, Any]:
    return {
        "request": one.sk,
        "act": one.act,
        "arguments": one.given,
        "by": one.by,
        "at": one.at,
        "until": one.until,
    }


def confirmed_by_two(system: Target, asked: Mapping[str, str]) -> Target:
    """Return the system, in which the log names who asked, too."""
    return _Confirmed(**_of(system) | {"asked": asked})


def _asked(request: PendingAct) -> dict[str, str]:
    return {"asked_by": request.by, "request": request.sk}


def _of(system: Target) -> dict[str, Any]:
    return {one.name: getattr(system, one.name) for one in fields(Target)}


@dataclass(frozen=True, kw_only=True)
class _Keeping(Target):
    """The system, in which an act is kept instead of done."""

    caller: Caller
    kept: ActRequest
    event: str

    def acts(self, *, dry_run: bool = False) -> OperatorActs:
        usual = super().acts(dry_run=dry_run)
        if dry_run:
            return usual
        return _Kept(usual.table, usual.clock, usual.gates, usual.who, self.keep)

    def keep(self, usual: OperatorActs) -> NoReturn:
        """Raises WrongStateError, with the number of the request."""
        pending = PendingActs(self.world.table, self.world.clock)
        request = pending.of(self.event, self.kept, self.caller.sub, self.caller.groups)
        waiting = pending.like(request)
        if waiting is None:
            detail = {"act": request.act, "request": request.sk, "arguments": request.given}
            usual.log_of(self.event).append(usual.who(), "request", "done", detail)
            waiting = pending.keep(request)
        raise WrongStateError(
            f"“{request.act}” needs a second person. Until {waiting.until} another one with the"
            f" role may confirm it: “{CONFIRM}” with the request {waiting.sk}.",
            reason=SECOND_PERSON,
            request=waiting.sk,
            until=waiting.until,
        )


class _Kept(OperatorActs, frozen=True):
    """Keeps the act where its first entry would be logged."""

    keep: Callable[[OperatorActs], NoReturn]

    def do(
        self,
        event: str,  # noqa: ARG002 the signature of what it replaces
        act: str,  # noqa: ARG002
        detail: Mapping[str, Any],  # noqa: ARG002
        do: Callable[[], Result],  # noqa: ARG002
        *,
        not_done: Callable[[Result], Mapping[str, str]] = lambda _: {},  # noqa: ARG002
    ) -> Result:
        self.keep(self)


@dataclass(frozen=True, kw_only=True)
class _Confirmed(Target):
    """The system, in which the log names who asked, too."""

    def acts(self, *, dry_run: bool = False) -> OperatorActs:
        usual = super().acts(dry_run=dry_run)
        return _Named(usual.table, usual.clock, usual.gates, usual.who, self.asked)


class _Named(OperatorActs, frozen=True):
    """Logs who asked, beside the one who confirms and does it."""

    asked: Mapping[str, str]

    def do(
        self,
        event: str,
        act: str,
        detail: Mapping[str, Any],
        do: Callable[[], Result],
        *,
        not_done: Callable[[Result], Mapping[str, str]] = lambda _: {},
    ) -> Result:
        named = {**detail, **self.asked}
        return super().do(event, act, named, do, not_done=not_done)
