"""Find who is asked about a sale here: Athena, or on one machine a folder of logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.operate.sale_report.athena import AthenaLogs, Workgroup, assumed

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.settings import Settings
    from fairgate_ops.operate.sale_report.answers import SaleLogs


# How a folder of logs is read: DuckDB does not go to Lambda, so the local worker says it.
_READERS: list[Callable[[Path], SaleLogs]] = []


def read_folders(by: Callable[[Path], SaleLogs]) -> None:
    """Let this process read folders of logs so."""
    _READERS[:] = [by]


def logs_of(settings: Settings, wait: Callable[[float], None]) -> SaleLogs:
    """Return who is asked. Raises MalformedInputError: the folder has no logs.

    Args:
        wait: sleeps between two questions whether an answer is there.
    """
    for read in _READERS:
        return read(Path(settings.logs_dir))
    return AthenaLogs(workgroups_of(settings.log_workgroups), assumed, wait)


def workgroups_of(text: str) -> list[Workgroup]:
    """Read the setting: name, region and role of each, between commas."""
    return [Workgroup(*one.split()) for one in text.split(",") if one.strip()]
