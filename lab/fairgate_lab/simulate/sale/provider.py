"""The payment provider: buyers pay on its pages, banks change their minds, webhooks tell of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from fairgate.domain.orders import webhook_signature
from fairgate.domain.orders.order import SETTLING_S
from fairgate.errors import (
    DependencyUnavailableError,
    PaymentRefusedError,
    RefusedForNowError,
)
from fairgate.ports.payments import Capture, Dispute, PaymentEvent, Refund
from fairgate_lab.simulate.sale.books import Books, Page, part_name
from fairgate_lab.simulate.sale.fleet import Fleet, http_event

if TYPE_CHECKING:
    from fairgate_lab.engine.clock import MemoryIds
    from fairgate_lab.simulate.sale.faults import FaultInjector
    from fairgate_lab.simulate.sale.history import History

RETRY_MS_MAX = 30_000
# As Stripe, it goes on for longer than an order waits for its payment: news of a refund are taken
# once it is settled whether anything was bought with it.
ATTEMPTS_MAX = 2 * SETTLING_S * 1000 // RETRY_MS_MAX
SLOW_MS_MAX = 120_000  # of a bank that decides about a refund or a dispute
PART = 0.5  # of the refunds by another hand: not the whole amount
SETTLED = (200, 201, 204)
# What was answered to a number, and is repeated: "500" may have made the refund or not.
Answer = Refund | PaymentRefusedError | Literal["no balance", "500"]


class Provider:
    """Books and webhooks. Buyers act on a page; the shop opens and closes pages, and refunds."""

    def __init__(
        self, fleet: Fleet, faults: FaultInjector, history: History, secret: bytes, ids: MemoryIds
    ) -> None:
        self._fleet, self._faults, self._history = fleet, faults, history
        self._secret, self._ids = secret, ids
        self.books = Books(lambda: faults.scheduler.now_ms, ids.hex32)
        self._answers: dict[tuple[str, int], Answer] = {}  # by what it is for, and its number

    # --- buyers

    def pay(self, url: str) -> None:
        """The buyer pays, and the capture is made unless the page is closed."""
        self._capture(self.books.pages[url])

    def pay_late(self, url: str, delay_ms: int) -> None:
        """A slow bank: the capture comes ``delay_ms`` from now, whatever happened meanwhile."""
        page = self.books.pages[url]
        if self.books.move(page, "late"):
            self._later("slow bank", lambda: self._capture(page), delay_ms)

    def decline(self, url: str) -> None:
        page = self.books.pages[url]
        if self.books.move(page, "declined"):
            self._report("failed", page)

    # --- the shop: called by its seam, between two troubles

    def open(
        self, order: str, amount_minor: int, currency: str, expires_ms: int, *, held: bool = False
    ) -> str:
        now_ms, faults = self._faults.scheduler.now_ms, self._faults
        if faults.plan.page_ms and expires_ms > now_ms:
            expires_ms = max(expires_ms, now_ms + faults.plan.page_ms)
        page, new = self.books.open(order, amount_minor, currency, expires_ms)
        page.held = held
        if new:
            self._later("page ends", lambda: self.close(page), max(0, expires_ms - now_ms))
        return page.url

    def close(self, page: Page) -> None:
        if self.books.close(page):
            self._report("expired", page)

    def end_held(self, page: Page, *, take: bool) -> None:
        """Take the money that a page holds, or free it."""
        if page.state == "held" and take:
            self._take(page)
        elif page.state == "held":
            self.books.close(page)

    def refund(self, made: Capture, amount_minor: int, part: int, attempt: int) -> Refund:
        """Make the shop's refund by this number, or repeat what was answered to it.

        Raises PaymentRefusedError, DependencyUnavailableError.
        """
        name = part_name(made.payment, part)
        if (answer := self._answers.get((name, attempt))) is None:
            answer = self._answers[name, attempt] = self._answer(made, amount_minor, part)
        elif answer == "500":  # once it is repeated, the refund is looked for
            known = self.books.ours.get(name)
            answer = self.books.refunds[known] if known else "no balance"
        if isinstance(answer, Refund):
            return answer
        self._faults.scheduler.note(f"number {attempt} of {name[-8:]} is answered {answer}")
        if isinstance(answer, PaymentRefusedError):
            raise answer.with_traceback(None)
        kind = RefusedForNowError if answer == "no balance" else DependencyUnavailableError
        raise kind(f"The provider answers {answer}.")

    def _answer(self, made: Capture, amount_minor: int, part: int) -> Answer:
        faults, broken = self._faults, False
        if faults.chance(faults.plan.refund_kept):
            broken = faults.chance(0.5)
            if not broken:
                return "no balance"
            if faults.chance(0.5):
                return "500"
        try:
            refund = self._under_way(self.books.refund(made, amount_minor, "ours", part))
        except PaymentRefusedError as refused:
            return refused
        return "500" if broken else refund

    # --- banks and other hands

    def _capture(self, page: Page) -> None:
        if not page.held:
            self._take(page)
        elif self.books.hold(page):
            self._report("held", page)

    def _take(self, page: Page) -> None:
        faults = self._faults
        short = faults.chance(faults.plan.miscounted)  # a conversion, a fee: not what was asked for
        made = self.books.capture(page, page.amount_minor - short)
        if made is None:
            return
        # From now on a webhook, an expiry or a buyer who looks may settle it.
        self._history.begin("settle", "", faults.scheduler.now_ms, order=page.order)
        if not page.held:  # the shop has just taken it itself
            self._report("succeeded", page, made)
        if faults.chance(faults.plan.disputed):
            self._later("a bank", lambda: self._dispute(made))
        if faults.chance(faults.plan.other_hand):
            self._later("another hand", lambda: self._refund_by_hand(made))

    def _refund_by_hand(self, made: Capture) -> None:
        """Somebody refunds at the provider's own desk."""
        part = self._faults.chance(PART)
        amount_minor = made.amount_minor // 2 if part else made.amount_minor
        if self.books.back(made.payment) or self.books.as_it_is(made).disputed:
            return  # the desk would not let them
        refund = self.books.refund(made, amount_minor, "theirs")
        self._under_way(refund, fails=False)

    def _under_way(self, refund: Refund, *, fails: bool = True) -> Refund:
        """A refund is done at once or later, or comes back at once or later."""
        faults, books = self._faults, self.books
        failing = fails and faults.chance(faults.plan.refund_fails)
        if failing and faults.chance(0.3):
            return self._told(books.becomes(refund.id, "failed"))
        if not faults.chance(faults.plan.refund_pending):
            refund = books.becomes(refund.id, "succeeded")
        self._told(refund)
        if failing or refund.state == "pending":
            last: Literal["failed", "succeeded"] = "failed" if failing else "succeeded"
            self._later("a bank", lambda: self._told(books.becomes(refund.id, last)))
        return refund

    def _dispute(self, made: Capture) -> None:
        opened = self.books.dispute(made)
        if opened is None:
            return
        self._tell_dispute(opened)
        self._faults.scheduler.sleep(self._faults.rng.randint(0, 2 * SLOW_MS_MAX))
        if self._faults.chance(0.7):
            won = self._faults.chance(0.5)
            self._tell_dispute(self.books.decide(opened, "won" if won else "lost"))

    def _later(self, name: str, act: Callable[[], object], delay_ms: int | None = None) -> None:
        if delay_ms is None:
            delay_ms = self._faults.rng.randint(0, SLOW_MS_MAX)
        self._faults.scheduler.spawn(name, act, after_ms=delay_ms)

    # --- webhooks

    def _told(self, refund: Refund) -> Refund:
        made = self.books.taken[refund.payment]
        event = self._event("refunded", made)
        event = replace(event, refund=refund, amount_minor=refund.amount_minor)
        # A refund that comes back is looked at again only after days: its webhook does come.
        self._send(event, may_be_lost=refund.state != "failed")
        return refund

    def _tell_dispute(self, dispute: Dispute) -> None:
        made = self.books.taken[dispute.payment]
        event = self._event("disputed", made)
        self._send(replace(event, dispute=dispute), may_be_lost=dispute.state == "open")

    def _report(
        self,
        kind: Literal["succeeded", "held", "failed", "expired"],
        page: Page,
        made: Capture | None = None,
    ) -> None:
        paid = made or Capture(page.payment, page.order, page.amount_minor, page.currency, 0)
        self._send(self._event(kind, paid), may_be_lost=kind in ("succeeded", "held"))

    def _event(
        self,
        kind: Literal["succeeded", "held", "failed", "expired", "refunded", "disputed"],
        made: Capture,
    ) -> PaymentEvent:
        return PaymentEvent("", kind, made.order, made.amount_minor, made.currency, made.payment)

    def _send(self, event: PaymentEvent, *, may_be_lost: bool) -> None:
        faults = self._faults
        if may_be_lost and faults.chance(faults.plan.forgotten):
            return  # never reported: only the provider's books know of it
        again = faults.chance(faults.plan.repeat)
        for number in range(1 + (again and faults.chance(0.3))):  # one change in two events
            body = msgspec.json.encode(replace(event, id=f"evt_{self._ids.hex32()}"))
            for _ in range(1 + again):
                name = f"webhook {event.kind} {number} {event.order[-6:]}"
                delay_ms = faults.rng.randint(0, faults.plan.delay_ms)
                faults.scheduler.spawn(name, self._delivery(body, event), after_ms=delay_ms)

    def _delivery(self, body: bytes, event: PaymentEvent) -> Callable[[], None]:
        def deliver() -> None:
            scheduler = self._faults.scheduler
            for attempt in range(ATTEMPTS_MAX):
                while (wait_ms := self._faults.webhooks_back_in_ms()) > 0:
                    scheduler.sleep(wait_ms + self._faults.rng.randint(0, RETRY_MS_MAX))
                if self._taken(body, event):
                    return
                scheduler.sleep(min(500 << min(attempt, 10), RETRY_MS_MAX))
            scheduler.fail(f"the webhook of {event.order} was refused {ATTEMPTS_MAX} times")

        return deliver

    def _taken(self, body: bytes, payment: PaymentEvent) -> bool:
        scheduler, history = self._faults.scheduler, self._history
        signature = webhook_signature.sign(
            body, secret=self._secret, now_s=scheduler.now_ms // 1000
        )
        headers = {webhook_signature.HEADER: signature}
        event = http_event("POST", "/api/payments/webhook", headers, body)
        settling = history.begin("settle", "", scheduler.now_ms, order=payment.order)
        answer = self._fleet.invoke("orders", event)
        ok = answer is not None and answer["statusCode"] in SETTLED
        said = json.loads(answer["body"])["outcome"] if ok and answer is not None else ""
        scheduler.note(f"{payment.kind} settled as {said or answer}")
        outcome = "unknown" if not ok else "ok" if said == "paid" else "refused"
        history.end(settling, outcome, scheduler.now_ms, said=said)  # type: ignore[arg-type]
        return ok
