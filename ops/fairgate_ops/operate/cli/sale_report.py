"""``fairgate report``: what happened in a sale, from the logs of its requests."""

from __future__ import annotations

import argparse
from datetime import UTC
from pathlib import Path

from fairgate.errors import MalformedInputError
from fairgate.service.shared.start_text import known_zone
from fairgate_ops.operate.cli.act import DRY_RUN
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report, count_text
from fairgate_ops.operate.sale_report.answers import table_file
from fairgate_ops.operate.sale_report.hours import hours_of, not_started
from fairgate_ops.operate.sale_report.logs import FolderLogs
from fairgate_ops.operate.sale_report.page import report_page
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.whole_file import write_whole
from infra.log_queries import questions

PAGE = "report.html"


@at_target
def run_report(options: argparse.Namespace, target: Target) -> Report:
    """Ask every question, and write page and tables into a folder."""
    sale = target.world.catalog.event(options.event)
    folder = Path(options.logs) if options.logs else _here(target)
    logs = FolderLogs(folder)
    hours = hours_of(sale, target.world.clock.now_ms(), options.hours)
    answers = logs.answers(sale.id, hours.first, hours.last)
    zone = known_zone(sale.time_zone) or UTC
    notes = [*not_started(target, sale.id), *_unreadable_lines(logs)]
    page = report_page(sale.name, hours.when, answers, zone, notes)
    out = Path(options.out or f"{sale.id}-report")
    if options.dry_run:
        lines = [DRY_RUN, f"{out / PAGE}: the report can be written, and {len(answers)} tables."]
    else:
        _make(out)
        write_whole(out / PAGE, page)
        for name, answer in answers.items():
            write_whole(out / f"{name}.csv", table_file(answer))
        lines = [f"{out / PAGE}: the report, with {len(answers)} tables beside it as CSV."]
    missing = sorted({one.table for one in questions() if not answers[one.name].logged})
    lines += [f"Without {', '.join(missing)}: {folder} has no such log."] if missing else []
    data = {
        "event": sale.id,
        "out": str(out),
        "dry_run": options.dry_run,
        "hours": [hours.first, hours.last],
        "missing": missing,
        "unreadable": {table: wrong for table, (wrong, _lines) in logs.unreadable.items()},
        "rows": {n: len(a.rows) for n, a in answers.items()},
    }
    return Report(data, [*lines, *notes], failed=_nothing_read(logs))


def _unreadable_lines(logs: FolderLogs) -> list[str]:
    return [
        f"{table}: {wrong:,} of {count_text(lines, 'line')} cannot be read and are not counted."
        for table, (wrong, lines) in logs.unreadable.items()
        if wrong
    ]


def _nothing_read(logs: FolderLogs) -> bool:
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
