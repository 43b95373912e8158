"""The organisers: two shells create the sale's events amid troubles, until they are on sale."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from fairgate.errors import DependencyUnavailableError, VersionConflictError, WrongStateError
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate_lab.engine.outside import MemoryEdgeConfig
from fairgate_lab.simulate.sale import venue
from fairgate_lab.simulate.sale.fleet import ProcessClock
from fairgate_lab.simulate.sale.sale import NAMES, Sale
from fairgate_lab.simulate.sale.scheduler import CrashedError
from fairgate_lab.worlds.event_creator import event_creator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ATTEMPTS_MAX = 100
PAUSE_MS_MAX = 20_000
SHELLS = 2
ENOUGH = 1_000  # sessions at once


class Organisers:
    """Run ``fairgate event create`` again and again: it breaks off, is killed, or meets itself.

    Args:
        then: called once, when every event is on sale and no shell is at work any more.
    """

    def __init__(self, sale: Sale, then: Callable[[], None]) -> None:
        self._sale, self._then = sale, then
        self._rng = random.Random(sale.seed)  # noqa: S311 a schedule
        self._edge = MemoryEdgeConfig()
        self._at_work = SHELLS

    def start(self) -> None:
        for shell in range(1, SHELLS + 1):
            self._sale.scheduler.spawn(f"organiser {shell}", self._live)

    def _live(self) -> None:
        for event in self._sale.terms:
            self._create(event)
        self._at_work -= 1
        if not self._at_work:
            self._then()

    def _create(self, event: str) -> None:
        scheduler = self._sale.scheduler
        for _ in range(ATTEMPTS_MAX):
            scheduler.sleep(self._rng.randint(0, PAUSE_MS_MAX))
            self._run(event)
            if self._sale.table().find(Event, event_key(event)) is not None:
                return
        scheduler.fail(f"{event} is not on sale after {ATTEMPTS_MAX} creations")

    def _run(self, event: str) -> None:
        """Run the command once, in a process of its own that may be killed."""
        sale, task = self._sale, self._sale.scheduler.current
        creator = event_creator(
            sale.client,
            NAMES,
            sale.layouts,
            edge=self._edge,
            clock=ProcessClock(sale.scheduler, 0),
            token_bytes=self._rng.randbytes,
            sleep=lambda s: sale.scheduler.sleep(round(s * 1000)),
        )
        task.process = creator
        try:
            venue.create(creator, event, _acceptable(sale.terms[event]))
        except CrashedError:
            task.crashed = False
        except (DependencyUnavailableError, VersionConflictError, WrongStateError) as error:
            sale.scheduler.note(f"breaks off: {error}")
        finally:
            task.process = None


def _acceptable(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Return the terms with a limit of sessions, and without a fee where nobody may cancel."""
    fee_minor = terms["cancel_fee_minor"] if terms["cancel_until"] else 0
    return {**terms, "live_max": terms["live_max"] or ENOUGH, "cancel_fee_minor": fee_minor}
