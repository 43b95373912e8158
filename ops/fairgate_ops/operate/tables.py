"""Read what the tables hold, kind by kind, for lists and exports that no buyer waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from fairgate.adapters.dynamodb.client import table_names
from fairgate.service.shared.keys import CATALOG_PK, ORDER, SESSION
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Session
from fairgate_ops.operate.models import Models

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate.ports.record import Record
    from fairgate_ops.operate.target import Target

R = TypeVar("R", bound="Record")


@dataclass(frozen=True)
class Tables:
    """Strongly consistent for each item. Every read raises DamagedItemError for an item that is
    not as its record says. Cost: but for ``events``, a read of the whole table of reservations.
    """

    models: Models

    @classmethod
    def of(cls, target: Target) -> Tables:
        return cls(Models(table_names(target.world.settings), target.dynamodb))

    def events(self) -> Iterator[Event]:
        """Every event on sale or over, by id."""
        for model in self.models.of(Event).query(CATALOG_PK, consistent_read=True):
            yield model.record

    def sessions(self, event: str) -> Iterator[Session]:
        return self._of_event(Session, SESSION, event)

    def orders(self, event: str, *states: str) -> Iterator[Order]:
        """Those in one of ``states``; in any when none is named."""
        orders = self._of_event(Order, ORDER, event)
        return (order for order in orders if not states or order.state in states)

    def _of_event(self, kind: type[R], prefix: str, event: str) -> Iterator[R]:
        model = self.models.of(kind)
        wanted = model.sk.startswith(prefix) & (model.event_id == event)
        for found in model.scan(wanted, consistent_read=True):
            yield found.record
