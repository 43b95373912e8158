"""Records of movements and payouts of the balance at the payment provider."""

from __future__ import annotations

from fairgate.service.shared.records import ReservationsRecord


class MovementRecord(ReservationsRecord, frozen=True, kw_only=True):
    """A movement as the provider lists it; written once, never changed."""

    movement_id: str
    kind: str  # ours, or the provider's own word
    amount_minor: int
    fee_minor: int
    currency: str
    at: str  # by the provider's clock
    entered_at: str
    event_id: str = ""  # of the order; "": not about an order of ours
    order_id: str = ""
    payment_id: str = ""
    thing: str = ""

    @property
    def net_minor(self) -> int:
        return self.amount_minor - self.fee_minor


class PayoutPart(ReservationsRecord, frozen=True, kw_only=True):
    """The payout that a movement is part of; written once."""

    movement_id: str
    payout_id: str


class PayoutStep(ReservationsRecord, frozen=True, kw_only=True):
    """A state of a payout, or ``listed`` once all its parts are entered."""

    payout_id: str
    step: str
    amount_minor: int  # of ``listed``: what its parts add up to
    currency: str
    at: str  # when the payout was made
    arrives_at: str
    noticed_at: str
    parts: int = 0  # of ``listed``


class ImportCursor(ReservationsRecord, frozen=True, kw_only=True):
    """How far the provider's movements have been entered."""

    until: str
