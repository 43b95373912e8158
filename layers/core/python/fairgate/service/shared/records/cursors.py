"""Records of how far scheduled runs got, of the payment provider and its webhooks."""

from __future__ import annotations

from fairgate.service.shared.records import ReservationsRecord


class PaymentEventRecord(ReservationsRecord, frozen=True, kw_only=True):
    """A provider's event that has been applied, with the outcome."""

    order_id: str
    outcome: str
    ttl: int


class SweepCursor(ReservationsRecord, frozen=True, kw_only=True):
    """How far the sweeper got: everything due until ``minute`` is done."""

    minute: str
    busy: str = ""  # the last of these minutes in which anything was due
    reached: str = ""  # in the next minute: the last refund that a run out of time has done


class ReconcileCursor(ReservationsRecord, frozen=True, kw_only=True):
    """How far the provider's books have been compared with the orders."""

    until: str


class ProviderState(ReservationsRecord, frozen=True, kw_only=True):
    """The line at the payment provider and its circuit breaker, which all functions share."""

    full_at_ms: int = 0  # when as many may call at once as after a pause
    failures: int = 0  # calls in a row without an answer
    open_until_ms: int = 0  # it is not called before; 0: the circuit is closed
    probe_until_ms: int = 0  # one call tries, and the others wait for it
