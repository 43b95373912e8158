"""Which tests stay together on one of several workers.

The marks of pytest-xdist's ``loadgroup`` have no effect since pytest 9.2, and nothing says so:
https://github.com/pytest-dev/pytest-xdist/issues/1386. The worker's name for a test is all that the
one who shares them out knows, so folders and files decide.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from xdist.scheduler import LoadScopeScheduling

# One running system serves them all.
TOGETHER = ("tests/e2e/", "lab/tests/e2e/", "lab/tests/emulator/")
# Systems of their own serve these, so that none of the three waits for the others' timers: what
# operators do, and what comes after a sale.
OPERATED = (
    "tests/e2e/test_generated_clients.py",
    "tests/e2e/test_load.py",
    "tests/e2e/test_operating_day.py",
    "tests/e2e/test_passing_on.py",
    "tests/e2e/test_readme.py",
    "tests/e2e/test_rehearsals.py",
    "tests/e2e/test_scripted_day.py",
    "tests/e2e/test_sign_in_journey.py",
)
AFTERWARDS = (
    "tests/e2e/test_cancelled_event.py",
    "tests/e2e/test_erased_buyer.py",
    "tests/e2e/test_given_back.py",
    "tests/e2e/test_killed_mails.py",
    "tests/e2e/test_mails.py",
    "tests/e2e/test_moved_event.py",
    "tests/e2e/test_organising.py",
)
APART = {path: group[0] for group in (OPERATED, AFTERWARDS) for path in group}
# A module stays whole: its tests share fixtures, which each worker would make again, and to share
# out each test by itself took a fifth more of the processors. Except these, whose tests are long.
EACH_ALONE = (
    "tests/edge/test_fuzz_gate.py",
    "lab/tests/attack/test_race.py",
    "lab/tests/property/test_gate_languages.py",
    "lab/tests/simulation/test_gate_sessions.py",
    "lab/tests/simulation/test_sale.py",
    "lab/tests/simulation/test_sale_controls.py",
)
# They compute for long by themselves: begun last, they would leave the other core idle at the end.
LONG = (
    "tests/infra/test_nag.py",
    "tests/infra/test_lint.py",
    "lab/tests/simulation/test_gate_adversaries.py",
    "lab/tests/bench/test_bench_hold.py",
    "tests/integration/test_dead_letters.py",
    "tests/integration/test_redrive.py",
    "lab/tests/simulation/test_sale.py::test_a_seed_makes_the_same_sale_again_when_hashes_differ",
    "lab/tests/simulation/test_sale_controls.py::test_a_whole_sale_is_sound_with_all_its_guards",
    "lab/tests/simulation/test_sale_controls.py::test_no_guard_is_without_a_control",
    "lab/tests/simulation/test_sale_fees.py",
    "tests/unit/operate/test_cli_silence.py",
    "lab/tests/bench/test_bench_tickets.py",
)
COMPUTING = 3  # one worker in so many has no test that waits: they alone can fill the cores
# They wait for timers and for a browser more than they compute. At the end, or all at once, they
# would leave the cores idle, so each is begun as soon as other workers go on computing. The
# modules of the pages follow each other, because one hands its browser on (tests/edge/conftest.py).
WAITING = (
    "tests/e2e/",
    "lab/tests/e2e/",
    AFTERWARDS[0],
    OPERATED[0],
    "lab/tests/emulator/",
    "tests/edge/test_web_pages.py",
    "tests/edge/test_web_places.py",
    "tests/edge/test_web_readers.py",
    "tests/edge/test_order_page.py",
    "tests/edge/test_before_sale_start.py",
    "tests/edge/test_web_room.py",
    "tests/edge/test_web_room_news.py",
    "tests/edge/test_sign_in_page.py",
    "tests/edge/test_passing_page.py",
    "tests/edge/test_find_page.py",
    "tests/edge/test_orders_page.py",
    "tests/integration/test_load_workers.py",
    "tests/integration/test_api_host.py",
    "tests/unit/aws/test_silent_services.py",
    "tests/contract/test_stripe_stalls.py",
)


def group_of(nodeid: str) -> str:
    """Return the same name for tests that one worker has to run."""
    path = nodeid.partition("::")[0]
    if path in APART:
        return APART[path]
    for folder in TOGETHER:
        if path.startswith(folder):
            return folder
    return nodeid if path in EACH_ALONE else path


class Scheduling(LoadScopeScheduling):
    """Groups that no worker shares: LONG, then those of most tests, WAITING beside them."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        given = (group for groups in self.assigned_work.values() for group in groups.items())
        waiting = sum(name in WAITING and not all(tests.values()) for name, tests in given)
        if waiting < len(self.nodes) - max(1, len(self.nodes) // COMPUTING):
            wanted = [*WAITING]
        else:
            wanted = [*LONG, *(name for name in self.workqueue if name not in WAITING)]
        chosen = next((name for name in wanted if name in self.workqueue), None)
        if chosen is not None:
            self.workqueue.move_to_end(chosen, last=False)
        with suppress(OSError):  # it has died: remove_node will put its work back
            super()._assign_work_unit(node)

    def _reschedule(self, node: Any) -> None:
        """Give a worker two tests, or say that there is one: else it waits before the last."""
        super()._reschedule(node)
        if self._pending_of(self.assigned_work[node]) == 1:
            super()._reschedule(node)

    def remove_node(self, node: Any) -> str | None:
        """Begin no test again that ended its worker: xdist would, and then wait for nothing."""
        work = self.assigned_work[node]
        running = [
            (name, test) for name, tests in work.items() for test in tests if not tests[test]
        ]
        for name, test in running[:1]:
            work[name][test] = True
        for name in [name for name, tests in work.items() if all(tests.values())]:
            del work[name]
        super().remove_node(node)
        return running[0][1] if running else None


def scheduling(config: Any, log: Any) -> Scheduling | None:
    """Return how tests are shared out with ``--dist loadgroup``."""
    return Scheduling(config, log) if config.getvalue("dist") == "loadgroup" else None
