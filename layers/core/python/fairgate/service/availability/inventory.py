"""List the sections and areas of an event and its sale times; the cache keeps it for a minute."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import NotFoundError
from fairgate.service.availability.reading_pace import SaleTimes

if TYPE_CHECKING:
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

OVER = ("soldout", "closed")
KNOWN_MS = 5_000
_KNOWN_MAX = 64


class Inventory(Struct, frozen=True):
    """The sections and areas of an event, which never change, and its sale times."""

    sections: dict[str, int]  # id → seats, in layout order
    blocks: dict[str, list[tuple[str, int]]]  # section → (id, seats) in layout order
    areas: dict[str, tuple[int, int]]  # id → capacity, shards
    sale_starts_at_ms: int
    over: bool

    @property
    def sale(self) -> SaleTimes:
        return SaleTimes(self.sale_starts_at_ms, self.over)

    def document(self) -> bytes:
        return json.dumps(asdict(self)).encode()


def inventory_in(document: bytes | None) -> Inventory | None:
    """Read a document; None: there is none, or another version of this code wrote it."""
    try:
        return None if document is None else Inventory(**json.loads(document))
    except TypeError:
        return None


def inventory_of(event: Event) -> Inventory:
    return Inventory(
        {section.id: section.seats for section in event.sections},
        {s.id: [(block.id, block.seats) for block in s.blocks] for s in event.sections},
        {name: (area.capacity, area.shards) for name, area in event.areas.items()},
        epoch_ms(event.sale_starts_at),
        event.state in OVER,
    )


class KnownInventories:
    """Remembers inventories for a moment, so that an unknown section costs no round trip.

    It only refuses; answers are always read. Safe for threads.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: dict[str, tuple[int, Inventory]] = {}

    def keep(self, event: str, places: Inventory) -> None:
        if len(self._known) >= _KNOWN_MAX:
            self._known.clear()
        self._known[event] = (self._clock.now_ms(), places)

    def refuse_unknown(self, event: str, section: str | None) -> None:
        """Raise NotFoundError if ``section`` is given and was not there just now."""
        if section is None:
            return
        known = self._known.get(event)
        if known is None or self._clock.now_ms() - known[0] > KNOWN_MS:
            return
        if section not in known[1].sections:
            raise no_section()


def no_section() -> NotFoundError:
    return NotFoundError("There is no such section.")
