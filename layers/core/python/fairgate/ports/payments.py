"""Declare the payment provider and the types of its answers.

Errors: DependencyUnavailableError is temporary: the same call may succeed later, and nothing was
lost. PaymentRefusedError is final: a person has to act. ProviderSetupError is temporary for the
order and final for the deployment: the provider refuses our key or its permissions until a person
corrects them. RefusedForNowError is temporary, but the same call gets the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

RefundState = Literal["pending", "succeeded", "failed"]  # succeeded may still become failed
DisputeState = Literal["open", "won", "lost"]  # an inquiry before a dispute is neither


class Refund(Struct, frozen=True):
    """A refund as the provider has it. It may fail at once, or days after it had succeeded."""

    id: str
    payment: str
    order: str
    amount_minor: int
    state: RefundState
    reason: str = ""  # why it failed, in the provider's word
    part: int = 0  # number of a partial refund of ours; 0: the rest, or a refund outside Fairgate


class Dispute(Struct, frozen=True):
    """A dispute: a cardholder's bank takes a capture back until it has decided, or for good."""

    id: str
    payment: str
    order: str
    amount_minor: int
    currency: str
    state: DisputeState
    at_ms: int
    reason: str = ""  # in the provider's word


class PaymentEvent(Struct, frozen=True):
    """A payment event that a provider's webhook delivered, its signature verified.

    ``held``: the money is reserved, and nothing is taken yet.
    ``refund`` and ``dispute`` are set for the kinds of their names. ``refunded`` reports a refund
    in any state.
    """

    id: str
    kind: Literal["succeeded", "held", "failed", "expired", "refunded", "disputed", "other"]
    order: str  # "" for other: not about our money
    amount_minor: int
    currency: str
    payment: str
    refund: Refund | None = None
    dispute: Dispute | None = None
    at_ms: int = 0  # when it happened, by the provider's clock; 0: it does not say


class CheckoutRequest(Struct, frozen=True):
    """Holds the arguments with which an order's payment page is opened."""

    order: str
    amount_minor: int
    currency: str
    expires_ms: int
    return_url: str
    correlation_id: str = ""  # the order's, shown with the payment at the provider
    held: bool = False  # reserve the money only, until ``end_held``
    attempt: int = 0  # another number is another attempt: a page whose money was freed is spent


class Capture(Struct, frozen=True):
    """Money that the provider took for an order, and how much of it was refunded.

    ``held``: it is reserved only, until ``end_held``; so ``find_capture`` alone tells of it.
    """

    payment: str
    order: str
    amount_minor: int
    currency: str
    at_ms: int
    refunded_minor: int = 0
    disputed: bool = False
    held: bool = False


class UnreadableEntry(Struct, frozen=True):
    """Stands for an entry of the provider's list that cannot be read."""

    id: str
    payment: str = ""  # as far as it can be told
    order: str = ""


class Movement(Struct, frozen=True):
    """Money that moved on the balance at the provider, once; it never changes there.

    ``kind`` is one of ours (capture, refund, refund-returned, dispute, dispute-won, payout,
    payout-failed), or else the provider's own.
    """

    id: str
    kind: str
    amount_minor: int  # what it adds to the balance before the fee; below 0: what it takes away
    fee_minor: int  # what the provider keeps of it; below 0: what it gives back
    currency: str  # of the balance, which may be another than the order's
    at_ms: int
    payment: str = ""
    order: str = ""  # as the payment names it; "" for another business's, and for no payment
    thing: str = ""  # the refund, the dispute or the payout

    @property
    def net_minor(self) -> int:
        return self.amount_minor - self.fee_minor


class Payout(Struct, frozen=True):
    """Money that the provider sends from the balance to the bank.

    ``parts`` says whether its movements are listed: known, later (not yet), or never, because a
    person chose its amount.
    """

    id: str
    amount_minor: int
    currency: str
    state: str  # pending, in_transit, paid, failed or canceled; paid may still become failed
    at_ms: int
    arrives_ms: int
    parts: Literal["known", "later", "never"]


class Payments(Protocol):
    """Takes and refunds money.

    Every method except ``parse_webhook`` raises only DependencyUnavailableError (with its subclass
    ProviderSetupError) and PaymentRefusedError, for any answer of the provider. A page or a refund
    that it does not know is refused, ``unknown-payment``.
    """

    def open_checkout(self, request: CheckoutRequest) -> str:
        """Return the hosted payment page's URL. Idempotent per attempt to pay for the order.

        The page takes no payment after ``expires_ms``, or it is closed then by ``close_checkout``.
        """
        ...

    def close_checkout(self, page: str) -> Capture | None:
        """Take no more payments on this page; return the one that it has taken. Idempotent.

        An answer of None means that no payment was taken there and none can be any more: what was
        only held is freed.
        """
        ...

    def card_of(self, payment: str) -> str:
        """Return the provider's fingerprint of the card that pays, the same for the same card.

        "" if the provider knows none.
        """
        ...

    def end_held(self, payment: str, *, take: bool) -> Capture | None:
        """Take the money of a held payment, or free it; return what is taken of it now.

        Idempotent: what was taken or freed before stays so, whatever ``take`` says.
        """
        ...

    def find_capture(self, page: str) -> Capture | None:
        """Return the payment that this page has taken or holds, without closing the page."""
        ...

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        """Read a webhook.

        Raises UnauthenticatedError (signature, stale time stamp), MalformedInputError, and
        DependencyUnavailableError if the provider has to be asked for more.
        """
        ...

    def refund(
        self, *, payment: str, order: str, amount_minor: int, part: int = 0, attempt: int = 0
    ) -> Refund:
        """Refund an amount of a capture, once for each part, also if the call is repeated.

        ``part`` numbers the partial refunds of a valid order; 0 is the refund of the whole order.
        ``attempt``: for one number at most one refund is made, so senders at the same time use the
        same one. The next number may be used after RefusedForNowError for this one. Raises
        PaymentRefusedError also if the refund failed for good, with the ``reason``.
        """
        ...

    def find_refund(self, refund: str) -> Refund:
        """Return the current state of the refund with this id."""
        ...

    def find_refunds(self, *, payment: str, order: str) -> Sequence[Refund]:
        """Return the current state of every refund of a capture, from any source, oldest first."""
        ...

    def find_dispute(self, dispute: str) -> Dispute:
        """Return the current state of the dispute with this id."""
        ...

    def captures(self, since_ms: int) -> Iterator[Capture | UnreadableEntry]:
        """List captures of this shop's orders made or refunded since, in any order."""
        ...

    def disputes(self, since_ms: int) -> Iterator[Dispute | UnreadableEntry]:
        """List disputes of this shop's orders that were opened since, in any order."""
        ...

    def movements(self, since_ms: int, until_ms: int) -> Iterator[Movement | UnreadableEntry]:
        """List all movements of the balance from ``since_ms`` until before ``until_ms``.

        In any order; with the payments of other businesses on the same account.
        """
        ...

    def payouts(self, since_ms: int) -> Iterator[Payout | UnreadableEntry]:
        """List payouts that were made since, with their present state, in any order."""
        ...

    def movements_of_payout(self, payout: str) -> Iterator[Movement | UnreadableEntry]:
        """List the movements of a payout, in any order, without the payout's own."""
        ...
