"""How far what runs by the clock has come, and which webhooks were heard."""

from __future__ import annotations

from typing import ClassVar

from fairgate.ports.record import Record, TableName


class PaymentEventRecord(Record, frozen=True, kw_only=True):
    """A provider's event that has been applied, and what came of it."""

    table: ClassVar[TableName] = "reservations"

    order_id: str
    outcome: str
    ttl: int


class SweepCursor(Record, frozen=True, kw_only=True):
    """A mark: until when everything due has been looked at."""

    table: ClassVar[TableName] = "reservations"

    minute: str
    busy: str = ""  # the last of those minutes in which anything was due
    reached: str = ""  # how far a run without time got in the minute after: the last refund's entry


class ReconcileCursor(Record, frozen=True, kw_only=True):
    """A mark: until when the provider's books have been compared with the orders."""

    table: ClassVar[TableName] = "reservations"

    until: str
