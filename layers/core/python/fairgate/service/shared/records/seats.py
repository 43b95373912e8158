"""Records of seats and the counters of standing areas."""

from __future__ import annotations

from typing import ClassVar

from fairgate.domain.seating.status_vector import Availability
from fairgate.domain.shared.ids import EventId
from fairgate.ports.record import Record, TableName


class SeatRecord(Record, frozen=True, kw_only=True):
    """A seat, or a table or box that is held whole."""

    table: ClassVar[TableName] = "seats"

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
    session_id: str  # "" for nobody's
    version: int
    updated_at: str
    price_tier: str
    seat_index: int
    kind: str


class SeatInIndex(Record, frozen=True, kw_only=True):
    """A seat as its section's index has it."""

    table: ClassVar[TableName] = "seats"

    gsi1_pk: str
    gsi1_sk: str
    availability: Availability
    expires_at: str
    version: int
    seat_index: int


class AreaShard(Record, frozen=True, kw_only=True):
    """One of the counters that an area's places come from."""

    table: ClassVar[TableName] = "seats"

    event_id: EventId
    area_id: str
    shard: int
    capacity: int
    remaining: int
    version: int
    updated_at: str
    price_tier: str


class SeatImage(Record, frozen=True, kw_only=True):
    """A seat as the stream carries it, as far as the cache needs it."""

    table: ClassVar[TableName] = "seats"

    event_id: str
    section_id: str
    availability: Availability
    expires_at: str = ""
    version: int
    updated_at: str = ""
    seat_index: int


class ShardImage(Record, frozen=True, kw_only=True):
    """A counter as the stream carries it, as far as the cache needs it."""

    table: ClassVar[TableName] = "seats"

    event_id: str
    area_id: str
    shard: int
    remaining: int
    version: int
    updated_at: str = ""
