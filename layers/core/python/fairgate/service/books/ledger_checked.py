"""What a check of an event's ledger compares, and what it found."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

What = Literal[
    "captured",
    "refunded",
    "disputed",
    "currency",
    "not-entered",
    "no-capture",
    "fee",
    "fee-not-entered",
    "no-movement",
]


class Entered(Struct):
    """The ledger's figures of a payment, in minor units, at least 0."""

    order: str
    currency: str = ""
    captured_minor: int = 0
    refunded_minor: int = 0
    disputed_minor: int = 0
    things: set[str] = field(default_factory=set)  # the refunds that it names


class LedgerDifference(Struct, frozen=True):
    """A figure of the ledger that differs from the provider's."""

    what: What
    order: str
    payment: str
    ledger_minor: int
    provider_minor: int
    why: str


class Sums(Struct):
    """The sums of one side, in minor units."""

    captured_minor: int = 0
    refunded_minor: int = 0
    disputed_minor: int = 0
    fees_minor: int = 0  # in the event's currency
    other_fees: dict[str, int] = field(default_factory=dict)  # by other currency, if converted

    @property
    def net_minor(self) -> int:
        gone = self.refunded_minor + self.disputed_minor + self.fees_minor
        return self.captured_minor - gone

    def keep(self, fee_minor: int, currency: str, own: str) -> None:
        """Add the provider's fee."""
        if currency == own:
            self.fees_minor += fee_minor
        else:
            self.other_fees[currency] = self.other_fees.get(currency, 0) + fee_minor


class LedgerChecked(Struct):
    """What one check compared: the ledger, and the provider's books about the event's orders.

    Attributes:
        settling: captures of the last minutes, whose webhooks may still come.
        fees_waiting: movements since the last import, whose fees it will enter.
        unreadable: entries of the provider's lists. damaged: items of ours, by their keys.
    """

    entries: int = 0
    ledger: Sums = field(default_factory=Sums)
    provider: Sums = field(default_factory=Sums)
    settling: int = 0
    fees_waiting: int = 0
    differences: list[LedgerDifference] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        return not (self.differences or self.unreadable or self.damaged)
