"""Creations of one event that meet: one at a time, each until a call that is named."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import from_item
from fairgate.adapters.dynamodb.guarded_writer import GuardedWriter
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.seating.venue import Venue
from fairgate.errors import WrongStateError
from fairgate.ports.record import PK, SK
from fairgate.ports.table import Check
from fairgate.service.catalog.create_event import CreatedEvent, EventCreator, GateRules
from fairgate.service.catalog.event_request import NewEvent
from fairgate.service.gate.gate_values import GateValues
from fairgate_lab.engine.clock import START_MS, MemoryClock
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.engine.outside import MemoryEdgeConfig
from fairgate_lab.engine.secrets import MemorySecrets
from tests.support.charts import chart
from tests.support.waiting import patience_s
from tests.support.world import NAMES

GALA = "gala"
REQUEST = NewEvent(
    event=GALA,
    name="Gala",
    sale_starts_at="2030-06-01T20:00:00+02:00",
    currency="EUR",
    prices_minor={"stalls": 4500, "standing": 2500},
    draw_commitment="",
)
WAIT_S = 10.0  # a thread that should have come by then never will


def one_hall() -> Venue:
    return parse_venue(chart("little-hall.venue.json"))


def other_hall() -> Venue:
    """A seat less, a seat more, one of another tier, and fewer counters of the area."""
    document = chart("little-hall.venue.json")
    first, second = document["sections"][0]["blocks"][0]["rows"]
    del first["seats"][0]
    first["seats"][0]["tier"] = "standing"
    second["seats"].append(second["seats"][0] | {"id": "A-1-2-2", "number": "2", "x": 120})
    document["areas"][0]["capacity"] = 501
    return parse_venue(document)


WRITE = "transact_write_items"


class Client:
    """A run's client of the tables, which tells of each call before it is made."""

    def __init__(self, engine: MemoryDynamo, tell: Callable[[str], None]) -> None:
        self._engine, self._tell = engine, tell
        self.sent: list[tuple[str, Mapping[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        def call(**request: Any) -> Any:
            self._tell(name)
            self.sent.append((name, request))
            return getattr(self._engine, name)(**request)

        return call


@dataclass
class Hall:
    """What all runs share."""

    engine: MemoryDynamo = field(
        default_factory=lambda: MemoryDynamo({NAMES[s.name]: s for s in TABLES}, lambda: 0)
    )
    edge: MemoryEdgeConfig = field(default_factory=MemoryEdgeConfig)
    layouts: MemoryLayouts = field(default_factory=MemoryLayouts)
    clock: MemoryClock = field(default_factory=MemoryClock)
    secrets: MemorySecrets = field(default_factory=MemorySecrets)
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    def rows(self) -> dict[tuple[str, str], dict[str, Any]]:
        items = map(from_item, self.engine.items(NAMES["seats"]))
        return {(item[PK], item[SK]): item for item in items}

    def table(self) -> DynamoTable:
        return DynamoTable(lambda: self.engine, NAMES, sleep=lambda _s: None)


class Run:
    """One ``event create``: what it came to, and what it sent.

    Attributes:
        tell: called before each write with its number, from 1.
        reads_too: numbers reads as well, and they are told of.
    """

    def __init__(self, hall: Hall, venue: Venue, rules: GateRules, who: str = "ann@desk") -> None:
        self.hall, self.venue, self.rules, self.who = hall, venue, rules, who
        self.tell: Callable[[int], None] = lambda _number: None
        self.reads_too = False
        self.calls = 0
        self.client = Client(hall.engine, self._told_of)
        self.created: CreatedEvent | None = None
        self.refused: WrongStateError | None = None

    def creator(self) -> EventCreator:
        hall = self.hall
        table = DynamoTable(lambda: self.client, NAMES, sleep=lambda _s: None)
        return EventCreator(
            table=table,
            values=GateValues(table, hall.edge, hall.clock, lambda _attempt: None),
            writer=self._writer(table),
            layouts=hall.layouts,
            clock=hall.clock,
            secrets=hall.secrets,
            who=lambda: self.who,
            token_bytes=lambda count: next(hall.numbers).to_bytes(count, "big"),
            wait=lambda _attempt: None,
        )

    def __call__(self) -> None:
        try:
            self.created = self.creator().create(REQUEST, self.venue, self.rules)
        except WrongStateError as error:
            self.refused = error

    def _writer(self, table: DynamoTable) -> Callable[[Check], GuardedWriter]:
        return lambda check: GuardedWriter(
            table, lambda: self.client, NAMES, check, sleep=lambda _s: None
        )

    def _told_of(self, name: str) -> None:
        if self.reads_too or name == WRITE:
            self.calls += 1
            self.tell(self.calls)

    def send_again(self) -> None:
        """Let every write arrive once more, late, as one does whose answer was lost."""
        for request in (request for name, request in self.client.sent if name == WRITE):
            late = {name: part for name, part in request.items() if name != "ClientRequestToken"}
            try:
                self.hall.engine.transact_write_items(**late)
            except ClientError as error:
                if error.response["Error"]["Code"] != "TransactionCanceledException":
                    raise


def first_of(hall: Hall) -> Run:
    return Run(hall, one_hall(), GateRules(START_MS // 1000 + 60, tau_s=300.0))


def second_of(hall: Hall, who: str = "ann@desk") -> Run:
    return Run(hall, other_hall(), GateRules(START_MS // 1000 + 90, tau_s=900.0), who)


def meet(first: Run, second: Run, starts_at: int, waits_at: int) -> None:
    """Run both: the second starts before the first's write of this number.

    Before its own write of that number it waits until the first has ended. What is never reached
    never happens.
    """
    waiting, go_on = threading.Event(), threading.Event()

    def started() -> None:
        try:
            second()
        finally:
            waiting.set()

    thread = threading.Thread(target=started, daemon=True)

    def hold(number: int) -> None:
        if number == waits_at:
            waiting.set()
            assert go_on.wait(patience_s(WAIT_S))

    def start(number: int) -> None:
        if number == starts_at:
            thread.start()
            assert waiting.wait(patience_s(WAIT_S))

    first.tell, second.tell = start, hold
    first()
    go_on.set()
    if thread.ident is None:
        second()
    else:
        thread.join(patience_s(WAIT_S))
        assert not thread.is_alive()
