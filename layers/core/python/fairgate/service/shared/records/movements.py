"""Records of what moved on the balance at the payment provider."""

from __future__ import annotations

from typing import ClassVar

from fairgate.ports.record import Record, TableName


class MovementRecord(Record, frozen=True, kw_only=True):
    """A movement as the provider told of it; written once, and never changed."""

    table: ClassVar[TableName] = "reservations"

    movement_id: str
    kind: str  # ours, or the provider's own word
    amount_minor: int
    fee_minor: int
    currency: str
    at: str  # by the provider's clock
    entered_at: str
    event_id: str = ""  # of the order; "" for what is not about an order of ours
    order_id: str = ""
    payment_id: str = ""
    thing: str = ""

    @property
    def net_minor(self) -> int:
        return self.amount_minor - self.fee_minor


class PayoutPart(Record, frozen=True, kw_only=True):
    """Which payout a movement went to the bank with; written once."""

    table: ClassVar[TableName] = "reservations"

    movement_id: str
    payout_id: str


class PayoutStep(Record, frozen=True, kw_only=True):
    """What was heard of a payout: a state of it, or ``listed``, once all its parts are entered."""

    table: ClassVar[TableName] = "reservations"

    payout_id: str
    step: str
    amount_minor: int  # of ``listed``: what its parts add up to
    currency: str
    at: str  # when the payout was made
    arrives_at: str
    noticed_at: str
    parts: int = 0  # of ``listed``


class ImportCursor(Record, frozen=True, kw_only=True):
    """A mark: until when the provider's movements have been entered."""

    table: ClassVar[TableName] = "reservations"

    until: str
