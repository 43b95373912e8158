"""Paid orders become tickets once and are mailed, however the deliveries come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, get_args

import msgspec
import pytest

from fairgate.adapters.tickets.ed25519 import public_key_of, verifier
from fairgate.domain.orders.order import OrderState
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import TicketFace, verify
from fairgate.errors import DependencyUnavailableError, MailAddressError
from fairgate.ports.record import decode
from fairgate.ports.table import Update
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.issue_tickets import faces_of
from fairgate_lab.engine.outside import MemoryMailer
from fairgate_lab.engine.secrets import MemorySecrets
from functions.ticketer import handler as ticketer
from tests.support.calendars import event_in
from tests.support.moto_direct import dynamodb
from tests.support.pdfs import pdf_words
from tests.support.world import EVENT, START_MS, World

SESSION = "ses_" + "a" * 32
ORDER = "ord_" + "a" * 32 + "_" + "b" * 8
UNITS = [
    {"kind": "seat", "seat": "s-1-1", "section": "s", "tier": "t", "label": "Row 1 · Seat 1"},
    {"kind": "area", "area": "floor", "quantity": 2, "shard": 0, "tier": "t", "label": "Floor"},
]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with dynamodb() as client:
        world = World(client)
        world.container.__dict__["mailer"] = MemoryMailer()
        monkeypatch.setattr(ticketer, "container", lambda: world.container)
        yield world


def outbox(world: World) -> MemoryMailer:
    kept: MemoryMailer = world.container.__dict__["mailer"]
    return kept


def put_order(world: World, state: str = "paid", **changes: Any) -> None:
    order = {
        "PK": SESSION,
        "SK": f"O#{ORDER}",
        "GSI1PK": "U#ann",
        "GSI1SK": rfc3339(START_MS),
        "userId": "ann",
        "eventId": EVENT,
        "orderId": ORDER,
        "state": state,
        "totalMinor": 15_000,
        "userLimit": 10,
        "currency": "EUR",
        "lines": [],
        "units": UNITS,
        "email": "ann@example.org",
        "expiresAt": rfc3339(START_MS),
        "createdAt": rfc3339(START_MS),
    }
    world.put_item("reservations", order | changes)


def order_of(world: World) -> dict[str, Any]:
    found = world.item("reservations", (SESSION, f"O#{ORDER}"))
    assert found is not None
    return found


def faces(world: World) -> list[TicketFace]:
    return faces_of(decode(Order, order_of(world)), None, world.sign)


def record(state: str = "paid", sk: str = f"O#{ORDER}") -> dict[str, Any]:
    image = {"PK": {"S": SESSION}, "SK": {"S": sk}, "state": {"S": state}}
    return {"eventName": "MODIFY", "dynamodb": {"NewImage": image, "Keys": {}}}


def deliver(world: World, *bodies: Any) -> list[str]:
    """The ids of the messages that are to come again; the mails that they ask for are sent."""
    again = handle(*bodies)
    again += handle(*mails(world))
    return again


def mails(world: World) -> list[dict[str, str]]:
    """Take what waits in the mail queue."""
    taken = [{"mail": order} for order in world.mail_queue.orders]
    world.mail_queue.orders.clear()
    return taken


def handle(*bodies: Any) -> list[str]:
    """One batch; the ids of the messages that are to come again."""
    records = [
        {"messageId": f"m{i}", "body": body if isinstance(body, str) else json.dumps(body)}
        for i, body in enumerate(bodies)
    ]
    answer = ticketer.handler({"Records": records}, None)
    return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


def test_a_paid_order_gets_one_signed_ticket_a_person(world: World) -> None:
    put_order(world)
    assert deliver(world, record()) == []
    order = order_of(world)
    assert order["state"] == "ticketed"
    assert [t["unit"] for t in order["tickets"]] == [0, 1, 2]
    check = verifier(public_key_of(MemorySecrets().current.ticket))
    tickets = [verify(face.code, check) for face in faces(world)]
    assert [t.place for t in tickets] == ["s-1-1", "floor", "floor"]
    assert {(t.event, t.order, t.issued_at_s) for t in tickets} == {
        (EVENT, ORDER, START_MS // 1000)
    }
    assert [t.ticket for t in tickets] == [t["ticket"] for t in order["tickets"]]


def test_the_rest_of_the_order_stays_when_tickets_are_added(world: World) -> None:
    put_order(world)
    before = order_of(world)
    deliver(world, record())
    after = order_of(world)
    changed = {name for name in after if after.get(name) != before.get(name)}
    assert changed == {"state", "tickets", "ticketedAt", "mailedAt", "version"}


def test_the_mail_carries_every_ticket(world: World) -> None:
    put_order(world)
    deliver(world, record())
    (mail,) = outbox(world).sent
    assert mail.to == "ann@example.org"
    assert mail.subject == "Your tickets for The Show"
    assert "Your 3 tickets are attached" in mail.text
    assert f"/#/o/{ORDER}\n" in mail.text  # where it is seen again, and given back
    assert list(mail.attachments) == ["tickets.pdf"]
    first, _, third = pdf_words(mail.attachments["tickets.pdf"])
    assert {"Row 1 · Seat 1", "Standard"} <= set(first)
    assert "Ticket 3 of 3" in third


def test_the_mail_says_when_and_where_and_carries_it_for_a_calendar(world: World) -> None:
    facts = {"starts_at": "2027-06-01T18:00:00.000Z", "time_zone": "Europe/Berlin"}
    world.put(msgspec.structs.replace(world.event, venue_address="Quay 1", **facts))
    put_order(world)
    deliver(world, record())
    (mail,) = outbox(world).sent
    assert "The Show\nTue 1 Jun 2027, 20:00 CEST\nThe Hall\nQuay 1\n\n" in mail.text
    event = event_in(mail.attachments["event.ics"])
    assert event["DTSTART"].dt == datetime(2027, 6, 1, 18, tzinfo=UTC)
    assert "Row 1 · Seat 1\nFloor\nFloor\n" in event["DESCRIPTION"]
    assert "Tue 1 Jun 2027, 20:00 CEST" in pdf_words(mail.attachments["tickets.pdf"])[0]


def test_the_same_tickets_stay_when_the_message_comes_again(world: World) -> None:
    put_order(world)
    deliver(world, record(), record())
    first = order_of(world)
    world.clock.tick(60)
    deliver(world, record())
    assert order_of(world) == first
    assert len(outbox(world).sent) == 1


def test_only_one_set_is_made_when_two_deliveries_overlap(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_order(world)
    update = world.table.update
    entered: list[Update] = []

    def interleaved(action: Update) -> None:
        if not entered:
            entered.append(action)
            world.clock.tick(5)
            assert (
                deliver(world, record()) == []
            )  # the other delivery runs whole, just before our write
        update(action)

    monkeypatch.setattr(world.table, "update", interleaved)
    assert deliver(world, record()) == []
    codes = [face.code for face in faces(world)]
    check = verifier(public_key_of(MemorySecrets().current.ticket))
    assert {verify(c, check).issued_at_s for c in codes} == {START_MS // 1000 + 5}
    assert len(outbox(world).sent) == 1


@pytest.mark.parametrize(
    "state", sorted(set(get_args(OrderState)) - {"pending", "paid", "ticketed"})
)
def test_no_ticket_is_issued_when_the_order_is_no_longer_paid(world: World, state: str) -> None:
    put_order(world, state)
    before = order_of(world)
    assert deliver(world, record("paid")) == []
    assert order_of(world) == before
    assert outbox(world).sent == []


def test_an_order_that_still_reads_as_pending_is_delivered_again(world: World) -> None:
    """Nobody would say a second time that it was paid."""
    put_order(world, "pending")
    before = order_of(world)
    assert len(deliver(world, record("paid"))) == 1
    assert order_of(world) == before


def test_other_changes_of_the_table_are_ignored(world: World) -> None:
    put_order(world)
    removed = {"eventName": "REMOVE", "dynamodb": {"OldImage": {}}}
    others = [record("pending"), record("ticketed"), record(sk=f"S#{SESSION}"), removed, {}]
    assert deliver(world, *others) == []
    assert order_of(world)["state"] == "paid"


def test_a_bad_message_does_not_hold_up_the_others(world: World) -> None:
    put_order(world)
    missing = ORDER.replace("ord_a", "ord_c")
    again = deliver(world, "no json", record(sk="O#x"), record(sk=f"O#{missing}"), record())
    assert again == ["m0", "m1", "m2"]
    assert order_of(world)["state"] == "ticketed"


def test_the_tickets_are_there_before_anything_is_drawn_or_mailed(world: World) -> None:
    put_order(world)
    outbox(world).fail = AssertionError("a buyer waits for the mail")
    assert handle(record()) == []
    assert order_of(world)["state"] == "ticketed"
    assert world.mail_queue.orders == [ORDER]


def test_the_mail_is_asked_for_again_when_the_first_delivery_ended_after_its_write(
    world: World,
) -> None:
    put_order(world)
    world.mail_queue.fail = DependencyUnavailableError("busy")
    assert handle(record()) == ["m0"]
    tickets = order_of(world)["tickets"]
    assert order_of(world)["state"] == "ticketed"
    world.mail_queue.fail = None
    world.clock.tick(60)
    assert deliver(world, record()) == []
    assert order_of(world)["tickets"] == tickets  # never a second code for a unit
    assert len(outbox(world).sent) == 1


def test_the_mail_is_sent_again_when_it_failed(world: World) -> None:
    put_order(world)
    outbox(world).fail = DependencyUnavailableError("busy")
    assert handle(record()) == []
    asked = mails(world)
    assert handle(*asked) == ["m0"]
    tickets = order_of(world)["tickets"]
    assert "mailedAt" not in order_of(world)
    outbox(world).fail = None
    assert handle(*asked) == []
    assert order_of(world)["tickets"] == tickets
    assert len(outbox(world).sent) == 1
    assert handle(*asked) == []
    assert deliver(world, record()) == []
    assert len(outbox(world).sent) == 1


def test_the_mail_goes_out_again_when_nobody_wrote_that_it_had(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_order(world)
    handle(record())
    asked = mails(world)

    def busy(_action: Update) -> None:
        raise DependencyUnavailableError("busy")

    with monkeypatch.context() as patch:
        patch.setattr(world.table, "update", busy)
        assert handle(*asked) == ["m0"]
    assert handle(*asked) == []
    assert len(outbox(world).sent) == 2  # at least once
    assert "mailedAt" in order_of(world)


@pytest.mark.parametrize("state", ["paid", "cancelled", "refunded"])
def test_no_mail_goes_out_when_the_order_has_no_tickets(world: World, state: str) -> None:
    put_order(world, state)
    assert handle({"mail": ORDER}) == []
    assert outbox(world).sent == []


def test_a_mail_that_a_person_asks_for_goes_out_though_one_did_before(world: World) -> None:
    put_order(world)
    deliver(world, record())
    first = order_of(world)["mailedAt"]
    world.clock.tick(60)
    assert handle({"mail": ORDER}) == []
    assert len(outbox(world).sent) == 1
    assert handle({"mail": ORDER, "again": True}) == []
    assert len(outbox(world).sent) == 2
    assert order_of(world)["mailedAt"] == first
    world.table.update(Update("reservations", SESSION, f"O#{ORDER}", set={"state": "cancelled"}))
    assert handle({"mail": ORDER, "again": True}) == []
    assert len(outbox(world).sent) == 2  # what admits nobody is mailed to nobody


def test_a_mail_of_no_order_comes_again_and_is_parked(world: World) -> None:
    put_order(world)
    unknown = ORDER.replace("ord_a", "ord_c")
    assert handle({"mail": "O#x"}, {"mail": unknown}, record()) == ["m0", "m1"]
    assert order_of(world)["state"] == "ticketed"


def test_it_is_not_tried_for_ever_when_no_mail_can_go_there(world: World) -> None:
    put_order(world, email="nowhere")
    outbox(world).fail = MailAddressError("no address")
    assert deliver(world, record()) == []
    assert order_of(world)["state"] == "ticketed"


def test_it_is_delivered_again_when_the_table_does_not_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_order(world)

    def busy(_action: Update) -> None:
        raise DependencyUnavailableError("busy")

    with monkeypatch.context() as patch:
        patch.setattr(world.table, "update", busy)
        assert deliver(world, record()) == ["m0"]
    assert deliver(world, record()) == []
    assert order_of(world)["state"] == "ticketed"


def test_an_order_that_is_asked_for_by_its_id_gets_its_tickets_and_its_mail_once(
    world: World,
) -> None:
    put_order(world)
    assert deliver(world, {"order": ORDER}, {"order": ORDER}, record()) == []
    assert order_of(world)["state"] == "ticketed"
    assert len(outbox(world).sent) == 1


def test_the_mail_is_sent_again_when_an_order_without_one_is_asked_for(world: World) -> None:
    put_order(world)
    outbox(world).fail = DependencyUnavailableError("away")
    assert deliver(world, record()) == ["m0"]
    outbox(world).fail = None
    assert deliver(world, {"order": ORDER}) == []
    assert len(outbox(world).sent) == 1
    assert order_of(world)["mailedAt"]


def test_what_names_no_order_comes_again_and_is_parked(world: World) -> None:
    put_order(world)
    assert deliver(world, {"order": "nonsense"}, {"order": None}, {"order": ORDER}) == ["m0", "m1"]
    assert order_of(world)["state"] == "ticketed"
