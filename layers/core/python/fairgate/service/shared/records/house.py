"""Record of house seats: what an organiser keeps from the sale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairgate.domain.shared.ids import EventId
from fairgate.service.shared.records import CatalogRecord


class HouseBlock(CatalogRecord, frozen=True, kw_only=True):
    """Seats and places of areas that are kept together, for one reason.

    Each write of a seat or counter that it keeps is in a transaction with a write of this record.
    A block that was freed stays, without seats.
    """

    event_id: EventId
    reason: str
    by: str
    at: str
    until: str  # from then on it is freed to the sale; "": somebody frees it
    seats: Sequence[str]
    areas: Mapping[str, Mapping[str, int]]  # area → shard → places
    version: int

    @property
    def id(self) -> str:
        return self.sk

    @property
    def places(self) -> Mapping[str, int]:
        """Return how many places of each area it keeps."""
        return {area: sum(shards.values()) for area, shards in self.areas.items()}

    @property
    def is_empty(self) -> bool:
        return not self.seats and not self.areas
