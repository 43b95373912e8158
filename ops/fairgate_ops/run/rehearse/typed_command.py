"""Type the operators' command at a running system, as its runbooks and scripts do."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

COMMAND_S = 300


def typed(words: Sequence[str], run_file: Path) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, whatever that is. Raises subprocess.TimeoutExpired."""
    command = [sys.executable, "-m", "fairgate_ops.operate.cli.main", *words]
    return subprocess.run(
        [*command, "--run-file", str(run_file)],
        capture_output=True,
        text=True,
        timeout=COMMAND_S,
        check=False,
        cwd=ROOT,
        env=base_environment(),
    )
