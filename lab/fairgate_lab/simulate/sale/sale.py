"""A whole sale in one process: tables, queues, functions, provider, cache, all on virtual time."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from aws_lambda_powertools.event_handler.api_gateway import BaseRouter

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import from_item
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.bootstrap import Container
from fairgate.domain.gate.gate_config import GateConfig, parse_gate
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK
from fairgate.ports.table import Update
from fairgate.service.shared.keys import CATALOG_PK, event_key, gate_value_key, user_status_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate.settings import from_environment
from fairgate_lab.engine.cache import NoCache, NoLimits
from fairgate_lab.engine.clock import MemoryIds
from fairgate_lab.engine.dynamodb import MemoryDynamo, StreamRecord
from fairgate_lab.engine.outside import MemoryMailer
from fairgate_lab.engine.secrets import KEYS, MemorySecrets
from fairgate_lab.simulate.sale import fault_plan, price_laws, transitions, venue
from fairgate_lab.simulate.sale.creation_laws import Creations
from fairgate_lab.simulate.sale.faults import FaultInjector
from fairgate_lab.simulate.sale.fleet import Fleet, ProcessClock
from fairgate_lab.simulate.sale.history import History
from fairgate_lab.simulate.sale.linearize import Verdict
from fairgate_lab.simulate.sale.provider import Provider
from fairgate_lab.simulate.sale.queues import WorkQueue
from fairgate_lab.simulate.sale.scheduler import Global, Scheduler
from fairgate_lab.simulate.sale.seams import (
    CacheSeam,
    MailQueueSeam,
    PaymentsSeam,
    QueueSeam,
    TicketsSeam,
    VirtualTimes,
)
from fairgate_lab.simulate.sale.table_seam import TableSeam, UnderWay
from fairgate_ops.run.local.patterns import accepts_any
from infra.feeds import PAID_ORDERS, SEAT_CHANGES

if TYPE_CHECKING:
    from fairgate.ports.record import TableName

NAMES: dict[TableName, str] = {
    "seats": "sim-seats",
    "reservations": "sim-reservations",
    "catalog": "sim-catalog",
}
Kind = Literal["rush", "duel", "collectors"]
KINDS: Mapping[Kind, int] = {"rush": 4, "duel": 4, "collectors": 2}
SWEEP_MS = 60_000
CREATED_EVERY, CREATED_AT = 8, 5  # sales: in one of them the events are created in the simulation
HELD_EVERY, HELD_AT = 16, 7  # sales: in one of them cards are counted before their money is taken
CARD_LIMIT = 2  # places for the one card that all buyers have
CALM_SWEEP_MS = 240_000  # while nothing is going on: the minutes looked at are the same
# Powertools keeps the request under way on a class: each task needs its own.
_GLOBALS = (Global(BaseRouter, "current_event"), Global(BaseRouter, "lambda_context"))

_SEAT_CHANGES, _PAID_ORDERS = accepts_any(SEAT_CHANGES), accepts_any(PAID_ORDERS)


class Sale:
    """Everything of one seed.

    Args:
        cache: the adapter of an empty cache; None when there is no server to be had.
    """

    def __init__(self, seed: int, *, cache: Any = None) -> None:
        self.seed = seed
        rng = random.Random(seed)  # noqa: S311 a schedule, not a secret
        self.rng = rng
        self.scheduler = Scheduler(rng, venue.START_MS, globals_=_GLOBALS)
        self.terms, self.long_ms = venue.draw_terms(rng)
        if seed % HELD_EVERY == HELD_AT:
            for terms in self.terms.values():
                terms["card_limit"] = CARD_LIMIT
        self.created_before = seed % CREATED_EVERY != CREATED_AT
        drawn = fault_plan.draw(rng, venue.START_MS, self.long_ms)
        self.kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        if self.kind == "duel":  # about who has it when the time is up: clocks matter
            drawn = replace(drawn, skew_ms=fault_plan.SKEWS_MS[-1])
        self.fault_plan = drawn
        self.faults = FaultInjector(self.scheduler, drawn)
        self.history = History()
        ids = random.Random(rng.getrandbits(64))  # noqa: S311 the same
        self.ids = MemoryIds(partial(ids.getrandbits, 128))
        # The laws hear of the catalogue as well, which has no stream.
        schemas = {
            NAMES[schema.name]: msgspec.structs.replace(schema, stream=True) for schema in TABLES
        }
        self.engine = MemoryDynamo(schemas, lambda: self.scheduler.now_ms)
        self._under_way = UnderWay()
        self._reminders = 0
        self.cache = None if cache is None else VirtualTimes(cache, self.scheduler)
        self.layouts = venue.templates()[1]
        self.fleet = Fleet(self.scheduler, drawn.skew_ms, self._equip)
        self.queues = {
            function: WorkQueue(function, self.fleet, self.faults, observe)
            for function, observe in (
                ("invalidator", None),
                ("ticketer", None),
                ("expiry", self._expiring),
            )
        }
        self.provider = Provider(self.fleet, self.faults, self.history, KEYS.webhook, self.ids)
        self.engine.put_item(TableName=NAMES["reservations"], Item=venue.books_compared())
        if self.created_before:
            for table, rows in venue.initial_items(self.terms).items():
                for row in rows:
                    self.engine.put_item(TableName=NAMES[table], Item=row)
        self.engine.catch_up()  # all of it long before the sale
        self.engine.lag, self.engine.heard = self._lag, self._heard
        self.calm = self.over = False
        self.wrong: list[str] = []  # changes that may not follow each other
        self.forgotten = drawn.forgotten > 0  # only the provider's books know of some captures
        self.ends_ms: list[int] = []  # when sessions end, as far as their buyers know
        self.leaked_credentials: dict[
            str, tuple[str, str]
        ] = {}  # session → its user and credential
        self.verdicts = Counter[Verdict]()  # on the seats' histories
        self.raised = 0  # differences that the last reconciliation could not repair
        self.events: dict[str, Event] = {}  # on sale
        self.gates: dict[str, GateConfig] = {}
        self._creations = Creations(
            self.table(), self._rows, self.terms if self.created_before else ()
        )
        self._places_taken = transitions.PlacesTaken(
            {event: chosen["user_limit"] for event, chosen in self.terms.items()}
        )
        self._prices = price_laws.AgreedPrices(
            lambda event: self.table().find(Event, event_key(event))
        )
        self.asked_in_time: set[str] = set()  # orders whose cancellation something allowed

    # --- the processes' world

    def _equip(self, clock: ProcessClock) -> Container:
        client = self.client()
        sleep = self.scheduler.sleep
        table = DynamoTable(lambda: client, NAMES, sleep=lambda s: sleep(round(s * 1000)))
        secrets = MemorySecrets()
        return Container(
            from_environment({}),
            clock=clock,
            ids=self.ids,
            table=table,
            secrets=secrets,
            cache=NoCache() if self.cache is None else CacheSeam(self.cache, self.faults),
            expiry_queue=QueueSeam(self._remind, self.faults),
            mail_queue=MailQueueSeam(self._mail, self.faults),
            ticket_queue=TicketsSeam(self._ask_for_tickets, self.faults),
            layouts=self.layouts,
            payments=PaymentsSeam(secrets, clock, self.provider, self.faults),
            mailer=MemoryMailer(),
            rates=NoLimits(),  # the simulated server's clock is not the sale's
        )

    def client(self) -> TableSeam:
        """Return a process's client of the tables."""
        return TableSeam(self.engine, self.faults, self._under_way)

    def container(self) -> Container:
        """A process with the right time."""
        return self._equip(ProcessClock(self.scheduler, 0))

    def table(self) -> DynamoTable:
        """The tables without trouble and without yielding: for checkers and intruders."""
        return DynamoTable(lambda: self.engine, NAMES, sleep=lambda _s: None)

    def _rows(self) -> Iterator[dict[str, Any]]:
        return map(from_item, self.engine.items(NAMES["seats"]))

    def look(self) -> None:
        """Take in what is on sale, with the gates by which buyers come in."""
        for sale in self.table().query(Event, CATALOG_PK):
            self.events[sale.id] = sale
            value = self.table().find(GateValueRecord, gate_value_key(sale.id))
            self.gates[sale.id] = parse_gate("" if value is None else value.value)

    def _lag(self, waiting: int) -> int:
        return self.rng.randint(0, waiting) if self.faults.chance(self.faults.plan.lag) else 0

    # --- messages

    def _heard(self, table: str, record: StreamRecord) -> None:
        old, new = (image and from_item(image) for image in (record.old, record.new))
        if table == NAMES["catalog"]:
            self.wrong += self._creations.wrong_with(old, new)
            return
        if table == NAMES["seats"] and self._creations.allow(new):
            return
        skew_ms = self.faults.plan.skew_ms
        self.wrong += transitions.wrong_with(old, new, self.scheduler.now_ms, skew_ms)
        self.wrong += self._places_taken.wrong_with(old, new)
        self.wrong += self._prices.wrong_with(old, new)
        body = {
            "eventID": str(record.sequence),
            "eventName": "INSERT" if record.old is None else "MODIFY",
            "dynamodb": {
                "Keys": {PK: {"S": record.key[0]}, SK: {"S": record.key[1]}},
                "ApproximateCreationDateTime": self.scheduler.now_ms / 1000,
                "OldImage": record.old or {},
                "NewImage": record.new or {},
            },
        }
        if table == NAMES["seats"] and self.cache is not None and _SEAT_CHANGES(body):
            self.queues["invalidator"].send(str(record.sequence), json.dumps(body))
        elif table == NAMES["reservations"] and _PAID_ORDERS(body):
            self.queues["ticketer"].send(str(record.sequence), json.dumps(body))

    def _mail(self, order: str) -> None:
        name = f"mail {order} {self.scheduler.now_ms}"
        self.queues["ticketer"].send(name, json.dumps({"mail": order}))

    def _ask_for_tickets(self, order: str) -> None:
        self.queues["ticketer"].send(f"asked {order}", json.dumps({"order": order}))

    def _remind(self, message: Mapping[str, object], delay_s: int) -> None:
        self._reminders += 1
        name, body = f"m{self._reminders}", json.dumps(message)
        session = str(message["session"])
        self.scheduler.spawn(
            f"reminder of {session[-4:]}",
            lambda: self.queues["expiry"].send(name, body),
            after_ms=delay_s * 1000 + self.rng.randint(0, self.faults.plan.delay_ms),
        )

    def _expiring(self, bodies: Sequence[str]) -> Callable[[], None]:
        """Record what a batch may do to its sessions."""
        sessions = {body: json.loads(body)["session"] for body in bodies if "ses_" in body}
        begun = [
            self.history.begin("expire", session, self.scheduler.now_ms)
            for session in sorted(set(sessions.values()))
        ]

        def ended() -> None:
            for expiring in begun:
                self.history.end(expiring, "unknown", self.scheduler.now_ms)

        return ended

    def redrive(self) -> None:
        """Somebody sends the dead letters of every queue back."""
        for queue in self.queues.values():
            queue.redrive()

    def sweep(self) -> None:
        """The backstop: each minute, whatever no message has ended."""
        while not self.over:
            self.scheduler.sleep(CALM_SWEEP_MS if self.calm else SWEEP_MS)
            if self.faults.chance(self.faults.plan.repeat):  # the schedule, too, may call twice
                self.scheduler.spawn("second sweeper", self.sweep_once)
            self.sweep_once()

    def sweep_once(self) -> None:
        sweeping = self.history.begin("expire", "", self.scheduler.now_ms)
        self.fleet.invoke("sweeper", {"source": "schedule"})
        self.history.end(sweeping, "unknown", self.scheduler.now_ms)

    def desk(self, user: str) -> None:
        """The risk desk flags somebody, or locks them out, for a while."""
        self.scheduler.sleep(self.rng.randint(0, 2 * self.long_ms))
        name = self.rng.choice(("flaggedUntil", "lockedUntil"))
        until = rfc3339(self.scheduler.now_ms + self.rng.randint(0, self.long_ms))
        key = user_status_key(user, self.rng.choice(sorted(self.events)))
        self.scheduler.note(f"{name} {until} for {user}")
        self.table().update(Update("reservations", *key, set={name: until}))

    def reconcile(self) -> None:
        """Compare with the provider's books, as each hour."""
        answer = self.fleet.invoke("reconcile", {"source": "schedule"})
        self.scheduler.note(f"reconciled: {answer}")
        self.raised = int((answer or {}).get("raised", 0))
