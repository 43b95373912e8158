"""GET /api/orders/{order}/ticket.svg: the owner's ticket, and nobody else's."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from PIL import Image

from fairgate.domain.catalog.brand_files import address_of, kept_at
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.ids import OrderId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Update
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.shared.keys import own_order_key
from functions.tickets import handler as tickets
from tests.support.calendars import event_in
from tests.support.moto_direct import dynamodb
from tests.support.pdfs import pdf_words
from tests.support.world import EVENT, START_MS, World
from tests.unit.books.test_number_documents import SELLER

SESSION = "ses_" + "a" * 32
ORDER = "ord_" + "a" * 32 + "_" + "b" * 8


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with dynamodb() as client:
        world = World(client)
        monkeypatch.setattr(tickets, "container", lambda: world.container)
        put_order(world)
        yield world


def put_order(world: World, state: str = "ticketed") -> None:
    made = [{"ticket": f"tkt_{n}", "unit": n, "label": f"<b>Seat {n}", "code": f"FG1.{n}"}
            for n in range(2)]  # fmt: skip
    order = {
        "PK": SESSION,
        "SK": f"O#{ORDER}",
        "userId": "ann",
        "eventId": EVENT,
        "orderId": ORDER,
        "state": state,
        "units": [
            {
                "kind": "area",
                "area": "floor",
                "quantity": 2,
                "shard": 0,
                "tier": "t",
                "label": "F",
            }
        ],
        "GSI1PK": "U#ann",
        "GSI1SK": rfc3339(START_MS),
        "totalMinor": 5_000,
        "userLimit": 10,
        "currency": "EUR",
        "lines": [],
        "email": "ann@example.org",
        "expiresAt": rfc3339(START_MS),
        "createdAt": rfc3339(START_MS),
    }
    world.put_item("reservations", order | ({"tickets": made} if state != "paid" else {}))


def get(
    query: str = "unit=0",
    *,
    user: str = "ann",
    order: str = ORDER,
    kind: str = "svg",
    what: str = "ticket",
) -> dict[str, Any]:
    token = issue_auth_token(user or "x", (), b"a" * 32, "1", START_MS // 1000, 60)
    file = "event.ics" if kind == "ics" else f"{what}.{kind}".rstrip(".")
    path = f"/api/orders/{order}/{file}"
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": f"GET /api/orders/{{order}}/{file}",
        "rawPath": path,
        "rawQueryString": query,
        "headers": {"authorization": f"Bearer {token}"} if user else {},
        "requestContext": {
            "http": {"method": "GET", "path": path},
            "requestId": "r1",
            "stage": "$default",
        },
        "pathParameters": {"order": order},
        "isBase64Encoded": False,
    }
    if query:
        event["queryStringParameters"] = dict(p.split("=", 1) for p in query.split("&"))
    return tickets.handler(event, None)


def code(answer: dict[str, Any]) -> tuple[int, str]:
    return answer["statusCode"], json.loads(answer["body"])["code"]


def test_the_owner_gets_the_ticket_that_was_asked_for(world: World) -> None:
    answer = get("unit=1")
    assert answer["statusCode"] == 200
    headers = {name.lower(): value for name, value in answer["headers"].items()}
    assert headers["content-type"] == "image/svg+xml"
    assert "private" in headers["cache-control"]
    assert "default-src 'none'" in headers["content-security-policy"]
    text = " ".join(ET.fromstring(answer["body"]).itertext())  # noqa: S314 our own output
    for wanted in ("The Show", "The Hall", "<b>Seat 1", "Standard", "tkt_1", "Ticket 2 of 2"):
        assert wanted in text


def test_the_first_ticket_is_shown_when_none_is_named(world: World) -> None:
    assert get("")["body"] == get("unit=0")["body"]


def test_it_is_404_when_the_order_is_somebody_elses(world: World) -> None:
    assert code(get(user="eve")) == (404, "not-found")
    assert (
        json.loads(get(user="eve")["body"])["detail"]
        == json.loads(get(order=ORDER[:-1] + "c")["body"])["detail"]
    )


@pytest.mark.parametrize("order", ["x", "ord_1", ORDER + "0", "%00", "O"])
def test_it_is_404_when_there_is_no_such_order(world: World, order: str) -> None:
    assert code(get(order=order)) == (404, "not-found")


@pytest.mark.parametrize("unit", ["2", "-1", "x", "1.0", "٣", "99999", "0,1"])
def test_it_is_404_when_there_is_no_such_ticket(world: World, unit: str) -> None:
    assert code(get(f"unit={unit}")) == (404, "not-found")


@pytest.mark.parametrize(
    "state", ["paid", "refund_due", "refunded", "cancelled", "disputed", "charged_back"]
)
def test_it_is_409_when_the_order_has_no_valid_tickets(world: World, state: str) -> None:
    put_order(world, state)
    assert code(get()) == (409, "wrong-state")


def test_it_is_401_when_nobody_is_signed_in(world: World) -> None:
    assert code(get(user="")) == (401, "unauthenticated")


def body(answer: dict[str, Any]) -> bytes:
    assert answer["statusCode"] == 200, answer
    assert answer["isBase64Encoded"] is True
    return base64.b64decode(answer["body"])


def test_a_ticket_is_a_picture_when_asked_for_as_png(world: World) -> None:
    picture = Image.open(io.BytesIO(body(get("unit=1", kind="png"))))
    assert picture.format == "PNG"
    assert picture.width >= 1_000


def test_all_tickets_are_in_one_pdf_and_one_when_a_unit_is_named(world: World) -> None:
    assert len(pdf_words(body(get("", kind="pdf")))) == 2
    assert len(pdf_words(body(get("unit=1", kind="pdf")))) == 1
    assert code(get("unit=2", kind="pdf")) == (404, "not-found")


def set_date(world: World) -> None:
    """Say when and where it is, as an operator would."""
    facts = {"starts_at": "2027-06-01T18:00:00.000Z", "time_zone": "Europe/Berlin"}
    world.put(msgspec.structs.replace(world.event, venue_address="Quay 1", **facts))


def test_a_ticket_says_when_and_where_it_admits_to(world: World) -> None:
    set_date(world)
    text = " ".join(ET.fromstring(get()["body"]).itertext())  # noqa: S314 our own output
    for wanted in ("Tue 1 Jun 2027, 20:00 CEST", "The Hall", "Quay 1"):
        assert wanted in text


def test_an_order_has_a_calendar_file_of_its_event(world: World) -> None:
    set_date(world)
    answer = get("", kind="ics")
    assert answer["statusCode"] == 200
    headers = {name.lower(): value for name, value in answer["headers"].items()}
    assert headers["content-type"] == "text/calendar"
    assert headers["content-disposition"] == 'attachment; filename="event.ics"'
    assert "private" in headers["cache-control"]
    event = event_in(answer["body"])
    assert event["DTSTART"].dt == datetime(2027, 6, 1, 18, tzinfo=UTC)
    assert str(event["SUMMARY"]) == "The Show"
    assert str(event["LOCATION"]) == "The Hall, Quay 1"
    assert "Begins Tue 1 Jun 2027, 20:00 CEST\n<b>Seat 0\n<b>Seat 1\n" in event["DESCRIPTION"]
    assert event["URL"].endswith(f"/#/o/{ORDER}")


def test_a_calendar_replaces_the_entry_once_the_event_has_moved(world: World) -> None:
    set_date(world)
    first = event_in(get("", kind="ics")["body"])
    wanted = {"starts_at": "2027-07-01T18:00:00Z"}
    edit_event(world.table, world.clock, EVENT, wanted)
    moved = event_in(get("", kind="ics")["body"])
    assert moved["UID"] == first["UID"]
    assert int(moved["SEQUENCE"]) > int(first["SEQUENCE"])
    assert moved["DTSTART"].dt == datetime(2027, 7, 1, 18, tzinfo=UTC)


def test_there_is_no_calendar_file_while_the_event_says_no_date(world: World) -> None:
    assert code(get("", kind="ics")) == (404, "not-found")
    assert "no date" in json.loads(get("", kind="ics")["body"])["detail"]


@pytest.mark.parametrize("kind", ["svg", "png", "pdf", "ics"])
def test_no_ticket_is_shown_when_it_is_somebody_elses_or_void(world: World, kind: str) -> None:
    assert code(get("", user="eve", kind=kind)) == (404, "not-found")
    for state in ("paid", "cancelled", "refunded"):
        put_order(world, state)
        assert code(get("", kind=kind)) == (409, "wrong-state")


def test_the_owner_gets_the_invoice_and_nobody_else(world: World) -> None:
    assert code(invoice()) == (409, "wrong-state")
    assert json.loads(invoice()["body"])["reason"] == "not-sold"
    key = own_order_key(OrderId(ORDER))
    paid = {"paidAt": rfc3339(START_MS), "paymentId": "pay1"}
    world.table.update(Update("reservations", *key, set=paid))
    assert json.loads(invoice()["body"])["reason"] == "no-seller"
    edit_event(world.table, world.clock, EVENT, SELLER)
    assert json.loads(invoice()["body"])["reason"] == "not-yet"
    DocumentOffice(world.table, world.clock).invoices(world.event.id, [OrderId(ORDER)])
    answer = invoice()
    assert answer["statusCode"] == 200
    assert base64.b64decode(answer["body"]).startswith(b"%PDF-")
    headers = {name.lower(): value for name, value in answer["headers"].items()}
    assert (headers["content-type"], headers["cache-control"]) == (
        "application/pdf",
        "private, no-cache",
    )
    assert code(invoice(user="bob")) == (404, "not-found")
    assert code(invoice(user="")) == (401, "unauthenticated")


def test_all_documents_are_in_the_language_of_the_order(world: World) -> None:
    set_date(world)
    edit_event(world.table, world.clock, EVENT, SELLER)
    told = {"language": "de", "paidAt": rfc3339(START_MS), "paymentId": "pay1"}
    world.table.update(Update("reservations", *own_order_key(OrderId(ORDER)), set=told))
    DocumentOffice(world.table, world.clock).invoices(world.event.id, [OrderId(ORDER)])
    begins = "Di., 1. Juni 2027, 20:00 Uhr (MESZ)"
    ticket = " ".join(ET.fromstring(get()["body"]).itertext())  # noqa: S314 our own output
    assert "Karte 1 von 2" in ticket
    assert begins in ticket
    assert f"Beginn: {begins}\n" in event_in(get("", kind="ics")["body"])["DESCRIPTION"]
    (page,) = pdf_words(base64.b64decode(invoice()["body"]))
    assert page[0].startswith("Rechnung ")
    assert begins in page


def invoice(user: str = "ann") -> dict[str, Any]:
    return get("", user=user, kind="pdf", what="invoice")


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_a_ticket_has_its_events_logo_and_is_there_without_it(world: World, kind: str) -> None:
    out = io.BytesIO()
    Image.new("RGB", (96, 96), "#008000").save(out, "PNG")
    address = address_of("logo", out.getvalue())
    plain = get("unit=0", kind=kind)["body"]
    world.put(msgspec.structs.replace(world.event, logo=address))
    assert get("unit=0", kind=kind)["body"] == plain  # it is not kept: the ticket goes without it
    folder, name = kept_at("logo", address) or ("", "")
    world.layouts.write(folder, name, out.getvalue())
    assert get("unit=0", kind=kind)["body"] != plain
