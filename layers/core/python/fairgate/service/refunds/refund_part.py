"""Refund a part of an order whose tickets stay valid, as staff decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.amount_text import money_text
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import LimitExceededError, WrongStateError
from fairgate.service.refunds.cancel_terms import CANCELLABLE
from fairgate.service.refunds.owe_refund import owed_refund
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.change import Write
from fairgate.service.shared.idempotency import IdempotentRequest, fingerprint
from fairgate.service.shared.keys import user_key
from fairgate.service.shared.order_update import change_order, order_changed, read_again
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock


class PartRefund(Struct, frozen=True):
    """The order with the decided refund, and the number of that part."""

    order: Order
    part: int
    again: bool  # the key was answered before


class PartRefunder(Struct, frozen=True):
    """Refunds parts. Cost: two reads, one TransactWriteItems of 4, a call to the provider.

    Attributes:
        payments: None where the provider is not in reach: the sweeper sends what is owed.
    """

    table: Table
    clock: Clock
    payments: Payments | None

    def refund(self, order: Order, amount_minor: int, *, key: str) -> PartRefund:
        """Decide and send the refund once under its key; the tickets stay valid.

        Args:
            amount_minor: at least 1, at most what was paid and has not gone back.

        Raises:
            WrongStateError: the order is not sold, or a bank is asking for its money.
            LimitExceededError: only ``left_minor`` is left.
            IdempotencyMismatchError: the key was used for another refund.
            DependencyUnavailableError: the provider is away; the refund is still owed.
        """
        return self.send(self.decide(order, amount_minor, key=key))

    def decide(self, order: Order, amount_minor: int, *, key: str) -> PartRefund:
        """Decide the refund once under its key; ``send`` or the sweeper sends it. Raises alike."""
        request = _request(order, amount_minor, key)

        def decide(order: Order) -> Write[PartRefund]:
            answer = request.before(self.table, self.clock.now_ms())
            if answer is not None:
                return Write(PartRefund(order, int(answer["part"]), again=True))
            require_left(order, amount_minor)
            return self._part(order, amount_minor, request)

        return change_order(self.table, self.clock, order, decide)

    def made_before(self, order: Order, amount_minor: int, *, key: str) -> bool:
        """Say whether ``refund`` was called with this key; change nothing. Raises alike."""
        request = _request(order, amount_minor, key)
        if request.before(self.table, self.clock.now_ms()) is not None:
            return True
        require_left(order, amount_minor)
        return False

    def _part(
        self, order: Order, amount_minor: int, request: IdempotentRequest
    ) -> Write[PartRefund]:
        now_ms, part = self.clock.now_ms(), order.partial_returns + 1
        after, update = order_changed(
            order,
            partial_returns=part,
            back_minor=order.back_minor + amount_minor,
            updated_at=rfc3339(now_ms),
        )
        owed = owed_refund(
            order,
            order.payment_id or "",
            amount_minor,
            now_ms,
            part=part,
            revenue_minor=amount_minor,
        )
        done = PartRefund(after, part, again=False)
        return Write(done, [update, *owed, request.record(now_ms, {"part": part})])

    def send(self, decided: PartRefund) -> PartRefund:
        """Send what is owed. Raises DependencyUnavailableError: the sweeper sends it later."""
        order = decided.order
        if self.payments is None:
            return decided
        refunder = Refunder(self.table, self.clock, self.payments)
        refunder.send(order.session, order.order_id, order.payment_id or "", decided.part)
        return replace(decided, order=read_again(self.table, order))


def _request(order: Order, amount_minor: int, key: str) -> IdempotentRequest:
    asked = {"order": order.order_id, "amount": amount_minor}
    return IdempotentRequest(user_key(order.user_id), "refund", key, fingerprint(asked))


def require_left(order: Order, amount_minor: int) -> None:
    """Raise WrongStateError or LimitExceededError if so much may not go back."""
    if order.state not in CANCELLABLE:
        detail = f"The order is {order.state}: only what is sold can be refunded in part."
        raise WrongStateError(detail, state=order.state)
    if not 1 <= amount_minor <= order.left_minor:
        asked, left = (
            money_text(minor, order.currency) for minor in (amount_minor, order.left_minor)
        )
        detail = f"{asked} cannot go back: {left} of this order are left."
        raise LimitExceededError(detail, left_minor=order.left_minor)
