"""A second DynamoDB engine, by other people in another language: what holds on both is no accident.

Dynoxide comes as a binary with npm's optional packages, for Linux on x86-64 only.
"""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.run.local.local_server import LocalServer
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def dynoxide_binary(root: Path = ROOT) -> Path | None:
    """npm's binary, or None where it has not been installed or does not run."""
    binary = root / "node_modules" / "@dynoxide" / "linux-x64" / "dynoxide"
    runs = (platform.system(), platform.machine()) == ("Linux", "x86_64")
    return binary if runs and binary.is_file() else None


class Dynoxide(LocalServer):
    """DynamoDB alone, without streams."""

    title = "Dynoxide"
    missing = "Dynoxide is not installed: npm ci brings it where npm has it (Linux on x86-64)."

    def _binary(self) -> Path | None:
        return dynoxide_binary()

    def _arguments(self) -> Sequence[str]:
        return ("serve", "--host", "127.0.0.1", "--port", str(self.port))

    def _environment(self) -> Mapping[str, str]:
        return {"HOME": str(self._logs_dir)}
