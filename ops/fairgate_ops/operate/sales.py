"""Add up an event's sales and refunds by day, tier and rate of VAT, from its ledger.

A sale counts on the day of its capture, a refund on its own; one that came back is taken off that
day's refunds. Tickets go off on the day when they were cancelled, with or without a refund. Amounts
include VAT, as the order was bought with it; a refund takes the part that its credit note gives.
Payments that bought nothing, disputes and the provider's fees are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from fairgate.domain.orders.document_lines import (
    AmountLine,
    by_rate,
    credit_lines,
    shared_first,
)
from fairgate.domain.orders.give_back import refund_parts
from fairgate.domain.orders.vat import vat_share
from fairgate.errors import LimitExceededError
from fairgate.service.ledger.read_ledger import TOGETHER, read_ledger
from fairgate.service.shared.keys import own_order_key
from fairgate.service.shared.readable import Readable, find_many_readable
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import LedgerEntry, OrderLine

_COUNTED = ("capture", "refund", "refund-returned")
SalesKind = Literal["refund", "sale"]
_PART_OF = 4  # refund#payment#part#count; without a part: the rest of the order


class SalesKey(NamedTuple):
    """A row of the report: ``tier`` is its name, or that of a fee."""

    day: str
    kind: SalesKind
    tier: str
    vat_bp: int


class Sum(NamedTuple):
    """What was sold less what went back; amounts in minor units, VAT included."""

    tickets: int = 0
    amount_minor: int = 0
    vat_minor: int = 0

    @property
    def net_minor(self) -> int:
        return self.amount_minor - self.vat_minor

    def plus(self, other: Sum) -> Sum:
        return Sum(*(one + more for one, more in zip(self, other, strict=True)))

    def negated(self) -> Sum:
        return Sum(*(-one for one in self))


class Sales(NamedTuple):
    """The report; ``missing`` names what could not be read."""

    rows: Mapping[SalesKey, Sum]
    missing: list[str]

    def by(self, field: str) -> dict[str | int, Sum]:
        """Add up by one field of the key."""
        sums: dict[str | int, Sum] = {}
        for key, one in self.rows.items():
            name = getattr(key, field)
            sums[name] = sums.get(name, Sum()).plus(one)
        return dict(sorted(sums.items()))

    @property
    def total(self) -> Sum:
        return sum_of(self.rows.values())


def sum_of(sums: Iterable[Sum]) -> Sum:
    total = Sum()
    for one in sums:
        total = total.plus(one)
    return total


def _at_most(
    parts_max: int | None, parts: Iterator[Readable[LedgerEntry]]
) -> Iterator[Readable[LedgerEntry]]:
    for number, entries in enumerate(parts):
        if parts_max is not None and number >= parts_max:
            most = f"{parts_max * TOGETHER:,}"
            detail = f"Its ledger has more than {most} entries: `fairgate books sales` reads them."
            raise LimitExceededError(detail)
        yield entries


def read_sales(table: Table, event: str, zone: tzinfo, parts_max: int | None = None) -> Sales:
    """Read an event's sales; days are the zone's.

    Raises LimitExceededError: the ledger has more than ``parts_max`` parts.

    The ledger names the orders, so that each entry which is read has its order as it is then,
    also while the sale goes on.

    Cost: one read unit for each entry of the ledger and for its order, at least. Orders are held
    in memory, some kilobytes each.
    """
    sold: dict[str, _SoldOrder] = {}
    missing: dict[str, None] = {}  # each once, in the order of reading
    rows: dict[SalesKey, Sum] = {}

    def add(at: str, kind: SalesKind, line: OrderLine, moved: Sum) -> None:
        day = datetime.fromisoformat(at).astimezone(zone).date().isoformat()
        row = SalesKey(day, kind, line.label, line.vat_bp)
        rows[row] = rows.get(row, Sum()).plus(moved)

    for entries in _at_most(parts_max, read_ledger(table, event)):
        counted = [entry for entry in entries.records if entry.kind in _COUNTED]
        keys = {own_order_key(entry.order_id) for entry in counted}
        orders = find_many_readable(table, Order, list(keys)) if keys else Readable[Order]([])
        gone = keys - {order.key for order in orders.records}
        missing |= {f"{key.pk} {key.sk}": None for key in (*entries.damaged, *sorted(gone))}
        for order in orders.records:
            if order.paid_at:
                sold.setdefault(order.order_id, _SoldOrder(order)).order = order
        for entry in counted:
            one = sold.get(entry.order_id)
            if one is None or entry.payment_id != one.order.payment_id:
                continue
            kind: SalesKind = "sale" if entry.kind == "capture" else "refund"
            for n, moved in one.moved(entry):
                add(entry.at, kind, one.order.lines[n], moved)
    for one in sold.values():
        for at, n, count in one.tickets_back():
            add(at, "refund", one.order.lines[n], Sum(-count))
    return Sales(dict(sorted(rows.items())), list(missing))


class _SoldOrder:
    """What is left of a sold order's lines, while its refunds are followed in time."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self._lines = [
            AmountLine(
                line.label,
                line.quantity,
                line.quantity * line.price_minor,
                line.vat_bp,
                line.vat_minor,
            )
            for line in order.lines
        ]
        self._left = [line.amount_minor for line in self._lines]
        self._vat_left = [line.vat_minor for line in self._lines]
        self._credited: list[AmountLine] = []
        self._gone: dict[str, list[_Moved]] = {}

    def moved(self, entry: LedgerEntry) -> list[_Moved]:
        """Return what an entry of the ledger sold or took back."""
        if entry.kind == "capture":
            return [
                (
                    n,
                    Sum(
                        line.quantity if line.kind == "tickets" else 0,
                        one.amount_minor,
                        one.vat_minor,
                    ),
                )
                for n, (line, one) in enumerate(zip(self.order.lines, self._lines, strict=True))
            ]
        cause, _, _count = entry.entry_id.rpartition("#")
        if entry.kind == "refund-returned":  # it came back: what it took stands again
            return self._returned(self._gone.pop(cause, []))
        words = entry.entry_id.split("#")
        part = int(words[2]) if len(words) == _PART_OF else 0
        self._gone[cause] = list(self._refunded(-entry.amount_minor, part))
        return self._gone[cause]

    def tickets_back(self) -> Iterator[tuple[str, int, int]]:
        """Yield when tickets were cancelled, with money or without; of which line; how many."""
        line_of = {
            line.tier: n for n, line in enumerate(self.order.lines) if line.kind == "tickets"
        }
        for place in self.order.returned:
            yield place.at, line_of[place.tier], len(place.tickets)
        if self.order.state in ("cancelled", "refunded"):
            ended = self.order.cancelled_at or self.order.refunded_at
            for unit in self.order.units:
                yield ended, line_of[unit.tier], unit.places

    def _refunded(self, amount_minor: int, part: int) -> Iterator[_Moved]:
        paid = refund_parts(self.order.lines, self.order.returned, part)
        own = by_rate(self.order.lines, paid)
        for credit in credit_lines(self._lines, self._credited, amount_minor, "", own):
            self._credited.append(credit)
            rate = [n for n, line in enumerate(self._lines) if line.vat_bp == credit.vat_bp]
            left = {n: self._left[n] for n in rate}
            shares = shared_first({n: paid[n] for n in rate}, left, credit.amount_minor)
            vats = self._vats_back(shares, credit.vat_minor)
            for n, share in shares.items():
                self._left[n] -= share
                self._vat_left[n] -= vats[n]
                if share or vats[n]:
                    yield n, Sum(0, -share, -vats[n])

    def _vats_back(self, shares: Mapping[int, int], vat_minor: int) -> dict[int, int]:
        """Share a credit note's VAT out, so that a line which is wholly back keeps none."""
        left = {n: self._vat_left[n] for n in shares}
        own = {}
        for n, share in shares.items():
            line = self._lines[n]
            gone = line.amount_minor - self._left[n] + share
            stays = line.vat_minor - vat_share(line.vat_minor, gone, line.amount_minor)
            own[n] = max(0, left[n] - stays)
        return shared_first(own, left, vat_minor)

    def _returned(self, gone: Sequence[_Moved]) -> list[_Moved]:
        """Take a refund back that did not arrive."""
        for n, one in gone:
            self._left[n] -= one.amount_minor
            self._vat_left[n] -= one.vat_minor
            rate = self._lines[n].vat_bp
            self._credited.append(AmountLine("", 1, one.amount_minor, rate, one.vat_minor))
        return [(n, one.negated()) for n, one in gone]


_Moved = tuple[int, Sum]  # the number of the order's line
