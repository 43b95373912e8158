"""Compare the provider's captures, refunds and disputes with the orders, each hour.

Every difference is repaired by the same use-cases that should have prevented it, or becomes a
duty for a person, written once. No capture, dispute or event stops another one.

   provider says        order says                    then
   captured             pending, failed, expired      settled now: paid, or given back
   captured             refund owed, not sent         refund sent
   refunded             refund owed, not sent         noted as sent
   captured             refund sent, not back yet     asked about; a duty where it is not there
   refunded             paid or ticketed              a duty: valid tickets without money
   refunded             our refund refused or failed  noted: another hand gave it back
   refunded in part     anything                      a duty for each refund
   captured             unknown                       a duty: money for nothing we know
   cannot be read       anything                      a duty; the others are compared
   captured             paid for over ten minutes     the ticketer is asked; later a duty, too
   captured             ticketed, and never mailed    the ticketer is asked
   disputed             paid or ticketed              tickets void, until it is decided
   nothing              paid or ticketed              a duty: tickets without money
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.deadline import left_s, out_of_time, require_left
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import FairgateError
from fairgate.ports.payments import Capture, UnreadableEntry
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.request_ids import take_up
from fairgate.service.books.books import STOP_S, Difference, Kind, Reconciled
from fairgate.service.books.compare_parts import PartsComparer, went_in_parts
from fairgate.service.books.find_sold import SOLD, SaleWindow, sold_orders
from fairgate.service.books.hear_disputes import hear_disputes
from fairgate.service.books.raise_differences import Raiser
from fairgate.service.books.read_books import (
    TOGETHER,
    asks_provider,
    find_order,
    read_books,
    read_cursor,
)
from fairgate.service.checkout.settle_payment import event_of
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.disputes import DisputeKeeper
from fairgate.service.shared.conditions import RECONCILED_NOT_FURTHER
from fairgate.service.shared.failures import failure_of
from fairgate.service.shared.keys import reconciled_key, refund_key
from fairgate.service.shared.records.cursors import ReconcileCursor
from fairgate.service.shared.records.orders import Order, OwedRefund, TaskKind

if TYPE_CHECKING:
    from fairgate.ports.outside import TicketQueue
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.checkout.settle_payment import PaymentSettler
    from fairgate.service.refunds.refunds import Refunder

SETTLING_MS = 300_000  # what is younger may still be on its way by webhook
OVERLAP_MS = 3_600_000  # books are looked at again that far back: webhooks and lists come late
FIRST_LOOK_MS = 86_400_000
TICKETS_LATE_MS = 600_000
ASKED_IN_VAIN_MS = TICKETS_LATE_MS + OVERLAP_MS  # by then the ticketer was asked a run before
HELD_BACK_MS = 6 * 3_600_000  # so long the mark waits for a capture that may succeed later
DISPUTES_BACK_MS = 120 * 86_400_000  # so long a bank may take to decide
_CHECKOUT_MS_MAX = 7_320_000  # the longest payment window that an event may have
_VOID_BY_DISPUTE = ("disputed", "charged_back")


class Reconciler(Struct, frozen=True):
    """Compares books and orders.

    Cost: the provider's lists; two batches for a hundred captures, and two reads for each that does
    not agree or for a dispute; four queries a minute and event of the window. A run ends in time.

    Attributes:
        tickets: takes orders whose tickets or mail are late; None: they become duties at once.
    """

    table: Table
    clock: Clock
    settler: PaymentSettler
    refunder: Refunder
    tickets: TicketQueue | None = None

    def run(
        self,
        events: Sequence[str],
        *,
        since_ms: int | None = None,
        dry_run: bool = False,
        resting: Collection[str] = (),
        windows: Mapping[str, SaleWindow] | None = None,
    ) -> Reconciled:
        """Compare everything since the last run, or since ``since_ms``.

        What cannot be repaired now is ``failed``: the next run begins there again, for six hours
        at most; then, and at once where it would only fail again, it is a person's duty.

        Args:
            resting: those of the events in which nothing can have been sold in the window.
            windows: what is known of each event, when it opened and how long a checkout takes.
        """
        now_ms = self.clock.now_ms()
        cursor_ms, damage = read_cursor(self.table) if since_ms is None else (None, None)
        if since_ms is not None:
            start_ms = since_ms
        elif cursor_ms is None or cursor_ms > now_ms:  # a clock ran ahead: marks never move back
            start_ms = now_ms - FIRST_LOOK_MS
        else:
            start_ms = cursor_ms - OVERLAP_MS
        until_ms = now_ms - SETTLING_MS
        compared = Reconciled(rfc3339(start_ms), rfc3339(max(start_ms, until_ms)))
        compared.failures += [damage] if damage is not None else []
        known = self._captures(compared, start_ms, until_ms, dry_run=dry_run)
        if not dry_run:
            keeper = DisputeKeeper(self.table, self.clock, self._payments)
            hear_disputes(keeper, self._raiser, now_ms - DISPUTES_BACK_MS, compared)
        if compared.complete:
            for event in events:
                if event not in resting:
                    window = (windows or {}).get(event) or SaleWindow(event)
                    self._sold(compared, known, window, dry_run=dry_run)
        if compared.complete and not dry_run and since_ms is None:
            held = rfc3339(compared.held_ms) if compared.held_ms is not None else compared.until
            self._remember(min(held, compared.until), anew=damage is not None)
        return compared

    @property
    def _payments(self) -> Payments:
        return self.settler.payments

    def _captures(
        self, compared: Reconciled, start_ms: int, until_ms: int, *, dry_run: bool
    ) -> set[str]:
        """Compare each capture by itself, the oldest first; return those that the provider knows.

        A run that has no time left says from which capture on the next one is to go on.
        """
        listed = self._listed(compared, start_ms, dry_run=dry_run)
        readable = [entry for entry in listed if isinstance(entry, Capture)]
        due = sorted((c for c in readable if c.at_ms <= until_ms), key=lambda c: c.at_ms)
        compared.settling, agreed = len(readable) - len(due), set[Capture]()
        for number, capture in enumerate(due):
            if left_s() < STOP_S:
                what = f"captures from {rfc3339(capture.at_ms)} on ({len(due) - number})"
                compared.failures.append(failure_of(what, out_of_time()))
                compared.hold(capture.at_ms)
                break
            if number % TOGETHER == 0:
                agreed = self._agreed(due[number : number + TOGETHER])
            compared.captures += 1
            if capture in agreed:
                continue
            take_up()
            try:
                difference = self._compare(capture, dry_run=dry_run)
            except Exception as error:  # noqa: BLE001 one capture holds no other one up
                difference = self._failed(compared, capture, error, dry_run=dry_run)
            if difference is not None:
                compared.differences.append(difference)
        take_up()
        return {entry.payment for entry in listed}

    def _listed(
        self, compared: Reconciled, start_ms: int, *, dry_run: bool
    ) -> list[Capture | UnreadableEntry]:
        """Read the provider's list within half of the time: the rest is for what it holds."""
        listed: list[Capture | UnreadableEntry] = []
        stop_s = left_s() / 2 if left_s() < math.inf else 0.0
        try:
            for entry in self._payments.captures(start_ms):
                listed.append(entry)
                if isinstance(entry, UnreadableEntry):
                    self._raiser.unreadable(compared, entry, thing="charge", dry_run=dry_run)
                require_left(stop_s)
        except Exception as error:  # noqa: BLE001 disputes have a list of their own
            compared.complete = False
            compared.failures.append(failure_of("the provider's list of captures", error))
        return listed

    def _agreed(self, captures: Sequence[Capture]) -> set[Capture]:
        """Read a hundred at once and return those of which nothing is to be done.

        The others are read anew, each by itself, before anything is done about them.
        """
        agreed: set[Capture] = set()
        try:
            ours = read_books(self.table, captures)
            for capture in captures:
                order = ours.orders.get(capture.order)
                owed = ours.refunds.get((capture.order, capture.payment))
                if order is None or went_in_parts(capture, order) or asks_provider(capture, owed):
                    continue
                if self._judge(capture, order, owed, dry_run=True) is None:
                    agreed.add(capture)
        except Exception:  # noqa: BLE001 whatever it is, each capture is asked for by itself
            return set()
        return agreed

    def _failed(
        self, compared: Reconciled, capture: Capture, error: Exception, *, dry_run: bool
    ) -> Difference:
        failure = failure_of(f"capture {capture.payment} of {capture.order}", error)
        compared.failures.append(failure)
        why = error.detail if isinstance(error, FairgateError) else failure.error
        what = f"could not be repaired: {why}"
        if failure.temporary and capture.at_ms > self.clock.now_ms() - HELD_BACK_MS:
            compared.hold(capture.at_ms)
        elif not dry_run:
            self._raiser.task("capture-failed", capture.order, capture.payment, f"It {what}.")
        return Difference("failed", capture.order, capture.payment, what)

    def _sold(
        self, compared: Reconciled, known: set[str], window: SaleWindow, *, dry_run: bool
    ) -> None:
        """Look for orders of the event that were sold without money."""
        event = window.event
        try:
            orders = sold_orders(
                self.table,
                event,
                max(epoch_ms(compared.since), epoch_ms(window.opened_at or compared.since)),
                epoch_ms(compared.until),
                checkout_ms=window.checkout_ms or (0, _CHECKOUT_MS_MAX),
                failures=compared.failures,
            )
            self._without_money(compared, known, orders, dry_run=dry_run)
        except Exception as error:  # noqa: BLE001 one event holds no other one up
            failure = failure_of(f"event {event}", error)
            compared.failures.append(failure)
            since_ms = epoch_ms(compared.since)
            if failure.temporary and since_ms > self.clock.now_ms() - OVERLAP_MS - HELD_BACK_MS:
                compared.hold(since_ms)
            elif not dry_run:
                text = (
                    f"Orders sold since {compared.since} could not be compared ({failure.error} at"
                    f" {failure.where}): run `fairgate orders reconcile --since {compared.since}`."
                )
                thing = f"sold, {compared.until[:10]}"  # one a day
                ManualTasks(self.table, self.clock).note(
                    "entry-failed", text, event=event, thing=thing
                )

    def _compare(self, capture: Capture, *, dry_run: bool) -> Difference | None:
        order = find_order(self.table, capture.order)
        if order is None:
            text = "captured for an order that does not exist"
            return self._raiser.raised("unknown-capture", capture, text, dry_run=dry_run)
        if went_in_parts(capture, order):
            parts = PartsComparer(self.table, self.refunder, self._raiser)
            difference = parts.compare(capture, order, dry_run=dry_run)
            if difference is not None or order.state not in SOLD:
                return difference
            return self._compare_tickets(capture, order, dry_run=dry_run)
        key = refund_key(order.session, capture.order, capture.payment)
        return self._judge(capture, order, self.table.find(OwedRefund, key), dry_run=dry_run)

    def _judge(
        self, capture: Capture, order: Order, owed: OwedRefund | None, *, dry_run: bool
    ) -> Difference | None:
        if 0 < capture.refunded_minor < capture.amount_minor:
            text = f"refunded in part: {capture.refunded_minor}"
            return self._raiser.by_hand(
                "refunded-in-part", capture, text, order, owed, dry_run=dry_run
            )
        if owed is not None:
            return self._compare_refund(capture, order, owed, dry_run=dry_run)
        if order.payment_id == capture.payment:
            return self._compare_kept(capture, order, dry_run=dry_run)
        if capture.refunded_minor:
            return None  # bought nothing, and went back by another hand
        return self._settle(capture, dry_run=dry_run)

    def _compare_refund(
        self, capture: Capture, order: Order, owed: OwedRefund, *, dry_run: bool
    ) -> Difference | None:
        back = bool(capture.refunded_minor)
        ids = (order.session, capture.order, capture.payment)
        in_vain = owed.state in ("refused", "failed")
        if owed.waits or (back and in_vain):
            kind: Kind = "refund-noted" if back else "refund-sent"
            text = f"the order was {order.state}"
            repair = self.refunder.send
            if back:
                repair = self.refunder.repeated if in_vain else self.refunder.sent
            if dry_run or repair(*ids):
                return Difference(kind, capture.order, capture.payment, text)
            owed = self.table.find(OwedRefund, owed.key) or owed
        if owed.state == "pending" and not dry_run:
            self.refunder.look(*ids)
            return None  # the provider counts it once it has succeeded
        if owed.state in ("refused", "failed"):
            text = f"its refund {owed.state} ({owed.reason or 'no reason given'})"
            task: TaskKind = "refund-refused" if owed.state == "refused" else "refund-failed"
            thing = owed.refund_id if owed.state == "failed" else ""
            return self._raiser.raised(task, capture, text, order, thing, dry_run=dry_run)
        late = owed.sent_at <= rfc3339(self.clock.now_ms() - SETTLING_MS)
        if not owed.sent_at or back or not late:
            return None
        if not dry_run and self.refunder.look(*ids):
            return self._compare_again(capture, order, owed)
        text = "noted as refunded, and the provider has not"
        return self._raiser.raised("refund-missing", capture, text, order, dry_run=dry_run)

    def _compare_again(self, capture: Capture, order: Order, owed: OwedRefund) -> Difference | None:
        """Say what has just been heard about a refund that the books do not show."""
        current = self.table.find(OwedRefund, owed.key) or owed
        if current.state != "failed":
            return None
        text = f"its refund came back ({current.reason or 'no reason given'})"
        thing = current.refund_id
        return self._raiser.raised("refund-failed", capture, text, order, thing, dry_run=False)

    def _compare_kept(self, capture: Capture, order: Order, *, dry_run: bool) -> Difference | None:
        if order.state in _VOID_BY_DISPUTE and not (
            order.state == "disputed" and capture.refunded_minor
        ):
            return None
        if order.state not in (*SOLD, "disputed"):
            text = f"the order is {order.state}, and no refund is owed"
            return self._raiser.raised("no-refund-owed", capture, text, order, dry_run=dry_run)
        if capture.refunded_minor:
            text = "refunded by another hand, and its tickets are valid, or will be"
            return self._raiser.by_hand("refunded-elsewhere", capture, text, order, dry_run=dry_run)
        return self._compare_tickets(capture, order, dry_run=dry_run)

    def _compare_tickets(
        self, capture: Capture, order: Order, *, dry_run: bool
    ) -> Difference | None:
        now_ms = self.clock.now_ms()
        late = rfc3339(now_ms - TICKETS_LATE_MS)
        if order.state == "ticketed":
            if order.mailed_at or order.ticketed_at > late:
                return None
            return self._ask(capture, "its tickets have not been mailed", dry_run=dry_run)
        if order.paid_at > late:
            return None
        text = "paid, and its tickets have not been made"
        asked = self._ask(capture, text, dry_run=dry_run)
        if asked is None or order.paid_at <= rfc3339(now_ms - ASKED_IN_VAIN_MS):
            return self._raiser.raised("tickets-late", capture, text, order, dry_run=dry_run)
        return asked

    def _ask(self, capture: Capture, text: str, *, dry_run: bool) -> Difference | None:
        """Ask the ticketer by its queue: the stream that should have told it may be broken."""
        if self.tickets is None:
            return None
        if not dry_run:
            self.tickets.ask(capture.order)
        return Difference("tickets-asked", capture.order, capture.payment, text)

    def _settle(self, capture: Capture, *, dry_run: bool) -> Difference | None:
        """Do what the webhook would have done: it never came, or was never taken."""
        if dry_run:
            return Difference("settled", capture.order, capture.payment, "would be settled")
        outcome = self.settler.settle(event_of(capture, "reconciled"))
        if outcome == "duplicate":
            return None  # the webhook came in between
        return Difference("settled", capture.order, capture.payment, f"settled as {outcome}")

    def _without_money(
        self, compared: Reconciled, known: set[str], orders: Iterable[Order], *, dry_run: bool
    ) -> None:
        """Raise orders whose capture the provider does not list."""
        for order in orders:
            if order.payment_id not in known:
                take_up(order.correlation_id)
                text = f"the order is {order.state}, and the provider lists no capture"
                event, payment = order.event_id, order.payment_id or ""
                new = dry_run or self._raiser.task(
                    "no-capture", order.order_id, payment, text, event
                )
                raised = Difference("raised", order.order_id, payment, text, new=new)
                compared.differences.append(raised)

    @property
    def _raiser(self) -> Raiser:
        return Raiser(ManualTasks(self.table, self.clock), self.settler.payments)

    def _remember(self, until: str, *, anew: bool) -> None:
        if anew:  # over a damaged one, of which no condition would hold
            new_cursor = ReconcileCursor(*reconciled_key(), until=until)
            self.table.transact([Put.of(new_cursor, condition="")])
            return
        cursor = Update(
            "reservations",
            *reconciled_key(),
            condition=RECONCILED_NOT_FURTHER,
            values={"until": until},
            set={"until": until},
        )
        try:
            self.table.update(cursor)
        except TransactionRefusedError:
            return  # a run that overlapped got further
