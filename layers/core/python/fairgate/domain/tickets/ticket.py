"""Encode and verify the ticket of a QR code, offline, by anyone who has the public key.

No table holds a code: it is signed when it is drawn. Ed25519 signs the same text in the same way
(RFC 8032), so a ticket has the same code as long as the key stays.

``FG1.<base64url payload>.<base64url Ed25519 signature of "FG1.<payload>">``. The payload is
binary, so that the code stays small enough for a cheap scanner (about 165 characters):

| bytes | |
|---|---|
| 20 | the order: its session's 16 bytes and its attempt's 4 |
| 8 | the ticket's id |
| 2 | the ticket's number within the order, from 0, big-endian |
| 4 | issued, epoch seconds, big-endian |
| 1 + n | the event's id, length first |
| rest | the place: a seat's or an area's id |
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from fairgate.domain.shared.ids import EVENT_ID, ORDER_ID, PLACE_ID
from fairgate.domain.shared.jws import b64url, from_b64url
from fairgate.domain.shared.language import DEFAULT, Language
from fairgate.domain.shared.wording import wording
from fairgate.errors import UnauthenticatedError

VERSION = "FG1"
TICKETS_MAX = 1000  # in one order; far above any event's limit, far below the item's 400 KB

_IN_LABEL = " · "  # between section, row and seat: SeatIndex writes it

_HEAD = struct.Struct(">16s4s8sHIB")
_CODE = re.compile(r"FG1\.([A-Za-z0-9_-]{48,240})\.([A-Za-z0-9_-]{86})")

Sign = Callable[[bytes], bytes]
Verify = Callable[[bytes, bytes], bool]  # message, signature


class Ticket(Struct, frozen=True):
    """Admits one person to one place."""

    ticket: str  # tkt_ and 16 hex digits
    event: str
    order: str
    unit: int  # the ticket's number within its order, from 0
    place: str
    issued_at_s: int


class BoughtUnit(Protocol):
    """An order's unit as tickets need it."""

    @property
    def kind(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def tier(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def quantity(self) -> int | None:
        """Return None only for a seat that admits one person."""


class TicketPlace(Struct, frozen=True):
    """What one ticket of an order is for."""

    place: str
    label: str
    tier: str


class TicketFace(Struct, frozen=True):
    """The face of one ticket: what is printed on it."""

    event_name: str
    venue_name: str
    label: str
    tier: str
    ticket: str
    code: str
    number: int  # from 1, as people count
    total: int
    starts: str = ""  # by the clocks of the place; "" where nothing is said
    venue_address: str = ""
    starts_at: str = ""  # RFC 3339
    event: str = ""  # its id
    language: Language = DEFAULT
    color_1: str = ""  # the event's, as its organiser typed them
    color_2: str = ""
    logo: str = ""  # where it is kept

    @property
    def section(self) -> str:
        """Return the section of a seat; "" for a standing area, whose label is its name."""
        return _IN_LABEL.join(self.label.split(_IN_LABEL)[:-2])

    @property
    def place_in_section(self) -> str:
        """Return row and seat, or table and place, or the standing area."""
        return _IN_LABEL.join(wording(self.language).place(self.label).split(_IN_LABEL)[-2:])

    @property
    def about(self) -> list[str]:
        """Return when and where it is, a line each, of what is said."""
        return [line for line in (self.starts, self.venue_name, self.venue_address) if line]


def ticket_id(order: str, unit: int, passed: int = 0) -> str:
    """Return the same id for the same ticket of the same order, however often it is issued.

    ``passed``: how many tickets of the order have been passed on, with this one; 0: as bought.
    """
    about = f"ticket|{order}|{unit}" + (f"|{passed}" if passed else "")
    digest = hashlib.sha256(about.encode()).hexdigest()
    return f"tkt_{digest[:16]}"


def places_of(units: Sequence[BoughtUnit]) -> list[TicketPlace]:
    """List one place per person, in the order's own order.

    An area of quantity 3 is three places, and so is a table for three.

    Raises:
        ValueError: the units are not what an order holds.
    """
    places: list[TicketPlace] = []
    for unit in units:
        if unit.kind not in ("seat", "area"):
            raise ValueError(f"a unit is a seat or an area, not {unit.kind!r}")
        quantity = 1 if unit.kind == "seat" and unit.quantity is None else unit.quantity
        if quantity is None or not 1 <= quantity <= TICKETS_MAX - len(places):
            raise ValueError(f"{quantity} is no quantity of tickets")
        places += [TicketPlace(unit.place, unit.label or unit.place, unit.tier)] * quantity
    return places


def encode(ticket: Ticket, sign: Sign) -> str:
    """Return the signed code. Raises ValueError when an id is not of its shape."""
    if not (EVENT_ID.fullmatch(ticket.event) and PLACE_ID.fullmatch(ticket.place)):
        raise ValueError("a ticket needs an event's and a place's id")
    if not ORDER_ID.fullmatch(ticket.order):
        raise ValueError("a ticket needs an order's id")
    session, attempt = ticket.order.split("_")[1:]
    event = ticket.event.encode("ascii")
    head = _HEAD.pack(
        bytes.fromhex(session),
        bytes.fromhex(attempt),
        bytes.fromhex(ticket.ticket.removeprefix("tkt_")),
        ticket.unit,
        ticket.issued_at_s,
        len(event),
    )
    signed = f"{VERSION}.{b64url(head + event + ticket.place.encode('ascii'))}"
    return f"{signed}.{b64url(sign(signed.encode('ascii')))}"


def stated(code: str) -> Ticket | None:
    """Return what a code says of itself, without its signature; None for any other text."""
    try:
        return verify(code, lambda _message, _signature: True)
    except UnauthenticatedError:
        return None


def verify(code: str, check: Verify) -> Ticket:
    """Return the ticket of a code whose signature ``check`` accepts; needs no network.

    Raises:
        UnauthenticatedError: for any other text, always with the same words.
    """
    refused = UnauthenticatedError("This is not a valid ticket.")
    match = _CODE.fullmatch(code)
    if match is None:
        raise refused
    try:
        payload, signature = from_b64url(match[1]), from_b64url(match[2])
    except ValueError as error:
        raise refused from error
    if not check(f"{VERSION}.{match[1]}".encode("ascii"), signature):
        raise refused
    session, attempt, ticket, unit, issued_at_s, event_chars = _HEAD.unpack_from(payload)
    rest = payload[_HEAD.size :].decode("ascii", "replace")
    event, place = rest[:event_chars], rest[event_chars:]
    if not (EVENT_ID.fullmatch(event) and PLACE_ID.fullmatch(place)):
        raise refused
    return Ticket(
        ticket=f"tkt_{ticket.hex()}",
        event=event,
        order=f"ord_{session.hex()}_{attempt.hex()}",
        unit=unit,
        place=place,
        issued_at_s=issued_at_s,
    )
