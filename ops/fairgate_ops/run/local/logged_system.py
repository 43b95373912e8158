"""The local system, with a line in a log for each call that reaches the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.run.local.shares import WORKERS
from fairgate_ops.run.local.system import LocalSystem

if TYPE_CHECKING:
    from pathlib import Path

WORDS = 6  # of a line of the access log
MARKED_WORDS = WORDS + 1  # where a load marked the call; the mark is the last


class LoggedSystem(LocalSystem):
    """`make up` without the crowd, with an access log at the API."""

    def __init__(self, run_dir: Path, *, workers: int = WORKERS) -> None:
        super().__init__(run_dir, 0, workers=workers)
        self.access_log = self.place.logs / "access.log"
