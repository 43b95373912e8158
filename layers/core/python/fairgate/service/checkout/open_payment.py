"""Open the provider's hosted page for a pending order, once an attempt.

Each page is noted in the order before its URL is given out, so that it can be closed and asked for
a payment when the order ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    PaymentRefusedError,
    SessionExpiredError,
    WrongStateError,
)
from fairgate.ports.payments import CheckoutRequest
from fairgate.service.shared.change import Write
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.service.checkout.begin_checkout import CheckoutBegun
    from fairgate.service.checkout.settle_payment import PaymentSettler

OPEN_PAGES_MAX = 4  # of one order; more only while the provider closes none


def is_opened(begun: CheckoutBegun) -> bool:
    """Say whether this request has opened its page: no attempt failed, and none waits, since."""
    order = begun.order
    return begun.again and bool(order.pay_page) and not (order.pay_from or order.last_attempt)


def open_payment(settler: PaymentSettler, begun: CheckoutBegun, public_url: str) -> str:
    """Return the URL of the order's newest page; the older ones are closed.

    A key that was answered before gets the same page again, until its attempt fails. A new attempt
    gets the same page for as long as the provider keeps it open, and clears a declined one.

    Raises:
        DependencyUnavailableError: the provider is away. The seats stay held until their time
            is up, and the same call can be made again.
        SessionExpiredError: the order has ended, or the time left is too short to pay.
        WrongStateError: it has been paid, perhaps on another page.
        PaymentRefusedError: the provider takes no payment for it.

    Cost: one call to the provider and one write; neither under a key answered before. One more
    call for each older page.
    """
    order = begun.order
    if is_opened(begun):
        return order.pay_page
    opened = ""  # the page of an attempt whose write was refused

    def decide(order: Order) -> Write[str]:
        nonlocal opened
        if order.state != "pending":
            _close(settler, order, opened)
            raise ended(order)
        page = opened = _opened(settler.payments, order, public_url)
        if page == order.pay_page and not (order.pay_from or order.last_attempt):
            return Write(page)
        older = [old for old in order.pages if old != page and not _close(settler, order, old)]
        if len(older) > OPEN_PAGES_MAX:
            raise _changed_elsewhere()
        opens = {"pay_page": page, "older_pages": older, "pay_from": "", "last_attempt": ""}
        _, update = order_changed(order, **opens)
        return Write(page, [update])

    return change_order(settler.table, settler.clock, order, decide)


def _opened(payments: Payments, order: Order, public_url: str) -> str:
    try:
        return payments.open_checkout(
            CheckoutRequest(
                order=order.order_id,
                amount_minor=order.total_minor,
                currency=order.currency,
                expires_ms=epoch_ms(order.expires_at),
                return_url=f"{public_url}/#/order/{order.order_id}",
                correlation_id=order.correlation_id,
                held=bool(order.card_limit),
                attempt=order.version if order.card_limit else 0,
            )
        )
    except PaymentRefusedError as refused:
        if refused.reason == "too-late":
            raise SessionExpiredError("The time left is too short to pay.") from refused
        raise


def _close(settler: PaymentSettler, order: Order, page: str) -> bool:
    """Close a page and settle what it took; False when it may still be open."""
    if not page:
        return True
    try:
        capture = settler.close(order, page)
    except (DependencyUnavailableError, PaymentRefusedError):
        return False  # asked again when the order ends
    if capture is not None:
        settler.settle_capture(capture)
    return True


def _changed_elsewhere() -> FairgateError:
    return DependencyUnavailableError(
        "Your order is being changed elsewhere. Please try again.", retry_after_s=2
    )


def ended(order: Order) -> FairgateError:
    """Return the error that says why an order no longer waits for a payment."""
    if order.state in ("pending", "failed", "expired"):
        return SessionExpiredError("The time to pay for this order is over.")
    return WrongStateError("This order has been paid, or given up, just now.", state=order.state)


@contextmanager
def seats_kept_until(expires_at: str) -> Iterator[None]:
    """Add to the error that nothing was lost, and until when the seats stay held."""
    try:
        yield
    except DependencyUnavailableError as error:
        raise DependencyUnavailableError(
            f"{error.detail} Your seats stay yours until {expires_at[11:19]} UTC.",
            retry_after_s=error.retry_after_s,
            **{**error.fields, "held_until": expires_at},
        ) from error
