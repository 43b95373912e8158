"""Every guard of a sale refuses by itself, and lets through what it guards against when it is gone.

Many guards stand behind another one, so a simulated sale survives the loss of one of them. Here the
others hold: between an act's reading and its writing one thing changes, which this guard alone can
notice. tests/simulation/test_sale_controls.py shows what becomes of whole sales without them.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.credential import Credential
from fairgate.domain.order import Unit
from fairgate.domain.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.errors import DependencyUnavailableError, FairgateError
from fairgate.ports import Action, Capture, PaymentEvent, Put, TransactionRefusedError, Update
from fairgate.service.begin_checkout import CheckoutBeginner, CheckoutBegun
from fairgate.service.cancel_order import OrderCanceller
from fairgate.service.hold_seats import SeatHolder
from fairgate.service.issue_tickets import TicketOffice, issue_tickets
from fairgate.service.keys import (
    area_key,
    keyed,
    order_key,
    reconciled_key,
    refund_key,
    seat_key,
    session_key,
    standing_key,
    swept_key,
)
from fairgate.service.open_payment import open_payment
from fairgate.service.open_session import SessionOpener
from fairgate.service.reconcile_payments import Reconciler
from fairgate.service.refunds import Refunder
from fairgate.service.release_seats import SeatReleaser
from fairgate.service.settle_payment import PaymentSettler
from fairgate.service.sweep_expired import ExpirySweeper
from fairgate_ops.simulate.sale import guards
from tests.support.world import EVENT, NAMES, START_MS, World, gate

PAST, FUTURE = "2001-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z"
Change = Callable[["Story", Sequence[Action]], object]
Act = Callable[["Story", Any], object]

ROOT = Path(__file__).parents[2]
# Modules whose conditions are not about a sale's seats, sessions, orders or money, and where they
# are tried.
ELSEWHERE = {
    "desk": "test_desk_function.py",
    "due": "test_sweep_expired.py",  # entries are written over on purpose
    "operator_log": "test_operator_log.py",
    "prove_draw": "test_prove_draw.py",
    "record_gate": "test_control_gate.py",
    "set_target": "test_cli.py",
}


class Meanwhile:
    """A table in which something changes just before the ``nth`` write, whose fate is kept."""

    def __init__(self, story: Story, change: Change, nth: int) -> None:
        self._story, self._change, self._left = story, change, nth
        self.fate = "never written"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._story.world.table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        self._write(actions, lambda: self._story.world.table.transact(actions, token))

    def update(self, action: Update) -> None:
        self._write([action], lambda: self._story.world.table.update(action))

    def _write(self, actions: Sequence[Action], write: Callable[[], None]) -> None:
        self._left -= 1
        if self._left:
            write()
            return
        self._change(self._story, actions)
        try:
            write()
        except TransactionRefusedError:
            self.fate = "refused"
            raise
        self.fate = "committed"


class Story:
    """One buyer's way, up to where a guard stands."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.mine: Credential = world.session("ann")
        self.hold = ""
        self.order: dict[str, Any] = {}
        self.begun: CheckoutBegun | None = None

    def held(self) -> Story:
        units = [
            Unit("seat", self.world.seat_ids[0], "s", "t", "1"),
            Unit("area", "floor", "", "t", "Floor", 1),
        ]
        holder = SeatHolder(self.world.table, self.world.clock, self.world.ids)
        self.hold = holder.hold(self.mine, units, shards={"floor": 1}).hold
        return self

    def pending(self) -> Story:
        self.begun = self.held().beginner(self.world.table)
        self.order = self.begun.order
        return self

    def paid(self) -> Story:
        self.pending()
        self.settler(self.world.table).settle(self.capture())
        return self

    def owed(self) -> Story:
        """Cancelled while the provider was away."""
        self.paid()
        self.world.payments.fail = DependencyUnavailableError("away")
        with pytest.raises(DependencyUnavailableError):
            self.cancel(self.world.table)
        self.world.payments.fail = None
        return self

    # --- the services over a table

    def beginner(self, table: Any) -> CheckoutBegun:
        world = self.world
        beginner = CheckoutBeginner(table, world.clock, world.ids, world.reminders)
        return beginner.begin(world.event, self.mine.session, "ann", "a@example.org")

    def settler(self, table: Any) -> PaymentSettler:
        return PaymentSettler(table, self.world.clock, self.world.payments)

    def refunder(self, table: Any) -> Refunder:
        return Refunder(table, self.world.clock, self.world.payments)

    def cancel(self, table: Any) -> object:
        canceller = OrderCanceller(table, self.world.clock, self.world.payments)
        return canceller.cancel(self.world.event, self.now(self.order_key))

    def capture(self, kind: Any = "succeeded") -> PaymentEvent:
        total = self.order["totalMinor"]
        return PaymentEvent("evt1", kind, self.order["orderId"], total, "EUR", "pay1")

    # --- its items

    @property
    def session_key(self) -> tuple[str, str]:
        return session_key(self.mine.session)

    @property
    def order_key(self) -> tuple[str, str]:
        return order_key(self.mine.session, self.order["orderId"])

    @property
    def refund_key(self) -> tuple[str, str]:
        return refund_key(self.mine.session, self.order["orderId"], "pay1")

    def now(self, key: tuple[str, str]) -> dict[str, Any]:
        found = self.world.table.get("reservations", *key)
        assert found is not None
        return found


# --- acts: what leads up to a guard, and the call whose write it guards


def holds(story: Story, table: Any) -> None:
    unit = Unit("seat", story.world.seat_ids[1], "s", "t", "2")
    place = Unit("area", "floor", "", "t", "Floor", 1)
    holder = SeatHolder(table, story.world.clock, story.world.ids)
    holder.hold(story.mine, [unit, place], shards={"floor": 1}, idempotency_key="k")


def checks_out(story: Story, table: Any) -> None:
    story.held().beginner(table)


def checks_out_again(story: Story, table: Any) -> None:
    story.pending()
    set_order(lastAttempt="declined")(story, ())
    story.beginner(table)


def opens_page(story: Story, table: Any) -> None:
    begun = story.pending().begun
    assert begun is not None
    open_payment(table, story.world.payments, begun, "https://example.org")


def releases(story: Story, table: Any) -> None:
    story.held()
    SeatReleaser(table, story.world.clock).release_hold(story.mine.session, "ann", story.hold)


def ends(story: Story, table: Any) -> None:
    story.pending()
    SeatReleaser(table, story.world.clock).end_session(story.mine.session, "cancelled", "ann")


def settles(story: Story, table: Any) -> None:
    story.pending()
    story.settler(table).settle(story.capture())


def declines(story: Story, table: Any) -> None:
    story.pending()
    story.settler(table).settle(story.capture("failed"))


def settles_too_late(story: Story, table: Any) -> None:
    story.pending()
    SeatReleaser(story.world.table, story.world.clock).end_session(story.mine.session, "cancelled")
    story.settler(table).settle(story.capture())


def cancels(story: Story, table: Any) -> None:
    story.paid().cancel(table)


def refunds(story: Story, table: Any) -> None:
    story.owed().refunder(table).send(story.mine.session, story.order["orderId"], "pay1")


def issues(story: Story, table: Any) -> None:
    story.paid()
    office = TicketOffice(
        table=table,
        clock=story.world.clock,
        mailer=Mail(),
        sign=lambda _message: b"s" * 64,
        render=lambda _face: b"",
        document=lambda *_faces: b"",
    )
    issue_tickets(office, story.order["orderId"])


class Mail:
    def send(self, **_message: object) -> None:
        """Sent."""


def opens(story: Story, table: Any) -> None:
    world, rules = story.world, gate()
    token = issue_waiting_token(
        rules, EVENT, "bob", request_id="r", ip="-", now_ms=START_MS - 3_000_000
    )
    start_s = START_MS // 1000
    token = dataclasses.replace(token, boff=start_s - 60, exp=start_s + 600)
    SessionOpener(table, world.clock, world.ids, world.reminders).open(
        event=world.event,
        gate=rules,
        user="bob",
        token=encode_waiting_token(token, rules),
        solution="0",
        secrets=world.secrets.kept,
    )


def sweeps(story: Story, table: Any) -> None:
    story.world.clock.tick(300)
    world = story.world
    releaser = SeatReleaser(world.table, world.clock)
    sweeper = ExpirySweeper(table, world.clock, releaser, story.refunder(world.table))
    sweeper.sweep(world.event)


def reconciles(story: Story, table: Any) -> None:
    class Books:
        def captures(self, _since_ms: int) -> Sequence[Capture]:
            return ()

    settler = dataclasses.replace(story.settler(table), payments=Books())  # type: ignore[arg-type]
    Reconciler(table, story.world.clock, settler, story.refunder(table)).run([EVENT])


# --- changes: what only one guard can notice


def changed(table: Any, key: Callable[[Story], tuple[str, str]], **values: Any) -> Change:
    return lambda story, _actions: story.world.table.update(Update(table, *key(story), set=values))


def set_session(**values: Any) -> Change:
    return changed("reservations", lambda story: story.session_key, **values)


def set_order(**values: Any) -> Change:
    return changed("reservations", lambda story: story.order_key, **values)


def set_refund(**values: Any) -> Change:
    return changed("reservations", lambda story: story.refund_key, **values)


def set_seat(number: int = 0, **values: Any) -> Change:
    return changed("seats", lambda story: seat_key(EVENT, story.world.seat_ids[number]), **values)


def set_standing(user: str = "ann", **values: Any) -> Change:
    return changed("reservations", lambda _story: standing_key(user, EVENT), **values)


def set_mark(key: tuple[str, str], **values: Any) -> Change:
    return changed("reservations", lambda _story: key, **values)


def set_area_reservation(mark: str) -> Change:
    def change(story: Story, _actions: Sequence[Action]) -> None:
        session = story.mine.session
        key = (session, f"R#{story.hold}#floor")
        value = {"GSI1SK": f"{session}#{mark}"}
        story.world.table.update(Update("reservations", *key, set=value))

    return change


def exists_already(prefix: str, **values: Any) -> Change:
    """Somebody else has put this item: other content under the same key."""

    def change(story: Story, actions: Sequence[Action]) -> None:
        for action in actions:
            if isinstance(action, Put) and str(action.item["SK"]).startswith(prefix):
                key = keyed((action.item["PK"], action.item["SK"]))
                story.world.put(action.table, key | {"eventId": EVENT, "userId": "x"} | values)
                return
        raise AssertionError(f"nothing is put under {prefix}")

    return change


def refund_is_gone(story: Story, _actions: Sequence[Action]) -> None:
    pk, sk = story.refund_key
    key = {"PK": {"S": pk}, "SK": {"S": sk}}
    story.world.client.delete_item(TableName=NAMES["reservations"], Key=key)


Case = tuple[Act, Change] | tuple[Act, Change, int]
LOCKED_BY_OTHER = {"availability": "locked", "sessionId": "ses_x", "expiresAt": FUTURE}

CASES: Mapping[str, Case] = {
    "begin_checkout.ORDER_IS_PENDING: #state = :pending": (
        checks_out_again,
        set_order(state="paid"),
    ),
    "begin_checkout.PLACES_STILL_HELD: #GSI1SK = :live": (checks_out, set_area_reservation("X")),
    "begin_checkout.SEAT_STILL_HELD: #availability = :locked": (
        checks_out,
        set_seat(availability="blocked"),
    ),
    "begin_checkout.SEAT_STILL_HELD: #sessionId = :session": (
        checks_out,
        set_seat(sessionId="ses_x"),
    ),
    "begin_checkout.SEAT_STILL_HELD: #expiresAt > :now": (checks_out, set_seat(expiresAt=PAST)),
    "begin_checkout.SESSION_MAY_CHECK_OUT: #userId = :user": (
        checks_out,
        set_session(userId="bob"),
    ),
    "begin_checkout.SESSION_MAY_CHECK_OUT: #state = :reservation": (
        checks_out,
        set_session(state="expired"),
    ),
    "begin_checkout.SESSION_MAY_CHECK_OUT: #expiresAt > :now": (
        checks_out,
        set_session(expiresAt=PAST),
    ),
    "begin_checkout.SESSION_MAY_CHECK_OUT: #resCount = :count": (
        checks_out,
        set_session(resCount=3),
    ),
    "begin_checkout.STANDING_MAY_BUY: #liveSession = :session": (
        checks_out,
        set_standing(liveSession="ses_x"),
    ),
    "begin_checkout.STANDING_MAY_BUY: attribute_not_exists(#seatsBought) OR"
    " #seatsBought <= :room": (
        checks_out,
        set_standing(seatsBought=9),
    ),
    "cancel_order.ORDER_AS_READ: #state = :state": (cancels, set_order(state="cancelled")),
    "cancel_order.ORDER_AS_READ: #userId = :user": (cancels, set_order(userId="bob")),
    "cancel_order.RESERVATION_IS_SOLD: #GSI1SK = :sold": (cancels, set_area_reservation("X")),
    "cancel_order.SOLD_TO_THIS: #availability = :reserved": (
        cancels,
        set_seat(availability="available"),
    ),
    "cancel_order.SOLD_TO_THIS: #sessionId = :session": (cancels, set_seat(sessionId="ses_x")),
    "hold_seats.AREA_HAS_ROOM: #remaining >= :quantity": (
        holds,
        changed("seats", lambda _story: area_key(EVENT, "floor", 0), remaining=0),
    ),
    "hold_seats.SEAT_IS_FREE: #availability = :available OR (#availability = :locked AND"
    " #expiresAt <= :now)": (holds, set_seat(1, **LOCKED_BY_OTHER)),
    "hold_seats.SEAT_IS_FREE: #availability = :locked": (
        holds,
        set_seat(1, availability="reserved", expiresAt=""),
    ),
    "hold_seats.SEAT_IS_FREE: #expiresAt <= :now": (holds, set_seat(1, **LOCKED_BY_OTHER)),
    "hold_seats.SESSION_MAY_HOLD: #userId = :user": (holds, set_session(userId="bob")),
    "hold_seats.SESSION_MAY_HOLD: #eventId = :event": (holds, set_session(eventId="other")),
    "hold_seats.SESSION_MAY_HOLD: #state = :reservation": (holds, set_session(state="checkout")),
    "hold_seats.SESSION_MAY_HOLD: #expiresAt > :now": (holds, set_session(expiresAt=PAST)),
    "hold_seats.SESSION_MAY_HOLD: #resCount <= :room": (holds, set_session(resCount=9)),
    "idempotency.NOT_SEEN: attribute_not_exists(#PK) OR #until <= :now": (
        holds,
        exists_already("I#", until=FUTURE, payload="other", answer={}),
    ),
    "issue_tickets._NOT_YET_MAILED: #state = :ticketed": (
        issues,
        set_order(state="cancelled"),
        2,
    ),
    "issue_tickets._NOT_YET_MAILED: attribute_not_exists(#mailedAt)": (
        issues,
        set_order(mailedAt=PAST),
        2,
    ),
    "issue_tickets._PAID: #state = :paid": (issues, set_order(state="cancelled")),
    "open_payment.ORDER_IS_PENDING: #state = :pending": (opens_page, set_order(state="paid")),
    "open_session.MAY_OPEN: attribute_not_exists(#liveSession) OR #liveSession = :none OR"
    " #liveUntil <= :now": (opens, set_standing("bob", liveSession="ses_x", liveUntil=FUTURE)),
    "open_session.MAY_OPEN: attribute_not_exists(#sessionsUsed) OR #sessionsUsed < :sessions": (
        opens,
        set_standing("bob", sessionsUsed=9),
    ),
    "open_session.MAY_OPEN: attribute_not_exists(#lockedUntil) OR #lockedUntil <= :now": (
        opens,
        set_standing("bob", lockedUntil=FUTURE),
    ),
    "open_session.NOT_FLAGGED: attribute_not_exists(#flaggedUntil) OR #flaggedUntil <= :now": (
        opens,
        set_standing("bob", flaggedUntil=FUTURE),
    ),
    "reconcile_payments.NOT_FURTHER: attribute_not_exists(#until) OR #until < :until": (
        reconciles,
        set_mark(reconciled_key(), until=FUTURE),
    ),
    "refunds.NOT_YET_SENT: attribute_exists(#PK)": (refunds, refund_is_gone),
    "refunds.NOT_YET_SENT: attribute_not_exists(#sentAt)": (refunds, set_refund(sentAt=PAST)),
    "refunds.ORDER_WAITS_FOR_IT: #state = :state": (refunds, set_order(state="refunded")),
    "refunds.ORDER_WAITS_FOR_IT: #paymentId = :payment": (refunds, set_order(paymentId="pay2")),
    "release_seats.ORDER_IS_PENDING: #state = :pending": (ends, set_order(state="paid")),
    "release_seats.SEAT_IS_MINE: #availability = :locked": (
        releases,
        set_seat(availability="reserved"),
    ),
    "release_seats.SEAT_IS_MINE: #sessionId = :session": (releases, set_seat(sessionId="ses_x")),
    "release_seats.SESSION_AS_READ: #userId = :user": (releases, set_session(userId="bob")),
    "release_seats.SESSION_AS_READ: #state = :state": (releases, set_session(state="finalised")),
    "release_seats.SESSION_AS_READ: #resCount = :count": (releases, set_session(resCount=3)),
    "release_seats.STANDING_POINTS_HERE: #liveSession = :session": (
        ends,
        set_standing(liveSession="ses_x"),
    ),
    "release_seats.STILL_LIVE: #GSI1SK = :live": (releases, set_area_reservation("X")),
    "settle_payment.ORDER_AS_READ: #state = :state": (
        settles_too_late,
        set_order(state="refunded"),
    ),
    "settle_payment.ORDER_IS_PENDING: #state = :pending": (settles, set_order(state="expired")),
    "settle_payment.ORDER_IS_PENDING: #userId = :user": (settles, set_order(userId="bob")),
    "settle_payment.ORDER_STILL_PENDING: #state = :pending": (declines, set_order(state="paid")),
    "settle_payment.RESERVATION_IS_LIVE: #GSI1SK = :live": (settles, set_area_reservation("X")),
    "settle_payment.SEAT_IS_STILL_OURS: #availability = :locked": (
        settles,
        set_seat(availability="available"),
    ),
    "settle_payment.SEAT_IS_STILL_OURS: #sessionId = :session": (
        settles,
        set_seat(sessionId="ses_x"),
    ),
    "settle_payment.SESSION_IN_CHECKOUT: #state = :checkout": (
        settles,
        set_session(state="cancelled"),
    ),
    "settle_payment.SESSION_IN_CHECKOUT: #userId = :user": (settles, set_session(userId="bob")),
    "sweep_expired.NOT_FURTHER: attribute_not_exists(#minute) OR #minute < :minute": (
        sweeps,
        set_mark(swept_key(EVENT), minute="2099-01-01T00:00"),
    ),
    "open_session: a redeemed token is written once": (opens, exists_already("T#", sessionId="x")),
    "open_session: a session is written once": (opens, exists_already("S#", state="expired")),
    "hold_seats: a reservation is written once": (holds, exists_already("R#", kind="seat")),
    "begin_checkout: an order is written once": (checks_out, exists_already("O#", state="paid")),
    "settle_payment: a payment event is written once": (
        settles,
        exists_already("P#", outcome="noted"),
    ),
    "refunds: an owed refund is written once": (
        settles_too_late,
        exists_already("F#", sentAt=PAST),
    ),
}


def fate(world: World, case: Case) -> str:
    act, change, nth = case if len(case) == 3 else (*case, 1)
    story = Story(world)
    table = Meanwhile(story, change, nth)
    with contextlib.suppress(FairgateError, KeyError):  # how it is told is tested elsewhere
        act(story, table)
    return table.fate


GUARDS = {guard.name: guard for guard in guards.table_guards()}


@pytest.mark.parametrize("name", CASES)
def test_the_guard_refuses_by_itself_and_nothing_else_does(world: World, name: str) -> None:
    if name not in GUARDS:
        pytest.fail("there is no such guard any more")
    assert fate(world, CASES[name]) == "refused"


@pytest.mark.parametrize("name", CASES)
def test_the_write_goes_through_when_the_guard_is_gone(world: World, name: str) -> None:
    with GUARDS[name].without():
        assert fate(world, CASES[name]) == "committed"


def test_every_guard_has_its_case() -> None:
    assert set(GUARDS) == set(CASES)


def test_every_module_with_conditions_is_in_a_list() -> None:
    with_conditions = set()
    for path in guards.SERVICES.glob("*.py"):
        found = guards.conditions_in(path)
        assert not found["literals"], f"{path.name}: name its conditions: {found['literals']}"
        if found["constants"] or "Put(" in path.read_text("utf-8"):
            with_conditions.add(path.stem)
    assert with_conditions - {*guards.MODULES, *ELSEWHERE} == set()
    assert all((ROOT / "tests" / "unit" / test).is_file() for test in ELSEWHERE.values())


@pytest.mark.parametrize(
    ("condition", "clauses"),
    [
        ("#a = :a", ["#a = :a"]),
        ("#a = :a AND #b > :b", ["#a = :a", "#b > :b"]),
        ("(#a = :a OR #b = :b) AND #c = :c", ["#a = :a OR #b = :b", "#c = :c"]),
        (
            "#a = :a OR (#b = :b AND #c = :c)",
            ["#a = :a OR (#b = :b AND #c = :c)", "#b = :b", "#c = :c"],
        ),
        ("(#a = :a) AND (#b = :b)", ["#a = :a", "#b = :b"]),
    ],
)
def test_a_condition_is_taken_apart_into_what_can_be_lost_alone(
    condition: str, clauses: list[str]
) -> None:
    assert guards.clauses_of(condition) == clauses
