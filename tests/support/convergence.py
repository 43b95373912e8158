"""One section and one area of a table, their cache on a real Valkey, and all that may race there.

What runs at the same time are tasks: each stops before every command that it sends to the cache or
the table, and goes on when it is told to. So a list of small steps says exactly who was when where,
and the same list always plays the same way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, cast

from msgspec.structs import fields, replace

from fairgate.adapters.system import SystemClock
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.seating.status_vector import CODES, fitted, unpack
from fairgate.ports.availability import SeatStatus
from fairgate.ports.table import Table
from fairgate.service.availability.apply_seat_changes import apply_seat_changes
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.availability.reads import Counts
from fairgate.service.availability.rebuild_availability import AvailabilityRebuilder
from fairgate.service.catalog.read_catalog import CatalogReader
from tests.support.availability import EVENT, FakeTable, next_moment, stream_record

SECTION, AREA = "a", "floor"
SEATS, SHARDS = 5, 2
STATUSES = ("available", "locked", "reserved", "blocked")
NEVER = "2099-01-01T00:00:00.000Z"
STEPS_MAX = 1_000
POLLS = 3  # of a viewer, once nothing changes any more: miss something, read it, hear nothing new
Step = tuple[Any, ...]


class Task:
    """Work that stops before each of its commands; ``step`` lets it go on to the next."""

    def __init__(self, work: Callable[[Task], object]) -> None:
        self._go, self._stopped = threading.Semaphore(0), threading.Semaphore(0)
        self._work = work
        self.over = self.may_crash = False
        self.error: BaseException | None = None
        threading.Thread(target=self._run, daemon=True).start()

    def pause(self) -> None:
        self._stopped.release()
        self._go.acquire()

    def step(self) -> None:
        if self.over:
            return
        self._go.release()
        self._stopped.acquire()
        if self.error is not None:
            raise self.error

    def _run(self) -> None:
        self._go.acquire()
        try:
            self._work(self)
        except BaseException as error:  # noqa: BLE001 raised in the thread of the test
            self.error = error
        self.over = True
        self._stopped.release()


class Stepped:
    """Every call of what it stands for, or of its methods, stops its task first."""

    def __init__(self, inner: Any, task: Task) -> None:
        self._inner, self._task = inner, task

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        self._task.pause()
        return self._inner(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return Stepped(getattr(self._inner, name), self._task)


class Viewer:
    """Follows a section's changes as ``edge/web/assets/js/live.js`` does, but for its timers."""

    def __init__(self) -> None:
        self.last, self.shown = 0, b""

    def poll(self, reader: AvailabilityReader) -> None:
        stream = reader.seat_changes(EVENT, SECTION).changes
        assert stream is not None
        if stream.window.since > self.last:
            read = reader.section(EVENT, SECTION)
            self.shown, self.last = read.codes, read.position.id
            return
        shown = bytearray(self.shown)
        for id_, index, code in stream.seats:
            if id_ > self.last:
                shown[index] = code
        self.shown, self.last = bytes(shown), max(self.last, stream.window.until)


class CountViewer:
    """The same for the counts of an event's sections and areas."""

    def __init__(self) -> None:
        self.last = 0
        self.shown: dict[str, int] = {}

    def poll(self, reader: AvailabilityReader) -> None:
        news = reader.place_changes(EVENT)
        changes, now = news.changes, news.counts
        assert changes is not None
        assert now is not None
        if changes.window.since > self.last:
            read = reader.counts(EVENT)
            self.shown, self.last = _free(read), read.position.id
            return
        places = {**changes.sections, **changes.areas}
        self.shown |= {p: _free(now)[p] for p, id_ in places.items() if id_ > self.last}
        self.last = max(self.last, changes.window.until)


def _free(counts: Counts) -> dict[str, int]:
    return {p: free for p, (_, free) in (*counts.sections.items(), *counts.areas.items())}


class Race:
    """Plays steps. Raises AssertionError as soon as the cache shows what it must not."""

    def __init__(self, cache: ValkeyAvailability) -> None:
        self.cache = cache
        self.client = cache._client().client
        self.client.flushall()
        self.table = FakeTable({SECTION: SEATS}, {AREA: [50] * SHARDS})
        self.records: list[dict[str, Any]] = []
        self.delivered: set[int] = set()
        self.tasks: list[Task] = []
        self.viewers = Viewer(), CountViewer()
        self._last_viewers: list[Viewer | CountViewer] = [*self.viewers]
        self._versions: dict[int, int] = {}  # shown by the section's key in its present life

    def play(self, steps: Sequence[Step]) -> None:
        for name, *arguments in steps:
            getattr(self, f"_{name}")(*arguments)
            self._look()
        self._end()

    # --- what may happen

    def _change(self, index: int, status: int) -> None:
        seat = self.table.seats[SECTION][index % SEATS]
        availability = STATUSES[status % len(STATUSES)]
        until = NEVER if availability == "locked" else ""
        version = seat["version"] + 1
        seat |= {"availability": availability, "expiresAt": until, "version": version}
        self.records.append(stream_record(seat))

    def _sell(self, shard: int) -> None:
        item = self.table.areas[f"{EVENT}#{AREA}#{shard % SHARDS}", "GA"]
        item |= {"remaining": item["remaining"] - 1, "version": item["version"] + 1}
        self.records.append(stream_record(item))

    def _deliver(self, *numbers: int) -> None:
        """Any of the messages, in any order, for the first time or again."""
        if self.records:
            batch = [number % len(self.records) for number in numbers]
            messages = [(f"{at}:{n}", self.records[n]) for at, n in enumerate(batch)]
            assert not apply_seat_changes(self.cache, messages, SystemClock()).failed
            self.delivered.update(batch)

    def _feed(self, number: int) -> None:
        """A message, by an invalidator of its own, which may end half-way: then it comes again."""
        if self.records:
            at = number % len(self.records)

            def apply(_: AvailabilityReader, __: AvailabilityRebuilder, cache: Any) -> None:
                assert not apply_seat_changes(
                    cache, [("one", self.records[at])], SystemClock()
                ).failed
                self.delivered.add(at)

            self._start(apply)
            self.tasks[-1].may_crash = True

    def _crash(self, task: int) -> None:
        alive = [t for t in self.tasks if not t.over and t.may_crash]
        if alive:
            alive[task % len(alive)].over = True

    def _counts_first(self) -> None:
        """Read counts first at the end: a read of seats mends counts that are wrong."""
        self._last_viewers = [*reversed(self.viewers)]

    def _evict(self, number: int) -> None:
        keys = sorted(self.client.keys("*"))
        if keys:
            self._delete(keys[number % len(keys)])

    def _delete(self, key: bytes) -> None:
        self.client.delete(key)
        if key.startswith(b"seatmap:"):
            self._versions.clear()

    def _lose(self, kind: str) -> None:
        of_event = kind in ("counts", "news")
        self._delete(f"{kind}:{{{EVENT if of_event else f'{EVENT}:{SECTION}'}}}".encode())

    def _forget(self) -> None:
        self.cache.forget(EVENT, SECTION)
        self._versions.clear()

    def _read(self) -> None:
        self._start(lambda reader, *_: reader.section(EVENT, SECTION))

    def _count(self) -> None:
        self._start(lambda reader, *_: reader.counts(EVENT))

    def _poll(self, number: int) -> None:
        viewer = self.viewers[number % len(self.viewers)]
        self._start(lambda reader, *_: viewer.poll(reader))

    def _rebuild(self) -> None:
        def both(_: AvailabilityReader, rebuilder: AvailabilityRebuilder, __: Any) -> None:
            rebuilder.section(EVENT, SECTION)
            rebuilder.area(EVENT, AREA, SHARDS)

        self._start(both)

    def _step(self, task: int, times: int) -> None:
        alive = [t for t in self.tasks if not t.over]
        for _ in range(times if alive else 0):
            alive[task % len(alive)].step()
            self._look()

    def _start(
        self, work: Callable[[AvailabilityReader, AvailabilityRebuilder, Any], object]
    ) -> None:
        """A process of its own: its own connection to the cache, its own reader."""

        def run(task: Task) -> None:
            cache = ValkeyAvailability("valkey://stepped")
            made = self.cache._client()
            parts: dict[str, Any] = {
                f.name: Stepped(getattr(made, f.name), task) for f in fields(made)
            }
            cache._made = replace(made, **parts)
            table: Any = Stepped(self.table, task)
            clock = SystemClock()
            catalog = CatalogReader(cast(Table, self.table), clock)
            reader = AvailabilityReader(
                cache, table, catalog, clock, wait=lambda _seconds: task.pause()
            )
            work(reader, AvailabilityRebuilder(cache, table), cache)

        self.tasks.append(Task(run))

    # --- what must hold

    def _look(self) -> None:
        """Vector, count and versions tell one story, and none of it goes back.

        The event's count may be of an earlier revision; of the same one, it is the same.
        """
        parts = self.client.hgetall(f"seatmap:{{{EVENT}:{SECTION}}}")
        kept = {
            int(name): SeatStatus(int(name), "available", 0, int(value.split(b"|")[0]))
            for name, value in parts.items()
            if name.isdigit()
        }
        for index, seat in kept.items():
            assert seat.version >= self._versions.get(index, -1), f"seat {index} went back"
            self._versions[index] = seat.version
        whole = self.cache.section(EVENT, SECTION)
        (codes,) = self.cache.codes(EVENT, [SECTION], 0)
        if whole is None or codes is None:
            return
        assert list(codes) == [CODES[seat.availability] for seat in whole], "the vector differs"
        assert int(parts[b":free"]) == codes.count(0), "the count differs"
        record = self.client.hget(f"counts:{{{EVENT}}}", SECTION)
        if record is not None:
            revision, free, _ = record.split(b"|")
            assert revision != parts[b":rev"] or free == parts[b":free"], (
                "the event's count differs"
            )

    def _end(self) -> None:
        """Everything ends and is delivered at last: all of it is as the table says."""
        for task in self.tasks:
            for _ in range(STEPS_MAX):
                task.step()
            assert task.over
        late = [n for n in range(len(self.records)) if n not in self.delivered]
        for number in reversed(late):  # what was lost is sent again, the newest first
            self._deliver(number)
            self._look()
        next_moment(self.cache)
        clock = SystemClock()
        table = cast(Table, self.table)  # the few reads that readers make
        reader = AvailabilityReader(self.cache, table, CatalogReader(table, clock), clock)
        for viewer in self._last_viewers:
            for _ in range(POLLS):
                viewer.poll(reader)
                next_moment(self.cache)
        wanted = self._wanted()
        left = sum(item["remaining"] for item in self.table.areas.values())
        seats, counted = self.viewers
        assert seats.shown == wanted, "a viewer of seats shows something else"
        free = {SECTION: wanted.count(0), AREA: left}
        assert counted.shown == free, "a viewer of counts shows something else"
        read, counts = reader.section(EVENT, SECTION), reader.counts(EVENT)
        assert (read.codes, read.source) == (wanted, "cache"), "the map differs"
        assert counts.sections == {SECTION: (SEATS, wanted.count(0))}
        assert reader.blocks(EVENT, SECTION).blocks["1"] == (SEATS, wanted.count(0))
        assert counts.areas[AREA][1] == left, "the area differs"
        packed = self.client.get(f"vector:{{{EVENT}:{SECTION}}}")
        assert unpack(packed, SEATS) == wanted
        self._look()

    def _wanted(self) -> bytes:
        codes = bytes(CODES[seat["availability"]] for seat in self.table.seats[SECTION])
        return fitted(codes, SEATS)
