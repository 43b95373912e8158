"""Follow disputes: while a bank takes the money of an order back, its tickets admit nobody.

   dispute   open ──► won | lost                       what is decided stays decided
   order     paid, ticketed ──► disputed ──► as it was (won) | charged_back (lost)

The seats stay with the order in every case: whether they are sold again, a person decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fairgate.domain.orders.order import OrderState
from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import DisputeState
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.orders.duties import Duties
from fairgate.service.orders.refunds import Heard
from fairgate.service.shared.conditions import DISPUTE_AS_READ, ORDER_AS_READ
from fairgate.service.shared.keys import dispute_key, dispute_prefix, own_order_key
from fairgate.service.shared.records.orders import DisputeRecord, Order

if TYPE_CHECKING:
    from fairgate.ports.payments import Dispute
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock


_Kind = Literal["disputed", "charged-back"]
_ATTEMPTS_MAX = 4


@dataclass(frozen=True)
class DisputeKeeper:
    """Keeps what is known of disputes. Cost: two reads; two or three writes for what is new."""

    table: Table
    clock: Clock

    def heard(self, dispute: Dispute) -> Heard:
        """Apply what the provider says about a dispute, by webhook or by its list.

        What is heard again changes nothing, except where the order had not followed yet.

        Raises:
            DependencyUnavailableError: not noted yet; the provider will deliver it again.
        """
        order = None
        if ORDER_ID.fullmatch(dispute.order):
            order = self.table.find(Order, own_order_key(OrderId(dispute.order)))
        if order is None:
            self._duty(dispute, None, "disputed", "Of no order that we know. Answer it.")
            return "unknown-order"
        for _ in range(_ATTEMPTS_MAX):
            actions = self._actions(order, dispute)
            if not actions and order.state == "pending":
                return "unsettled"
            if not actions:
                return "noted" if self._decided_otherwise(order, dispute) else "duplicate"
            self._noticed(order, dispute)
            try:
                self.table.transact(actions)
            except TransactionRefusedError:
                order = self.table.find(Order, order.key) or order
                continue
            return "unsettled" if order.state == "pending" else "noted"
        raise DependencyUnavailableError("The order is being changed; try again.", retry_after_s=2)

    def _actions(self, order: Order, dispute: Dispute) -> list[Action]:
        now = rfc3339(self.clock.now_ms())
        key = dispute_key(order.session, order.order_id, dispute.id)
        known = self.table.query(DisputeRecord, order.session, dispute_prefix(order.order_id))
        before = next((record for record in known if record.key == key), None)
        actions: list[Action] = []
        state = dispute.state
        if before is None:
            actions.append(Put.of(_record(order, dispute, now)))
        elif before.state == "open" != state:
            change = {"state": state, "changedAt": now}
            values = {"state": before.state}
            actions.append(
                Update("reservations", *key, condition=DISPUTE_AS_READ, values=values, set=change)
            )
        else:
            state = before.state
        others = [r.state for r in known if r.key != key and r.payment_id == dispute.payment]
        becomes = _state_of(order, dispute.payment, [state, *others])
        if becomes != order.state:
            actions.append(
                Update(
                    "reservations",
                    *order.key,
                    condition=ORDER_AS_READ,
                    values={"state": order.state},
                    set={"state": becomes, "updatedAt": now},
                )
            )
        return actions

    def _decided_otherwise(self, order: Order, dispute: Dispute) -> bool:
        """Leave to a person what is decided a second time, and otherwise; True when that is new.

        Which of the two is later, their order of arrival does not say.
        """
        key = dispute_key(order.session, order.order_id, dispute.id)
        known = self.table.find(DisputeRecord, key)
        if known is None or dispute.state in ("open", known.state):
            return False
        what = f"It was {known.state} and is now said to be {dispute.state}: look it up and decide."
        kind: _Kind = "charged-back" if dispute.state == "lost" else "disputed"
        return self._duty(dispute, order, kind, what, about=f"{dispute.id} {dispute.state}")

    def _noticed(self, order: Order, dispute: Dispute) -> None:
        """Write the duty before the dispute: a crash in between must not lose it."""
        if dispute.state == "open":
            what = "Answer it at the provider in time; until it is decided the tickets are void."
            if order.state in ("refund_due", "refunded", "cancelled"):
                what = "Answer it at the provider: this order is refunded, or about to be."
            self._duty(dispute, order, "disputed", what)
        elif dispute.state == "lost":
            what = "Lost: the tickets are void and the seats still taken. Decide about the seats."
            if order.state in ("refund_due", "refunded", "cancelled"):
                what = "Lost, and this order is refunded, or about to be: it may go back twice."
            self._duty(dispute, order, "charged-back", what)

    def _duty(
        self,
        dispute: Dispute,
        order: Order | None,
        kind: _Kind,
        what: str,
        *,
        about: str = "",
    ) -> bool:
        reason = f" ({dispute.reason})" if dispute.reason else ""
        amount = f"{dispute.amount_minor} {dispute.currency} (minor units)"
        return Duties(self.table, self.clock).note(
            kind,
            f"Dispute {dispute.id}{reason} over {amount}. {what}",
            event="" if order is None else order.event_id,
            order="" if order is None else order.order_id,
            payment=dispute.payment,
            thing=about or dispute.id,  # a payment may be disputed more than once
        )


def _record(order: Order, dispute: Dispute, now: str) -> DisputeRecord:
    return DisputeRecord(
        *dispute_key(order.session, order.order_id, dispute.id),
        order_id=order.order_id,
        payment_id=dispute.payment,
        dispute_id=dispute.id,
        amount_minor=dispute.amount_minor,
        currency=dispute.currency,
        state=dispute.state,
        opened_at=rfc3339(dispute.at_ms),
        reason=dispute.reason,
        changed_at=now,
    )


def _state_of(order: Order, payment: str, disputes: list[DisputeState]) -> OrderState:
    """Say what an order is with these disputes of a payment: the worst of them counts."""
    if order.payment_id != payment or order.state not in ("paid", "ticketed", "disputed"):
        return order.state  # it bought nothing, or is on its way back anyway
    if "lost" in disputes:
        return "charged_back"
    if "open" in disputes:
        return "disputed"
    if order.state != "disputed":
        return order.state
    return "ticketed" if order.tickets else "paid"
