"""Show a benchmark's figures: tables in Markdown, the machine and versions behind them."""

from __future__ import annotations

import platform
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Make a Markdown table under its title."""
    lines = [title, "", _row(head), "|" + "---|" * len(head)]
    return "\n".join([*lines, *(_row(row) for row in rows), ""])


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def machine() -> str:
    """Name processor, cores and system."""
    cpus = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    names = [line.split(":", 1)[1].strip() for line in cpus.splitlines() if "model name" in line]
    name = names[0] if names else platform.machine()
    return f"{len(names) or 1} × {name}, {platform.system()} {platform.machine()}"


def versions(*packages: str) -> str:
    """Name this Python and these of its packages."""
    named = [f"{package} {version(package)}" for package in packages]
    return ", ".join([f"Python {platform.python_version()}", *named])


def nginx_version() -> str:
    """Name the nginx that is installed."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if nginx is None:
        return "no nginx"
    done = subprocess.run([nginx, "-v"], capture_output=True, text=True, check=True)
    return done.stderr.strip().removeprefix("nginx version: ")


def valkey_version(url: str) -> str:
    """Name the Valkey server at this address."""
    from valkey import Valkey

    client = Valkey.from_url(url)
    server: Any = client.info("server")
    client.connection_pool.disconnect()
    return f"Valkey {server.get('valkey_version', '?')}"
