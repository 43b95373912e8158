"""Play a payment provider in memory that remembers what it was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from fairgate.errors import PaymentRefusedError
from fairgate.ports.payments import (
    Capture,
    CheckoutRequest,
    Dispute,
    Movement,
    PaymentEvent,
    Payout,
    Refund,
)
from fairgate.ports.record import decode_json


@dataclass
class MemoryPayments:
    """Implements ports.Payments; refunds are idempotent by payment, as at a provider.

    Args:
        fail: is raised by every call but ``parse_webhook``, when set.
        refuse: is raised by the call of that name (``"refund"``), or by that call about that
            order, payment or page alone (``"refund ord_…"``).
        taken: the captures that it tells of.
        paid: what a page has taken or holds (then it is in ``held``, too), by its URL.
        opened: the disputes that it tells of.
        moved, paid_out: the movements and payouts that it tells of.
        parts_of: the ids of the movements that a payout is made of.
        cards: the fingerprint of the card by payment.
        held: what is held by payment; None: it was freed.
        attempts: the numbers by which refunds were asked for, in turn.
    """

    pages: dict[str, int] = field(default_factory=dict)
    refunds: dict[str, int] = field(default_factory=dict)
    fail: Exception | None = None
    refuse: dict[str, Exception] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)
    taken: list[Capture] = field(default_factory=list)
    paid: dict[str, Capture] = field(default_factory=dict)
    refund_states: dict[str, Refund] = field(default_factory=dict)
    opened: list[Dispute] = field(default_factory=list)
    moved: list[Movement] = field(default_factory=list)
    paid_out: list[Payout] = field(default_factory=list)
    parts_of: dict[str, list[str]] = field(default_factory=dict)
    attempts: list[int] = field(default_factory=list)
    cards: dict[str, str] = field(default_factory=dict)
    held: dict[str, Capture | None] = field(default_factory=dict)

    def open_checkout(self, request: CheckoutRequest) -> str:
        self._reach("open_checkout", request.order)
        self.pages[request.order] = request.amount_minor
        return f"/pay/{request.order}?{request.currency}&{request.expires_ms}&{request.return_url}"

    def close_checkout(self, page: str) -> Capture | None:
        self._reach("close_checkout", page)
        self.closed.append(page)
        found = self._found(page)
        if found is not None and found.held:
            return self.end_held(found.payment, take=False)
        return found

    def card_of(self, payment: str) -> str:
        self._reach("card_of", payment)
        return self.cards.get(payment, "")

    def end_held(self, payment: str, *, take: bool) -> Capture | None:
        self._reach("end_held", payment, *([f"{payment} take"] if take else []))
        capture = self.held.get(payment)
        if capture is not None and capture not in self.taken:
            if take:
                self.taken.append(capture)
            else:
                self.held[payment] = None
        return self.held.get(payment)

    def find_capture(self, page: str) -> Capture | None:
        self._reach("find_capture", page)
        return self._found(page)

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:  # noqa: ARG002 nobody signs
        return decode_json(body, PaymentEvent)

    def refund(
        self, *, payment: str, order: str, amount_minor: int, part: int = 0, attempt: int = 0
    ) -> Refund:
        if not order:
            raise ValueError("a refund names its order")
        self.attempts.append(attempt)
        self._reach("refund", order, payment)
        name = f"re_{payment}_{part}" if part else f"re_{payment}"
        if name not in self.refund_states:
            self.refunds[payment] = self.refunds.get(payment, 0) + amount_minor
        made = Refund(name, payment, order, amount_minor, "succeeded", part=part)
        return self.refund_states.setdefault(made.id, made)

    def find_refund(self, refund: str) -> Refund:
        self._reach("find_refund", refund)
        if refund not in self.refund_states:
            raise PaymentRefusedError("There is no such refund.", reason="unknown-payment")
        return self.refund_states[refund]

    def find_refunds(self, *, payment: str, order: str) -> Sequence[Refund]:
        self._reach("find_refunds", order, payment)
        made = [one for one in self.refund_states.values() if one.payment == payment]
        if not made and payment in self.refunds:
            amount_minor = self.refunds[payment]
            made = [Refund(f"re_hand_{payment}", payment, order, amount_minor, "succeeded")]
        return made

    def find_dispute(self, dispute: str) -> Dispute:
        self._reach("find_dispute", dispute)
        known = [one for one in self.opened if one.id == dispute]
        if not known:
            raise PaymentRefusedError("There is no such dispute.", reason="unknown-payment")
        return known[-1]

    def captures(self, since_ms: int) -> Iterator[Capture]:
        self._reach("captures")
        for capture in self.taken:
            refunded = self.refunds.get(capture.payment, capture.refunded_minor)
            if capture.at_ms >= since_ms or refunded:
                yield msgspec.structs.replace(capture, refunded_minor=refunded)

    def disputes(self, since_ms: int) -> Iterator[Dispute]:
        self._reach("disputes")
        yield from (dispute for dispute in self.opened if dispute.at_ms >= since_ms)

    def movements(self, since_ms: int, until_ms: int) -> Iterator[Movement]:
        self._reach("movements")
        yield from (one for one in self.moved if since_ms <= one.at_ms < until_ms)

    def payouts(self, since_ms: int) -> Iterator[Payout]:
        self._reach("payouts")
        yield from (one for one in self.paid_out if one.at_ms >= since_ms)

    def movements_of_payout(self, payout: str) -> Iterator[Movement]:
        self._reach("movements_of_payout", payout)
        yield from (one for one in self.moved if one.id in self.parts_of.get(payout, ()))

    def _found(self, page: str) -> Capture | None:
        found = self.paid.get(page)
        if found is None or not found.held:
            return found
        now = self.held[found.payment]
        return now if now is None or now in self.taken else found

    def _reach(self, call: str, *about: str) -> None:
        for name in (call, *(f"{call} {one}" for one in about)):
            if name in self.refuse:
                raise self.refuse[name]
        if self.fail is not None:
            raise self.fail
