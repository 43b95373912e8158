"""Gather everything that one screen shows, as one document; each part with its age and error."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate_ops.operate.watch import sources
from fairgate_ops.operate.watch.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fairgate_ops.operate.doctor.site import Fetch
    from fairgate_ops.operate.target import Target

EVERY_S = 2.0
SELDOM_S = 10.0  # what no screen shows change so fast, or what others pay for
ONCE_S = 12.0  # so long the first sight waits for what stalls, or was created just now
AGAIN_S = 1.0
_EMPTY: Mapping[str, Mapping[str, Any]] = {
    "queues": sources.NO_QUEUES,
    "tasks": sources.NO_TASKS,
    "alarms": sources.NO_ALARMS,
    "sign_in_keys": sources.NO_KEYS,
}


class Watched:
    """What is watched: some events, or all that are not closed, and the deployment around them.

    Args:
        wanted: the events; none named: all that are not closed.
    """

    def __init__(
        self,
        target: Target,
        fetch: Fetch,
        stage: str,
        wanted: Sequence[str],
        monotonic: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._target, self._fetch, self._wanted = target, fetch, tuple(wanted)
        self._monotonic, self._pause = monotonic, pause
        self._catalog = self._source(self._events, {"events": []}, SELDOM_S)
        self._figures: dict[str, Source] = {}
        self._caches: dict[str, Source] = {}
        self._around = {
            name: self._source(read, _EMPTY[name], SELDOM_S)
            for name, read in sources.readers(target, stage).items()
        }

    def ask(self) -> None:
        """Have every source read that is due; wait for none."""
        for source in self._all():
            source.ask()

    def wait(self, seconds: float) -> None:
        """Wait until every source has answered once and every event has figures, or so long.

        The figures of an event that was just created come with the controller's next run.
        """
        until = self._monotonic() + seconds
        self._catalog.ask()
        self._catalog.wait(until if self._wanted else until - seconds / 2)
        while True:
            self.ask()
            for source in self._all():
                source.wait(until)
            known = all(source.known for source in self._figures.values())
            if known or self._monotonic() + AGAIN_S > until:
                return
            self._pause(AGAIN_S)

    def document(self) -> dict[str, Any]:
        """Return all that is known by now, as ``--json`` has it."""
        events = []
        for event in self._names():
            shown = self._figures[event].shown()
            head = {
                name: shown.get(name) for name in ("at", "age_s", "error", "via", "route_error")
            }
            events.append(
                {
                    "event": event,
                    "name": shown["name"] or None,
                    "figures": {**head, "made_at": shown.get("figures_at")},
                    **sources.aged(shown),
                    "cache": self._caches[event].shown(),
                }
            )
        return {
            "at": rfc3339(self._target.world.clock.now_ms()),
            "catalog": {k: v for k, v in self._catalog.shown().items() if k != "events"},
            "events": events,
            **{name: source.shown() for name, source in self._around.items()},
        }

    def _names(self) -> Sequence[str]:
        names: Sequence[str] = self._wanted or self._catalog.shown()["events"]
        for event in names:
            if event in self._figures:
                continue
            empty = {**sources.no_figures(event), "via": None, "route_error": ""}
            self._figures[event] = self._source(
                partial(self._read, event), {k: v for k, v in empty.items() if k != "at"}, EVERY_S
            )
            self._caches[event] = self._source(
                partial(sources.read_cache, self._target, self._fetch, event),
                sources.NO_CACHE,
                SELDOM_S,
            )
        return names

    def _read(self, event: str) -> dict[str, Any]:
        figures = sources.read_figures(self._target, self._fetch, event)
        return {**figures, "figures_at": figures.pop("at")}

    def _events(self) -> dict[str, Any]:
        events = self._target.world.catalog.all().events
        return {"events": [sale.id for sale in events if sale.state != "closed"]}

    def _all(self) -> list[Source]:
        names = self._names()
        of_events = [one for name in names for one in (self._figures[name], self._caches[name])]
        return [self._catalog, *of_events, *self._around.values()]

    def _source(
        self, read: Callable[[], Mapping[str, Any]], empty: Mapping[str, Any], every_s: float
    ) -> Source:
        clock = self._target.world.clock
        return Source(read, empty, every_s, clock.now_ms, self._monotonic)
