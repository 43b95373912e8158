"""The state machine of a sale: any order of what people, messages and the clock may do.

The real services over the table in memory, at full length over moto; the laws of INVENTORY's "What
must hold, always" after every step, and at the end, once every hold has expired and every message
is delivered. `make machine EXAMPLES=2000` tries many more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from msgspec import structs

from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, OrderId, UserId
from fairgate.domain.shared.session import LIVE_STATES
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError
from fairgate.ports.payments import Capture, Dispute, PaymentEvent, Refund
from fairgate.ports.record import decode
from fairgate.service.audit.compare_inventory import compare_inventory
from fairgate.service.audit.law import violations
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.availability.apply_seat_changes import apply_seat_changes, seat_status
from fairgate.service.books.compare_captures import SETTLING_MS
from fairgate.service.books.reconcile_payments import Reconciler
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.checkout.end_checkout import CheckoutEnder, expire_session
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.expiry.sweep_expired import ExpirySweeper
from fairgate.service.holds import hold_seats
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.sessions import open_session
from fairgate.service.sessions.judge_admission import AdmissionRequest
from fairgate.service.sessions.known_caller import KnownCaller
from fairgate.service.sessions.open_session import SessionOpener
from fairgate.service.shared.records.catalog import AreaFacts
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.seats import SeatInIndex
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets
from fairgate_lab.engine.dynamodb import MemoryDynamo, StreamRecord
from fairgate_lab.engine.outside import MemoryMailQueue
from fairgate_lab.simulate.sale.cache_server import simulated_cache
from fairgate_ops.operate.laws.checked import CHECKED
from fairgate_ops.operate.laws.read_tables import of_tables
from tests.support.lengths import LONG, at_length
from tests.support.moto_direct import DirectClient
from tests.support.moto_faults import mended
from tests.support.world import EVENT, LAYOUT, NAMES, START_MS, World, gate

ASKED = os.environ.get("FAIRGATE_MACHINE_EXAMPLES")
EXAMPLES = int(ASKED or at_length("24", "100"))
ON_MOTO = LONG or ASKED is not None
STEPS = 50
PARTS = 4  # so that several workers share them
USERS = ("ann", "bob", "cid")
SEATS = 4
ALWAYS = tuple(law for law in CHECKED if law.holds == "always")

Made = TypeVar("Made")
Dice = tuple[int, int, int]  # 0 to 7 each, for what a step leaves open
_cache: Any = None


class Table(DirectClient):
    """Reads whole tables for the laws without moto's filters and copies."""

    clock_ms = 0  # moto forgets no token

    def scan(self, **request: Any) -> dict[str, Any]:
        table = self.backend.tables[request["TableName"]]
        return {"Items": [item.to_json()["Attributes"] for item in table.all_items()]}


class Tables(MemoryDynamo):
    """The table in memory, which test_sale_engine.py compares with moto, and its stream."""

    def __init__(self) -> None:
        self.clock_ms = 0
        self.stream: list[dict[str, Any]] = []
        super().__init__({NAMES[schema.name]: schema for schema in TABLES}, lambda: self.clock_ms)
        self.heard = self._hear

    def create_table(self, **_request: Any) -> None:
        """Its tables are there from the start."""

    def _hear(self, _table: str, record: StreamRecord) -> None:
        images = {"OldImage": record.old or {}, "NewImage": record.new or {}}
        self.stream.append({"eventID": str(record.sequence), "dynamodb": images})


class Books:
    """The provider: captures that happened, refunds that it made, each once."""

    def __init__(self) -> None:
        self.captured: dict[str, Capture] = {}
        self.refunded: dict[str, int] = {}
        self.times_refunded = 0

    def refund(
        self, *, payment: str, order: str, amount_minor: int, part: int = 0, attempt: int = 0
    ) -> Refund:
        assert (part, attempt) == (0, 0)  # nobody here gives one of several places back
        capture = self.captured[payment]
        assert (capture.order, capture.amount_minor) == (order, amount_minor)
        self.refunded[payment] = amount_minor
        return Refund(f"re_{payment}", payment, order, amount_minor, "succeeded")

    def disputes(self, _since_ms: int) -> Iterator[Dispute]:
        return iter(())

    def captures(self, since_ms: int) -> Iterator[Capture]:
        for payment, capture in self.captured.items():
            if capture.at_ms >= since_ms:
                back = self.refunded.get(payment, 0)
                yield structs.replace(capture, refunded_minor=back)

    def lines(self) -> list[dict[str, Any]]:
        captures = [structs.asdict(c) | {"kind": "capture"} for c in self.captured.values()]
        refunds = [
            line | {"kind": "refund"} for line in captures if line["payment"] in self.refunded
        ]
        return captures + refunds


ACTS = (
    *("holds_some",) * 6,
    *("checks_out",) * 2,
    *("buys",) * 3,
    *("is_captured",) * 3,
    *("is_delivered",) * 5,
    *("comes_in",) * 3,
    *("waits",) * 2,
    *("is_expired",) * 2,
    *(
        "reaches_the_cache",
        "gives_back",
        "cancels",
        "is_ticketed",
        "is_swept",
        "is_audited",
        "is_declined",
    ),
    *("leaves", "acts_for_another"),
)
RECENT = st.integers(0, 3)  # from the end: what is old is over


class NothingYetError(FairgateError):
    """A step needs something that does not exist so far."""


def _recent(made: Sequence[Made], which: int) -> Made:
    if not made:
        raise NothingYetError("nothing yet")
    return made[-1 - which % len(made)]


class SaleMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.client: Any = Table() if ON_MOTO else Tables()
        self.world = World(
            self.client,
            seats=SEATS,
            capacity=4,
            hold_limit=3,
            user_limit=3,
            sessions_limit=9,
            session_s=120,
            checkout_s=60,
            cancel_until="2099-01-01T00:00:00.000Z",
            areas={"floor": AreaFacts(capacity=4, shards=1, tier="t")},
        )
        self.books = Books()
        self.sessions: list[Credential] = []
        self.holds: list[tuple[Credential, str]] = []
        self.orders: list[Order] = []
        self.events: list[PaymentEvent] = []  # each may be delivered again and again
        self.numbers = iter(range(10**9))
        self.delivered = len(self._stream())  # what was published before the sale
        self.late: list[dict[str, Any]] = []
        if _cache is not None:
            with _cache._connected() as valkey:
                valkey.client.flushall()
            statuses = [seat_status(decode(SeatInIndex, i)) for i in self._snapshot().seats]
            _cache.fill(EVENT, "s", sorted(statuses, key=lambda status: status.index))

    # --- the services, as the handlers make them

    def _releaser(self) -> SeatReleaser:
        return SeatReleaser(self.world.table, self.world.clock)

    def _ender(self) -> CheckoutEnder:
        return CheckoutEnder.of(self.world.table, self.world.clock, self.world.payments)

    def _refunder(self) -> Refunder:
        return Refunder(self.world.table, self.world.clock, self.books)  # type: ignore[arg-type]

    def _settler(self) -> PaymentSettler:
        return PaymentSettler(self.world.table, self.world.clock, self.books)  # type: ignore[arg-type]

    @initialize()
    def everybody_is_inside(self) -> None:
        for number, _user in enumerate(USERS):
            self.comes_in(number, (1, 0, 0))

    @rule(act=st.sampled_from(ACTS), which=RECENT, dice=st.tuples(*[st.integers(0, 7)] * 3))
    def somebody(self, act: str, which: int, dice: Dice) -> None:
        """One step. Weighted, because most of what may happen in a sale leads nowhere."""
        try:
            getattr(self, act)(which, dice)
        except FairgateError:
            return  # a refusal is an answer; anything else is a defect

    # --- what buyers do

    def comes_in(self, which: int, dice: Dice) -> None:
        world, rules, user = self.world, gate(), USERS[which % len(USERS)]
        number = dice[0] % 4 and next(self.numbers) + 1  # or with a token that was used before
        token = issue_waiting_token(
            rules, EVENT, user, request_id=f"{user}{number}", ip="-", now_ms=START_MS - 3_000_000
        )
        start_s = START_MS // 1000
        token = structs.replace(token, boff=start_s - 60, exp=start_s + 86_400)
        opened = SessionOpener(world.table, world.clock, world.ids, world.reminders).open(
            world.event,
            rules,
            AdmissionRequest(UserId(user), encode_waiting_token(token, rules), "0"),
            world.secrets.sign_in(),
        )
        self.sessions.append(
            Credential(
                opened.session,
                EventId(EVENT),
                UserId(user),
                opened.expires_at,
                opened.hold_limit,
                LAYOUT,
            )
        )

    def holds_some(self, which: int, dice: Dice) -> None:
        world, credential = self.world, _recent(self.sessions, which)
        places, key = dice[0] % 4, dice[2]
        names = {f"s-1-{1 + dice[1] % SEATS}", f"s-1-{1 + dice[2] % SEATS}"}
        units = [Unit("seat", name, "s", "t", name) for name in sorted(names) if places != 2]
        units += [Unit("area", "floor", "", "t", "Floor", places)] if 0 < places < 3 else []
        held = SeatHolder(world.table, world.clock, world.ids).hold(
            credential,
            units,
            shards={"floor": 1},
            idempotency_key=f"k{key}" if key < 2 else "",
        )
        self.holds.append((credential, held.hold))

    def gives_back(self, which: int, _dice: Dice) -> None:
        credential, hold = _recent(self.holds, which)
        self._releaser().release_hold(credential.session, credential.user, hold)

    def leaves(self, which: int, _dice: Dice) -> None:
        credential = _recent(self.sessions, which)
        self._ender().end(credential.session, "cancelled", credential.user)

    def checks_out(self, which: int, dice: Dice) -> None:
        world, credential = self.world, _recent(self.sessions, which)
        begun = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders).begin(
            world.event,
            credential.session,
            credential.user,
            "a@example.org",
            idempotency_key="c" * (dice[0] % 2),
        )
        self.orders.append(begun.order)

    def buys(self, which: int, dice: Dice) -> None:
        """The straight way, which chance alone would seldom find."""
        self.checks_out(which, dice)
        self.is_captured(0, (1, dice[1], 0))
        self.is_delivered(0, dice)

    def cancels(self, which: int, _dice: Dice) -> None:
        order = _recent(self.orders, which)
        canceller = OrderCanceller(self.world.table, self.world.clock, self.books)  # type: ignore[arg-type]
        canceller.cancel(self.world.event, self._order(order))

    def acts_for_another(self, which: int, dice: Dice) -> None:
        credential, hold = _recent(self.holds, which)
        thief = USERS[dice[0] % len(USERS)]
        if thief == credential.user:
            return
        with pytest.raises(FairgateError):
            self._releaser().release_hold(credential.session, thief, hold)
        with pytest.raises(FairgateError):
            self._ender().end(credential.session, "cancelled", thief)

    # --- what the provider does

    def is_captured(self, which: int, dice: Dice) -> None:
        """Of one order perhaps twice: two cards, and both went through. Reported once or twice."""
        order, payment = _recent(self.orders, which), f"pay{next(self.numbers)}"
        amount = order.total_minor - (dice[0] == 0)  # rarely another amount than was asked for
        of = order.order_id
        self.books.captured[payment] = Capture(payment, of, amount, "EUR", self.world.clock.ms, 0)
        self.events += [
            PaymentEvent(f"evt{next(self.numbers)}", "succeeded", of, amount, "EUR", payment)
            for _ in range(1 + dice[1] % 2)
        ]

    def is_declined(self, which: int, dice: Dice) -> None:
        order, number = _recent(self.orders, which), next(self.numbers)
        kind: Any = ("failed", "expired")[dice[0] % 2]
        self.events.append(PaymentEvent(f"evt{number}", kind, order.order_id, 1, "EUR", ""))

    def is_delivered(self, which: int, _dice: Dice) -> None:
        self._settler().settle(_recent(self.events, which))

    # --- what messages and schedules do

    def is_expired(self, which: int, _dice: Dice) -> None:
        world, session = self.world, _recent(self.sessions, which).session
        expire_session(self._ender(), world.reminders, session)

    def is_swept(self, _which: int, _dice: Dice) -> None:
        world = self.world
        sweeper = ExpirySweeper(world.table, world.clock, self._releaser(), self._refunder())
        sweeper.sweep(world.event)

    def is_audited(self, _which: int, _dice: Dice) -> None:
        world = self.world
        found = compare_inventory(world.table, world.clock, world.event)
        assert (found.broken, found.undecided, found.damaged) == ([], 0, [])

    def is_ticketed(self, which: int, _dice: Dice) -> None:
        self._issue(_recent(self.orders, which).order_id)

    def waits(self, _which: int, dice: Dice) -> None:
        self.world.clock.tick((1, 1, 1, 5, 20, 61, 200)[dice[0] % 7])
        self.client.clock_ms = self.world.clock.ms

    def reaches_the_cache(self, _which: int, dice: Dice) -> None:
        """Some changes, in any order, some of them again; the others stay behind."""
        self._collect()
        for number in dice[: len(self.late)]:
            chosen = number * 7 % len(self.late)
            self._apply(self.late[chosen] if number % 2 else self.late.pop(chosen))
            if not self.late:
                return

    # --- what must hold

    @invariant()
    def every_law_holds(self) -> None:
        seen = self._snapshot()
        found = violations(seen, ALWAYS)
        assert not found, "\n".join(map(str, found))

    def teardown(self) -> None:
        """Every message is delivered, every hold expires, the hour's comparison runs."""
        self.world.clock.tick(1_000)
        for session in [item["PK"] for item in self._snapshot().sessions]:
            expire_session(self._ender(), self.world.reminders, session)
        self.world.clock.tick(SETTLING_MS / 1000 + 1)
        reconciler = Reconciler(
            self.world.table, self.world.clock, self._settler(), self._refunder()
        )
        raised = reconciler.run([EVENT], since_ms=START_MS).differences
        for order in self._snapshot().orders:
            self._issue(order["orderId"])
        self._collect()
        for record in self.late:
            self._apply(record)
        seen = self._snapshot()
        cache = {} if _cache is None else {(EVENT, "s"): _cache.section(EVENT, "s")}
        seen = structs.replace(seen, payments=self.books.lines(), cache=cache)
        found = violations(seen, CHECKED)
        assert not found, "\n".join(map(str, found))
        assert not [d for d in raised if d.kind in ("raised", "failed") and "tickets" not in d.what]
        assert {seat["availability"] for seat in seen.seats} <= {"available", "reserved"}
        assert all(s["state"] not in LIVE_STATES for s in seen.sessions)

    # --- how it is seen

    def _issue(self, order: OrderId) -> None:
        world = self.world
        office = TicketOffice(
            table=world.table,
            clock=world.clock,
            mail_queue=MemoryMailQueue(),
        )
        issue_tickets(office, order)

    def _order(self, order: Order) -> Order:
        found = self.world.table.find(Order, order.key)
        assert found is not None
        return found

    def _snapshot(self) -> Snapshot:
        tables = {str(name): table for name, table in NAMES.items()}
        seen = of_tables(self.client, tables)
        return structs.replace(seen, now=rfc3339(self.world.clock.ms))

    def _stream(self) -> list[Any]:
        if not ON_MOTO:
            return list(self.client.stream)
        shard = self.client.backend.tables[NAMES["seats"]].stream_shard
        assert shard is not None
        return shard.items

    def _collect(self) -> None:
        """What the stream has said since the last look."""
        items = self._stream()
        fresh = items[self.delivered :]
        self.delivered = len(items)
        self.late += [record.to_json() if ON_MOTO else record for record in fresh]

    def _apply(self, record: dict[str, Any]) -> None:
        if _cache is not None:
            outcome = apply_seat_changes(_cache, [("m", record)], self.world.clock)
            assert not outcome.failed


@pytest.fixture(scope="module", autouse=True)
def _moto() -> Iterator[None]:
    global _cache  # noqa: PLW0603 hypothesis makes the machines itself
    with mended(), simulated_cache() as cache:
        _cache = cache
        yield
        _cache = None


@pytest.mark.parametrize("part", range(PARTS))
def test_every_law_holds_after_every_step(part: int) -> None:
    class Machine(SaleMachine):
        """A class of its own: its seed makes other examples than the other parts'."""

    run_state_machine_as_test(seed(part)(Machine), settings=_settings(-(-EXAMPLES // PARTS)))


@pytest.mark.parametrize(
    ("module", "constant", "clause"),
    [
        (hold_seats, "SEAT_IS_FREE", "#expiresAt <= :now"),
        (hold_seats, "SESSION_MAY_HOLD", "#resCount <= :room"),
        (open_session, "USER_MAY_OPEN", "#liveUntil <= :now"),
    ],
)
def test_the_machine_notices_when_a_clause_is_missing(
    module: ModuleType, constant: str, clause: str
) -> None:
    always = getattr(module, constant).replace(clause, f"({clause} OR NOT {clause})")
    # What is read before an admission refuses, too: here the transaction alone does.
    unread = patch.object(open_session, "read_caller", lambda *_what: KnownCaller(is_read=False))
    with (
        unread,
        patch.object(module, constant, always),
        pytest.raises((AssertionError, ClientError)),
    ):
        run_state_machine_as_test(
            seed(1)(type("Blind", (SaleMachine,), {})), settings=_settings(120)
        )


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        # Shrinking a story of fifty steps takes minutes: the long form does it.
        phases=[Phase.generate, *([Phase.shrink] if EXAMPLES > 100 else [])],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
