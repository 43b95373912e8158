"""How far what runs by the clock has come, and which webhooks were heard."""

from __future__ import annotations

from typing import ClassVar, Literal

from fairgate.ports.record import Record, TableName

# owed ──► pending ──► succeeded ──► failed: it came back. refused: it could not be sent.
RefundProgress = Literal["owed", "pending", "succeeded", "failed", "refused"]
LedgerKind = Literal[
    "capture",
    "refund",
    "refund-returned",
    "dispute",
    "dispute-won",
    "dispute-lost",
]
DutyKind = Literal[
    "refund-refused",
    "refund-failed",
    "refund-missing",
    "refunded-elsewhere",
    "refunded-in-part",
    "unknown-capture",
    "no-refund-owed",
    "no-capture",
    "tickets-late",
    "disputed",
    "charged-back",
    "capture-failed",
    "entry-failed",
    "event-cancelled",
    "change-untold",
]


class PaymentEventRecord(Record, frozen=True, kw_only=True):
    """A provider's event that has been applied, and what came of it."""

    table: ClassVar[TableName] = "reservations"

    order_id: str
    outcome: str
    ttl: int


class SweptMark(Record, frozen=True, kw_only=True):
    """A mark: until when everything due has been looked at."""

    table: ClassVar[TableName] = "reservations"

    minute: str
    busy: str = ""  # the last of those minutes in which anything was due
    reached: str = ""  # how far a run without time got in the minute after: the last refund's entry


class ReconciledMark(Record, frozen=True, kw_only=True):
    """A mark: until when the provider's books have been compared with the orders."""

    table: ClassVar[TableName] = "reservations"

    until: str
