"""How every command that changes something goes: ask, do, log, report; or a dry run instead.

A command finds and checks what it is about, and returns an ``Act``. The rest is the same for all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fairgate.errors import FairgateError, MalformedInputError, NotFoundError, WrongStateError

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target

Done = TypeVar("Done")
DRY_RUN = "Dry run, nothing written."
NO_LOG = "There is no event yet, so no log has it."
_YES = ("y", "yes")


def _nothing(_done: object) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Act(Generic[Done]):
    """What an operator asks for, found and checked but not yet done.

    Attributes:
        name: as the log has it.
        events: whose logs have it; none for what only writes a file.
        detail: what was asked for, for the log, which gets the reason as well.
        do: does it, once the log has it that it was asked for.
        report: says what was done.
        would: says what would be done, and raises what ``do`` would; it writes nothing.
        ends: what cannot be taken back, a line each; asked about before it is done.
        not_done: names the steps that are missing from what was done, each with the reason.
    """

    do: Callable[[], Done]
    report: Callable[[Done], Report]
    would: Callable[[], Report]
    name: str = ""
    events: Sequence[str] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    ends: Sequence[str] = ()
    not_done: Callable[[Done], Mapping[str, str]] = _nothing


def perform(options: argparse.Namespace, target: Target, act: Act[Done]) -> Report:
    """Do it and report it, or say what a dry run found.

    Raises:
        WrongStateError: nobody said yes to what cannot be taken back.
        FairgateError: it was refused, which the log has.
    """
    if options.dry_run:
        report = act.would()
        lines = [DRY_RUN, *report.lines]
    else:
        if act.ends and (options.yes or _is_possible(act)):
            confirm(options, act.ends)
        detail = reasoned(options, **act.detail)
        acts = target.acts()
        done = acts.do_in_each(act.events, act.name, detail, act.do, not_done=act.not_done)
        report = act.report(done)
        lines = list(report.lines)
    return report._replace(data={**report.data, "dry_run": options.dry_run}, lines=lines)


def _is_possible(act: Act[Any]) -> bool:
    """Say whether it is worth asking: what is refused anyway is tried, so that the log has why."""
    try:
        act.would()
    except FairgateError:
        return False
    return True


def confirm(options: argparse.Namespace, ends: Sequence[str]) -> None:
    """Say what it ends and wait for a yes. Raises WrongStateError where none comes."""
    if options.yes or options.dry_run:
        return
    if options.json or not sys.stdin.isatty():
        told = " ".join(line.strip() for line in ends)
        raise WrongStateError(f"{told} Say so with --yes.")
    print(*ends, sep="\n", file=sys.stderr)
    print("Do it? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in _YES:
        raise WrongStateError("Nothing was changed.")


def reasoned(options: argparse.Namespace, **detail: Any) -> dict[str, Any]:
    """Return what the log keeps of what was asked for, with the reason where one is given."""
    return detail | {"reason": getattr(options, "reason", None) or None}


def every_log(target: Target, events: Sequence[str] | None = None) -> list[str]:
    """Return the events whose log can be written, of all events unless some are named.

    What concerns every event must be possible although one's gate cannot be read, and with it the
    key of its log.
    """
    control, readable = target.control(), []
    for event in target.world.catalog.all().ids if events is None else events:
        try:
            control.read(event)
        except (MalformedInputError, NotFoundError):
            continue
        readable.append(event)
    return readable
