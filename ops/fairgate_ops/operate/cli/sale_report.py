"""``fairgate report``: what happened in a sale, from the logs of its requests."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate.service.shared.start_text import known_zone, start_text
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
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
    out = Path(options.out or f"{sale.id}-report")
    _make(out)
    write_whole(out / PAGE, report_page(sale.name, when, answers, zone))
    for name, answer in answers.items():
        write_whole(out / f"{name}.csv", table_file(answer))
    missing = sorted({a.question.table for a in answers.values() if not a.logged})
    lines = [f"{out / PAGE}: the report, with {len(answers)} tables beside it as CSV."]
    lines += [f"Without {', '.join(missing)}: {folder} has no such log."] if missing else []
    data = {"event": sale.id, "out": str(out), "hours": hours, "missing": missing}
    return Report(data | {"rows": {n: len(a.rows) for n, a in answers.items()}}, lines)


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
