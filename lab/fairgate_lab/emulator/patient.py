"""Run a command as long as it needs: only one that does nothing is given up."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from fairgate_ops.run.local.processes import StartError, processor_s

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

STILL_S = 120.0  # without a second of the processor, by it or by what else was started here
TOLD_S = 20.0


def run_patiently(
    command: Sequence[str],
    what: str,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    say: Callable[[str], None] = lambda _text: None,
    still_s: float = STILL_S,
) -> subprocess.CompletedProcess[str]:
    """Run the command and return what it came to.

    Raises:
        StartError: nothing that this process started used the processor for ``still_s``.
    """
    began = moved_at = time.monotonic()
    seen, every_s = processor_s(os.getpid()), min(TOLD_S, still_s)
    process = subprocess.Popen(
        command,
        env=env,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while True:
        try:
            said, wrong = process.communicate(timeout=every_s)
        except subprocess.TimeoutExpired:
            now, used = time.monotonic(), processor_s(os.getpid())
            if used != seen:
                seen, moved_at = used, now
                say(f"{what}: at work for {now - began:.0f} s")
            elif now - moved_at >= still_s:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                raise StartError(f"{what}: nothing moved for {still_s:.0f} s.") from None
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        else:
            return subprocess.CompletedProcess(command, process.returncode, said, wrong)
