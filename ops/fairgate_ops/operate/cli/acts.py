"""Every act of an operator stands in the event's log, before it is done and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from fairgate.errors import DependencyUnavailableError, FairgateError
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate.service.gate.operator_log import LogEntry, OperatorLog
    from fairgate_ops.operate.target import Target

Result = TypeVar("Result")


def log_of(target: Target, event: str) -> OperatorLog:
    """Raises NotFoundError when the event has no gate."""
    from fairgate.service.gate.operator_log import OperatorLog

    gate = target.control().read(event)
    return OperatorLog.of(target.world.table, target.world.clock, event, gate)


def logged(
    options: argparse.Namespace,
    target: Target,
    act: str,
    detail: Mapping[str, Any],
    do: Callable[[], Result],
    *,
    event: str | None = None,
) -> Result:
    """What ``do`` returns; it is only done once the log has it that it was asked for.

    A refusal is logged as well. What may or may not have happened stays as ``asked``.
    """
    from fairgate.service.gate.control_gate import GateChange

    if options.dry_run:
        return do()
    log, who = log_of(target, event or options.event), target.who()
    told = {name: value for name, value in detail.items() if value is not None}
    if getattr(options, "reason", None):
        told["reason"] = options.reason
    log.append(who, act, "asked", told)
    try:
        result = do()
    except DependencyUnavailableError:
        raise
    except FairgateError as error:
        log.append(who, act, "refused", {"code": error.code, "detail": error.detail})
        raise
    gate = result.after if isinstance(result, GateChange) else None
    log.append(who, act, "done", told, gate)
    return result


def run_log(options: argparse.Namespace, target: Target) -> Report:
    """The log, checked against its signatures."""
    log = log_of(target, options.event)
    entries = log.read()
    wrong = log.check(entries)
    data = {
        "event": options.event,
        "entries": [entry.as_json() for entry in entries],
        "wrong": wrong,
    }
    verdict = "Every entry is as it was signed." if not wrong else "THE LOG WAS TAMPERED WITH:"
    lines = [_line(entry) for entry in entries] or ["Nothing has been done yet."]
    return Report(data, [*lines, verdict, *wrong], failed=bool(wrong))


def _line(entry: LogEntry) -> str:
    detail = ", ".join(f"{name} {value}" for name, value in entry.detail.items())
    return f"{entry.at}  {entry.phase:<7}  {entry.act:<14}  {entry.who}  {detail}".rstrip()
