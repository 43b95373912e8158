"""Publish an event: its layout, a seat item for each seat, and last the catalogue item.

Until the catalogue item exists nobody can see the event, so a publication that breaks off is
invisible and running it again completes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict

from fairgate.domain.orders.vat import WHOLE_BP
from fairgate.domain.seating.area_shards import shard_count
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.shared.ids import EVENT_ID, EventId
from fairgate.domain.shared.reading import NAME_CHARS_MAX, Problems, Reader, quoted
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import WrongStateError
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.catalog.event_facts import EventFacts, fact_problems, utc_moment
from fairgate.service.shared.keys import (
    area_key,
    event_key,
    seat_key,
    section_index,
)
from fairgate.service.shared.records.catalog import (
    AreaFacts,
    BlockFacts,
    Event,
    Fees,
    SectionFacts,
    Tier,
)
from fairgate.service.shared.records.seats import AreaShard, SeatRecord

if TYPE_CHECKING:
    from fairgate.domain.seating.venue import Area, Section, Venue
    from fairgate.ports.outside import Layouts
    from fairgate.ports.record import Key, Record
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.gate import Creation

HOLD_LIMIT_MAX = 40  # a hold of n seats is 1 + 2n of a transaction's 100 actions
PRICE_MINOR_MAX = 100_000_000
# What the event's item lists of its venue, as JSON, which is longer than the item: DynamoDB takes
# 400 KB, and each process reads it all the time.
LISTED_BYTES_MAX = 300_000

_CURRENCY = re.compile(r"[A-Z]{3}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}|[A-Za-z0-9_-]{43}")  # a SHA-256, hex or base64url
_STATES = ("open", "paused", "soldout", "closed")


class RowWriter(Protocol):
    """Bulk writes of rows."""

    def put_many(self, records: Iterable[Record]) -> None:
        """Put every record, replacing what is there; all are of one table."""
        ...


class Writer(RowWriter, Protocol):
    """Bulk writes; the tools implement it."""

    def put_new(self, record: Record) -> None:
        """Put a record that must not exist. Raises TransactionRefusedError when it does."""
        ...

    def exists(self, kind: type[Record], key: Key) -> bool:
        """Say whether there is such a record; strongly consistent."""
        ...


class SaleTerms(EventFacts, frozen=True, kw_only=True):
    """What a sale allows, charges and tells; the defaults suit most."""

    hold_limit: int = 10
    user_limit: int = 10
    sessions_limit: int = 1
    live_max: int = 5_000
    session_s: int = 600
    checkout_s: int = 420
    requests_per_s: int = 0
    session_mean_s: int = 0
    fee_order_minor: int = 0
    fee_ticket_minor: int = 0
    cancel_until: str = ""  # RFC 3339 with an offset: until when buyers may cancel; "": never
    cancel_fee_minor: int = 0  # kept of each place that is cancelled
    transfer_until: str = ""  # RFC 3339: until when tickets may be passed on; "": never

    def terms(self) -> dict[str, Any]:
        """Return each of these fields with its value, for another record that has them."""
        return {name: getattr(self, name) for name in SaleTerms.__struct_fields__}


class NewEvent(SaleTerms, frozen=True):
    """What the operator decides about an event; the venue says the rest."""

    event: str
    name: str
    sale_opens_at: str  # RFC 3339 with an offset
    currency: str  # ISO 4217
    prices_minor: Mapping[str, int]  # tier id → price
    draw_commitment: str  # SHA-256 of the draw key
    state: Literal["open", "paused", "soldout", "closed"] = "open"
    control: Literal["auto", "manual"] = "manual"  # who sets the pace
    vat_bp: Mapping[str, int] = field(default_factory=dict)  # tier id → rate included; else 0
    vat_fees_bp: int = 0  # included in the fees


class Published(Struct, frozen=True):
    """What was put on sale."""

    event: str
    layout: str
    seats: int
    area_places: int
    record: Event


def publish_event(
    request: NewEvent, venue: Venue, *, writer: Writer, layouts: Layouts, clock: Clock
) -> Published:
    """Put the event on sale under its id, whole or not at all as far as anyone can see.

    Publish one id from one place at a time: seats are written without conditions, because no
    session can hold a seat of an event that the catalogue does not have. Where several may be at
    it, ``create_event.py`` sees to it that one writes.

    Raises:
        MalformedInputError: ``errors`` lists everything wrong with the request.
        WrongStateError: an event of this id exists; its seats are left alone.

    Cost: one write unit a seat and as much for its index, one a shard of an area, one file a
        section.
    """
    check_request(request, venue)
    if writer.exists(Event, event_key(request.event)):
        raise taken(request.event)
    published = write_rows(request, venue, writer=writer, layouts=layouts, clock=clock)
    try:
        writer.put_new(published.record)
    except TransactionRefusedError as error:
        raise taken(request.event) from error
    return published


def write_rows(
    request: NewEvent, venue: Venue, *, writer: RowWriter, layouts: Layouts, clock: Clock
) -> Published:
    """Write the layout and every seat and counter; return what is to be put on sale then."""
    layout = split_layout(venue)
    now = rfc3339(clock.now_ms())
    for name, body in layout.files.items():
        layouts.write(layout.hash, name, body)
    writer.put_many(seat_records(request.event, venue, now))
    writer.put_many(shard_records(request.event, venue, now))
    sale = _event(request, venue, layout.hash, now)
    places = sum(area.capacity for area in venue.areas)
    return Published(request.event, layout.hash, venue.seat_count(), places, sale)


def check_request(request: NewEvent, venue: Venue) -> None:
    """Refuse a bad request. Raises MalformedInputError listing everything that is wrong."""
    problems = Problems()
    reader = Reader(asdict(request), "", problems)
    reader.matching("event", EVENT_ID, "“summer-2030” (small letters, digits and -; at most 40)")
    reader.text("name", chars_max=NAME_CHARS_MAX)
    reader.matching("currency", _CURRENCY, "“EUR” (ISO 4217)")
    reader.matching("draw_commitment", _COMMITMENT, "a SHA-256 of 64 hexadecimal digits")
    tiers = [tier.id for tier in venue.tiers]
    check_terms(reader, tiers)
    reader.whole("sessions_limit", 1, 1_000)
    reader.whole("live_max", 1, 10_000_000)
    reader.whole("requests_per_s", 0, 100_000_000)
    session_s = reader.whole("session_s", 30, 7_200)
    if request.session_mean_s:  # 0: as long as a session may last, until some have ended
        reader.whole("session_mean_s", 10, session_s)
    reader.whole("checkout_s", 30, 7_200)
    if request.state not in _STATES:
        reader.wrong("state", f"must be one of {', '.join(_STATES)}")
    _check_moment(reader, "sale_opens_at", request.sale_opens_at)
    _check_cancelling(reader, request)
    if request.transfer_until:
        _check_moment(reader, "transfer_until", request.transfer_until)
    facts = {name: getattr(request, name) for name in EventFacts.__struct_fields__}
    for name, problem in fact_problems(facts, request.sale_opens_at):
        reader.wrong(name, problem)
    reader.whole("vat_fees_bp", 0, WHOLE_BP)
    rates = reader.child("vat_bp")
    for tier in request.vat_bp:
        rates.whole(tier, 0, WHOLE_BP)
    _check_tiers(reader, "vat_bp", tiers)
    facts_of = [*map(_section, venue.sections), *map(_area, venue.areas), *venue.tiers]
    listed = len(msgspec.json.encode([facts_of, [area.id for area in venue.areas]]))
    if listed > LISTED_BYTES_MAX:
        what = "ids and names of sections, blocks, areas and tiers make"
        problems.add("venue", f"{what} {listed:,} bytes, at most {LISTED_BYTES_MAX:,}")
    problems.raise_if_any("The event")


def check_terms(reader: Reader, tiers: Sequence[str]) -> None:
    """Note what is wrong with limits, fees and prices of an event with these tiers."""
    hold_limit = reader.whole("hold_limit", 1, HOLD_LIMIT_MAX)
    reader.whole("user_limit", hold_limit, 1_000)
    reader.whole("fee_order_minor", 0, PRICE_MINOR_MAX)
    reader.whole("fee_ticket_minor", 0, PRICE_MINOR_MAX)
    prices = reader.child("prices_minor")
    for tier in tiers:
        prices.whole(tier, 1, PRICE_MINOR_MAX)
    _check_tiers(reader, "prices_minor", tiers)


def _check_tiers(reader: Reader, name: str, tiers: Sequence[str]) -> None:
    named = reader.raw(name)
    for tier in named if isinstance(named, Mapping) else ():
        if tier not in tiers:
            what = f"the venue has no such tier; it has {', '.join(map(quoted, tiers))}"
            reader.child(name).wrong(tier, what)


def _check_cancelling(reader: Reader, request: NewEvent) -> None:
    """A place that is cancelled gives back something, and what nobody can cancel has no fee."""
    wrong = cancelling_problems(
        request.cancel_until, request.cancel_fee_minor, list(request.prices_minor.values())
    )
    for name, problem in wrong:
        reader.wrong(name, problem)


def cancelling_problems(
    until: str, fee_minor: object, prices_minor: Sequence[object]
) -> list[tuple[str, str]]:
    """Return what is wrong with an event's terms of cancelling, each with its field."""
    problems: list[tuple[str, str]] = []
    prices = [price for price in prices_minor if isinstance(price, int)]
    if until and (problem := moment_problem(until)):
        problems.append(("cancel_until", problem))
    if not isinstance(fee_minor, int) or isinstance(fee_minor, bool) or fee_minor < 0:
        problems.append(("cancel_fee_minor", "must be a whole number from 0"))
    elif fee_minor and not until:
        problems.append(("cancel_fee_minor", "has no cancel_until: nobody could cancel"))
    elif fee_minor and prices and fee_minor >= min(prices):
        what = f"must be below the lowest price, {min(prices)}: else nothing would go back"
        problems.append(("cancel_fee_minor", what))
    return problems


def _check_moment(reader: Reader, name: str, moment: str) -> None:
    if problem := moment_problem(moment):
        reader.wrong(name, problem)


def moment_problem(moment: str) -> str:
    """Return what is wrong with a moment as an operator gives it; "": nothing."""
    try:
        epoch_ms(moment)
    except (ValueError, OverflowError, TypeError):
        return "must be a time with its zone, like “2030-06-01T18:00:00Z”"
    return ""


def seat_records(event: str, venue: Venue, now: str) -> Iterator[SeatRecord]:
    """Make one record for each seat, its position in the layout order counted from 0."""
    for section in venue.sections:
        rows = ((block, row, seat) for block, row in section.rows() for seat in row.seats)
        for index, (block, row, seat) in enumerate(rows):
            yield SeatRecord(
                *seat_key(event, seat.id),
                gsi1_pk=section_index(event, section.id),
                gsi1_sk=f"{block.id}#{row.id}#{sort_number(seat.number)}",
                event_id=EventId(event),
                section_id=section.id,
                block_id=block.id,
                row_id=row.id,
                seat_number=seat.number,
                seat_id=seat.id,
                availability="available",
                expires_at="",
                session_id="",
                version=0,
                updated_at=now,
                price_tier=seat.tier,
                seat_index=index,
                kind=seat.kind,
            )


def shard_records(event: str, venue: Venue, now: str) -> Iterator[AreaShard]:
    """Make the counters of each area; together they hold exactly its capacity."""
    for area in venue.areas:
        shards = shard_count(area.capacity)
        for shard in range(shards):
            capacity = area.capacity // shards + (shard < area.capacity % shards)
            yield AreaShard(
                *area_key(event, area.id, shard),
                event_id=EventId(event),
                area_id=area.id,
                shard=shard,
                capacity=capacity,
                remaining=capacity,
                version=0,
                updated_at=now,
                price_tier=area.tier,
            )


def sort_number(number: str) -> str:
    """Pad a seat's number so that numbers sort naturally: ``7`` before ``12``."""
    return number.zfill(5) if number.isascii() and number.isdigit() else number


def _event(request: NewEvent, venue: Venue, layout: str, now: str) -> Event:
    return Event(
        *event_key(request.event),
        name=request.name,
        venue_name=request.venue_name or venue.name,
        venue_address=request.venue_address,
        artist=request.artist,
        category=request.category,
        text=request.text,
        seller_name=request.seller_name,
        seller_address=request.seller_address,
        seller_vat_id=request.seller_vat_id,
        starts_at=utc_moment(request.starts_at),
        time_zone=request.time_zone,
        state=request.state,
        sale_opens_at=rfc3339(epoch_ms(request.sale_opens_at)),
        currency=request.currency,
        layout=layout,
        hold_limit=request.hold_limit,
        user_limit=request.user_limit,
        sessions_limit=request.sessions_limit,
        live_max=request.live_max,
        control=request.control,
        session_s=request.session_s,
        checkout_s=request.checkout_s,
        requests_per_s=request.requests_per_s,
        session_mean_s=request.session_mean_s,
        tiers=[
            Tier(
                id=t.id,
                name=t.name,
                color=t.color,
                price_minor=request.prices_minor[t.id],
                vat_bp=request.vat_bp.get(t.id, 0),
            )
            for t in venue.tiers
        ],
        fees=Fees(
            order_minor=request.fee_order_minor,
            ticket_minor=request.fee_ticket_minor,
            vat_bp=request.vat_fees_bp,
        ),
        areas={area.id: _area(area) for area in venue.areas},
        sections=[_section(section) for section in venue.sections],
        draw_commitment=request.draw_commitment,
        epochs_log=[],  # its gate's, when it is put on sale
        cancel_until=utc_moment(request.cancel_until),
        cancel_fee_minor=request.cancel_fee_minor,
        transfer_until=utc_moment(request.transfer_until),
        counted=True,
        created_at=now,
        gate_behind=0,
        version=0,
    )


def _area(area: Area) -> AreaFacts:
    return AreaFacts(capacity=area.capacity, shards=shard_count(area.capacity), tier=area.tier)


def _section(section: Section) -> SectionFacts:
    seats = {block.id: sum(len(row.seats) for row in block.rows) for block in section.blocks}
    return SectionFacts(
        id=section.id,
        name=section.name,
        seats=sum(seats.values()),
        blocks=[BlockFacts(id=block, seats=count) for block, count in seats.items()],
    )


def taken(event: str, begun: Creation | None = None) -> WrongStateError:
    """Say that there is such an event; who was interrupted looks whether it is theirs."""
    detail = (
        f"There is an event {quoted(event)} already; choose another id. `event list` shows all."
    )
    if begun is not None:
        who = f"{begun.who} began to create it at {rfc3339(begun.at_ms)}"
        detail += f" {who}: if that was this command, it is done. Look: `event show {event}`."
    return WrongStateError(detail)
