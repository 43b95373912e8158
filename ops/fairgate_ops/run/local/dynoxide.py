"""A second DynamoDB engine, by other people in another language: what holds on both is no accident.

Dynoxide comes as a binary with npm's optional packages, for Linux on x86-64 only.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.run.local.processes import (
    Child,
    StartError,
    accepts,
    free_port,
    start_child,
    wait_until,
)
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from typing import Self


def dynoxide_binary(root: Path = ROOT) -> Path | None:
    """npm's binary, or None where it has not been installed or does not run."""
    binary = root / "node_modules" / "@dynoxide" / "linux-x64" / "dynoxide"
    runs = (platform.system(), platform.machine()) == ("Linux", "x86_64")
    return binary if runs and binary.is_file() else None


class Dynoxide:
    """One server on a loopback port, its state in memory, gone with its parent."""

    def __init__(self, logs_dir: Path, port: int | None = None) -> None:
        self._logs_dir = logs_dir
        self.port = port or free_port()
        self.child: Child | None = None

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Return once it listens. Raises StartError saying what to install, or why it died."""
        binary = dynoxide_binary()
        if binary is None:
            raise StartError(
                "Dynoxide is not installed: npm ci brings it where npm has it (Linux on x86-64)."
            )
        self.child = start_child(
            "dynoxide",
            [str(binary), "serve", "--host", "127.0.0.1", "--port", str(self.port)],
            logs_dir=self._logs_dir,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": str(self._logs_dir)},
            cwd=self._logs_dir,
        )
        try:
            wait_until(lambda: accepts(self.port), "Dynoxide", child=self.child, within_s=10)
        except StartError:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        if self.child is not None:
            self.child.stop()
            self.child = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
