"""How old a seat is when it is seen: from the commit of its hold to its sight through the edge.

Watchers read the sections' ``changes`` as pages do. One asks nginx ten times a second, as a crowd
keeps a cache asked; some ask once a second, as one page does; one asks the API itself.
"""

from __future__ import annotations

import gzip
import http.client
import math
import re
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.http import paths
from fairgate_lab.bench.availability.feed import PARTS
from fairgate_lab.bench.availability.world import EVENT, HTTP_S, get
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.measure import Spread, cpu_ns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fairgate_lab.bench.availability.world import ObservedSystem

OFTEN_S = 0.1
PAGE_S = 1.0  # HOT_S of service/availability/reading_pace
PAGES = 2  # of each section
DRAIN_S = 8.0  # after the last hold
HOLD_MS_MAX = 2_000.0  # a change may be in the stream so long before its caller gets the answer
_ID = re.compile(r"^id: (\d+)$", re.MULTILINE)
_SEATS = re.compile(r"^event: seats\ndata: (\[.*\])$", re.MULTILINE)
_PAIR = re.compile(r"\[(\d+),(\d)\]")
Seen = dict[tuple[str, int], float]  # section, seat's index → epoch ms


@dataclass(frozen=True)
class Freshness:
    """How old seats were when they were seen. The parts are each from the part before, in ms."""

    reached_per_s: float
    wanted_per_s: float
    spreads: Mapping[str, Spread]
    holds: int
    missed: int  # holds that were never seen through nginx
    database_cores: float  # that the database engine and its queues used meanwhile


def freshness(
    system: ObservedSystem, sections: Sequence[str], *, rate: float, seconds: float
) -> Freshness:
    """Hold seats of ``sections`` at ``rate`` a second for ``seconds``, and watch."""
    edge, api = system.ports.public, system.ports.api
    often = [Watcher(edge, section, OFTEN_S) for section in sections]
    past_edge = {paths.HEADER_FRONT_DOOR: system.place.front_door.read_text("utf-8")}
    origin = [Watcher(api, section, OFTEN_S, headers=past_edge) for section in sections[:1]]
    pages = [
        Watcher(edge, section, PAGE_S, PAGE_S * (number + 0.5) / PAGES)
        for section in sections
        for number in range(PAGES)
    ]
    watchers = [*often, *origin, *pages]
    for section in sections:  # a page reads the map before it follows its changes
        get(edge, paths.SECTION_SEATS.format(event=EVENT, section=section))
    for watcher in watchers:
        watcher.start()
    engine = system.pids["ministack"]
    with system.holds(sections, rate, round(rate * seconds)) as holds:
        before_ns, start = cpu_ns(engine), time.monotonic()
        committed = holds.committed()
        cores = (cpu_ns(engine) - before_ns) / 1e9 / (time.monotonic() - start)
        took_s = holds.seconds
    threading.Event().wait(DRAIN_S)
    for watcher in watchers:
        watcher.stop()
    where = {(s.section, s.index): s.seat for s in holds.seats if s.seat in committed}
    read, received, applied = _fed(system, committed)
    seen_origin, seen_often = _seen(origin, where), _seen(often, where)
    by_pages = [_seen([page], where) for page in pages]
    spreads = {
        "commit → read from the stream": _between(committed, read),
        "→ received from the queue": _between(read, received),
        "→ applied to the cache": _between(received, applied),
        "→ seen at the API": _between(applied, seen_origin),
        "→ seen through nginx": _between(applied, seen_often),
        "**commit → applied to the cache**": _between(committed, applied),
        "**commit → seen at the API**": _between(committed, seen_origin),
        "**commit → seen through nginx**": _between(committed, seen_often),
        "**commit → seen by a page**": Spread.of(
            at_ms - committed[seat] for seen in by_pages for seat, at_ms in seen.items()
        ),
    }
    missed = len(committed) - len(seen_often)
    return Freshness(len(committed) / took_s, rate, spreads, len(committed), missed, cores)


def shown(figures: Sequence[Freshness], sections: int) -> Part:
    """Give each rate a column."""
    rows: list[Sequence[object]] = [
        (name, *(one.spreads[name].shown() for one in figures)) for name in figures[0].spreads
    ]
    rows.append(("holds, of them never seen", *(f"{o.holds:,}, {o.missed}" for o in figures)))
    rows.append(("cores used by the engine", *(f"{one.database_cores:.2f}" for one in figures)))
    rates = (f"{one.reached_per_s:.0f} ({one.wanted_per_s:.0f})" for one in figures)
    title = f"Freshness, p50 / p99 in ms, under holds in {sections} sections."
    return Part(title, ("holds a second: reached (wanted)", *rates), rows)


class Watcher(threading.Thread):
    """Reads one section's stream again and again; notes when each seat's change is first there."""

    def __init__(
        self,
        port: int,
        section: str,
        every_s: float,
        first_s: float = 0.0,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(name=f"watcher of {section}", daemon=True)
        self._port, self._section = port, section
        self._every_s, self._first_s = every_s, first_s
        self._headers = {"Accept-Encoding": "gzip", **(headers or {})}
        self._path = f"{paths.CHANGES.format(event=EVENT)}?section={section}"
        self._ending = threading.Event()
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HTTP_S)
        self._last = ""
        self.seen: Seen = {}

    def run(self) -> None:
        self._ending.wait(self._first_s)
        while not self._ending.is_set():
            try:
                self._look()
            except (OSError, http.client.HTTPException):
                self._connection.close()  # the next look connects again
            self._ending.wait(self._every_s)

    def stop(self) -> None:
        self._ending.set()
        self.join()
        self._connection.close()

    def _look(self) -> None:
        self._connection.request("GET", self._path, headers=self._headers)
        answer = self._connection.getresponse()
        body = answer.read()
        now_ms = time.time_ns() / 1e6
        if answer.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        self._note(body.decode(), now_ms)

    def _note(self, stream: str, now_ms: float) -> None:
        # Ids grow: what stands before the last one known has been noted.
        known = stream.find(f"\nid: {self._last}\n") if self._last else -1
        news = stream[known + 1 :] if known >= 0 else stream
        for changes in _SEATS.findall(news):
            for index, code in _PAIR.findall(changes):
                if code != "0":
                    self.seen.setdefault((self._section, int(index)), now_ms)
        ids = _ID.findall(news)
        if ids:
            self._last = ids[-1]


def _seen(watchers: Iterable[Watcher], where: Mapping[tuple[str, int], str]) -> dict[str, float]:
    return {
        where[place]: at_ms
        for watcher in watchers
        for place, at_ms in watcher.seen.items()
        if place in where
    }


def _fed(system: ObservedSystem, committed: Mapping[str, float]) -> list[dict[str, float]]:
    """Find when each hold first passed each part of the feed, after the seat's making."""
    fed: dict[str, dict[str, float]] = {part: {} for part in PARTS}
    for part, at_ms, seat in system.fed():
        if at_ms > committed.get(seat, math.inf) - HOLD_MS_MAX:
            fed[part].setdefault(seat, at_ms)
    return [*fed.values()]


def _between(since: Mapping[str, float], until: Mapping[str, float]) -> Spread:
    """A step that a clock puts before the one that caused it took no time."""
    return Spread.of(max(0.0, at - since[seat]) for seat, at in until.items() if seat in since)
