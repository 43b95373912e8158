"""Report when the payment provider rejects our key, and call none that hangs.

Its callers treat that as an outage: an order waits, a refund stays owed. Many of them do not report
it, so it is counted here, each time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.errors import ProviderSetupError

if TYPE_CHECKING:
    from fairgate.ports.payments import (
        Capture,
        CheckoutRequest,
        Dispute,
        Movement,
        PaymentEvent,
        Payments,
        Payout,
        Refund,
        UnreadableEntry,
    )

_log = logging.getLogger(__name__)


class WatchedPayments(Struct, frozen=True):
    """Implements ports.Payments by another adapter, without changing its answers and errors.

    Each call goes through the circuit breaker, but for webhooks: they come from the provider.

    Args:
        setup_failed: is called for each ProviderSetupError.
        circuit: raises ProviderAwayError instead of a call while the provider hangs.
    """

    payments: Payments
    setup_failed: Callable[[], None]
    circuit: Callable[[], AbstractContextManager[None]] = nullcontext

    def open_checkout(self, request: CheckoutRequest) -> str:
        with self._watched("open_checkout"):
            return self.payments.open_checkout(request)

    def close_checkout(self, page: str) -> Capture | None:
        with self._watched("close_checkout"):
            return self.payments.close_checkout(page)

    def card_of(self, payment: str) -> str:
        with self._watched("card_of"):
            return self.payments.card_of(payment)

    def end_held(self, payment: str, *, take: bool) -> Capture | None:
        with self._watched("end_held"):
            return self.payments.end_held(payment, take=take)

    def find_capture(self, page: str) -> Capture | None:
        with self._watched("find_capture"):
            return self.payments.find_capture(page)

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        with self._reporting("parse_webhook"):
            return self.payments.parse_webhook(body, headers)

    def refund(
        self, *, payment: str, order: str, amount_minor: int, part: int = 0, attempt: int = 0
    ) -> Refund:
        with self._watched("refund"):
            return self.payments.refund(
                payment=payment,
                order=order,
                amount_minor=amount_minor,
                part=part,
                attempt=attempt,
            )

    def find_refund(self, refund: str) -> Refund:
        with self._watched("find_refund"):
            return self.payments.find_refund(refund)

    def find_refunds(self, *, payment: str, order: str) -> Sequence[Refund]:
        with self._watched("find_refunds"):
            return self.payments.find_refunds(payment=payment, order=order)

    def find_dispute(self, dispute: str) -> Dispute:
        with self._watched("find_dispute"):
            return self.payments.find_dispute(dispute)

    def captures(self, since_ms: int) -> Iterator[Capture | UnreadableEntry]:
        with self._watched("captures"):
            yield from self.payments.captures(since_ms)

    def disputes(self, since_ms: int) -> Iterator[Dispute | UnreadableEntry]:
        with self._watched("disputes"):
            yield from self.payments.disputes(since_ms)

    def movements(self, since_ms: int, until_ms: int) -> Iterator[Movement | UnreadableEntry]:
        with self._watched("movements"):
            yield from self.payments.movements(since_ms, until_ms)

    def payouts(self, since_ms: int) -> Iterator[Payout | UnreadableEntry]:
        with self._watched("payouts"):
            yield from self.payments.payouts(since_ms)

    def movements_of_payout(self, payout: str) -> Iterator[Movement | UnreadableEntry]:
        with self._watched("movements_of_payout"):
            yield from self.payments.movements_of_payout(payout)

    @contextmanager
    def _watched(self, call: str) -> Iterator[None]:
        with self._reporting(call), self.circuit():
            yield

    @contextmanager
    def _reporting(self, call: str) -> Iterator[None]:
        try:
            yield
        except ProviderSetupError as error:
            # The provider's class of error alone: its text may quote a part of the key.
            _log.error("payments are not set up: %s, %s", call, type(error.__cause__).__name__)
            self.setup_failed()
            raise
