"""Type the operators' command at a running system, as its runbooks and scripts do."""

from __future__ import annotations

import os
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
    return _run([*words, "--run-file", str(run_file)], base_environment())


def typed_at_stage(
    words: Sequence[str], stage: str, region: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one command at a deployment, with this environment's credentials. Raises as ``typed``."""
    where = ["--target", "aws", "--stage", stage, *(["--region", region] if region else [])]
    return _run([*words, *where], dict(os.environ))


def _run(words: Sequence[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fairgate_ops.operate.cli.main", *words],
        capture_output=True,
        text=True,
        timeout=COMMAND_S,
        check=False,
        cwd=ROOT,
        env=env,
    )
