"""One deployment into the emulator for all tests here, in one worker."""

from __future__ import annotations

import pytest

from emulator.sale import open_events
from fairgate_lab.emulator.engine import missing
from fairgate_lab.emulator.system import EmulatedSystem
from fairgate_ops.run.local.valkey_server import valkey_server_binary


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("lab/tests/emulator/"):
            item.add_marker(pytest.mark.emulator)


@pytest.fixture(scope="session")
def runnable() -> None:
    reason = missing()
    if reason is None and valkey_server_binary() is None:
        reason = "no Valkey server is installed (requirements/local.txt in .venv-local)"
    if reason is not None:
        pytest.skip(f"the templates cannot be deployed here: {reason}")


@pytest.fixture(scope="package")
def deployed(runnable, tmp_path_factory):
    """Every stack, deployed, with two events on their way to the sale start."""
    with EmulatedSystem(tmp_path_factory.mktemp("deployed") / "run", say=print) as system:
        open_events(system)
        yield system
        system.watch()
