"""What people and messages do in a sale, one call each, for stories of a few steps."""

from __future__ import annotations

from typing import Any

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.ports.payments import PaymentEvent
from fairgate.service.checkout.begin_checkout import CheckoutBeginner, CheckoutBegun
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.records.orders import Order
from tests.support.world import World

SEAT, SECOND_SEAT = "s-1-1", "s-1-2"


def hold(world: World, mine: Credential, *seats: str, places: int = 0, table: Any = None) -> str:
    """Hold these seats and so many places of the area; return the hold."""
    units = [Unit("seat", seat, "s", "t", seat) for seat in seats]
    units += [Unit("area", "floor", "", "t", "Floor", places)] if places else []
    holder = SeatHolder(table or world.table, world.clock, world.ids)
    return holder.hold(mine, units, shards={"floor": 1}).hold


def check_out(world: World, mine: Credential, key: str = "", table: Any = None) -> CheckoutBegun:
    """Begin to pay for what the session holds."""
    beginner = CheckoutBeginner(table or world.table, world.clock, world.ids, world.reminders)
    return beginner.begin(world.event, mine.session, mine.user, "a@b.org", idempotency_key=key)


def capture(order: Order, name: str = "1", payment: str = "") -> PaymentEvent:
    """Make the provider's message that the order's money was taken."""
    total, taken = order.total_minor, payment or f"pay{name}"
    return PaymentEvent(f"evt{name}", "succeeded", order.order_id, total, "EUR", taken)


def settle(world: World, event: PaymentEvent, table: Any = None) -> str:
    """Hear of a payment; return what came of it."""
    return PaymentSettler(table or world.table, world.clock, world.payments).settle(event)


def leave(world: World, mine: Credential, table: Any = None) -> bool:
    """End the session as its user does."""
    releaser = SeatReleaser(table or world.table, world.clock)
    return releaser.end_session(mine.session, "cancelled", mine.user)


def cancel(world: World, order: Order, table: Any = None) -> Order:
    """Cancel the order as its user does."""
    canceller = OrderCanceller(table or world.table, world.clock, world.payments)
    return canceller.cancel(world.event, order)


def stored(world: World, order: Order) -> Order:
    """Read the order as the table has it now."""
    found = world.table.find(Order, order.key)
    assert found is not None
    return found


def paid(world: World, mine: Credential) -> Order:
    """Pay for what the session holds; the order as it is then."""
    order = check_out(world, mine).order
    settle(world, capture(order))
    return stored(world, order)
