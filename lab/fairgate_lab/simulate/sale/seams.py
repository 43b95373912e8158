"""Where the code meets the world: each call yields to others first, and may meet trouble.

The seams lie below the adapters: the real retries, codecs and translations of errors run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairgate.domain.orders import webhook_signature
from fairgate.errors import (
    DependencyUnavailableError,
    ProviderBusyError,
    ProviderSetupError,
)
from fairgate.ports.availability import CacheUnavailableError, Claim, Claimed, Position
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
from fairgate_lab.simulate.sale.books import part_name, refusal

if TYPE_CHECKING:
    from fairgate.ports.world import Clock, SecretStore
    from fairgate_lab.simulate.sale.faults import FaultInjector
    from fairgate_lab.simulate.sale.provider import Provider
    from fairgate_lab.simulate.sale.scheduler import Scheduler

# What a provider refuses for good although nothing in its books forbids it.
REFUSALS = {
    "open_checkout": ("invalid",),
    "close_checkout": ("unknown-payment", "invalid"),
    "refund": ("too-old", "unknown-payment", "invalid"),
}
REAL_TTL_MS = 3_600_000
BUSY_S = 20  # a good part of the time to pay, so that it is extended


class VirtualTimes:
    """Claims and readings by the simulation's clock: the server's runs on meanwhile."""

    def __init__(self, cache: Any, scheduler: Scheduler) -> None:
        self._cache, self._scheduler = cache, scheduler
        self._ends_ms: dict[tuple[str, str, tuple[str, str]], int] = {}

    def __getattr__(self, name: str) -> Any:
        if name in ("claimed", "unclaim"):
            self._end()
        return getattr(self._cache, name)

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        self._end()
        claimed: Claimed = self._cache.claim(event, choices, token, REAL_TTL_MS)
        if claimed.choice is not None:
            for unit in choices[claimed.choice].units:
                self._ends_ms[event, token, unit] = self._scheduler.now_ms + ttl_ms
        return claimed

    def position(self, event: str, section: str = "") -> Position:
        self._cache.position(event, section)
        return Position(self._scheduler.now_ms * 1_000, quiet_ms=0)

    def _end(self) -> None:
        over = [key for key, ms in self._ends_ms.items() if ms <= self._scheduler.now_ms]
        for event, token, unit in over:
            del self._ends_ms[event, token, unit]
            self._cache.unclaim(event, [unit], token)


class CacheSeam:
    """The availability cache of one process: real adapter and server, with trouble before them."""

    def __init__(self, cache: Any, faults: FaultInjector) -> None:
        self._cache, self._faults = cache, faults

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        call = getattr(self._cache, name)

        def through(*arguments: Any, **named: Any) -> Any:
            faults = self._faults
            faults.call(f"cache.{name}")
            lost = faults.chance(faults.plan.cache)
            if lost and faults.chance(0.5):
                raise CacheUnavailableError("lost before")
            answer = call(*arguments, **named)
            if lost:
                raise CacheUnavailableError("lost after")
            faults.called(name)
            return answer

        return through


def _sent(faults: FaultInjector, send: Callable[[], None], queue: str) -> None:
    """Send to a queue that may be away, before it took the message or after."""
    lost = faults.chance(faults.plan.queue)
    if not lost or faults.chance(0.5):
        send()
    if lost:
        raise DependencyUnavailableError(f"The {queue} queue is unavailable.")


class QueueSeam:
    """Implements ports.ExpiryQueue for one process."""

    def __init__(
        self, send: Callable[[Mapping[str, object], int], None], faults: FaultInjector
    ) -> None:
        self._send, self._faults = send, faults

    def remind(self, session: str, delay_s: int) -> None:
        self._remind(session, {"session": session}, delay_s)

    def _remind(self, session: str, message: Mapping[str, object], delay_s: int) -> None:
        faults = self._faults
        faults.call(f"reminds of {session[-4:]} in {delay_s} s")
        _sent(faults, lambda: self._send(message, delay_s), "expiry")
        faults.called("reminds")

    def remind_all(self, sessions: Sequence[str]) -> None:
        for session in sessions:
            self._remind(session, {"session": session, "handed": True}, 0)


class TicketsSeam:
    """Implements ports.TicketQueue for one process."""

    def __init__(self, send: Callable[[str], None], faults: FaultInjector) -> None:
        self._send, self._faults = send, faults

    def ask(self, order: str) -> None:
        self._faults.call(f"asks for tickets of {order[-6:]}")
        self._send(order)


class MailQueueSeam:
    """Implements ports.MailQueue for one process."""

    def __init__(self, send: Callable[[str], None], faults: FaultInjector) -> None:
        self._send, self._faults = send, faults

    def mail(self, order: str) -> None:
        self._faults.call(f"asks for the mail of {order[-8:]}")
        _sent(self._faults, lambda: self._send(order), "mail")


class PaymentsSeam:
    """Implements ports.Payments of one process: the provider, with trouble before and after."""

    def __init__(
        self, secrets: SecretStore, clock: Clock, provider: Provider, faults: FaultInjector
    ) -> None:
        self._secrets, self._clock, self._faults = secrets, clock, faults
        self._provider, self._books = provider, provider.books

    def open_checkout(self, request: CheckoutRequest) -> str:
        if not request.return_url:
            raise ValueError("a buyer has to come back")
        with self._reaching("open_checkout", request.order):
            if self._faults.chance(self._faults.plan.busy):
                raise ProviderBusyError("busy", retry_after_s=BUSY_S)
            return self._provider.open(
                request.order,
                request.amount_minor,
                request.currency,
                request.expires_ms,
                held=request.held,
            )

    def card_of(self, payment: str) -> str:
        """One card for all buyers, so that it has soon bought enough."""
        with self._reaching("card_of"):
            self._books.paid_by(payment)
            return "card"

    def end_held(self, payment: str, *, take: bool) -> Capture | None:
        with self._reaching("end_held"):
            page = self._books.paid_by(payment)
            self._provider.end_held(page, take=take)
            return self._books.captured(page)

    def close_checkout(self, page: str) -> Capture | None:
        with self._reaching("close_checkout", page):
            known = self._books.page(page)
            self._provider.close(known)
            return self._books.captured(known)

    def find_capture(self, page: str) -> Capture | None:
        with self._reaching("find_capture"):
            return self._books.found(self._books.page(page))

    def refund(
        self, *, payment: str, order: str, amount_minor: int, part: int = 0, attempt: int = 0
    ) -> Refund:
        """As Stripe's adapter: ours is looked for first, and others may send before we do."""
        name = part_name(payment, part)
        known = self._books.ours.get(name)
        with self._reaching("refund", name):
            made = self._books.taken.get(payment)
            if made is None or made.order != order:
                raise refusal("unknown-payment")
            if known is None:
                refund = self._provider.refund(made, amount_minor, part, attempt)
            else:
                refund = self._books.refunds[known]
            if refund.state == "failed":
                raise refusal("failed", refund.reason, refund.id)
            return refund

    def find_refund(self, refund: str) -> Refund:
        with self._reaching("find_refund"):
            if refund not in self._books.refunds:
                raise refusal("unknown-payment")
            return self._books.refunds[refund]

    def find_refunds(self, *, payment: str, order: str) -> Sequence[Refund]:
        with self._reaching("find_refunds"):
            made = self._books.taken.get(payment)
            if made is None or made.order != order:
                raise refusal("unknown-payment")
            return [one for one in self._books.refunds.values() if one.payment == payment]

    def find_dispute(self, dispute: str) -> Dispute:
        with self._reaching("find_dispute"):
            if dispute not in self._books.disputed:
                raise refusal("unknown-payment")
            return self._books.disputed[dispute]

    def captures(self, since_ms: int) -> Iterator[Capture]:
        with self._reaching("captures"):
            listed = list(self._books.captures(since_ms))
        yield from listed

    def disputes(self, since_ms: int) -> Iterator[Dispute]:
        with self._reaching("disputes"):
            listed = [d for d in self._books.disputed.values() if d.at_ms >= since_ms]
        yield from listed

    def movements(self, since_ms: int, until_ms: int) -> Iterator[Movement]:
        """Nothing of a simulated sale asks: fees are no part of it (docs/adr/0035)."""
        raise NotImplementedError

    def payouts(self, since_ms: int) -> Iterator[Payout]:
        raise NotImplementedError

    def movements_of_payout(self, payout: str) -> Iterator[Movement]:
        raise NotImplementedError

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        webhook_signature.verify(
            headers[webhook_signature.HEADER],
            body,
            secret=self._secrets.payments().webhook,
            now_s=self._clock.now_ms() // 1000,
        )
        return decode_json(body, PaymentEvent)

    @contextmanager
    def _reaching(self, call: str, about: str = "") -> Iterator[None]:
        """Meet what a provider answers instead: away, not for us, or never again for this thing."""
        faults, refused = self._faults, self._books.refused
        faults.call(f"provider: {call}")
        lost = faults.chance(faults.plan.provider)
        if lost and faults.chance(0.5):
            raise DependencyUnavailableError("The provider does not answer.")
        if faults.chance(faults.plan.setup):
            raise ProviderSetupError("The provider does not take our key.")
        if about in refused or (about not in self._books.ours and self._refuses(call)):
            reason = refused.setdefault(about, faults.rng.choice(REFUSALS[call]))
            faults.scheduler.note(f"refused for good: {reason}")
            raise refusal(reason)
        yield
        if lost:
            raise DependencyUnavailableError("The provider's answer is lost.")
        faults.called("provider")

    def _refuses(self, call: str) -> bool:
        return call in REFUSALS and self._faults.chance(self._faults.plan.refused)
