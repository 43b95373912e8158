"""Send the refunds that are owed, and follow each until the money has arrived.

   order    refund_due, cancelled ──► refunded once the refund succeeded; back if it failed later
   refund   owed (in the transaction that decides it)
            ──► pending ──► succeeded ──► failed     as the provider says, asked again and again
            ──► refused                              for good: a manual task, like failed
            failed, refused ──► pending, succeeded   outside Fairgate, which ends that task

The refund of a second capture, or of a part of the first one, does not change a valid order. Parts
are numbered from 1; the refund of a whole order is part 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.shared.amount_text import money_text
from fairgate.domain.shared.ids import ORDER_ID, OrderId, session_of_order
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.table import Action, Update
from fairgate.request_ids import follow
from fairgate.service.ledger.ledger import moves_money, refund_entries
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.ledger.refund_steps import (
    ALREADY,
    IN_VAIN,
    Step,
    ended_kinds,
    is_asked_about,
    is_late,
    is_news,
    late_task,
    next_look_s,
    task_about,
    together,
)
from fairgate.service.refunds.refund_attempts import ask_for_refund
from fairgate.service.refunds.refunded_elsewhere import note_refunded_elsewhere, noted_elsewhere
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import REFUND_AS_READ
from fairgate.service.shared.due import REFUND_OVERDUE_S, refund_due
from fairgate.service.shared.keys import (
    order_key,
    own_order_key,
    refund_key,
    refund_prefix,
    task_id,
)
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.orders import Order, OwedRefund, RefundProgress, TaskKind
from fairgate.service.shared.tally import refund_moved

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments, Refund
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

# unsettled: this payment may still buy the order, so the provider has to send the event again
Heard = Literal["noted", "duplicate", "unknown-order", "unsettled"]


class Refunder(Struct, frozen=True):
    """Sends and follows refunds.

    Cost: three reads, one call to the provider, one TransactWriteItems of at most six items; after
    a failure, a query of the tasks, and an item for each that ends.
    """

    table: Table
    clock: Clock
    payments: Payments

    def send(self, session: str, order: str, payment: str, part: int = 0) -> bool:
        """Send the refund, and say whether this call did; False if none is owed any more.

        The provider makes one refund of a capture however often it is asked, so after a crash it
        is asked again. A refusal for good becomes a task, and nobody asks again.

        Raises:
            DependencyUnavailableError: it is still owed, and will be tried again.
        """
        owed = self._find(session, order, payment, part)
        if owed is None or not owed.waits:
            return False
        try:
            refund = ask_for_refund(self.table, self.payments, owed)
        except PaymentRefusedError as refused:
            return self._refused(owed, refused)
        return self._note(owed, Step(refund.state, refund.id, refund.reason))

    def sent(self, session: str, order: str, payment: str, part: int = 0) -> bool:
        """Note that the provider has made the refund; False if that was noted before."""
        owed = self._find(session, order, payment, part)
        return owed is not None and self._note(owed, Step("succeeded"))

    def look(self, session: str, order: str, payment: str, part: int = 0) -> bool:
        """Do what is due about a refund: send it, or ask about its progress.

        Returns True if this call changed something. Raises DependencyUnavailableError.
        """
        owed = self._find(session, order, payment, part)
        if owed is None:
            return False
        if owed.waits or owed.state in IN_VAIN:
            step = self.send if owed.waits else self.repeated
            return step(session, order, payment, part)
        if not owed.refund_id or not is_asked_about(owed, self.clock.now_ms()):
            return False
        try:
            refund = self.payments.find_refund(owed.refund_id)
        except PaymentRefusedError:
            why = "the provider does not know our refund"
            self._needs_a_person(owed, "refund-missing", why, thing=owed.thing)
            return False
        if self._note_ours(owed, refund):
            return True
        if is_late(owed, self.clock.now_ms()):
            kind, what, thing = late_task(owed)
            ManualTasks(self.table, self.clock).note(kind, what, thing=thing, **task_about(owed))
        if next_look := self._next_look(owed, owed.state, owed.sent_at):
            self.table.transact(next_look)
        return False

    def repeated(self, session: str, order: str, payment: str, part: int = 0) -> bool:
        """Note a refund outside Fairgate in place of ours, which failed; True if this call did.

        The provider is asked for its refunds, because its list of captures may be out of date.
        Raises DependencyUnavailableError.
        """
        owed = self._find(session, order, payment, part)
        if owed is None or owed.state not in IN_VAIN:
            return False
        step = self._together(owed, self._all(owed))
        return step is not None and self._note(owed, step)

    def heard(self, refund: Refund) -> Heard:
        """Apply what a webhook says about a refund of ours or of somebody else.

        Raises:
            DependencyUnavailableError: not noted yet; the provider will deliver it again.
        """
        if not ORDER_ID.fullmatch(refund.order):
            return "unknown-order"
        order_id = OrderId(refund.order)
        owed = self._find(session_of_order(order_id), order_id, refund.payment, refund.part)
        if owed is not None:
            return self._heard_of_owed(owed, refund)
        order = self.table.find(Order, own_order_key(order_id))
        if order is None:
            return "unknown-order"
        follow(order.correlation_id)
        if refund.state == "failed":
            return "noted"
        if order.payment_id != refund.payment:
            # The order was bought by another payment, so this refund does not concern it.
            return "unsettled" if order.state == "pending" else "noted"
        new = self._parts_repeated(order) or note_refunded_elsewhere(
            ManualTasks(self.table, self.clock), order, refund
        )
        return "noted" if new else "duplicate"

    def _heard_of_owed(self, owed: OwedRefund, refund: Refund) -> Heard:
        whole = refund.amount_minor >= owed.amount_minor or refund.part > 0
        if refund.id == owed.refund_id or (
            not owed.refund_id and whole and owed.state not in IN_VAIN
        ):
            return "noted" if self._note_ours(owed, refund) else "duplicate"
        return self._heard_of_another(owed, refund)

    def _note_ours(self, owed: OwedRefund, refund: Refund) -> bool:
        """Note the progress of our refund; if it failed, look for one outside Fairgate."""
        noted = self._note(owed, Step(refund.state, refund.id, refund.reason))
        about = (owed.pk, owed.order_id, owed.payment_id, owed.part)
        return (refund.state == "failed" and self.repeated(*about)) or noted

    def _heard_of_another(self, owed: OwedRefund, refund: Refund) -> Heard:
        """Judge by all refunds of a capture, because one was made outside Fairgate.

        The provider is asked for them: events come in any order, and the refund that failed may not
        be the one that gave the money back.
        """
        refunds = self._all(owed)
        step = self._together(owed, refunds)
        if step is not None:
            return "noted" if self._note(owed, step) else "duplicate"
        refund = next((one for one in refunds if one.id == refund.id), refund)
        if refund.state != "failed":
            return self._in_part(owed, refund)
        if owed.state in ("pending", "succeeded"):  # a part of what had gone back came back
            noted = self._note(owed, Step("failed", refund.id, refund.reason))
            return "noted" if noted else "duplicate"
        if owed.state == "owed" or (owed.state == "failed" and not owed.refund_id):
            return "noted"  # ours is still to be sent; or it is ours, and its id is not known yet
        why = f"a refund outside Fairgate came back ({refund.reason or 'no reason given'})"
        new = self._needs_a_person(owed, "refund-failed", why, thing=refund.id)
        return "noted" if new else "duplicate"

    def _in_part(self, owed: OwedRefund, refund: Refund) -> Heard:
        """Make a task of a partial refund outside Fairgate; our refund sends the rest."""
        what = f"Refunded in part outside Fairgate ({refund.amount_minor}) while all of it is owed."
        new = ManualTasks(self.table, self.clock).note(
            "refunded-in-part",
            f"{what} See that the rest goes back.",
            thing=refund.id,
            **task_about(owed),
        )
        return "noted" if new else "duplicate"

    def _all(self, owed: OwedRefund) -> Sequence[Refund]:
        """Ask for every refund of a capture. Raises DependencyUnavailableError."""
        try:
            return self.payments.find_refunds(payment=owed.payment_id, order=owed.order_id)
        except PaymentRefusedError:
            return ()  # it does not know the payment

    def _parts_repeated(self, order: Order) -> bool:
        """Note refunds outside Fairgate in place of all our failed parts."""
        if not order.partial_returns:
            return False
        known = self.table.query(OwedRefund, order.session, refund_prefix(order.order_id))
        in_vain = [one for one in known if one.part and one.state in IN_VAIN]
        ids = (order.session, order.order_id)
        return any([self.repeated(*ids, one.payment_id, one.part) for one in in_vain])  # noqa: C419 each

    def _together(self, owed: OwedRefund, refunds: Sequence[Refund]) -> Step | None:
        query = self.table.query(OwedRefund, owed.pk, refund_prefix(owed.order_id))
        return together(owed, [one for one in query if one.payment_id == owed.payment_id], refunds)

    def _find(self, session: str, order: str, payment: str, part: int = 0) -> OwedRefund | None:
        owed = self.table.find(OwedRefund, refund_key(session, order, payment, part))
        follow("" if owed is None else owed.correlation_id)
        return owed

    def _refused(self, owed: OwedRefund, refused: PaymentRefusedError) -> bool:
        if refused.reason == ALREADY:  # the money is with the buyer
            return self._note(owed, Step("succeeded", reason=refused.reason))
        unknown = False
        try:  # the webhook of a refund outside Fairgate may have come before ours was decided
            back = self._together(owed, self._all(owed))
        except DependencyUnavailableError:
            back, unknown = None, True  # it becomes a task anyway, and is asked about again
        if back is not None:
            return self._note(owed, back)
        step = Step("refused", reason=refused.reason, look_again=unknown)
        if refused.reason == "failed":  # named by its id as in its webhook, so there is one task
            why = refused.provider_code or refused.reason
            step = Step("failed", refused.refund_id, why, look_again=unknown)
        self._note(owed, step)
        return False

    def _needs_a_person(
        self, owed: OwedRefund, kind: TaskKind, why: str, *, thing: str = ""
    ) -> bool:
        """Write the task before the refund's state: a crash in between must not lose it."""
        return ManualTasks(self.table, self.clock).note(
            kind,
            f"Refund {money_text(owed.amount_minor, owed.currency)} of this payment another way:"
            f" {why}.",
            thing=thing,
            **task_about(owed),
        )

    def _note(self, owed: OwedRefund, step: Step) -> bool:
        """Write the progress of a refund; False if it was noted before.

        Raises DependencyUnavailableError: the order or the refund keeps changing.
        """

        def decide(owed: OwedRefund) -> Write[bool]:
            if not is_news(owed, step):
                return Write(done=False)
            if step.state == "refused":
                why = f"it is refused ({step.reason})"
                self._needs_a_person(owed, "refund-refused", why, thing=owed.thing)
            elif step.state == "failed":
                why = f"it came back ({step.reason or 'no reason given'})"
                thing = step.refund_id or owed.refund_id or owed.thing
                self._needs_a_person(owed, "refund-failed", why, thing=thing)
            return Write(done=True, actions=self._noted(owed, step))

        def read() -> OwedRefund:
            return self.table.find(OwedRefund, owed.key) or owed

        return change(self.table, self.clock, read, decide, seen=owed)

    def _noted(self, owed: OwedRefund, step: Step) -> list[Action]:
        now_ms = self.clock.now_ms()
        now = rfc3339(now_ms)
        made = step.state != "refused"
        again = owed.state == "failed"
        sent_at = now if again else owed.sent_at or now
        first = not owed.sent_at
        note = Update(
            "reservations",
            *owed.key,
            condition=REFUND_AS_READ,
            values={"state": owed.state},
            set={
                "state": step.state,
                "changedAt": now,
                **({"sentAt": sent_at} if made and (first or again) else {}),
                **({"refundId": step.refund_id} if step.refund_id else {}),
                **({"reason": step.reason} if step.reason else {}),
                **({"moves": owed.ledger_entries + 1} if moves_money(owed, step.state) else {}),
            },
        )
        actions: list[Action] = [note, *self._order_told(owed, step.state, now)]
        actions += refund_moved(owed, step.state)
        actions += refund_entries(owed, step, now)
        if step.state == "succeeded":
            actions += self._ended_tasks(owed, step)
        if step.beyond is not None:
            actions += self._went_beyond(owed, step.beyond)
        if step.look_again:
            about = (owed.order_id, owed.payment_id)
            actions.append(refund_due(*about, now_ms, part=owed.part, in_s=REFUND_OVERDUE_S))
        if step.refund_id:
            actions += self._next_look(owed, step.state, sent_at)
        return actions

    def _ended_tasks(self, owed: OwedRefund, step: Step) -> list[Action]:
        """Return the writes that end the tasks that this step settles.

        A task is written before the state that it tells of. A crash between the two leaves a
        refund that looks as if nothing had gone wrong.
        """
        how = f"All of it has gone back, by refund {step.refund_id or 'outside Fairgate'}."
        tasks = ManualTasks(self.table, self.clock)
        if kinds := ended_kinds(owed, step, self.clock.now_ms()):
            return tasks.settled_for(owed.payment_id, kinds, how)
        about = (owed.event_id, owed.order_id, owed.payment_id, owed.thing)
        return tasks.settled(task_id("refund-refused", *about), how)

    def _went_beyond(self, owed: OwedRefund, refund: Refund) -> list[Action]:
        """Return the task that says that more went back than we owe of a valid order."""
        order = self.table.find(Order, order_key(owed.pk, owed.order_id))
        tasks = ManualTasks(self.table, self.clock)
        return [] if order is None else noted_elsewhere(tasks, order, refund)

    def _next_look(self, owed: OwedRefund, state: RefundProgress, sent_at: str) -> list[Action]:
        """Return the entry in the list of due refunds for the next look."""
        now_ms = self.clock.now_ms()
        in_s = next_look_s(state, sent_at, now_ms)
        if in_s is None:
            return []
        about = (owed.order_id, owed.payment_id)
        return [refund_due(*about, now_ms, part=owed.part, in_s=in_s)]

    def _order_told(self, owed: OwedRefund, state: RefundProgress, now: str) -> list[Action]:
        """Return the write of the order: it is refunded while the money is back with the buyer.

        Plain reads see the items of a transaction one by one, so an order that does not change has
        to be as it was read.
        """
        if owed.part:
            return []  # the order stays valid, or its last refund changes it
        order = self.table.find(Order, order_key(owed.pk, owed.order_id))
        if order is None or state not in ("succeeded", "failed"):
            return []
        ours = order.payment_id == owed.payment_id
        changes = {"updated_at": now}
        if ours and state == "succeeded" and order.state in ("refund_due", "cancelled"):
            changes = {"state": "refunded", "refunded_at": now}
        elif ours and state == "failed" and order.state == "refunded":
            back = "cancelled" if order.cancelled_at else "refund_due"
            changes = {"state": back, "refunded_at": ""}
        return [order_changed(order, **changes)[1]]
