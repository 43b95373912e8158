"""Negative controls of the checker: each violation is planted in real tables and must be named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.models import KINDS
from fairgate.adapters.dynamodb.schema import TABLES, create_table_request
from fairgate.ports.availability import SeatStatus
from fairgate.service.shared.keys import event_orders_index, ledger_key, order_in_event
from fairgate.service.shared.movement_keys import movement_key, payout_step_key
from fairgate_ops.run.laws.check import violations
from fairgate_ops.run.laws.snapshot import of_tables
from tests.support.items import ITEMS, optional
from tests.support.moto_direct import dynamodb

NAMES: dict[str, str] = {schema.name: f"fairgate-test-{schema.name}" for schema in TABLES}
PAST, FUTURE = "2020-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z"
HELD, SOLD = f"ses_{'a' * 32}", f"ses_{'b' * 32}"
ORDER = f"ord_{'b' * 32}_00000001"
MAIL_TO = "bob@example.org"


class World:
    """A small sale in which every law holds: one seat held, one sold, one free, an area."""

    def __init__(self, client) -> None:
        self._client = client
        self.payments = [capture(ORDER, 5000)]
        self.cache: dict[tuple[str, str], Sequence[SeatStatus]] = {}
        for schema in TABLES:
            client.create_table(**create_table_request(schema, NAMES[schema.name]))
        self.put("catalog", EVENT)
        self.put("seats", seat("s1", "locked", HELD, FUTURE), seat("s2", "reserved", SOLD))
        self.put("seats", seat("s3", "available"), shard(remaining=5))
        self.put("reservations", session(HELD, "reservation", 2, "ann"))
        self.put("reservations", listed(session(SOLD, "finalised", 3, "bob")))
        self.put("reservations", reserved(HELD, "s1", "live"), placed(HELD, 1, "live"))
        self.put("reservations", reserved(SOLD, "s2", "sold"), placed(SOLD, 2, "sold"))
        self.put("reservations", order(), standing("bob", 3), standing("ann", 0))
        self.put("reservations", entry("capture", 5000))

    def put(self, table, *items) -> None:
        for item in items:
            self._client.put_item(TableName=NAMES[table], Item=to_item(item))

    def found(self) -> set[str]:
        snapshot = of_tables(self._client, NAMES)
        snapshot = replace(snapshot, payments=self.payments, cache=self.cache)
        return {violation.law for violation in violations(snapshot)}


def whole(kind, /, **attributes):
    """An item with everything that its kind must have; what it may lack only if it is named."""
    _, item = ITEMS[kind]
    may_lack = optional(KINDS[kind])
    return {name: item[name] for name in item if name not in may_lack} | attributes


EVENT = whole(
    "event",
    SK="demo",
    holdLimit=4,
    userLimit=4,
    areas={"floor": {"capacity": 8, "shards": 1, "tier": "A"}},
    sections=[{"id": "A", "name": "A", "seats": 3, "blocks": []}],
)


def seat(name, availability, session_id="", expires_at="", version=1):
    return whole(
        "seat",
        PK=f"demo#{name}",
        SK="META",
        GSI1PK="demo#A",
        GSI1SK=f"B#1#{name}",
        eventId="demo",
        sectionId="A",
        seatId=name,
        seatIndex=int(name[1:]) - 1,
        availability=availability,
        sessionId=session_id,
        expiresAt=expires_at,
        version=version,
    )


def shard(remaining, capacity=8):
    return whole(
        "area shard",
        PK="demo#floor#0",
        SK="GA",
        eventId="demo",
        areaId="floor",
        shard=0,
        capacity=capacity,
        remaining=remaining,
        version=1,
    )


def session(name, state, count, user, expires_at=FUTURE):
    return whole(
        "session",
        PK=name,
        SK=f"S#{name}",
        userId=user,
        eventId="demo",
        state=state,
        expiresAt=expires_at,
        resCount=count,
    )


def listed(item, order_name=ORDER):
    """The session as it stands among its event's orders."""
    where = event_orders_index("demo", item["PK"])
    return item | {"GSI1PK": where, "GSI1SK": order_in_event(PAST, order_name, MAIL_TO)}


def reserved(session_id, seat_id, state):
    return whole(
        "reservation",
        PK=session_id,
        SK=f"R#hld_1#{seat_id}",
        state=state,
        eventId="demo",
        kind="seat",
        place=seat_id,
        quantity=1,
    )


def placed(session_id, quantity, state):
    item = reserved(session_id, "floor", state)
    return item | {"kind": "area", "shard": 0, "quantity": quantity}


def order(name=ORDER, state="ticketed", tickets=3, units=None, session_id=SOLD):
    return whole(
        "order",
        PK=session_id,
        SK=f"O#{name}",
        GSI1PK="U#bob",
        GSI1SK=PAST,
        userId="bob",
        eventId="demo",
        orderId=name,
        createdAt=PAST,
        email=MAIL_TO,
        paymentId="p",
        state=state,
        totalMinor=5000,
        units=units or [SEAT_SOLD, PLACES_SOLD],
        tickets=[ticket(f"{name}-{n}") for n in range(tickets)],
    )


SEAT_SOLD = {"kind": "seat", "seat": "s2", "tier": "A", "label": "Seat 2"}
PLACES_SOLD = {"kind": "area", "area": "floor", "tier": "A", "label": "Floor", "quantity": 2}


def ticket(name):
    return {"ticket": name, "unit": 0, "label": "", "code": ""}


def standing(user, bought):
    return whole(
        "user status",
        PK=f"U#{user}",
        SK="demo",
        placesTaken=bought,
    )


def movement():
    key = movement_key(PAST, "txn_1")
    figures = {"movementId": "txn_1", "amountMinor": 5000, "feeMinor": 9, "currency": "EUR"}
    about = {"eventId": "show", "orderId": ORDER, "paymentId": "pay1"}
    return whole("movement", PK=key.pk, SK=key.sk, at=PAST, kind="capture", **figures, **about)


def payout_listed():
    key = payout_step_key("po_1", "listed")
    return whole("payout step", PK=key.pk, SK=key.sk, step="listed", amountMinor=4991, parts=1)


def entry(kind, amount_minor, payment="p"):
    """An entry of the ledger, of ORDER."""
    return whole(
        "ledger entry",
        PK=SOLD,
        SK=ledger_key(SOLD, ORDER, f"{kind}#{payment}").sk,
        orderId=ORDER,
        paymentId=payment,
        kind=kind,
        amountMinor=amount_minor,
    )


def capture(order_id, amount_minor, kind="capture", payment="p"):
    return {"kind": kind, "order": order_id, "amount_minor": amount_minor, "payment": payment}


def refund(order_id, payment="p"):
    return capture(order_id, 5000, "refund", payment)


@pytest.fixture
def world(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    with dynamodb(through_boto3=False) as client:
        yield World(client)


def test_nothing_is_found_when_every_law_holds(world):
    assert world.found() == set()


def test_nothing_is_found_when_a_hold_has_expired_and_another_took_the_seat(world):
    late = f"ses_{'c' * 32}"
    world.put("reservations", session(late, "reservation", 1, "cy", PAST), standing("cy", 0))
    world.put("reservations", reserved(late, "s1", "live"))
    assert world.found() == set()


OTHER = f"ses_{'d' * 32}"
OTHER_ORDER = f"ord_{'d' * 32}_00000001"
SECOND_SALE = [
    session(OTHER, "finalised", 1, "dot"),
    reserved(OTHER, "s2", "sold"),
    order(OTHER_ORDER, tickets=1, units=[SEAT_SOLD], session_id=OTHER),
]
SECOND_HOLD = [session(OTHER, "checkout", 1, "dot"), reserved(OTHER, "s1", "live")]


@pytest.mark.parametrize(
    ("law", "table", "items"),
    [
        ("two-live-holds", "reservations", SECOND_HOLD),
        ("sold-twice", "reservations", SECOND_SALE),
        ("reserved-without-order", "seats", [seat("s3", "reserved", OTHER)]),
        ("reserved-without-order", "seats", [seat("s2", "reserved", OTHER)]),
        ("order-without-seat", "seats", [seat("s2", "available")]),
        ("order-without-seat", "seats", [seat("s2", "locked", OTHER, FUTURE)]),
        ("locked-without-hold", "seats", [seat("s3", "locked", OTHER, FUTURE)]),
        ("hold-without-lock", "seats", [seat("s1", "available")]),
        ("area-bounds", "seats", [shard(remaining=-1)]),
        ("area-bounds", "seats", [shard(remaining=9)]),
        ("area-balance", "seats", [shard(remaining=6)]),
        ("area-capacity", "seats", [shard(remaining=6, capacity=9)]),
        ("session-limit", "reservations", [placed(HELD, 4, "live")]),
        ("session-count", "reservations", [session(HELD, "reservation", 1, "ann")]),
        ("one-live-session", "reservations", [session(OTHER, "reservation", 0, "ann")]),
        ("user-limit", "catalog", [EVENT | {"userLimit": 2}]),
        ("user-count", "reservations", [standing("bob", 2)]),
        ("ticket-set", "reservations", [order(tickets=2)]),
        ("ticket-set", "reservations", [order(state="refunded")]),
        ("ticket-without-money", "reservations", SECOND_SALE),
        ("unsettled", "reservations", [order(state="paid", tickets=0)]),
        ("money-without-ticket", "reservations", [order(state="expired", tickets=0)]),
        ("listed", "reservations", [session(SOLD, "finalised", 3, "bob")]),
        ("listed", "reservations", [listed(session(HELD, "reservation", 2, "ann"))]),
        ("ledger", "reservations", [entry("capture", 4999)]),
        ("ledger", "reservations", [entry("refund", -5000)]),
        ("ledger", "reservations", [order() | {"paymentId": "q"}]),
        ("fees", "reservations", [entry("fee", -9) | {"thing": "txn_7"}]),
        ("fees", "reservations", [movement()]),
        ("fees", "reservations", [movement(), entry("fee", -8) | {"thing": "txn_1"}]),
        ("payout-parts", "reservations", [payout_listed()]),
        ("data", "reservations", [standing("bob", 3) | {"ticketsHeld": 3}]),
        ("data", "catalog", [whole("log entry") | {"PK": "GUARD#demo"}]),
    ],
)
def test_violation_is_named_when_it_is_planted(world, law, table, items):
    world.put(table, *items)
    assert law in world.found()


@pytest.mark.parametrize(
    ("law", "payments"),
    [
        ("ticket-without-money", []),
        ("money-without-ticket", [capture(ORDER, 5000), capture(ORDER, 5000, payment="q")]),
        ("refunded-twice", [capture(ORDER, 5000), refund(ORDER), refund(ORDER)]),
        ("money-amount", [capture(ORDER, 4999)]),
        ("money-without-ticket", [capture(ORDER, 5000), capture("ord_unknown", 1)]),
        ("ticket-without-money", [capture(ORDER, 5000), refund(ORDER)]),
    ],
)
def test_violation_is_named_when_the_providers_books_differ(world, law, payments):
    world.payments = payments
    assert law in world.found()


def test_refund_is_in_order_when_the_order_was_refunded(world):
    world.put("reservations", order(state="refunded", tickets=0), standing("bob", 0))
    world.put("reservations", listed(session(SOLD, "expired", 0, "bob")))
    world.put("reservations", placed(SOLD, 2, "released"))
    world.put("reservations", reserved(SOLD, "s2", "released"))
    world.put("seats", seat("s2", "available"), shard(remaining=7))
    world.payments = [capture(ORDER, 5000), refund(ORDER)]
    assert world.found() == set()


CANCELLED = order(state="cancelled", tickets=0) | {"cancelledAt": PAST}


@pytest.mark.parametrize("returned", [[], [refund(ORDER) | {"state": "failed"}]])
def test_money_of_a_cancelled_order_is_missed_until_it_is_a_duty(world, returned):
    world.put("reservations", CANCELLED)
    world.payments = [capture(ORDER, 5000), *returned]
    assert "money-without-ticket" in world.found()
    duty = whole("duty", kind="refund-failed" if returned else "refund-refused")
    world.put("reservations", duty | {"orderId": ORDER})
    assert "money-without-ticket" not in world.found()


@pytest.mark.parametrize(("kind", "known"), [("refunded-elsewhere", True), ("disputed", False)])
def test_a_ticket_whose_money_went_back_by_another_hand_is_a_duty(world, kind, known):
    world.put("reservations", whole("duty", kind=kind) | {"orderId": ORDER})
    world.payments = [capture(ORDER, 5000), refund(ORDER)]
    assert ("ticket-without-money" not in world.found()) == known


def test_nothing_is_found_when_a_second_capture_of_an_order_was_refunded(world):
    world.payments = [capture(ORDER, 5000), capture(ORDER, 5000, payment="q"), refund(ORDER, "q")]
    assert world.found() == set()


def test_cache_is_compared_when_a_section_is_cached(world):
    statuses = [
        SeatStatus(0, "locked", 0, 1),
        SeatStatus(1, "reserved", 0, 1),
        SeatStatus(2, "available", 0, 1),
    ]
    world.cache = {("demo", "A"): statuses}
    assert world.found() == set()
    world.cache = {("demo", "A"): [*statuses[:2], SeatStatus(2, "locked", 0, 1)]}
    assert world.found() == {"cache"}
    world.cache = {("demo", "A"): statuses[:2]}
    assert world.found() == {"cache"}


def test_ticket_code_is_named_when_two_orders_carry_it(world):
    twin = order(OTHER_ORDER, state="expired", tickets=0, session_id=OTHER)
    world.put("reservations", twin | {"tickets": [ticket(f"{ORDER}-0")]})
    assert {"ticket-code", "ticket-set"} <= world.found()
