"""One running system for the end-to-end tests of a group, in one xdist worker."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.logged_system import LoggedSystem
from fairgate_ops.run.local.ministack import ministack_binary
from fairgate_ops.run.local.valkey_server import valkey_server_binary
from fairgate_ops.shared.paths import ROOT
from tests.e2e.commands import Commands

EVENT = "demo"
SEATS = 600
COMMAND_S = 180  # the longest waits 40 s by itself, and a busy machine is slow
SYSTEMS_MAX = 3  # one a group of tests/support/workers.py


def missing() -> str | None:
    """What the local system lacks on this machine, or None."""
    if ministack_binary() is None:
        return "ministack is not installed (requirements/local.txt in .venv-local)"
    if valkey_server_binary() is None:
        return "no Valkey server is installed (requirements/local.txt in .venv-local)"
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "Node.js with npm is not installed"
    if not (ROOT / "node_modules").is_dir():
        return "the npm packages are not installed (npm ci)"
    return None


class Running:
    """The system as a test sees it."""

    def __init__(self, system: LoggedSystem, commands: Commands) -> None:
        self._commands = commands
        self.system = system
        self.base_url = system.base_url
        self.run_dir = system.run_dir
        self.run_file = system.place.config
        self.config = json.loads(self.run_file.read_text())
        self.event = EVENT

    def fairgate(self, *arguments: str, expect: int = 0) -> str:
        """Run the operators' command against this system; its standard output."""
        done = self.ran(*arguments)
        assert done.returncode == expect, done
        return done.stdout

    def ran(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the operators' command against this system, however it ends."""
        return self._commands.run([*arguments, "--run-file", str(self.run_file)], COMMAND_S)


@pytest.fixture(scope="package")
def system(tmp_path_factory: pytest.TempPathFactory):
    """The whole of Fairgate, with a small venue on sale at a quick pace."""
    reason = missing()
    if reason is not None:
        pytest.skip(f"the local system cannot run here: {reason}")
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):  # nothing else would tell of a fourth
        run = tmp_path_factory.getbasetemp().parent
        (run / f"system-of-{worker}").touch()
        assert len(list(run.glob("system-of-*"))) <= SYSTEMS_MAX
    with LoggedSystem(tmp_path_factory.mktemp("system"), workers=4) as started:
        sale = Sale(
            EVENT,
            name="Demo",
            sale_starts_in_s=1,
            tau_s=1,
            pow_bits=8,
            backoff_max_s=2,
            checkout_s=60,
        )
        put_on_sale(started.place.config, sale, demo_venue(SEATS))
        with Commands() as commands:
            yield Running(started, commands)
        started.watch()
