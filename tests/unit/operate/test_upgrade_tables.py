"""Tables of version 0.1.0, carried over: its buyers' orders, holds and money go on as before.

``tests/data/tables-0.1.0/items.json`` was written by that version's own code: ann has four tickets,
bob cancelled his, cas has checked out, dan holds two places, eve has just come in.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.adapters.dynamodb.schema import TABLES, create_table_request
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId, session_of_order
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.domain.tickets.ticket import places_of
from fairgate.errors import SeatsTakenError
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.record import DamagedItemError
from fairgate.service.audit.law import violations
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.expiry.sweep_expired import ExpirySweeper
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.orders.list_event_orders import event_orders
from fairgate.service.orders.list_orders import list_orders
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import event_key, own_order_key, session_key, user_status_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Session, UserStatus
from fairgate.service.shared.ticket_codes import code_of
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets
from fairgate_ops.operate.laws.checked import CHECKED
from fairgate_ops.operate.laws.read_tables import of_tables
from fairgate_ops.operate.upgrade_tables.__main__ import carry_over, main
from fairgate_ops.operate.upgrade_tables.convert import (
    UnknownItemError,
    convert_catalog,
    convert_reservations,
    convert_seats,
    event_of,
)
from tests.support.world import NAMES, World

FORMER = json.loads(
    (Path(__file__).parents[2] / "data" / "tables-0.1.0" / "items.json").read_text("utf-8")
)
SESSIONS: dict[str, str] = FORMER["sessions"]
SALE = EventId("final")
HERE: dict[str, str] = {str(table): name for table, name in NAMES.items()}
Items = dict[str, list[dict[str, Any]]]


def former() -> Items:
    return {table: [from_item(one) for one in items] for table, items in FORMER["tables"].items()}


def converted(items: Items) -> Items:
    events = {one["SK"]: event_of(one) for one in items["catalog"] if one["PK"] == "EVENT"}
    return {
        "seats": list(convert_seats(items["seats"])),
        "reservations": list(convert_reservations(items["reservations"], events)),
        "catalog": list(convert_catalog(items["catalog"])),
    }


def put_all(world: World, tables: Items) -> None:
    world.clock.ms = FORMER["at_ms"]
    for table, items in tables.items():
        for item in items:
            world.put_item(table, item)  # type: ignore[arg-type]


@pytest.fixture
def upgraded(world: World) -> World:
    put_all(world, converted(former()))
    return world


def wrong(world: World) -> list[str]:
    seen: Snapshot = of_tables(world.client, HERE)
    seen = msgspec.structs.replace(seen, now=rfc3339(world.clock.ms))
    return [str(found) for found in violations(seen, CHECKED)]


def event(world: World) -> Event:
    found = world.table.find(Event, event_key(SALE))
    assert found is not None
    return found


def orders_of(world: World, user: str) -> list[Order]:
    return list(list_orders(world.table, user).orders)


def credential(world: World, user: str) -> Credential:
    session = world.table.find(Session, session_key(SESSIONS[user]))
    assert session is not None
    return Credential(session.id, SALE, UserId(user), session.expires_at, 10, event(world).layout)


def seat(row: int, number: int) -> Unit:
    return Unit("seat", f"A-1-{row}-{number}", "A", "stalls", f"Row {row}, seat {number}", 1, 0)


def buy(world: World, order: Order) -> int:
    """Pay for it; return how many tickets it gets."""
    told = PaymentEvent(
        f"evt-{order.user_id}",
        "succeeded",
        order.order_id,
        order.total_minor,
        order.currency,
        f"pay-{order.user_id}",
    )
    assert PaymentSettler(world.table, world.clock, world.payments).settle(told) == "paid"
    office = TicketOffice(world.table, world.clock, world.mail_queue)
    return issue_tickets(office, order.order_id).tickets


def test_every_law_holds_of_what_was_carried_over(upgraded: World) -> None:
    assert wrong(upgraded) == []


def test_items_of_the_former_version_are_read_as_damaged_without_it(world: World) -> None:
    """The control of the test before."""
    put_all(world, former())
    broken = {one.partition(":")[0].split()[0] for one in wrong(world)}
    assert "data" in broken, broken
    session = SessionId(SESSIONS["ann"])
    [order] = [
        one
        for one in former()["reservations"]
        if one["SK"].startswith("O#") and one["PK"] == session
    ]
    with pytest.raises(DamagedItemError, match="userLimit"):
        world.table.find(Order, own_order_key(order["orderId"]))


def test_buyers_see_their_orders_and_the_organiser_sees_them_all(upgraded: World) -> None:
    states = {user: [one.state for one in orders_of(upgraded, user)] for user in SESSIONS}
    assert states == {
        "ann": ["ticketed"],
        "bob": ["refunded"],
        "cas": ["pending"],
        "dan": [],
        "eve": [],
    }
    [page] = event_orders(upgraded.table, SALE)
    assert sorted(one.user_id for one in page.records) == ["ann", "bob", "cas"]


def test_tickets_of_the_former_version_are_drawn_with_the_same_codes(upgraded: World) -> None:
    [order] = orders_of(upgraded, "ann")
    session = SESSIONS["ann"]
    [before] = [
        one for one in former()["reservations"] if one["PK"] == session and "tickets" in one
    ]
    drawn = [
        code_of(order, entry, place.place, upgraded.sign)
        for entry, place in zip(order.tickets, places_of(order.units), strict=True)
    ]
    assert drawn == [entry["code"] for entry in before["tickets"]]
    assert [entry.code for entry in order.tickets] == [""] * 4


def test_a_pending_order_is_paid_and_gets_its_tickets(upgraded: World) -> None:
    [order] = orders_of(upgraded, "cas")
    assert buy(upgraded, order) == 2
    assert wrong(upgraded) == []


def test_who_was_inside_holds_checks_out_and_pays(upgraded: World) -> None:
    holder = SeatHolder(upgraded.table, upgraded.clock, upgraded.ids)
    eve = credential(upgraded, "eve")
    for taken in (seat(1, 1), seat(2, 1)):  # sold to ann; held by cas
        with pytest.raises(SeatsTakenError):
            holder.hold(eve, [taken])
    holder.hold(eve, [seat(1, 3)])  # which bob gave back
    for user in ("eve", "dan"):
        begun = CheckoutBeginner(
            upgraded.table, upgraded.clock, upgraded.ids, upgraded.reminders
        ).begin(event(upgraded), SessionId(SESSIONS[user]), user, f"{user}@example.org")
        assert buy(upgraded, begun.order)
    assert wrong(upgraded) == []


def test_a_ticketed_order_is_cancelled_and_its_money_goes_back_once(upgraded: World) -> None:
    [order] = orders_of(upgraded, "ann")
    canceller = OrderCanceller(upgraded.table, upgraded.clock, upgraded.payments)
    assert canceller.cancel(event(upgraded), order).state in ("cancelled", "refunded")
    canceller.cancel(event(upgraded), order)
    refunds = [one for one in upgraded.payments.refunds if "pay-ann" in str(one)]
    assert len(refunds) == 1
    assert wrong(upgraded) == []


def test_a_refund_that_was_sent_is_not_sent_again(upgraded: World) -> None:
    [order] = orders_of(upgraded, "bob")
    refunder = Refunder(upgraded.table, upgraded.clock, upgraded.payments)
    assert not refunder.send(session_of_order(order.order_id), order.order_id, "pay-bob")
    assert not upgraded.payments.refunds


def test_the_sweeper_ends_what_is_over_after_the_upgrade(upgraded: World) -> None:
    upgraded.clock.ms = epoch_ms(credential(upgraded, "cas").expires_at) + 300_000
    releaser = SeatReleaser(upgraded.table, upgraded.clock)
    refunder = Refunder(upgraded.table, upgraded.clock, upgraded.payments)
    swept = ExpirySweeper(upgraded.table, upgraded.clock, releaser, refunder).sweep(event(upgraded))
    assert (swept.expired, swept.failures) == (3, ())  # cas, dan, eve
    assert wrong(upgraded) == []


def test_a_user_still_has_what_counts_for_the_limit(upgraded: World) -> None:
    taken = {
        user: status.places_taken
        for user in SESSIONS
        if (status := upgraded.table.find(UserStatus, user_status_key(user, SALE)))
    }
    assert taken == {"ann": 4, "bob": 0, "cas": 2, "dan": 0, "eve": 0}


def test_an_item_that_the_version_did_not_write_stops_the_conversion() -> None:
    for strange in ({"PK": "ses_1", "SK": "Z#1"}, {"PK": "final#NEW", "SK": "1"}):
        items = former()
        items["reservations"].append(strange)
        with pytest.raises(UnknownItemError):
            converted(items)


def test_the_command_writes_a_stage_once_and_nothing_that_it_does_not_know(world: World) -> None:
    names = {str(schema.name): f"former-{schema.name}" for schema in TABLES}
    for schema in TABLES:
        world.client.create_table(**create_table_request(schema, names[schema.name]))
    for table, items in FORMER["tables"].items():
        for item in items:
            world.client.put_item(TableName=names[table], Item=item)
    assert carry_over(world.client, names, HERE, write=False)["catalog"] == (3, 3)
    assert world.table.find(Event, event_key(SALE)) is None
    assert carry_over(world.client, names, HERE, write=True)["catalog"] == (3, 3)
    world.clock.ms = FORMER["at_ms"]
    assert wrong(world) == []
    [order] = orders_of(world, "cas")
    buy(world, order)
    assert {new for _, new in carry_over(world.client, names, HERE, write=True).values()} == {0}
    assert [one.state for one in orders_of(world, "cas")] == ["ticketed"]
    strange = {"PK": {"S": "final#NEW"}, "SK": {"S": "1"}}
    world.client.put_item(TableName=names["reservations"], Item=strange)
    with pytest.raises(UnknownItemError, match="final#NEW 1"):
        carry_over(world.client, names, HERE, write=True)


def test_the_command_says_what_it_did_or_what_stopped_it(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--from-stage", "old", "--stage", "new", "--region", "eu-central-1"]
    assert main(words, lambda _service, _region: world.client) == 1
    assert "Check the credentials, the stages" in capsys.readouterr().err
    for stage in ("old", "new"):
        for schema in TABLES:
            request = create_table_request(schema, f"fairgate-{stage}-{schema.name}")
            world.client.create_table(**request)
    assert main(words, lambda _service, _region: world.client) == 0
    assert "catalog      0 items converted, none written: add --write" in capsys.readouterr().out
    strange = {"PK": {"S": "final#NEW"}, "SK": {"S": "1"}}
    world.client.put_item(TableName="fairgate-old-reservations", Item=strange)
    assert main([*words, "--write"], lambda _service, _region: world.client) == 1
    assert "error: nothing was written: Version 0.1.0 wrote no item" in capsys.readouterr().err


def test_the_sale_is_closed_to_whoever_is_not_inside(upgraded: World) -> None:
    assert event(upgraded).state == "closed"
