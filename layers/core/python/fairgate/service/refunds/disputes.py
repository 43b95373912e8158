"""Follow disputes: while a bank takes the money of an order back, its tickets are void.

   dispute   open ──► won | lost;  won ──► open again, if the provider says so when asked
   order     paid, ticketed ──► disputed ──► as it was (won) | charged_back (lost)
   task      answer it, while it is open ──► ticked off (won) | decide about the seats (lost)

The seats stay with the order in every case. A person decides whether to sell them again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.orders.order import OrderState
from fairgate.domain.shared.amount_text import money_text
from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import PaymentRefusedError
from fairgate.ports.payments import DisputeState
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.request_ids import follow
from fairgate.service.ledger.ledger import dispute_entries
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.refunds import Heard
from fairgate.service.shared.change import Write
from fairgate.service.shared.conditions import DISPUTE_AS_READ
from fairgate.service.shared.keys import dispute_key, dispute_prefix, own_order_key, task_id
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.orders import DisputeRecord, Order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.payments import Dispute, Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock


_Kind = Literal["disputed", "charged-back"]


class DisputeKeeper(Struct, frozen=True):
    """Records disputes.

    Cost: two reads; for something new another read and two to four writes; a call to the provider
    if a decided dispute is said to be open.
    """

    table: Table
    clock: Clock
    payments: Payments

    def heard(self, dispute: Dispute) -> Heard:
        """Apply what the provider says about a dispute, by webhook or by its list.

        A repeated event changes nothing, unless the order was not changed with the dispute.

        Raises:
            DependencyUnavailableError: not noted yet; the provider will deliver it again.
        """
        order = None
        if ORDER_ID.fullmatch(dispute.order):
            order = self.table.find(Order, own_order_key(OrderId(dispute.order)))
        if order is None:
            self._of_no_order(dispute)
            return "unknown-order"
        follow(order.correlation_id)

        def decide(order: Order) -> Write[Heard]:
            known = self.table.query(DisputeRecord, order.session, dispute_prefix(order.order_id))
            before = next((one for one in known if one.dispute_id == dispute.id), None)
            actions = self._actions(order, dispute, before, known)
            if order.state == "pending":
                return Write("unsettled", actions)
            if actions:
                return Write("noted", actions)
            new = before is not None and self._decided_otherwise(order, before, dispute)
            return Write("noted" if new else "duplicate")

        return change_order(self.table, self.clock, order, decide)

    def _actions(
        self,
        order: Order,
        dispute: Dispute,
        before: DisputeRecord | None,
        known: Sequence[DisputeRecord],
    ) -> list[Action]:
        state = self._state(dispute, before)
        times = 0 if before is None else before.reopened
        others = [
            one
            for one in known
            if one.dispute_id != dispute.id and one.payment_id == dispute.payment
        ]
        states = [state, *(one.state for one in others)]
        becomes = _state_of(order, dispute.payment, states)
        if before is not None and before.state == state and becomes == order.state:
            return []
        if before is not None and before.state != state:
            times += before.state != "open"
        now = rfc3339(self.clock.now_ms())
        return [
            Put.of(_record(order, dispute, now))
            if before is None
            else _dispute_becomes(before, state, times, now),
            *(_dispute_becomes(one, one.state, one.reopened, now) for one in others),
            _order_becomes(order, becomes, now),
            *dispute_entries(order, dispute, before, state, times, now),
            *self._tasks(order, dispute, state, times),
        ]

    def _state(self, dispute: Dispute, before: DisputeRecord | None) -> DisputeState:
        """Return the state of a dispute; events may come in any order."""
        if before is None or before.state in ("open", dispute.state):
            return dispute.state
        if before.state == "won" and dispute.state == "open" and self._is_open(dispute):
            return "open"
        return before.state

    def _is_open(self, dispute: Dispute) -> bool:
        """Ask the provider, because an event that a decided dispute is open may be old."""
        try:
            return self.payments.find_dispute(dispute.id).state == "open"
        except PaymentRefusedError:
            return False  # unknown there, or an inquiry

    def _decided_otherwise(self, order: Order, before: DisputeRecord, dispute: Dispute) -> bool:
        """Make a task of a second, different decision; True if that is new.

        The order of arrival does not say which decision is the later one. A lost dispute that is
        open again stays lost here, and its tickets stay void.
        """
        if dispute.state == before.state:
            return False
        if dispute.state == "open" and not (before.state == "lost" and self._is_open(dispute)):
            return False
        what = f"It was {before.state} and is now said to be {dispute.state}: look it up, decide."
        kind: _Kind = "charged-back" if dispute.state == "lost" else "disputed"
        return ManualTasks(self.table, self.clock).note(
            kind,
            _text(dispute, what),
            event=order.event_id,
            order=order.order_id,
            payment=dispute.payment,
            thing=f"{dispute.id} {dispute.state}",
        )

    def _tasks(
        self, order: Order, dispute: Dispute, state: DisputeState, times: int
    ) -> list[Action]:
        """Return the writes that open a task for this state and end the former one."""
        tasks = ManualTasks(self.table, self.clock)
        # A payment may have several disputes, and a dispute may be opened again.
        thing = f"{dispute.id} again {times}" if times else dispute.id
        about = {"event": order.event_id, "order": order.order_id, "payment": dispute.payment}
        on_its_way = order.state in ("refund_due", "refunded", "cancelled")
        if state == "open":
            what = "Open again after it was won. " if times else ""
            what += "Answer it at the provider"
            what += (
                ": this order is refunded, or about to be."
                if on_its_way
                else " in time; until it is decided the tickets are void."
            )
            return tasks.noted("disputed", _text(dispute, what), **about, thing=thing)
        answered = task_id("disputed", *about.values(), thing)
        if state == "won":
            return tasks.settled(answered, "The dispute is won.")
        what = "Lost: the tickets are void and the seats still taken. Decide about the seats."
        if on_its_way:
            what = "Lost, and this order is refunded, or about to be: it may go back twice."
        return [
            *tasks.settled(answered, "The dispute is lost: see what is to be done about that."),
            *tasks.noted("charged-back", _text(dispute, what), **about, thing=thing),
        ]

    def _of_no_order(self, dispute: Dispute) -> None:
        tasks = ManualTasks(self.table, self.clock)
        if dispute.state != "won":
            what = _text(dispute, "Of no order that we know. Answer it.")
            tasks.note("disputed", what, payment=dispute.payment, thing=dispute.id)
            return
        name = task_id("disputed", "", "", dispute.payment, dispute.id)
        if actions := tasks.settled(name, "The dispute is won."):
            with suppress(TransactionRefusedError):  # somebody has just ticked it off
                self.table.transact(actions)


def _text(dispute: Dispute, what: str) -> str:
    reason = f" ({dispute.reason})" if dispute.reason else ""
    amount = money_text(dispute.amount_minor, dispute.currency)
    return f"Dispute {dispute.id}{reason} over {amount}. {what}"


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


def _dispute_becomes(before: DisputeRecord, state: DisputeState, times: int, now: str) -> Update:
    """Return the write of a dispute; if its state stays the same, it has to be as it was read.

    The order's state follows from all disputes of its payment, and plain reads see them one by one.
    """
    changed = {"changedAt": now, "reopened": times} if state != before.state else {}
    return Update(
        "reservations",
        *before.key,
        condition=DISPUTE_AS_READ,
        values={"state": before.state},
        set={"state": state, **changed},
    )


def _order_becomes(order: Order, state: OrderState, now: str) -> Update:
    """Return the write of the order; if its state stays the same, it has to be as it was read."""
    changed = {"updated_at": now} if state != order.state else {}
    return order_changed(order, state=state, **changed)[1]


def _state_of(order: Order, payment: str, disputes: list[DisputeState]) -> OrderState:
    """Return the order's state with these disputes of a payment: the worst one counts."""
    if order.payment_id != payment or order.state not in ("paid", "ticketed", "disputed"):
        return order.state  # the payment bought nothing, or is being refunded anyway
    if "lost" in disputes:
        return "charged_back"
    if "open" in disputes:
        return "disputed"
    if order.state != "disputed":
        return order.state
    return "ticketed" if order.tickets else "paid"
