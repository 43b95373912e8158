"""On the way to a paid order: what the buyer gets, and what the payment provider."""

from __future__ import annotations

from msgspec import Struct

from fairgate.http.views.orders import OrderView
from fairgate.service.checkout.settle_payment import Settlement


class CheckoutView(Struct, frozen=True):
    order: OrderView
    pay_url: str
    expires_at: str
    credential: str


class SettledView(Struct, frozen=True):
    outcome: Settlement
