"""Play a payment provider in memory that remembers what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from fairgate.ports.payments import Capture, PaymentEvent


@dataclass
class MemoryPayments:
    """Implements ports.Payments; refunds are idempotent by payment, as at a provider.

    Args:
        fail: is raised by every call but ``parse_webhook``, when set.
        taken: the captures that it tells of.
    """

    pages: dict[str, int] = field(default_factory=dict)
    refunds: dict[str, int] = field(default_factory=dict)
    fail: Exception | None = None
    closed: list[str] = field(default_factory=list)
    taken: list[Capture] = field(default_factory=list)

    def open_checkout(
        self, *, order: str, amount_minor: int, currency: str, expires_ms: int, return_url: str
    ) -> str:
        self._reach()
        self.pages[order] = amount_minor
        return f"/pay/{order}?{currency}&{expires_ms}&{return_url}"

    def close_checkout(self, page: str) -> None:
        self._reach()
        self.closed.append(page)

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:  # noqa: ARG002 nobody signs
        return PaymentEvent(**json.loads(body))

    def refund(self, *, payment: str, order: str, amount_minor: int) -> None:
        if not order:
            raise ValueError("a refund names its order")
        self._reach()
        self.refunds[payment] = amount_minor

    def captures(self, since_ms: int) -> Iterator[Capture]:
        self._reach()
        for capture in self.taken:
            refunded = self.refunds.get(capture.payment, capture.refunded_minor)
            if capture.at_ms >= since_ms or refunded:
                yield replace(capture, refunded_minor=refunded)

    def _reach(self) -> None:
        if self.fail is not None:
            raise self.fail
