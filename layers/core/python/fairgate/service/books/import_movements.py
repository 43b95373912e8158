"""Enter the movements of the provider's balance: each once, with its fee in the ledger.

    movement          entered as the provider lists it, ours or another business's; the fee of an
                      order of ours goes to the ledger of its event, in the same transaction
    payout            each of its states, once
    payout part       the payout of a movement, when the provider lists it; after all, ``listed``

Entries never change, and none is made twice, so a run may end anywhere and start again. Days are
entered one by one, the oldest first, and a cursor keeps the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from fairgate.deadline import left_s
from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.payments import Movement, UnreadableEntry
from fairgate.ports.record import DamagedItemError, Key
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.books.books import STOP_S
from fairgate.service.ledger.ledger import fee_entry
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.conditions import IMPORTED_NOT_FURTHER
from fairgate.service.shared.failures import Failure, failure_of
from fairgate.service.shared.keys import own_order_key
from fairgate.service.shared.movement_keys import (
    PAYOUTS,
    imported_key,
    movement_key,
    payout_part_key,
    payout_step_key,
    payout_steps,
)
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.movements import (
    ImportCursor,
    MovementRecord,
    PayoutPart,
    PayoutStep,
)
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments, Payout
    from fairgate.ports.table import Action, Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

TOGETHER = 100  # movements that are read and entered at once: BatchGetItem's limit
TOGETHER_PARTS = 25  # parts of a payout that one transaction enters; it may hold a hundred
DAY_MS = 86_400_000
OVERLAP_MS = 3_600_000  # movements so far back are read again: lists come late
PAYOUTS_BACK_MS = 60 * DAY_MS  # how long a payout may change
LISTED = "listed"  # the step of a payout all of whose parts are entered


class Imported(Struct):
    """What one run entered; in a dry run, what it would enter."""

    since: str
    until: str
    new: int = 0
    known: int = 0
    of_others: int = 0  # new movements of no order of ours, payouts included
    payouts: int = 0  # states that were not known
    parts: int = 0
    failures: list[Failure] = field(default_factory=list)
    complete: bool = True  # both lists were read to their ends

    def count(self, other: Imported) -> None:
        """Add the counts of the next run, which started after an entry that cannot be read."""
        for name in ("new", "known", "of_others", "payouts", "parts"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.until, self.complete = other.until, other.complete
        again = {failure.what for failure in other.failures}
        final = [one for one in self.failures if not one.temporary and one.what not in again]
        self.failures = final + other.failures


class _OutOfTimeError(Exception):
    """Ends a run before the function's timeout; the next run goes on."""


def _in_time() -> None:
    if left_s() < STOP_S:
        raise _OutOfTimeError


def _at_once() -> None:
    """Wait for nothing."""


class MovementImporter(Struct, frozen=True):
    """Enters movements and payouts.

    Cost: the provider's lists; a batch for each hundred movements, and for those that are new
    another one and a transaction each; a query for each payout of the last sixty days.

    Attributes:
        wait: is called before each hundred, to keep to the provider's rate.
    """

    table: Table
    clock: Clock
    payments: Payments
    wait: Callable[[], None] = _at_once

    def run(self, first_ms: int, *, since_ms: int | None = None, dry_run: bool = False) -> Imported:
        """Enter everything since the last run, or since ``since_ms``.

        Args:
            first_ms: where the first run starts.
        """
        now_ms = self.clock.now_ms()
        cursor_ms, damage = read_imported(self.table)
        start_ms = since_ms
        if start_ms is None:
            start_ms = first_ms if cursor_ms is None else cursor_ms - OVERLAP_MS
        if cursor_ms is not None and cursor_ms > now_ms:  # a clock ran ahead
            start_ms = min(start_ms, now_ms - DAY_MS)
        imported = Imported(rfc3339(start_ms), rfc3339(start_ms))
        imported.failures += [damage] if damage is not None else []
        cursors = not dry_run and (cursor_ms is None or start_ms <= cursor_ms)
        try:
            for begin_ms, end_ms in _days(start_ms, now_ms):
                self._day(imported, begin_ms, end_ms, dry_run=dry_run)
                imported.until = rfc3339(end_ms)
                if cursors and (cursor_ms is None or end_ms > cursor_ms):
                    self._remember(imported.until, replace=damage is not None)
            self._payouts(imported, min(start_ms, now_ms - PAYOUTS_BACK_MS), dry_run=dry_run)
        except _OutOfTimeError:
            imported.complete = False
        except Exception as error:  # noqa: BLE001 what is entered stays, and the next run goes on
            imported.complete = False
            imported.failures.append(failure_of("the provider's list of movements", error))
        return imported

    def _day(self, imported: Imported, begin_ms: int, end_ms: int, *, dry_run: bool) -> None:
        for some in together(self.payments.movements(begin_ms, end_ms)):
            _in_time()
            self.wait()
            self._enter(imported, self._readable(imported, some, dry_run=dry_run), dry_run=dry_run)

    def _readable(
        self,
        imported: Imported,
        some: Sequence[Movement | UnreadableEntry],
        *,
        dry_run: bool,
    ) -> list[Movement]:
        """Make a manual task of an entry that cannot be read: no later run would read it."""
        for entry in some:
            if isinstance(entry, UnreadableEntry):
                self._left(imported, entry.id, "cannot be read in the provider's list", dry_run)
        return [entry for entry in some if isinstance(entry, Movement)]

    def _left(self, imported: Imported, movement: str, why: str, dry_run: bool) -> None:
        text = f"The movement {movement} {why}: it is not entered; compare it there by hand."
        imported.failures.append(Failure(f"movement {movement}", "UnreadableEntry", "", why))
        if not dry_run:
            ManualTasks(self.table, self.clock).note("entry-failed", text, thing=movement)

    def _enter(self, imported: Imported, listed: Sequence[Movement], *, dry_run: bool) -> None:
        moves = {_key(one): one for one in listed}  # a list may name one twice
        if not moves:
            return
        read = find_many_readable(self.table, MovementRecord, list(moves))
        for key in (*(record.key for record in read.records), *read.damaged):
            moves.pop(key)
            imported.known += 1
        events, damaged = self._events([one.order for one in moves.values()])
        for moved in moves.values():
            if moved.order in damaged:
                self._left(imported, moved.id, f"is of {moved.order}, which is damaged", dry_run)
                continue
            event = events.get(moved.order)
            if not dry_run and not self._entered(moved, event):
                imported.known += 1
                continue
            imported.new += 1
            imported.of_others += event is None

    def _entered(self, moved: Movement, order: Order | None) -> bool:
        """Write a movement, and its fee if it is ours; False if another run has written it."""
        now = rfc3339(self.clock.now_ms())
        record = MovementRecord(
            *_key(moved),
            movement_id=moved.id,
            kind=moved.kind,
            amount_minor=moved.amount_minor,
            fee_minor=moved.fee_minor,
            currency=moved.currency,
            at=rfc3339(moved.at_ms),
            entered_at=now,
            event_id="" if order is None else order.event_id,
            order_id=moved.order,
            payment_id=moved.payment,
            thing=moved.thing,
        )
        actions: list[Action] = [Put.of(record)]
        if order is not None:
            actions.append(fee_entry(order.event_id, order.order_id, moved, now))
        try:
            self.table.transact(actions)
        except TransactionRefusedError:
            return False
        return True

    def _events(self, orders: Sequence[str]) -> tuple[dict[str, Order], set[str]]:
        """Read our orders among these; return the damaged ones apart."""
        keys = sorted({own_order_key(OrderId(one)) for one in orders if ORDER_ID.fullmatch(one)})
        if not keys:
            return {}, set()
        read = find_many_readable(self.table, Order, keys)
        gone = set(read.damaged)
        damaged = {
            one for one in orders if ORDER_ID.fullmatch(one) and own_order_key(OrderId(one)) in gone
        }
        return {order.order_id: order for order in read.records}, damaged

    def _payouts(self, imported: Imported, since_ms: int, *, dry_run: bool) -> None:
        for payout in self.payments.payouts(since_ms):
            _in_time()
            if isinstance(payout, UnreadableEntry):
                self._left(imported, payout.id, "is a payout that cannot be read", dry_run)
                continue
            steps = self.table.query(PayoutStep, PAYOUTS, payout_steps(payout.id))
            known = {step.step for step in steps}
            if payout.state not in known:
                imported.payouts += dry_run or self._noticed(payout, payout.state)
            if payout.parts == "known" and LISTED not in known:
                self._list(imported, payout, dry_run=dry_run)

    def _list(self, imported: Imported, payout: Payout, *, dry_run: bool) -> None:
        """Enter the parts of a payout, then its ``listed`` step.

        Keeps the ids in memory, because a list may name one twice and the sum never changes.
        """
        net_minor: dict[str, int] = {}
        for some in together(self.payments.movements_of_payout(payout.id)):
            self.wait()
            read = self._readable(imported, some, dry_run=dry_run)
            if len(read) < len(some):
                return  # a part is missing, so the sum differs, and `books check` reports it
            keys = {payout_part_key(one.id): one.id for one in read if one.id not in net_minor}
            net_minor |= {one.id: one.net_minor for one in read}
            if not keys:
                continue
            known = find_many_readable(self.table, PayoutPart, list(keys))
            for key in (*(record.key for record in known.records), *known.damaged):
                keys.pop(key)
            imported.parts += len(keys)
            if not dry_run:
                self._put_parts(payout.id, list(keys.values()))
        if not dry_run:
            self._noticed(payout, LISTED, sum(net_minor.values()), len(net_minor))

    def _put_parts(self, payout: str, movements: Sequence[str]) -> None:
        for start in range(0, len(movements), TOGETHER_PARTS):
            some = movements[start : start + TOGETHER_PARTS]
            puts = [
                Put.of(PayoutPart(*payout_part_key(one), movement_id=one, payout_id=payout))
                for one in some
            ]
            try:
                self.table.transact(puts)
            except TransactionRefusedError:  # another run enters them at the same moment
                for put in puts:
                    self._put(put)

    def _noticed(
        self, payout: Payout, step: str, amount_minor: int | None = None, parts: int = 0
    ) -> bool:
        record = PayoutStep(
            *payout_step_key(payout.id, step),
            payout_id=payout.id,
            step=step,
            amount_minor=payout.amount_minor if amount_minor is None else amount_minor,
            currency=payout.currency,
            at=rfc3339(payout.at_ms),
            arrives_at=rfc3339(payout.arrives_ms),
            noticed_at=rfc3339(self.clock.now_ms()),
            parts=parts,
        )
        return self._put(Put.of(record))

    def _put(self, put: Put) -> bool:
        try:
            self.table.transact([put])
        except TransactionRefusedError:
            return False
        return True

    def _remember(self, until: str, *, replace: bool) -> None:
        if replace:  # a damaged cursor, on which no condition holds
            self.table.transact([Put.of(ImportCursor(*imported_key(), until=until), condition="")])
            return
        cursor = Update(
            "reservations",
            *imported_key(),
            condition=IMPORTED_NOT_FURTHER,
            values={"until": until},
            set={"until": until},
        )
        try:
            self.table.update(cursor)
        except TransactionRefusedError:
            return  # an overlapping run got further, or this day is read again


def read_imported(table: Table) -> tuple[int | None, Failure | None]:
    """Read until when all is entered, None if unknown, and the damage of the cursor."""
    try:
        cursor = table.find(ImportCursor, imported_key())
        return (None if cursor is None else epoch_ms(cursor.until)), None
    except (DamagedItemError, ValueError):
        return None, Failure("the cursor of what is entered", "DamagedItemError", "")


def together(
    listing: Iterator[Movement | UnreadableEntry],
) -> Iterator[list[Movement | UnreadableEntry]]:
    """Yield a hundred at a time; if the list fails, yield what came before and raise."""
    some: list[Movement | UnreadableEntry] = []
    broken: Exception | None = None
    while True:
        try:
            entry = next(listing, None)
        except Exception as error:  # noqa: BLE001 it is raised below
            entry, broken = None, error
        if entry is not None:
            some.append(entry)
        if some and (entry is None or len(some) == TOGETHER):
            yield some
            some = []
        if entry is None:
            break
    if broken is not None:
        raise broken


def _days(begin_ms: int, until_ms: int) -> Iterator[tuple[int, int]]:
    """Cut a time into its days, by UTC, the oldest first."""
    while begin_ms < until_ms:
        end_ms = min(until_ms, (begin_ms // DAY_MS + 1) * DAY_MS)
        yield begin_ms, end_ms
        begin_ms = end_ms


def _key(moved: Movement) -> Key:
    return movement_key(rfc3339(moved.at_ms), moved.id)


def first_of(events: Iterable[Event], now_ms: int) -> int:
    """Return when the first of these events was created: there the first import starts."""
    return min((epoch_ms(event.created_at) - OVERLAP_MS for event in events), default=now_ms)
