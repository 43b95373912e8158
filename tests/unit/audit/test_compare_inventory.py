"""The auditor names each kind of double sale, lost seat and wrong counter, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from fairgate import metrics
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK, DamagedItemError
from fairgate.ports.table import Update
from fairgate.service.audit.compare_inventory import LAWS, Compared, compare_inventory
from fairgate.service.audit.read_inventory import InventoryReader
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.house.block_seats import SeatBlocker, Terms
from fairgate.service.house.free_seats import Places
from fairgate.service.shared.keys import area_key, order_key, seat_key, session_key, swept_key
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import DueEntry, Reservation
from functions.auditor import handler as auditor
from tests.support.memory_client import MemoryClient
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.shared.test_idempotency import cancel

FREE, HELD, PENDING, SOLD, OTHER = ("s-1-12", "s-1-1", "s-1-3", "s-1-5", "s-1-7")
FREED = {"availability": "available", "sessionId": "", "expiresAt": ""}


class Sale:
    """A sale with a hold, a checkout, two paid orders and a cancelled one, each with a place."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.hold = held(world, "ann", HELD, area=1)
        self.pending = begin(world, held(world, "bob", PENDING, area=1)).order
        self.sold = self.buy("cid", SOLD)
        self.other = self.buy("dot", OTHER)
        cancel(world, self.buy("eve", "s-1-9"), "")

    def buy(self, user: str, seat: str) -> Order:
        order = begin(self.world, held(self.world, user, seat, area=1)).order
        assert settle(self.world, order, id=f"evt-{user}", payment=f"pay-{user}") == "paid"
        return order

    def seat(self, seat: str, **changes: Any) -> None:
        """Change a seat as no service does: without a condition, and without a version."""
        self.world.table.update(Update("seats", *seat_key(EVENT, seat), set=changes))

    def floor(self, **changes: Any) -> None:
        self.world.table.update(Update("seats", *area_key(EVENT, "floor", 0), set=changes))

    def order(self, order: Order, **changes: Any) -> None:
        self.world.table.update(Update("reservations", *order.key, set=changes))

    def reservation(self, session: str, seat: str, **changes: Any) -> None:
        for one in self.world.table.query(Reservation, session, "R#"):
            if one.place == seat:
                self.world.table.update(Update("reservations", *one.key, set=changes))

    def compared(self) -> Compared:
        return compare_inventory(self.world.table, self.world.clock, self.world.event)


def sold_again(sale: Sale) -> None:
    """A paid seat becomes available by a fault, and a second buyer pays for it."""
    sale.seat(SOLD, **FREED)
    sale.buy("fay", SOLD)


def held_again(sale: Sale) -> None:
    sale.seat(HELD, **FREED)
    held(sale.world, "fay", HELD)


# What a fault writes behind the services' back, and the laws that name it.
FAULTS: dict[str, tuple[str, Callable[[Sale], None]]] = {
    "sold twice": ("sold-twice order-without-seat", sold_again),
    "held twice": ("two-live-holds hold-without-lock", held_again),
    "sold seat is available": ("order-without-seat", lambda sale: sale.seat(SOLD, **FREED)),
    "sold seat is another's": (
        "order-without-seat reserved-without-order",
        lambda sale: sale.seat(SOLD, sessionId=sale.other.session),
    ),
    "order names another's seat": (
        "sold-twice order-without-seat reserved-without-order",
        lambda sale: sale.order(
            sale.sold,
            units=[
                unit.as_map() | ({"seat": OTHER} if unit.seat else {}) for unit in sale.sold.units
            ],
        ),
    ),
    "held seat is available": ("hold-without-lock", lambda sale: sale.seat(HELD, **FREED)),
    "pending seat is available": ("hold-without-lock", lambda sale: sale.seat(PENDING, **FREED)),
    "seat is reserved for nobody": (
        "reserved-without-order",
        lambda sale: sale.seat(FREE, availability="reserved", sessionId="ses_" + "f" * 32),
    ),
    "seat of a cancelled order is reserved": (
        "reserved-without-order",
        lambda sale: sale.order(sale.sold, state="cancelled"),
    ),
    "seat is locked without a hold": (
        "locked-without-hold",
        lambda sale: sale.seat(
            FREE,
            availability="locked",
            sessionId="ses_" + "f" * 32,
            expiresAt=rfc3339(sale.world.clock.ms + 60_000),
        ),
    ),
    "hold is lost": (
        "locked-without-hold",
        lambda sale: sale.reservation(sale.hold.session, HELD, state="released"),
    ),
    "area has a place too many": ("area-balance", lambda sale: sale.floor(remaining=7)),
    "area has a place too few": ("area-balance", lambda sale: sale.floor(remaining=5)),
    "area's hold is lost": (
        "area-balance",
        lambda sale: sale.reservation(sale.hold.session, "floor", state="released"),
    ),
    "area has less than nothing": (
        "area-bounds area-balance",
        lambda sale: sale.floor(remaining=-1),
    ),
    "area's capacity changes": (
        "area-capacity area-balance",
        lambda sale: sale.floor(capacity=11),
    ),
}


@pytest.mark.parametrize(("laws", "fault"), FAULTS.values(), ids=FAULTS)
def test_each_fault_is_named_in_one_round(
    world: World, laws: str, fault: Callable[[Sale], None]
) -> None:
    sale = Sale(world)
    before = sale.compared()
    assert (before.broken, before.undecided, before.damaged) == ([], 0, [])
    fault(sale)
    found = sale.compared()
    assert {one.law for one in found.broken} == set(laws.split())
    assert (found.undecided, found.damaged) == (0, [])


def test_every_law_of_the_auditor_has_a_fault_that_breaks_it() -> None:
    assert {law.name for law in LAWS} == {n for laws, _ in FAULTS.values() for n in laws.split()}


@pytest.mark.parametrize("after_s", [0, 601, 2_000, 50_000])
def test_a_sale_without_a_fault_is_sound_as_its_sessions_end(world: World, after_s: int) -> None:
    sale = Sale(world)
    world.clock.tick(after_s)
    found = sale.compared()
    assert (found.broken, found.undecided, found.damaged) == ([], 0, [])


Act = Callable[[Sale], object]
READS_MIN = 15  # of so small a sale
ACTS: dict[str, Act] = {
    "hold": lambda sale: held(sale.world, "fay", FREE, area=2),
    "release": lambda sale: SeatReleaser(sale.world.table, sale.world.clock).release_hold(
        sale.hold.session,
        "ann",
        sale.world.table.query(Reservation, sale.hold.session, "R#")[0].hold_id,
    ),
    "settle": lambda sale: settle(sale.world, sale.pending, id="evt-bob", payment="pay-bob"),
    "cancel": lambda sale: cancel(sale.world, sale.sold, ""),
    "buy": lambda sale: sale.buy("fay", FREE),
}


def compared_with(act: Act, at: int, monkeypatch: pytest.MonkeyPatch) -> Compared | None:
    """Compare while the sale changes before the read number ``at``; None if it has fewer reads."""
    sale, reads, acted = Sale(World(MemoryClient())), iter(range(1, 1_000)), False

    def then(real: Callable[..., Any], *args: Any, **how: Any) -> Any:
        nonlocal acted
        if not acted and args[0] is not DueEntry and next(reads) == at:
            acted = True
            act(sale)
        return real(*args, **how)

    for name in ("query", "partition", "find_many"):
        real = getattr(sale.world.table, name)
        monkeypatch.setattr(sale.world.table, name, partial(then, real))
    found = sale.compared()
    return found if acted else None


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_what_changes_while_it_is_read_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, act: Act
) -> None:
    at = 1
    while found := compared_with(act, at, monkeypatch):
        assert (at, found.broken, found.undecided) == (at, [], 0)
        at += 1
    assert at > READS_MIN


def test_a_fault_is_named_although_its_seat_changes_at_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat that changes at each look is left to the next round, and said."""
    sale, real, looks = Sale(world), InventoryReader.near, [0]
    sale.seat(SOLD, **FREED)

    def near(reader: InventoryReader, *about: Any) -> Any:
        read, _ = real(reader, *about)
        looks[0] += 1
        return read, {seat_key(EVENT, SOLD).pk} if looks[0] <= moves else set()

    monkeypatch.setattr(InventoryReader, "near", near)
    moves = 2
    assert [one.law for one in sale.compared().broken] == ["order-without-seat"]
    moves, looks[0] = 3, 0
    found = sale.compared()
    assert (found.broken, found.undecided) == ([], 1)


def test_a_damaged_item_is_named_and_hides_no_fault(world: World) -> None:
    sale = Sale(world)
    world.spoil("seats", seat_key(EVENT, SOLD), version={"S": "x"})
    sale.seat(OTHER, **FREED)
    found = sale.compared()
    assert [(one.law, one.thing) for one in found.broken] == [
        ("order-without-seat", sale.other.order_id)
    ]
    assert found.damaged == [seat_key(EVENT, SOLD)]


def test_house_seats_are_no_finding(world: World) -> None:
    sale = Sale(world)
    wanted = Places([FREE, "s-1-10"], {"floor": 2})
    SeatBlocker(world.table, world.clock).block(world.event, wanted, Terms("sponsor", "olga"))
    assert not sale.compared().broken
    sale.seat(SOLD, availability="blocked", sessionId="blk_x")
    sale.seat(HELD, availability="blocked", sessionId="blk_x")
    assert [one.law for one in sale.compared().broken] == [
        "hold-without-lock",
        "order-without-seat",
    ]


@pytest.mark.parametrize("key", ["session", "order"])
def test_a_damaged_session_or_order_is_named(world: World, key: str) -> None:
    sale = Sale(world)
    session = sale.hold.session
    where = session_key(session) if key == "session" else order_key(*_of(sale.sold))
    world.spoil("reservations", where, state={"N": "1"})
    found = sale.compared()
    assert where.pk in {damaged.pk for damaged in found.damaged}
    assert {one.law for one in found.broken} <= {
        "locked-without-hold",
        "reserved-without-order",
        "area-balance",
    }


def test_a_damaged_sweep_cursor_hides_nothing(world: World) -> None:
    sale = Sale(world)
    world.put_item("reservations", {PK: swept_key(EVENT).pk, SK: swept_key(EVENT).sk, "minute": 5})
    sale.seat(HELD, **FREED)
    assert [one.law for one in sale.compared().broken] == ["hold-without-lock"]


def _of(order: Order) -> tuple[str, str]:
    return order.session, order.order_id


def run(world: World, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(auditor, "container", lambda: world.container)
    answer: dict[str, Any] = auditor.handler({}, None)
    return answer


def test_the_function_counts_doubles_apart_and_logs_each_with_its_first_step(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sale = Sale(world)
    sold_again(sale)
    sale.floor(remaining=9)
    answer = run(world, monkeypatch)
    assert (answer[metrics.DOUBLE_BOOKINGS], answer[metrics.INVENTORY_FAULTS]) == (2, 1)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    named = [line for line in lines if line.get("message") == "law broken"]
    assert {line["violation"]["law"] for line in named} == {
        "sold-twice",
        "order-without-seat",
        "area-balance",
    }
    assert all(line["first_step"].startswith("Pause the event") for line in named)
    said = next(line for line in lines if metrics.AUDITOR_RUNS in line)
    assert said[metrics.DOUBLE_BOOKINGS] == [2]


def test_an_event_that_cannot_be_compared_stops_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    sale = Sale(world)
    sale.seat(SOLD, **FREED)
    other = msgspec.structs.replace(world.event, sk="aaa")
    world.put(other)
    real = compare_inventory

    def compared(table: Any, clock: Any, event: Any) -> Compared:
        if event.id == "aaa":
            raise DamagedItemError("an index")
        return real(table, clock, event)

    monkeypatch.setattr(auditor, "compare_inventory", compared)
    answer = run(world, monkeypatch)
    assert (answer["events"], answer[metrics.AUDIT_FAILURES]) == (1, 1)
    assert answer[metrics.DOUBLE_BOOKINGS] == 1


def test_an_event_at_rest_is_compared_once_a_day(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    Sale(world).seat(SOLD, **FREED)
    monkeypatch.setattr(auditor, "resting_events", lambda _table, _events: {EVENT})
    found = []
    for _ in range(auditor.ROUNDS_A_DAY):
        found.append(run(world, monkeypatch)[metrics.DOUBLE_BOOKINGS])
        world.clock.tick(auditor.PERIOD_S)
    assert sum(found) == 1
