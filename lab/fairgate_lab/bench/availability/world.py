"""A whole local system for the availability benchmark, whose API and change feed are observed."""

from __future__ import annotations

import http.client
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate_lab.bench.availability.feed import LOG
from fairgate_lab.bench.availability.holds import HOLD_LIMIT, credential, expiry, hold
from fairgate_lab.bench.kit.child import answer_of, start
from fairgate_lab.bench.kit.world import open_session
from fairgate_lab.worlds.bulk_writer import DynamoWriter
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.local_config import LocalConfig
from fairgate_ops.run.local.logged_system import LoggedSystem
from fairgate_ops.run.local.processes import StartError, wait_until
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    import socket
    import subprocess
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from fairgate.domain.shared.credential import Credential
    from fairgate_ops.run.local.environment import Ports

EVENT = "bench"
HTTP_S = 10.0
FEED_S = 300.0


@dataclass(frozen=True)
class Request:
    """A line of the API host's access log."""

    at_ms: float
    target: str


@dataclass(frozen=True)
class SeatToHold:
    seat: str
    section: str
    index: int  # in its section


class Holds:
    """Holds under way in a process of their own (``holds.py``)."""

    def __init__(self, process: subprocess.Popen[str], seats: Sequence[SeatToHold]) -> None:
        self._process, self.seats = process, seats
        self.seconds = 0.0

    def committed(self) -> dict[str, float]:
        """Wait for the last; seat → epoch ms at which its hold had committed."""
        answer = answer_of(self._process)
        self.seconds = answer["seconds"]
        return dict(answer["committed"])


class ObservedSystem(LoggedSystem):
    """`make up` without the crowd, with an access log at the API and notes along the feed."""

    worker_module = "fairgate_lab.bench.availability.feed"

    def __init__(self, run_dir: Path, *, seats: int, workers: int = 4) -> None:
        super().__init__(run_dir, workers=workers)
        self.venue = demo_venue(seats)
        self.env: dict[str, str] = {}
        self._known: Ports | None = None
        self._sessions = 0
        self._untouched = {
            section.id: [
                SeatToHold(seat.id, section.id, index) for index, seat in enumerate(section.seats())
            ][::-1]
            for section in self.venue.sections
        }

    @property
    def ports(self) -> Ports:
        if self._known is None:
            raise StartError("the system has not been started")
        return self._known

    def _ports(self, api: int) -> Ports:
        self._known = super()._ports(api)
        return self._known

    def _functions(
        self, listener: socket.socket, shares: Mapping[str, int], env: dict[str, str]
    ) -> None:
        self.env = env
        super()._functions(listener, shares, env)

    @property
    def pids(self) -> dict[str, int]:
        """The processes by name."""
        return {child.name: child.process.pid for child in self._children}

    def sell(self) -> None:
        """Return once the feed has carried the venue as well, as before any sale."""
        put_on_sale(self.place.config, Sale(EVENT, name="Benchmark"), self.venue)
        seats = self.venue.seat_count()
        with progress("Feeding the venue", seats) as step:
            before = 0

            def fed() -> bool:
                nonlocal before
                done = len({seat for part, _, seat in self.fed() if part == "applied"})
                step(done - before)
                before = done
                return done >= seats

            wait_until(fed, "the feed of the new venue", within_s=FEED_S, every_s=1.0)

    def requests(self) -> Iterator[Request]:
        """Read everything that has reached the API."""
        if self.access_log is None or not self.access_log.exists():
            return
        for line in self.access_log.read_text("utf-8").splitlines():
            at, _method, target, _status, _took, _waited = line.split(" ")
            yield Request(float(at), target.replace("?&", "?"))

    def fed(self) -> Iterator[tuple[str, float, str]]:
        """Read part, epoch ms and seat of what has passed along the feed."""
        log = self.place.logs / LOG
        for line in log.read_text("utf-8").splitlines() if log.exists() else ():
            part, at_ms, event, seat = line.split(" ")
            if event == EVENT:
                yield part, float(at_ms), seat

    @contextmanager
    def holds(self, sections: Sequence[str], rate: float, count: int) -> Iterator[Holds]:
        """Begin ``count`` holds of a seat each, by turns in the sections, ``rate`` a second.

        Raises:
            StartError: the sections have too few seats that nobody has held yet.
        """
        seats = []
        for number in range(count):
            free = self._untouched[sections[number % len(sections)]]
            if not free:
                raise StartError(f"the benchmark's venue is too small for {count} holds")
            seats.append(free.pop())
        until, first = expiry(), self._sessions
        self._sessions += -(-count // HOLD_LIMIT)
        self._open([credential(EVENT, n, until) for n in range(first, self._sessions)])
        wanted = [
            (first + number // HOLD_LIMIT, seat.seat, seat.section)
            for number, seat in enumerate(seats)
        ]
        with start(hold, self.env, event=EVENT, until=until, rate=rate, seats=wanted) as process:
            try:
                yield Holds(process, seats)
            finally:
                process.terminate()

    def _open(self, credentials: Sequence[Credential]) -> None:
        """Write sessions as the sessions function writes them."""
        config = LocalConfig.read(self.run_dir)
        client = config.dynamodb()
        writer = DynamoWriter(lambda: client, config["tables"])
        writer.put_many(open_session(one) for one in credentials)
        client.close()


def get(port: int, path: str) -> None:
    """Make one request on a connection of its own."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=HTTP_S)) as connection:
        connection.request("GET", path)
        connection.getresponse().read()


def busiest_second(requests: Iterable[Request]) -> int:
    """Count the most requests that began within any one second."""
    times = sorted(request.at_ms for request in requests)
    most = first = 0
    for last, at_ms in enumerate(times):
        while at_ms - times[first] >= 1_000:  # noqa: PLR2004 ms in a second
            first += 1
        most = max(most, last - first + 1)
    return most
