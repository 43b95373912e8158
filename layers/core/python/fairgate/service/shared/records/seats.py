"""Records of seats and of the counters of general admission."""

from __future__ import annotations

from fairgate.domain.seating.status_vector import Availability
from fairgate.domain.shared.ids import EventId
from fairgate.service.shared.records import SeatsRecord


class SeatRecord(SeatsRecord, frozen=True, kw_only=True):
    """A seat, or a table or box that is held whole."""

    gsi1_pk: str
    gsi1_sk: str
    event_id: EventId
    section_id: str
    block_id: str
    row_id: str
    seat_number: str
    seat_id: str
    availability: Availability
    expires_at: str  # "" unless locked
    session_id: str  # whose it is, or which house block keeps it; "": nobody's
    version: int
    updated_at: str
    price_tier: str
    seat_index: int
    kind: str


class SeatInIndex(SeatsRecord, frozen=True, kw_only=True):
    """A seat in its section's index."""

    gsi1_pk: str
    gsi1_sk: str
    availability: Availability
    expires_at: str
    version: int
    seat_index: int


class AreaShard(SeatsRecord, frozen=True, kw_only=True):
    """One of an area's counters of places."""

    event_id: EventId
    area_id: str
    shard: int
    capacity: int
    remaining: int
    version: int
    updated_at: str
    price_tier: str
    blocked: int = 0  # kept by house blocks


class SeatImage(SeatsRecord, frozen=True, kw_only=True):
    """The attributes of a seat in the stream that the cache needs."""

    event_id: str
    section_id: str
    availability: Availability
    expires_at: str = ""
    version: int
    updated_at: str = ""
    seat_index: int


class ShardImage(SeatsRecord, frozen=True, kw_only=True):
    """The attributes of a counter in the stream that the cache needs."""

    event_id: str
    area_id: str
    shard: int
    remaining: int
    version: int
    updated_at: str = ""
