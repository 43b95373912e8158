"""Declare the payment provider."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True)
class PaymentEvent:
    """A payment event that a provider's webhook delivered, its signature verified."""

    id: str
    kind: Literal["succeeded", "failed", "expired", "refunded", "other"]  # other: not about money
    order: str
    amount_minor: int
    currency: str
    payment: str


@dataclass(frozen=True, slots=True)
class Capture:
    """Money that a provider has taken for an order, and how much of it went back."""

    payment: str
    order: str
    amount_minor: int
    currency: str
    at_ms: int
    refunded_minor: int


class Payments(Protocol):
    """Takes and refunds money. Every method but ``parse_webhook`` raises
    DependencyUnavailableError.
    """

    def open_checkout(
        self, *, order: str, amount_minor: int, currency: str, expires_ms: int, return_url: str
    ) -> str:
        """Return the hosted payment page's URL. Idempotent per attempt to pay for the order."""
        ...

    def close_checkout(self, page: str) -> None:
        """Take no more payments on this page; one that was made stays. Idempotent."""
        ...

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        """Read a webhook. Raises UnauthenticatedError (signature, stale time stamp),
        MalformedInputError.
        """
        ...

    def refund(self, *, payment: str, order: str, amount_minor: int) -> None:
        """Refund a capture in full, once however often it is asked."""
        ...

    def captures(self, since_ms: int) -> Iterator[Capture]:
        """List captures of this shop's orders made or refunded since, in any order."""
        ...
