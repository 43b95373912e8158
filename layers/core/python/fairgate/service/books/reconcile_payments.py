"""Compare the provider's captures, refunds and disputes with the orders, each hour.

Every difference is repaired by the use-case that should have prevented it, or becomes a manual
task, once. No capture, dispute or event stops another one.

   provider says        order says                    then
   captured             pending, failed, expired      settled now: paid, or refunded
   captured             refund owed, not sent         refund sent
   refunded             refund owed, not sent         noted as sent
   captured             refund sent, not back yet     asked about; a task if it is unknown there
   refunded             paid or ticketed              a task: valid tickets without money
   refunded             our refund refused or failed  noted: refunded outside Fairgate
   refunded in part     anything                      a task for each refund
   captured             unknown                       a task: money for no known order
   cannot be read       anything                      a task; the others are compared
   captured             paid for over ten minutes     the ticketer is asked; later also a task
   captured             ticketed, and never mailed    the ticketer is asked
   disputed             paid or ticketed              tickets are void until it is decided
   nothing              paid or ticketed              a task: tickets without money
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.deadline import left_s, out_of_time, require_left
from fairgate.domain.orders.order import DELAY_MAX_S
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import FairgateError
from fairgate.ports.payments import Capture, UnreadableEntry
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.request_ids import take_up
from fairgate.service.books.books import STOP_S, Difference, Reconciled
from fairgate.service.books.compare_captures import OVERLAP_MS, SETTLING_MS, CaptureComparer
from fairgate.service.books.compare_parts import went_in_parts
from fairgate.service.books.find_sold import SaleWindow, sold_orders
from fairgate.service.books.hear_disputes import hear_disputes
from fairgate.service.books.raise_differences import Raiser
from fairgate.service.books.read_books import (
    TOGETHER,
    asks_provider,
    read_books,
    read_cursor,
)
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.disputes import DisputeKeeper
from fairgate.service.shared.conditions import RECONCILED_NOT_FURTHER
from fairgate.service.shared.failures import failure_of
from fairgate.service.shared.keys import reconciled_key
from fairgate.service.shared.records.cursors import ReconcileCursor
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.outside import TicketQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.checkout.settle_payment import PaymentSettler
    from fairgate.service.refunds.refunds import Refunder

FIRST_LOOK_MS = 86_400_000
HELD_BACK_MS = 6 * 3_600_000  # how long the cursor waits for a capture that may be repaired later
DISPUTES_BACK_MS = 120 * 86_400_000  # how long a bank may take to decide
_CHECKOUT_MS_MAX = 7_320_000 + DELAY_MAX_S * 1000  # the longest payment window of any event


class Reconciler(Struct, frozen=True):
    """Compares books and orders.

    Cost: the provider's lists; two batches for a hundred captures, and two reads for each
    difference or dispute; four queries a minute and event of the window. A run ends in time.

    Attributes:
        tickets: takes orders whose tickets or mail are late; None: they become tasks at once.
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

        A repair that fails is in ``failed``, and the next run starts there again, for six hours at
        most. Then it becomes a manual task; a lasting failure becomes one at once.

        Args:
            resting: the events that cannot have sold anything in the window.
            windows: when each event opened, and how long its checkouts take.
        """
        now_ms = self.clock.now_ms()
        cursor_ms, damage = read_cursor(self.table) if since_ms is None else (None, None)
        if since_ms is not None:
            start_ms = since_ms
        elif cursor_ms is None or cursor_ms > now_ms:  # a clock ran ahead: cursors never move back
            start_ms = now_ms - FIRST_LOOK_MS
        else:
            start_ms = cursor_ms - OVERLAP_MS
        until_ms = now_ms - SETTLING_MS
        compared = Reconciled(rfc3339(start_ms), rfc3339(max(start_ms, until_ms)))
        compared.failures += [damage] if damage is not None else []
        comparer = self._comparer(dry_run=dry_run)
        known = self._captures(comparer, compared, start_ms, until_ms)
        if not dry_run:
            keeper = DisputeKeeper(self.table, self.clock, self.settler.payments)
            hear_disputes(keeper, comparer.raiser, now_ms - DISPUTES_BACK_MS, compared)
        if compared.complete:
            for event in events:
                if event not in resting:
                    window = (windows or {}).get(event) or SaleWindow(event)
                    self._sold(comparer, compared, known, window)
        if compared.complete and not dry_run and since_ms is None:
            held = rfc3339(compared.held_ms) if compared.held_ms is not None else compared.until
            self._remember(min(held, compared.until), replace=damage is not None)
        return compared

    def _comparer(self, *, dry_run: bool) -> CaptureComparer:
        raiser = Raiser(ManualTasks(self.table, self.clock), self.settler.payments, dry_run)
        return CaptureComparer(
            self.table, self.clock, self.settler, self.refunder, raiser, self.tickets, dry_run
        )

    def _captures(
        self, comparer: CaptureComparer, compared: Reconciled, start_ms: int, until_ms: int
    ) -> set[str]:
        """Compare each capture, the oldest first; return the payments that the provider knows.

        If a run has no time left, the next one goes on from that capture.
        """
        listed = self._listed(comparer, compared, start_ms)
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
                difference = comparer.compare(capture)
            except Exception as error:  # noqa: BLE001 one capture does not stop the others
                difference = self._failed(comparer, compared, capture, error)
            if difference is not None:
                compared.differences.append(difference)
        take_up()
        return {entry.payment for entry in listed}

    def _listed(
        self, comparer: CaptureComparer, compared: Reconciled, start_ms: int
    ) -> list[Capture | UnreadableEntry]:
        """Read the provider's list in at most half of the time; the rest is for comparing."""
        listed: list[Capture | UnreadableEntry] = []
        stop_s = left_s() / 2 if left_s() < math.inf else 0.0
        try:
            for entry in self.settler.payments.captures(start_ms):
                listed.append(entry)
                if isinstance(entry, UnreadableEntry):
                    comparer.raiser.unreadable(compared, entry, thing="charge")
                require_left(stop_s)
        except Exception as error:  # noqa: BLE001 disputes have a list of their own
            compared.complete = False
            compared.failures.append(failure_of("the provider's list of captures", error))
        return listed

    def _agreed(self, captures: Sequence[Capture]) -> set[Capture]:
        """Read a hundred at once and return those that agree.

        Each of the others is read again before anything is done about it.
        """
        agreed: set[Capture] = set()
        comparer = self._comparer(dry_run=True)
        try:
            ours = read_books(self.table, captures)
            for capture in captures:
                order = ours.orders.get(capture.order)
                owed = ours.refunds.get((capture.order, capture.payment))
                if order is None or went_in_parts(capture, order) or asks_provider(capture, owed):
                    continue
                if comparer.judge(capture, order, owed) is None:
                    agreed.add(capture)
        except Exception:  # noqa: BLE001 after any error each capture is read alone
            return set()
        return agreed

    def _failed(
        self, comparer: CaptureComparer, compared: Reconciled, capture: Capture, error: Exception
    ) -> Difference:
        failure = failure_of(f"capture {capture.payment} of {capture.order}", error)
        compared.failures.append(failure)
        why = error.detail if isinstance(error, FairgateError) else failure.error
        what = f"could not be repaired: {why}"
        if failure.temporary and capture.at_ms > self.clock.now_ms() - HELD_BACK_MS:
            compared.hold(capture.at_ms)
        elif not comparer.dry_run:
            comparer.raiser.task("capture-failed", capture.order, capture.payment, f"It {what}.")
        return Difference("failed", capture.order, capture.payment, what)

    def _sold(
        self, comparer: CaptureComparer, compared: Reconciled, known: set[str], window: SaleWindow
    ) -> None:
        """Look for sold orders of the event without a capture."""
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
            _without_money(comparer, compared, known, orders)
        except Exception as error:  # noqa: BLE001 one event does not stop the others
            failure = failure_of(f"event {event}", error)
            compared.failures.append(failure)
            since_ms = epoch_ms(compared.since)
            if failure.temporary and since_ms > self.clock.now_ms() - OVERLAP_MS - HELD_BACK_MS:
                compared.hold(since_ms)
            elif not comparer.dry_run:
                text = (
                    f"Orders sold since {compared.since} could not be compared ({failure.error} at"
                    f" {failure.where}): run `fairgate orders reconcile --since {compared.since}`."
                )
                thing = f"sold, {compared.until[:10]}"  # one a day
                ManualTasks(self.table, self.clock).note(
                    "entry-failed", text, event=event, thing=thing
                )

    def _remember(self, until: str, *, replace: bool) -> None:
        if replace:  # a damaged cursor, on which no condition holds
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
            return  # an overlapping run got further


def _without_money(
    comparer: CaptureComparer, compared: Reconciled, known: set[str], orders: Iterable[Order]
) -> None:
    """Make a task of each order whose capture the provider does not list."""
    for order in orders:
        if order.payment_id not in known:
            take_up(order.correlation_id)
            text = f"the order is {order.state}, and the provider lists no capture"
            event, payment = order.event_id, order.payment_id or ""
            new = comparer.dry_run or comparer.raiser.task(
                "no-capture", order.order_id, payment, text, event
            )
            raised = Difference("raised", order.order_id, payment, text, new=new)
            compared.differences.append(raised)
