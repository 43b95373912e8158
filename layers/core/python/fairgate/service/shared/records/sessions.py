"""Records of users and sessions, and of counters and entries about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import field

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.ids import EventId, HoldId, SessionId, UserId
from fairgate.domain.shared.session import SessionState
from fairgate.service.shared.records import ReservationsRecord

ReservationState = Literal["live", "sold", "released"]


class UserStatus(ReservationsRecord, frozen=True, kw_only=True):
    """A user in an event: the live session, the places bought, the desk's decisions."""

    live_session: str = ""
    live_until: str = ""
    sessions_used: int = 0
    places_taken: int = 0  # bought, in a pending order, or passed on to this user
    user_limit: int = 0  # that applied when the last of them was counted
    flagged_until: str = ""
    locked_until: str = ""
    pardoned_until: str = ""
    desk_rule: str = ""
    desk_noticed: str = ""
    appealed_until: str = ""  # the end of the lock-out that was appealed against last


class Session(ReservationsRecord, frozen=True, kw_only=True):
    user_id: UserId
    event_id: EventId
    state: SessionState
    expires_at: str
    res_count: int
    live_bucket: str
    opened_at: str
    token_id: str
    admission: Mapping[str, Any]  # the audit decides again by this
    terms: int = 0  # of its event: the prices, fees and limits of this session
    shard: int | None = field(
        default=None, name="room"
    )  # the capacity shard of its slot; None: no capacity limit
    correlation_id: str = ""  # the edge's id of the request that opened it
    # From its checkout on: it represents its order in the index of its event.
    gsi1_pk: str = ""
    gsi1_sk: str = ""

    @property
    def id(self) -> SessionId:
        return SessionId(self.pk)


class Reservation(ReservationsRecord, frozen=True, kw_only=True):
    """A seat, or places of an area from one counter, held or bought."""

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


class SalesTally(ReservationsRecord, frozen=True, kw_only=True):
    """One of the counters of the results of an event's sessions, orders and refunds.

    Each result is counted in the transaction that makes it, so the sums are exact.

    Attributes:
        paid: paid orders. tickets, seats, places, revenue_minor: of orders not cancelled since, in
            people, in units of sections and in places of areas; revenue less decided refunds.
        declined: attempts to pay. unpaid: orders that ended without a payment.
        heard, lag_ms: webhooks that paid an order, and the sum of their delays.
        owed, owed_minor: captures that are owed back; made, made_minor: of them, refunds on their
            way or arrived.
        ended: sessions that ended without a purchase; empty: of them, with nothing held.
        flagged, locked: decisions of the risk desk.
    """

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


class RedeemedToken(ReservationsRecord, frozen=True, kw_only=True):
    session_id: SessionId
    ttl: int


class LiveCounter(ReservationsRecord, frozen=True, kw_only=True):
    """One of the counters of live sessions that end in one minute."""

    live: int
    opened: int = 0  # sessions that were to end in this minute when they began; never falls
    ttl: int = 0


class CapacityLimit(ReservationsRecord, frozen=True, kw_only=True):
    """An event's capacity limit, and what of it is allocated to each shard."""

    cap: int
    event_version: int  # of the event with this limit
    version: int  # one more with each step of an allocation
    dealt: Sequence[int]  # allocated to each shard, as the shards themselves say
    others_until: str = ""  # until when sessions without a slot may be live


class CapacityShardRecord(ReservationsRecord, frozen=True, kw_only=True):
    """A capacity shard: the slots allocated to it, and the free ones."""

    left: int  # free; negative: more are used than allocated, since the limit was lowered
    dealt: int


class AdmissionThresholdRecord(ReservationsRecord, frozen=True, kw_only=True):
    """An event's admission threshold; fields as in ``AdmissionThreshold``."""

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
    bucket: str  # of live counters: later sessions are counted in it or in later ones
    opened: int  # from that bucket on, at that moment
    ttl: int
    alone_ms: int = 0  # missing in items of an older version


class DueEntry(ReservationsRecord, frozen=True, kw_only=True):
    """A session or refund that is due in a certain minute."""

    session_id: SessionId
    ttl: int
    order_id: str = ""  # of a checkout's end, or of a refund
    payment_id: str | None = None  # of a refund
    part: int = 0  # of a refund


class IdempotencyRecord(ReservationsRecord, frozen=True, kw_only=True):
    """The first answer to a request with an Idempotency-Key."""

    payload: str  # fingerprint
    answer: Mapping[str, Any]
    until: str
    ttl: int


class SharedCount(ReservationsRecord, frozen=True, kw_only=True):
    """How many places of an event go to one postal address or card, by a hash."""

    places: int = 0
    ttl: int


class RateBucket(ReservationsRecord, frozen=True, kw_only=True):
    """A token bucket of an account, kept while there is no cache."""

    full_at_ms: int
    ttl: int
