"""Open the payment page when the order's turn has come; until then its seats are kept.

order   made with its turn ──► page          its time to pay begins with the turn
           ▲        │ the provider is busy, or hangs
           └────────┘ a later turn; the order, its session and seats are extended, DELAY_MAX_S
                      in all
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.orders.order import DELAY_MAX_S
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import PaymentWaitsError, ProviderAwayError, ProviderBusyError
from fairgate.ports.table import Action, Update
from fairgate.service.checkout.begin_checkout import move_bucket
from fairgate.service.checkout.open_payment import ended, is_opened, open_payment
from fairgate.service.shared.change import Write
from fairgate.service.shared.conditions import (
    SEAT_STILL_HELD,
    SESSION_IN_CHECKOUT,
    USER_IS_IN_SESSION,
)
from fairgate.service.shared.due import session_due
from fairgate.service.shared.keys import seat_key, user_status_key
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.session_view import read_session

if TYPE_CHECKING:
    from fairgate.service.checkout.begin_checkout import CheckoutBegun
    from fairgate.service.checkout.payment_turns import PaymentTurns
    from fairgate.service.checkout.settle_payment import PaymentSettler
    from fairgate.service.shared.records.orders import Order

LAST_TRY_MS = 5_000  # a turn comes at least so long before the order's end


class TurnAwaiter(Struct, frozen=True):
    """Opens payment pages in turn.

    Args:
        checkout_s: the event's time to pay.

    Cost: ``open_payment``'s. A delayed order also costs a write, or a query and a transaction of
    4 to 6 + n items where less than half of the time to pay would be left.
    """

    settler: PaymentSettler
    turns: PaymentTurns
    checkout_s: int

    def open(self, begun: CheckoutBegun, public_url: str) -> str:
        """Return the URL of the order's page, as ``open_payment`` does.

        An order that has ended takes no turn: others would wait for it.

        Raises PaymentWaitsError: its turn comes later. And what ``open_payment`` raises.
        """
        order, now_ms = begun.order, self.settler.clock.now_ms()
        if not is_opened(begun):
            if order.pay_from and epoch_ms(order.pay_from) > now_ms:
                raise self._waits(order, "busy")
            if order.pay_page and not order.pay_from:  # its turn led to that page
                _require_payable(order, now_ms)
                turn_ms = self.turns.take(0, order.expires_at)
                if turn_ms > now_ms:
                    raise self._waits(self._delayed(order, turn_ms), "busy")
        try:
            return open_payment(self.settler, begun, public_url)
        except ProviderBusyError as error:
            again_ms = now_ms + (error.retry_after_s or 1) * 1000
            turn_ms = self.turns.take(again_ms, order.expires_at)
            raise self._waits(self._delayed(order, turn_ms), "busy") from error
        except ProviderAwayError as error:
            turn_ms = self.turns.take(error.opens_at_ms, order.expires_at)
            raise self._waits(self._delayed(order, turn_ms), "away") from error

    def _waits(self, order: Order, reason: str) -> PaymentWaitsError:
        left_ms = epoch_ms(order.pay_from) - self.settler.clock.now_ms()
        wait_s = max(1, -(-left_ms // 1000))
        return PaymentWaitsError(
            f"{_WHY[reason]} Your seats are kept until {order.expires_at[11:19]} UTC; payment opens"
            f" in {wait_s} seconds.",
            reason=reason,
            retry_after_s=wait_s,
            held_until=order.expires_at,
        )

    def _delayed(self, order: Order, turn_ms: int) -> Order:
        """Give the order a later turn, and more time if half of its time to pay would be gone.

        Raises SessionExpiredError, WrongStateError: it no longer waits for a payment.
        """

        def decide(order: Order) -> Write[Order]:
            expires_ms, now_ms = epoch_ms(order.expires_at), self.settler.clock.now_ms()
            _require_payable(order, now_ms)
            last_ms = epoch_ms(order.created_at) + (DELAY_MAX_S + self.checkout_s) * 1000
            wanted_ms = min(turn_ms + self.checkout_s * 1000, last_ms)
            extended = expires_ms - turn_ms < self.checkout_s * 500 and wanted_ms > expires_ms
            ends_ms = wanted_ms if extended else expires_ms
            pay_from = rfc3339(min(turn_ms, ends_ms - LAST_TRY_MS))
            after, update = order_changed(order, pay_from=pay_from, expires_at=rfc3339(ends_ms))
            return Write(after, [update, *(self._kept(after) if extended else ())])

        return change_order(self.settler.table, self.settler.clock, order, decide)

    def _kept(self, order: Order) -> list[Action]:
        """Return the writes that keep the session and the seats of an order that ends later."""
        session = read_session(self.settler.table, order.session, order.user_id).session
        now_ms, until, event = self.settler.clock.now_ms(), order.settling_until, order.event_id
        bucket = live_bucket(until, session.id)
        return [
            Update(
                "reservations",
                *session.key,
                condition=SESSION_IN_CHECKOUT,
                values={"checkout": "checkout", "user": order.user_id},
                set={"expiresAt": until, "liveBucket": bucket},
            ),
            Update(
                "reservations",
                *user_status_key(order.user_id, event),
                condition=USER_IS_IN_SESSION,
                values={"session": session.id},
                set={"liveUntil": until},
            ),
            session_due(event, session.id, order.expires_at, now_ms, order.order_id),
            *move_bucket(event, session.live_bucket, bucket),
            *(
                Update(
                    "seats",
                    *seat_key(event, unit.seat),
                    condition=SEAT_STILL_HELD,
                    values={"locked": "locked", "session": session.id, "now": rfc3339(now_ms)},
                    set={"expiresAt": until, "updatedAt": rfc3339(now_ms)},
                    add={"version": 1},
                )
                for unit in order.units
                if unit.kind == "seat"
            ),
        ]


def _require_payable(order: Order, now_ms: int) -> None:
    """Raise SessionExpiredError or WrongStateError if it waits for no payment any more."""
    if order.state != "pending" or epoch_ms(order.expires_at) <= now_ms:
        raise ended(order)


_WHY = {
    "busy": "Many buyers are paying just now.",
    "away": "The payment provider does not answer at the moment.",
}
