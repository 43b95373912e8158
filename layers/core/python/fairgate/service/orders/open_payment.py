"""Open the provider's hosted page for a pending order, once an attempt, and close it in time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import ORDER_IS_PENDING
from fairgate.service.shared.session_view import read_session

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.service.orders.begin_checkout import CheckoutBegun


def open_payment(table: Table, payments: Payments, begun: CheckoutBegun, public_url: str) -> str:
    """Return the URL of the order's one open page.

    Under a key that was answered before it is the same page; else it is a new attempt's,
    which is the same page for as long as the provider keeps it open.

    Raises:
        DependencyUnavailableError: the provider is away. The seats stay held until their time
            is up, and the same call can be made again.

    Cost: one call to the provider and one write; neither under a key answered before.
    """
    order = begun.order
    before = order.pay_page
    if begun.again and before:
        return before
    page = payments.open_checkout(
        order=order.order_id,
        amount_minor=order.total_minor,
        currency=order.currency,
        expires_ms=epoch_ms(order.expires_at),
        return_url=f"{public_url}/#/order/{order.order_id}",
    )
    if page == before:
        return page
    if before:
        _close(payments, before)
    keep = Update(
        "reservations",
        *order.key,
        condition=ORDER_IS_PENDING,
        values={"pending": "pending"},
        set={"payPage": page},
    )
    try:
        table.update(keep)
    except TransactionRefusedError:
        return page  # paid or ended in between; a payment that buys nothing is given back
    return page


def close_payment(table: Table, payments: Payments, session: str) -> None:
    """Close the payment page of a session that has ended without paying.

    Never fails for the provider's sake: a payment that comes all the same is given back.
    """
    try:
        view = read_session(table, session)
    except NotFoundError:
        return
    for order in view.orders:
        if order.state in ("failed", "expired") and order.pay_page:
            _close(payments, order.pay_page)


def _close(payments: Payments, page: str) -> None:
    """Close a page as well as can be: a second payment, or one that buys nothing, is given back."""
    try:
        payments.close_checkout(page)
    except DependencyUnavailableError:
        return


@contextmanager
def seats_kept_until(expires_at: str) -> Iterator[None]:
    """Add to an outage that nothing was lost, and until when the seats stay held."""
    try:
        yield
    except DependencyUnavailableError as error:
        raise DependencyUnavailableError(
            f"{error.detail} Your seats stay yours until {expires_at[11:19]} UTC.",
            retry_after_s=error.retry_after_s,
            **{**error.fields, "held_until": expires_at},
        ) from error
