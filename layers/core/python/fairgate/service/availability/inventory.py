"""List what exists in an event and when it is sold, as the cache keeps it for a minute."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate.service.availability.reading_pace import SaleTimes

if TYPE_CHECKING:
    from fairgate.service.shared.records.catalog import Event

OVER = ("soldout", "closed")


@dataclass(frozen=True)
class Inventory:
    """What exists in an event, which never changes while it is on sale."""

    sections: dict[str, int]  # id → seats, in layout order
    blocks: dict[str, list[tuple[str, int]]]  # section → (id, seats) in layout order
    areas: dict[str, tuple[int, int]]  # id → capacity, shards
    opens_at_ms: int
    over: bool

    @property
    def sale(self) -> SaleTimes:
        return SaleTimes(self.opens_at_ms, self.over)

    def document(self) -> bytes:
        return json.dumps(vars(self)).encode()


def inventory_in(document: bytes | None) -> Inventory | None:
    """Read what ``document`` wrote; None: nothing, or another version of this code did."""
    try:
        return None if document is None else Inventory(**json.loads(document))
    except TypeError:
        return None


def inventory_of(event: Event) -> Inventory:
    return Inventory(
        {section.id: section.seats for section in event.sections},
        {s.id: [(block.id, block.seats) for block in s.blocks] for s in event.sections},
        {name: (area.capacity, area.shards) for name, area in event.areas.items()},
        epoch_ms(event.sale_opens_at),
        event.state in OVER,
    )
