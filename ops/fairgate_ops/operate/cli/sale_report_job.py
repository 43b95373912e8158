"""``report`` as a job: the same questions, asked where this deployment has its logs."""

from __future__ import annotations

import argparse
import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate_ops.operate.cli.act import DRY_RUN
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report, count_text
from fairgate_ops.operate.sale_report.answers import document_of, table_file
from fairgate_ops.operate.sale_report.hours import hours_of, not_started
from fairgate_ops.operate.sale_report.source import logs_of
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.progress import notice, pause

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_ops.operate.sale_report.answers import Answer

_DATED = (1980, 1, 1, 0, 0, 0)  # of each file in the archive: the same answers are the same bytes


@at_target
def run_report(options: argparse.Namespace, target: Target) -> Report:
    """Ask every question; its answers for a page, and all rows as CSV in one file."""
    world = target.world
    sale, now_ms = world.catalog.event(options.event), world.clock.now_ms()
    hours = hours_of(sale, now_ms, options.hours)
    data = {"event": sale.id, "hours": [hours.first, hours.last], "made_at": rfc3339(now_ms)}
    if options.dry_run:
        return Report(data, [DRY_RUN, f"The logs would be asked {hours.when}."])
    notice("Asking the logs")
    answers = logs_of(world.settings, pause).answers(sale.id, hours.first, hours.last)
    Path(options.out).write_bytes(_archive(answers))
    missing = sorted(name for name, answer in answers.items() if not answer.logged)
    lines = [f"{count_text(len(answers), 'table')} {hours.when}.", *not_started(target, sale.id)]
    lines += [f"Without a log: {', '.join(missing)}."] if missing else []
    return Report(data | {"answers": document_of(answers), "missing": missing}, lines)


def _archive(answers: Mapping[str, Answer]) -> bytes:
    """Return all tables as CSV files in one."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, answer in answers.items():
            entry = zipfile.ZipInfo(f"{name}.csv", _DATED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, table_file(answer))
    return file.getvalue()
