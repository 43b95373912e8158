"""Records of users, their sessions, and what stands beside a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from msgspec import field

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.ids import EventId, HoldId, SessionId, UserId
from fairgate.domain.shared.session import SessionState
from fairgate.ports.record import Record, TableName

ReservationState = Literal["live", "sold", "released"]


class UserStatus(Record, frozen=True, kw_only=True):
    """A user in an event: the live session, what was used and bought, what the desk decided."""

    table: ClassVar[TableName] = "reservations"

    live_session: str = ""
    live_until: str = ""
    sessions_used: int = 0
    places_taken: int = 0  # bought, in an order that is still pending, or taken over
    user_limit: int = 0  # within which they were, when the last of them was counted
    flagged_until: str = ""
    locked_until: str = ""
    pardoned_until: str = ""
    desk_rule: str = ""
    desk_noticed: str = ""


class Session(Record, frozen=True, kw_only=True):
    table: ClassVar[TableName] = "reservations"

    user_id: UserId
    event_id: EventId
    state: SessionState
    expires_at: str
    res_count: int
    live_bucket: str
    opened_at: str
    token_id: str
    admission: Mapping[str, Any]  # what the audit decides again
    terms: int = 0  # of its event, by which it buys
    shard: int | None = field(
        default=None, name="room"
    )  # whose place it has; None: of an event without a cap
    correlation_id: str = ""  # the edge's id of the request that opened it
    # From its checkout on: in the index it stands for its order, among its event's.
    gsi1_pk: str = ""
    gsi1_sk: str = ""

    @property
    def id(self) -> SessionId:
        return SessionId(self.pk)


class Reservation(Record, frozen=True, kw_only=True):
    """A reservation, held or bought: a seat, or places of an area from one counter."""

    table: ClassVar[TableName] = "reservations"

    user_id: UserId
    event_id: EventId
    hold_id: HoldId
    state: ReservationState
    kind: Literal["seat", "area"]
    place: str
    section_id: str
    price_tier: str
    label: str
    quantity: int
    shard: int

    @property
    def session(self) -> SessionId:
        return SessionId(self.pk)

    @property
    def unit(self) -> Unit:
        return Unit(
            self.kind,
            self.place,
            self.section_id,
            self.price_tier,
            self.label,
            self.quantity,
            self.shard,
        )


class SalesTally(Record, frozen=True, kw_only=True):
    """A counter, one of sixteen, of what became of an event's sessions, orders and refunds.

    Each is counted in the transaction that makes it so: the sums are exact.

    Attributes:
        paid: orders. tickets, seats, places, revenue_minor: of those not cancelled since, in
            people, in units of sections and in places of areas; without what is decided to go back.
        declined: attempts to pay. unpaid: orders that ended without a payment.
        heard, lag_ms: webhooks that paid an order, and how long after the provider's event.
        owed, owed_minor: captures that are owed back; made, made_minor: those of them whose refund
            is on its way or has arrived.
        ended: sessions that ended without a purchase; empty: of those, with nothing held.
        flagged, locked: decisions of the risk desk.
    """

    table: ClassVar[TableName] = "reservations"

    paid: int = 0
    tickets: int = 0
    seats: int = 0
    places: int = 0
    revenue_minor: int = 0
    declined: int = 0
    unpaid: int = 0
    heard: int = 0
    lag_ms: int = 0
    owed: int = 0
    owed_minor: int = 0
    made: int = 0
    made_minor: int = 0
    ended: int = 0
    empty: int = 0
    flagged: int = 0
    locked: int = 0


class RedeemedToken(Record, frozen=True, kw_only=True):
    table: ClassVar[TableName] = "reservations"

    session_id: SessionId
    ttl: int


class LiveCounter(Record, frozen=True, kw_only=True):
    """A counter, one of sixteen, of live sessions that end in one minute."""

    table: ClassVar[TableName] = "reservations"

    live: int
    opened: int = 0  # that were to end in this minute when they began; it never falls
    ttl: int = 0


class CapacityLimit(Record, frozen=True, kw_only=True):
    """The cap that an event's places are dealt by, and who may deal next."""

    table: ClassVar[TableName] = "reservations"

    cap: int
    event_version: int  # of the event that says so
    version: int  # one more with each dealing
    dealt: Sequence[int]  # to each room, as the rooms themselves say
    others_until: str = ""  # until when sessions without a room may be live


class CapacityShardRecord(Record, frozen=True, kw_only=True):
    """A share of the cap: of the places dealt to it, those that are left."""

    table: ClassVar[TableName] = "reservations"

    left: int  # below 0: more are inside than were dealt, since the cap was lowered
    dealt: int


class AdmissionThresholdRecord(Record, frozen=True, kw_only=True):
    """How far a full hall has come in the order of turns; fields as in ``AdmissionThreshold``."""

    table: ClassVar[TableName] = "reservations"

    at_ms: int
    e: float
    rise: float
    follows: bool
    pace: float
    live: int
    pending: float
    arrived: float
    risen: float
    ended: float
    watched_s: float
    bucket: str  # of live counters, where sessions opened since are to be found
    opened: int  # from that bucket on, at that moment
    ttl: int
    alone_ms: int = 0  # levels of an older version do not say


class DueEntry(Record, frozen=True, kw_only=True):
    """An entry about what must have been done by a certain minute."""

    table: ClassVar[TableName] = "reservations"

    session_id: SessionId
    ttl: int
    order_id: str = ""  # of a checkout's end, or of a refund
    payment_id: str | None = None  # of a refund
    part: int = 0  # of a refund


class IdempotencyRecord(Record, frozen=True, kw_only=True):
    """The answer that a request under an Idempotency-Key was given."""

    table: ClassVar[TableName] = "reservations"

    payload: str  # fingerprint
    answer: Mapping[str, Any]
    until: str
    ttl: int


class RateBucket(Record, frozen=True, kw_only=True):
    """A token bucket of an account or an address, where no cache keeps it."""

    table: ClassVar[TableName] = "reservations"

    full_at_ms: int
    ttl: int
