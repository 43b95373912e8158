"""Publish an event: its layout, a seat item for each seat, and last the catalogue item.

Until the catalogue item exists nobody can see the event, so a publication that breaks off is
invisible and running it again completes it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, Protocol

from fairgate.domain.seating.layout import split_layout
from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.reading import NAME_CHARS_MAX, Problems, Reader, quoted
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import WrongStateError
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.shared.keys import area_key, keyed, seat_key

if TYPE_CHECKING:
    from fairgate.domain.seating.venue import Area, Section, Venue
    from fairgate.ports.outside import Layouts
    from fairgate.ports.table import TableName
    from fairgate.ports.world import Clock

CATALOG_PK = "EVENT"
SHARD_CAPACITY = 500  # places that one counter serves before contention matters
SHARDS_MAX = 20
HOLD_LIMIT_MAX = 40  # a hold of n seats is 1 + 2n of a transaction's 100 actions
PRICE_MINOR_MAX = 100_000_000

_CURRENCY = re.compile(r"[A-Z]{3}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}|[A-Za-z0-9_-]{43}")  # a SHA-256, hex or base64url
_STATES = ("open", "paused", "soldout", "closed")


class Writer(Protocol):
    """Bulk writes; ``adapters/dynamodb/writer.py`` implements it."""

    def put_many(self, table: TableName, items: Iterable[Mapping[str, Any]]) -> None:
        """Put every item, replacing what is there."""
        ...

    def put_new(self, table: TableName, item: Mapping[str, Any]) -> None:
        """Put an item that must not exist. Raises TransactionRefusedError when it does."""
        ...

    def exists(self, table: TableName, pk: str, sk: str) -> bool:
        """Strongly consistent."""
        ...


@dataclass(frozen=True, kw_only=True)
class SaleTerms:
    """What a sale allows and charges; the defaults suit most."""

    hold_limit: int = 10
    user_limit: int = 10
    sessions_limit: int = 1
    live_max: int = 5_000
    session_s: int = 600
    checkout_s: int = 420
    fee_order_minor: int = 0
    fee_ticket_minor: int = 0

    def terms(self) -> dict[str, Any]:
        """Each of these fields with its value, for another record that has them."""
        return {term.name: getattr(self, term.name) for term in fields(SaleTerms)}


@dataclass(frozen=True)
class NewEvent(SaleTerms):
    """What the operator decides about an event; the venue says the rest."""

    event: str
    name: str
    sale_opens_at: str  # RFC 3339 with an offset
    currency: str  # ISO 4217
    prices_minor: Mapping[str, int]  # tier id → price
    draw_commitment: str  # SHA-256 of the draw key
    state: Literal["open", "paused", "soldout", "closed"] = "open"
    epochs_log: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class EventRecord:
    """What was published; ``item`` is the catalogue item."""

    event: str
    layout: str
    seats: int
    area_places: int
    item: Mapping[str, Any]


def publish_event(
    request: NewEvent, venue: Venue, *, writer: Writer, layouts: Layouts, clock: Clock
) -> EventRecord:
    """Put the event on sale under its id, whole or not at all as far as anyone can see.

    Publish one id from one place at a time: seats are written without conditions, because no
    session can hold a seat of an event that the catalogue does not have.

    Raises:
        MalformedInputError: ``errors`` lists everything wrong with the request.
        WrongStateError: an event of this id exists; its seats are left alone.

    Cost: one write unit a seat and as much for its index, one a shard of an area, one file a
        section.
    """
    check_request(request, venue)
    if writer.exists("catalog", CATALOG_PK, request.event):
        raise _taken(request.event)
    layout = split_layout(venue)
    now = rfc3339(clock.now_ms())
    for name, body in layout.files.items():
        layouts.write(layout.hash, name, body)
    writer.put_many("seats", seat_items(request.event, venue, now))
    writer.put_many("seats", shard_items(request.event, venue, now))
    item = _catalog_item(request, venue, layout.hash, now)
    try:
        writer.put_new("catalog", item)
    except TransactionRefusedError as error:
        raise _taken(request.event) from error
    places = sum(area.capacity for area in venue.areas)
    return EventRecord(request.event, layout.hash, venue.seat_count(), places, item)


def check_request(request: NewEvent, venue: Venue) -> None:
    """Raises MalformedInputError listing everything that is wrong with the request."""
    problems = Problems()
    reader = Reader(vars(request), "", problems)
    reader.matching("event", EVENT_ID, "“summer-2030” (small letters, digits and -; at most 40)")
    reader.text("name", chars_max=NAME_CHARS_MAX)
    reader.matching("currency", _CURRENCY, "“EUR” (ISO 4217)")
    reader.matching("draw_commitment", _COMMITMENT, "a SHA-256 of 64 hexadecimal digits")
    hold_limit = reader.whole("hold_limit", 1, HOLD_LIMIT_MAX)
    reader.whole("user_limit", hold_limit, 1_000)
    reader.whole("sessions_limit", 1, 1_000)
    reader.whole("live_max", 1, 10_000_000)
    reader.whole("session_s", 30, 7_200)
    reader.whole("checkout_s", 30, 7_200)
    reader.whole("fee_order_minor", 0, PRICE_MINOR_MAX)
    reader.whole("fee_ticket_minor", 0, PRICE_MINOR_MAX)
    if request.state not in _STATES:
        reader.wrong("state", f"must be one of {', '.join(_STATES)}")
    try:
        epoch_ms(request.sale_opens_at)
    except (ValueError, OverflowError, TypeError):
        reader.wrong("sale_opens_at", "must be a time with its zone, like “2030-06-01T18:00:00Z”")
    prices = reader.child("prices_minor")
    tiers = [tier.id for tier in venue.tiers]
    for tier in tiers:
        prices.whole(tier, 1, PRICE_MINOR_MAX)
    for tier in request.prices_minor:
        if tier not in tiers:
            prices.wrong(
                tier, f"the venue has no such tier; it has {', '.join(map(quoted, tiers))}"
            )
    problems.raise_if_any("The event")


def seat_items(event: str, venue: Venue, now: str) -> Iterator[dict[str, Any]]:
    """One item a seat, as docs/data.md describes it."""
    for section in venue.sections:
        index = 0
        for block, row in section.rows():
            for seat in row.seats:
                yield {
                    **keyed(seat_key(event, seat.id)),
                    "GSI1PK": f"{event}#{section.id}",
                    "GSI1SK": f"{block.id}#{row.id}#{sort_number(seat.number)}",
                    "eventId": event,
                    "sectionId": section.id,
                    "blockId": block.id,
                    "rowId": row.id,
                    "seatNumber": seat.number,
                    "seatId": seat.id,
                    "availability": "available",
                    "expiresAt": "",
                    "sessionId": "",
                    "version": 0,
                    "updatedAt": now,
                    "priceTier": seat.tier,
                    "seatIndex": index,
                    "kind": seat.kind,
                }
                index += 1


def shard_items(event: str, venue: Venue, now: str) -> Iterator[dict[str, Any]]:
    """The counters of each area; together they hold exactly its capacity."""
    for area in venue.areas:
        shards = shard_count(area.capacity)
        for shard in range(shards):
            capacity = area.capacity // shards + (shard < area.capacity % shards)
            yield {
                **keyed(area_key(event, area.id, shard)),
                "GSI1PK": f"{event}#{area.id}",
                "GSI1SK": f"GA#{shard}",
                "eventId": event,
                "areaId": area.id,
                "shard": shard,
                "capacity": capacity,
                "remaining": capacity,
                "version": 0,
                "updatedAt": now,
                "priceTier": area.tier,
            }


def shard_count(capacity: int) -> int:
    return min(SHARDS_MAX, math.ceil(capacity / SHARD_CAPACITY))


def sort_number(number: str) -> str:
    """Seat numbers sort naturally: ``7`` before ``12``."""
    return number.zfill(5) if number.isascii() and number.isdigit() else number


def _catalog_item(request: NewEvent, venue: Venue, layout: str, now: str) -> dict[str, Any]:
    return {
        "PK": CATALOG_PK,
        "SK": request.event,
        "name": request.name,
        "venueName": venue.name,
        "state": request.state,
        "saleOpensAt": rfc3339(epoch_ms(request.sale_opens_at)),
        "currency": request.currency,
        "layout": layout,
        "holdLimit": request.hold_limit,
        "userLimit": request.user_limit,
        "sessionsLimit": request.sessions_limit,
        "liveMax": request.live_max,
        "sessionS": request.session_s,
        "checkoutS": request.checkout_s,
        "tiers": [
            {"id": t.id, "name": t.name, "color": t.color, "priceMinor": request.prices_minor[t.id]}
            for t in venue.tiers
        ],
        "fees": {
            "orderMinor": request.fee_order_minor,
            "ticketMinor": request.fee_ticket_minor,
        },
        "areas": {area.id: _catalog_area(area) for area in venue.areas},
        "sections": [_catalog_section(section) for section in venue.sections],
        "drawCommitment": request.draw_commitment,
        "drawKeyRevealed": "",
        "epochsLog": list(request.epochs_log),
        "createdAt": now,
        "version": 0,
    }


def _catalog_area(area: Area) -> dict[str, Any]:
    return {"capacity": area.capacity, "shards": shard_count(area.capacity), "tier": area.tier}


def _catalog_section(section: Section) -> dict[str, Any]:
    seats = {block.id: sum(len(row.seats) for row in block.rows) for block in section.blocks}
    return {
        "id": section.id,
        "name": section.name,
        "seats": sum(seats.values()),
        "blocks": [{"id": block, "seats": count} for block, count in seats.items()],
    }


def _taken(event: str) -> WrongStateError:
    return WrongStateError(f"There is an event {quoted(event)} already; choose another id.")
