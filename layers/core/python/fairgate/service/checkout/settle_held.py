"""Settle a payment whose money is only held: count its card, then take the money or free it.

Only orders of an event with a limit for one card have such payments.

order    pending ──► its card counted, if the limit allows     in one transaction; then the provider
                     takes the money, which settles as any other capture
         too many for this card, ended, another amount, refused ──► the provider frees the money

A crash between two steps loses nothing: the provider reports the payment again, and what was
counted and taken is counted and taken once. An order that ends frees what is still held.
"""

from __future__ import annotations

import base64
import hashlib
import logging
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.errors import LimitExceededError, PaymentRefusedError
from fairgate.service.shared.change import Write
from fairgate.service.shared.keys import own_order_key
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.shared_count import CARD, places_counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.payments import Capture, PaymentEvent, Payments
    from fairgate.ports.table import Refusal, Table
    from fairgate.ports.world import Clock

CARD_LIMIT = "card-limit"  # of ``last_attempt``
_BYTES = 16
_log = logging.getLogger(__name__)


def card_tag(event: str, fingerprint: str) -> str:
    """Return the name under which a card is counted in an event.

    The provider's fingerprint is a random name that leads to no card number, so the hash needs no
    key; with the event in it, two events cannot be compared.
    """
    digest = hashlib.sha256(f"fairgate card|{event}|{fingerprint}".encode()).digest()
    return CARD + base64.urlsafe_b64encode(digest[:_BYTES]).rstrip(b"=").decode()


class HeldPayments(Struct, frozen=True):
    """Ends held payments.

    Cost: a read, a TransactWriteItems of two items and two calls to the provider.
    """

    table: Table
    clock: Clock
    payments: Payments

    def end(self, payment: PaymentEvent) -> Capture | Literal["noted", "unknown-order"]:
        """Take the money if its card may buy the order, else free it; return what was taken.

        Raises DependencyUnavailableError: not ended yet; the provider will report it again.
        """
        named = bool(ORDER_ID.fullmatch(payment.order))
        order = self.table.find(Order, own_order_key(OrderId(payment.order))) if named else None
        if order is None:
            return "unknown-order"
        if not order.card_limit:
            return "noted"  # its pages hold nothing
        if self._counted(order, payment):
            try:
                return self.payments.end_held(payment.payment, take=True) or "noted"
            except PaymentRefusedError:
                _log.warning("held money cannot be taken, and is freed")
        return self.payments.end_held(payment.payment, take=False) or "noted"

    def _counted(self, order: Order, payment: PaymentEvent) -> bool:
        """Count the order's places for the card that pays; False if it may not buy them."""
        if not _awaits(order, payment):
            return False
        fingerprint = self.payments.card_of(payment.payment)
        if not fingerprint or order.places > order.card_limit:  # nothing may be counted yet
            return self._refused(order)
        tag = card_tag(order.event_id, fingerprint)

        def decide(order: Order) -> Write[bool]:
            if not _awaits(order, payment):
                return Write(done=False)
            if tag in order.counted_by:
                return Write(done=True)
            # Another card of the order stays counted: its money may be taken at this moment.
            after, update = order_changed(order, counted_by=[*order.counted_by, tag])
            counted = places_counted(after, tag, order.card_limit)
            return Write(done=True, actions=[update, counted], refused=_require_room)

        try:
            return change_order(self.table, self.clock, order, decide)
        except LimitExceededError:
            return self._refused(order)

    def _refused(self, order: Order) -> bool:
        """Note for the buyer that the card is refused."""

        def decide(order: Order) -> Write[bool]:
            if order.state != "pending" or order.last_attempt == CARD_LIMIT:
                return Write(done=False)
            _, update = order_changed(order, last_attempt=CARD_LIMIT)
            return Write(done=False, actions=[update])

        return change_order(self.table, self.clock, order, decide)


def _awaits(order: Order, payment: PaymentEvent) -> bool:
    price = (order.total_minor, order.currency)
    return order.state == "pending" and price == (payment.amount_minor, payment.currency)


def _require_room(reasons: Sequence[Refusal]) -> None:
    if reasons[1].failed:
        raise LimitExceededError("This card has bought as many places as it may.")
