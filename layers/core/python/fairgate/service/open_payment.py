"""The provider's hosted page for a pending order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.times import epoch_ms

if TYPE_CHECKING:
    from fairgate.ports import Payments
    from fairgate.service.begin_checkout import CheckoutBegun


def open_payment(payments: Payments, begun: CheckoutBegun, public_url: str) -> str:
    """URL of the page; idempotent per order, so a repeated checkout leads to the same page.

    Raises:
        DependencyUnavailableError: the provider is away. The seats stay held until their time
            is up, and the same call can be made again.
    """
    order = begun.order
    return payments.open_checkout(
        order=order["orderId"],
        amount_minor=order["totalMinor"],
        currency=order["currency"],
        expires_ms=epoch_ms(order["expiresAt"]),
        return_url=f"{public_url}/#/order/{order['orderId']}",
    )
