"""The provider's books: pages, captures, refunds and disputes, each with a life of its own.

They know nothing of Fairgate's orders but an id and an amount. Laws compare the two at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from fairgate.errors import PaymentRefusedError
from fairgate.ports.payments import Capture, Dispute, Refund

PAGE_MS_MIN = 1_800_000  # what Stripe gives a page at least, unless it is closed
URL = "https://provider/"
PageState = Literal["open", "late", "held", "captured", "declined", "closed"]
Hand = Literal["ours", "theirs"]


@dataclass
class Page:
    """A hosted page for one attempt to pay."""

    id: str
    order: str
    amount_minor: int
    currency: str
    ends_ms: int
    payment: str
    state: PageState = "open"
    held: bool = False  # the money is only reserved, until the shop takes or frees it
    late_when_closed: bool = False  # a bank was still at it when the shop closed the page

    @property
    def url(self) -> str:
        return URL + self.id


@dataclass
class Books:
    """Every change happens once, however often it is asked for."""

    now_ms: Callable[[], int]
    new_id: Callable[[], str]
    pages: dict[str, Page] = field(default_factory=dict)  # by URL
    taken: dict[str, Capture] = field(default_factory=dict)  # by payment
    refunds: dict[str, Refund] = field(default_factory=dict)  # by id, as they are
    ours: dict[str, str] = field(default_factory=dict)  # payment and part → the shop's refund
    again: list[Refund] = field(default_factory=list)  # the shop's, of a part that it had sent
    disputed: dict[str, Dispute] = field(default_factory=dict)  # by id
    refused: dict[str, str] = field(default_factory=dict)  # payment or page → why, for good
    _of_order: dict[str, Page] = field(default_factory=dict)

    # --- pages

    def open(self, order: str, amount_minor: int, currency: str, ends_ms: int) -> tuple[Page, bool]:
        """The order's page and whether it is new: one declined or closed is followed by another."""
        known = self._of_order.get(order)
        if known is not None and known.state not in ("declined", "closed"):
            return known, False
        if ends_ms <= self.now_ms():
            raise refusal("too-late")
        page = Page(
            f"co_{self.new_id()}", order, amount_minor, currency, ends_ms, f"pay_{self.new_id()}"
        )
        self.pages[page.url] = self._of_order[order] = page
        return page, True

    def page(self, url: str) -> Page:
        """Raises PaymentRefusedError."""
        if url not in self.pages:
            raise refusal("unknown-payment")
        return self.pages[url]

    def close(self, page: Page) -> bool:
        """Whether this call closed it, which frees what it holds.

        What a bank is still at may come all the same.
        """
        if page.state == "late":
            page.late_when_closed = True
        if page.state not in ("open", "declined", "held"):
            return False
        page.state = "closed"
        return True

    def move(self, page: Page, to: PageState) -> bool:
        """Whether a page that was open is now ``to``."""
        if page.state != "open":
            return False
        page.state = to
        return True

    def hold(self, page: Page) -> bool:
        """Reserve the money, unless the page is closed; whether this call did."""
        if page.state not in ("open", "late"):
            return False
        page.state = "held"
        return True

    def capture(self, page: Page, amount_minor: int) -> Capture | None:
        """Take the money, unless the page is closed or it was taken before."""
        if page.state not in ("open", "late", "held"):
            return None
        page.state = "captured"
        made = Capture(page.payment, page.order, amount_minor, page.currency, self.now_ms())
        self.taken[page.payment] = made
        return made

    def paid_by(self, payment: str) -> Page:
        """Raises PaymentRefusedError."""
        for page in self.pages.values():
            if page.payment == payment:
                return page
        raise refusal("unknown-payment")

    def captured(self, page: Page) -> Capture | None:
        """What the page has taken, as it is by now."""
        made = self.taken.get(page.payment)
        return None if made is None else self.as_it_is(made)

    def found(self, page: Page) -> Capture | None:
        """What the page has taken or holds."""
        if page.state != "held":
            return self.captured(page)
        now_ms = self.now_ms()
        return Capture(
            page.payment, page.order, page.amount_minor, page.currency, now_ms, held=True
        )

    def as_it_is(self, made: Capture) -> Capture:
        disputed = any(d.payment == made.payment for d in self.disputed.values())
        return replace(made, refunded_minor=self.back(made.payment), disputed=disputed)

    def captures(self, since_ms: int) -> Iterator[Capture]:
        for made in self.taken.values():
            now = self.as_it_is(made)
            if now.at_ms >= since_ms or now.refunded_minor:
                yield now

    # --- refunds

    def back(self, payment: str) -> int:
        """How much of a capture is on its way back or has arrived."""
        return sum(
            refund.amount_minor
            for refund in self.refunds.values()
            if refund.payment == payment and refund.state != "failed"
        )

    def refund(self, made: Capture, amount_minor: int, hand: Hand, part: int = 0) -> Refund:
        """Make a refund, pending. Raises PaymentRefusedError as a provider does."""
        back = self.back(made.payment)
        if any(d.payment == made.payment and d.state != "won" for d in self.disputed.values()):
            raise refusal("disputed")
        if back >= made.amount_minor:
            raise refusal("already-refunded")
        if back + amount_minor > made.amount_minor:
            raise refusal("invalid", "amount_too_large")
        name = f"re_{self.new_id()}"
        refund = Refund(name, made.payment, made.order, amount_minor, "pending", part=part)
        self.refunds[name] = refund
        if hand == "ours" and self.ours.setdefault(part_name(made.payment, part), name) != name:
            self.again.append(refund)
        return refund

    def becomes(self, refund: str, state: Literal["succeeded", "failed"]) -> Refund:
        reason = "lost_or_stolen_card" if state == "failed" else ""
        after = replace(self.refunds[refund], state=state, reason=reason)
        self.refunds[refund] = after
        return after

    # --- disputes

    def dispute(self, made: Capture) -> Dispute | None:
        """A bank takes a capture back; not what has gone back by itself."""
        if self.back(made.payment) or any(
            d.payment == made.payment for d in self.disputed.values()
        ):
            return None
        opened = Dispute(
            f"dp_{self.new_id()}",
            made.payment,
            made.order,
            made.amount_minor,
            made.currency,
            "open",
            self.now_ms(),
            "fraudulent",
        )
        self.disputed[opened.id] = opened
        return opened

    def decide(self, dispute: Dispute, state: Literal["won", "lost"]) -> Dispute:
        decided = replace(dispute, state=state)
        self.disputed[dispute.id] = decided
        return decided


def part_name(payment: str, part: int) -> str:
    """Name a part of a capture; what goes back with its order is the capture's own name."""
    return f"{payment}#{part}" if part else payment


def refusal(reason: str, code: str = "", refund: str = "") -> PaymentRefusedError:
    return PaymentRefusedError(
        "The provider refuses.", reason=reason, provider_code=code, refund_id=refund
    )
