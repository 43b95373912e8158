"""Which tests stay together on one of several workers.

The marks of pytest-xdist's ``loadgroup`` have no effect since pytest 9.2, and nothing says so:
https://github.com/pytest-dev/pytest-xdist/issues/1386. The worker's name for a test is all that the
one who shares them out knows, so folders and files decide.
"""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadScopeScheduling

# One running system serves them all.
TOGETHER = ("tests/e2e/",)
# A module's tests share servers, browsers or samples, which each worker would make again.
BY_MODULE = (
    "tests/edge/",
    "tests/infra/",
    "tests/integration/",
    "tests/property/test_draw_statistics.py",
    "tests/simulation/test_gate_adversaries.py",
)
# Except these: their parts are there to be shared.
EACH_ALONE = ("tests/edge/test_fuzz_gate.py", "tests/integration/test_race.py")


def group_of(nodeid: str) -> str:
    """Return the same name for tests that one worker has to run."""
    path = nodeid.partition("::")[0]
    for folder in TOGETHER:
        if path.startswith(folder):
            return folder
    return path if path.startswith(BY_MODULE) and path not in EACH_ALONE else nodeid


class Scheduling(LoadScopeScheduling):
    """Groups that no worker shares, the largest first; every other test by itself."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def scheduling(config: Any, log: Any) -> Scheduling | None:
    """Return how tests are shared out with ``--dist loadgroup``."""
    return Scheduling(config, log) if config.getvalue("dist") == "loadgroup" else None
