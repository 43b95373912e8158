"""``fairgate report``: what happened in a sale, from the logs of its requests."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fairgate.domain.gate.draft import state_at
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate.service.shared.start_text import known_zone, start_text
from fairgate_ops.operate.cli.act import DRY_RUN
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report, count_text
from fairgate_ops.operate.sale_report.logs import SaleLogs
from fairgate_ops.operate.sale_report.page import report_page, table_file
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.whole_file import write_whole
from infra.log_queries import questions

HOUR = "%Y/%m/%d/%H"
PAGE = "report.html"
BEFORE = timedelta(hours=1)  # of the sale start: who joins early


@at_target
def run_report(options: argparse.Namespace, target: Target) -> Report:
    """Ask every question, and write page and tables into a folder."""
    sale = target.world.catalog.event(options.event)
    folder = Path(options.logs) if options.logs else _here(target)
    logs = SaleLogs(folder)
    starts = datetime.fromisoformat(sale.sale_starts_at) - BEFORE
    now_ms = target.world.clock.now_ms()
    ends = datetime.fromtimestamp(now_ms / 1000, tz=UTC)
    if options.hours:
        ends = min(ends, starts + BEFORE + timedelta(hours=options.hours))
    hours = [moment.astimezone(UTC).strftime(HOUR) for moment in (starts, ends)]
    answers = {one.name: logs.ask(one, sale.id, *hours) for one in questions()}
    zone = known_zone(sale.time_zone) or UTC
    began, ended = start_text(rfc3339(int(starts.timestamp() * 1000)), sale.time_zone), ends
    when = f"from {began} to {start_text(ended.isoformat(), sale.time_zone)}"
    notes = [*_not_started(target, sale.id), *_unreadable_lines(logs)]
    page = report_page(sale.name, when, answers, zone, notes)
    out = Path(options.out or f"{sale.id}-report")
    if options.dry_run:
        lines = [DRY_RUN, f"{out / PAGE}: the report can be written, and {len(answers)} tables."]
    else:
        _make(out)
        write_whole(out / PAGE, page)
        for name, answer in answers.items():
            write_whole(out / f"{name}.csv", table_file(answer))
        lines = [f"{out / PAGE}: the report, with {len(answers)} tables beside it as CSV."]
    missing = sorted({a.question.table for a in answers.values() if not a.logged})
    lines += [f"Without {', '.join(missing)}: {folder} has no such log."] if missing else []
    data = {
        "event": sale.id,
        "out": str(out),
        "dry_run": options.dry_run,
        "hours": hours,
        "missing": missing,
        "unreadable": {table: wrong for table, (wrong, _lines) in logs.unreadable.items()},
        "rows": {n: len(a.rows) for n, a in answers.items()},
    }
    return Report(data, [*lines, *notes], failed=_nothing_read(logs))


def _not_started(target: Target, event: str) -> list[str]:
    """Say so if no buyer could come in yet."""
    gate, now_s = target.control().read(event), target.world.clock.now_ms() / 1000
    if state_at(gate.state, gate.open_until_s, now_s) == "draft":
        return ["The event is a draft: its sale has not started."]
    return ["The sale has not started."] if now_s < gate.sale_start_s else []


def _unreadable_lines(logs: SaleLogs) -> list[str]:
    return [
        f"{table}: {wrong:,} of {count_text(lines, 'line')} cannot be read and are not counted."
        for table, (wrong, lines) in logs.unreadable.items()
        if wrong
    ]


def _nothing_read(logs: SaleLogs) -> bool:
    """Say whether a log has lines, and none of them could be read."""
    return any(lines and wrong == lines for wrong, lines in logs.unreadable.values())


def _here(target: Target) -> Path:
    """Return the folder of the local run's logs. Raises MalformedInputError in AWS."""
    if target.logs is None:
        raise MalformedInputError(
            "Name the folder with the logs: --logs FOLDER. Copy them first: `aws s3 sync` as"
            " docs/deploying.md says; or ask the same questions in Athena."
        )
    return target.logs


def _make(out: Path) -> None:
    try:
        out.mkdir(exist_ok=True)
    except OSError as error:
        raise MalformedInputError(f"{out} cannot be made: {error.strerror}.") from error
