"""What must hold while events are created: nobody sees half of one, and no row comes after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.draw_proof import commitment_of
from fairgate.domain.gate.gate_config import parse_gate
from fairgate.ports.record import PK, decode
from fairgate.service.shared.keys import CATALOG_PK, gate_value_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import GateValueRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fairgate.ports.table import Table

    Item = Mapping[str, Any]


class Creations:
    """Judges each change of an item by whether its event is on sale.

    Args:
        rows: all seats and counters in the table.
        on_sale: ids of events that were created before.
    """

    def __init__(
        self, table: Table, rows: Callable[[], Iterable[Item]], on_sale: Iterable[str]
    ) -> None:
        self._table, self._rows, self._on_sale = table, rows, set(on_sale)

    def allow(self, row: Item | None) -> bool:
        """Say whether this is a new row of an event that is not on sale yet."""
        if row is None or row.get("eventId") in self._on_sale:
            return False
        return _is_free(row)

    def wrong_with(self, old: Item | None, new: Item | None) -> Iterator[str]:
        """Yield what an event lacks that is put on sale; nothing for any other item."""
        if new is None or old is not None or new[PK] != CATALOG_PK:
            return
        sale = decode(Event, new)
        self._on_sale.add(sale.id)
        for what in self._lacks(sale):
            yield f"{sale.id} is on sale, and {what}"

    def _lacks(self, sale: Event) -> Iterator[str]:
        rows = [row for row in self._rows() if row["eventId"] == sale.id]
        for section in sale.sections:
            seats = [row for row in rows if row.get("sectionId") == section.id]
            if len(seats) != section.seats:
                yield f"section {section.id} has {len(seats)} of {section.seats} seats"
        for area, facts in sale.areas.items():
            counters = [row for row in rows if row.get("areaId") == area]
            places = sum(row["remaining"] for row in counters)
            if (len(counters), places) != (facts.shards, facts.capacity):
                yield f"area {area} has {places} of {facts.capacity} places"
        if not all(map(_is_free, rows)):
            yield "not all of it is free"
        value = self._table.find(GateValueRecord, gate_value_key(sale.id))
        draw_key = b"" if value is None else parse_gate(value.value).draw_key
        if commitment_of(draw_key) != sale.draw_commitment:
            yield "its gate is not the one that its draw commits to"


def _is_free(row: Item) -> bool:
    whole = row.get("availability") == "available" or row.get("remaining") == row.get("capacity")
    return whole and row["version"] == 0
