"""Perform a command that changes something: ask, do, log and report, or a dry run instead.

A command finds and checks its objects and returns an ``Act``. The rest is the same for all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fairgate.domain.shared.labels import harmless
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    MalformedInputError,
    NotFoundError,
    TooManyRequestsError,
    VersionConflictError,
    WrongStateError,
)

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target

Done = TypeVar("Done")
DRY_RUN = "Dry run, nothing written."
UNCONFIRMED = "unconfirmed"
NO_LOG = "There is no event yet, so no log records it."
_YES = ("y", "yes")
# They say nothing about the same request a moment later.
_FOR_NOW = (DependencyUnavailableError, TooManyRequestsError, VersionConflictError)


def _nothing(_done: object) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Act(Generic[Done]):
    """A change that an operator asks for, checked but not yet done.

    Attributes:
        name: its name in the log.
        events: the events whose logs record it; none if it logs itself, or only writes a file.
        detail: the request for the log, which also gets the reason.
        do: does it, after the log's first entry.
        report: reports what was done.
        would: reports what would be done, with the errors of ``do``; writes nothing.
        ends: what cannot be undone, a line each; the operator is asked about it first.
        word: what the operator types instead of ``y`` where the change is that large; else "".
        not_done: names the steps that failed, each with the reason.
    """

    do: Callable[[], Done]
    report: Callable[[Done], Report]
    would: Callable[[], Report]
    name: str = ""
    events: Sequence[str] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    ends: Sequence[str] = ()
    word: str = ""
    not_done: Callable[[Done], Mapping[str, str]] = _nothing


def perform(options: argparse.Namespace, target: Target, act: Act[Done]) -> Report:
    """Do it and report it, or report what a dry run found.

    Raises:
        WrongStateError: nobody confirmed what cannot be undone.
        FairgateError: it was refused; the log records that.
    """
    if options.dry_run:
        report = act.would()
        lines = [DRY_RUN, *report.lines]
    else:
        if act.ends and (options.yes or _is_possible(act)):
            confirm(options, act.ends, act.word)
        detail = reasoned(options, **act.detail)
        acts = target.acts()
        done = acts.do_in_each(act.events, act.name, detail, act.do, not_done=act.not_done)
        report = act.report(done)
        lines = list(report.lines)
    return report._replace(data={**report.data, "dry_run": options.dry_run}, lines=lines)


def _is_possible(act: Act[Any]) -> bool:
    """Say whether to ask: a change that is refused anyway is tried, so that the log has why."""
    try:
        act.would()
    except _FOR_NOW:
        raise  # it may be possible a moment later, and nobody was asked
    except FairgateError:
        return False
    return True


def confirm(options: argparse.Namespace, ends: Sequence[str], word: str = "") -> None:
    """Print what cannot be undone and wait for a yes, or for ``word``.

    Raises WrongStateError if it does not come.
    """
    if options.dry_run or (getattr(options, "confirm", "") == word if word else options.yes):
        return
    if options.json or not sys.stdin.isatty():
        raise WrongStateError(
            f"{told(ends)} Confirm with {f'--confirm {word}' if word else '--yes'}.",
            reason=UNCONFIRMED,
            ends=list(ends),
            confirm=word or "yes",
        )
    print(*map(harmless, ends), sep="\n", file=sys.stderr)
    asked = f"Type {word} to do it: " if word else "Do it? [y/N] "
    print(asked, end="", file=sys.stderr, flush=True)
    said = sys.stdin.readline().strip()
    if said != word if word else said.lower() not in _YES:
        raise WrongStateError("Nothing was changed.")


def told(ends: Sequence[str]) -> str:
    """Join the lines; indented ones are a list."""
    text = ends[0].strip()
    for before, line in pairwise(ends):
        listed = before.startswith(" ") and line.startswith(" ")
        text += f"; {line.strip()}" if listed else f" {line.strip()}"
    return text if text.endswith((".", "!", "?")) else f"{text}."


def reasoned(options: argparse.Namespace, **detail: Any) -> dict[str, Any]:
    """Return the request for the log, with the reason if there is one."""
    return detail | {"reason": getattr(options, "reason", None) or None}


def every_log(target: Target, events: Sequence[str] | None = None) -> list[str]:
    """Return the events whose log can be written, of all events unless some are named.

    An act for every event must be possible although one event's gate, with the key of its log,
    cannot be read.
    """
    control, readable = target.control(), []
    for event in target.world.catalog.all().ids if events is None else events:
        try:
            control.read(event)
        except (MalformedInputError, NotFoundError):
            continue
        readable.append(event)
    return readable
