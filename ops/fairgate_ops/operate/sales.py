"""Add up an event's sales and refunds by day, tier and rate of VAT, from its ledger.

A sale counts on the day of its capture, a refund on its own; one that came back is taken off that
day's refunds. Amounts include VAT, as the order was bought with it; a refund takes its share, as
its credit note does. Payments that bought nothing, disputes and the provider's fees are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from fairgate.domain.orders.document_lines import AmountLine, credit_lines, shared_out
from fairgate.service.ledger.read_ledger import read_ledger
from fairgate.service.shared.keys import own_order_key
from fairgate.service.shared.readable import Readable, find_many_readable
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import LedgerEntry, ReturnedPlace

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


def read_sales(table: Table, event: str, zone: tzinfo) -> Sales:
    """Read an event's sales; days are the zone's.

    The ledger names the orders, so that each entry which is read has its order as it is then,
    also while the sale goes on.

    Cost: one read unit for each entry of the ledger and for its order, at least. Orders are held
    in memory, some kilobytes each.
    """
    sold: dict[str, _SoldOrder] = {}
    missing: dict[str, None] = {}  # each once, in the order of reading
    rows: dict[SalesKey, Sum] = {}
    for entries in read_ledger(table, event):
        counted = [entry for entry in entries.records if entry.kind in _COUNTED]
        keys = {own_order_key(entry.order_id) for entry in counted}
        orders = find_many_readable(table, Order, list(keys)) if keys else Readable[Order]([])
        gone = keys - {order.key for order in orders.records}
        missing |= {f"{key.pk} {key.sk}": None for key in (*entries.damaged, *sorted(gone))}
        for order in orders.records:
            if order.paid_at:
                sold.setdefault(order.order_id, _SoldOrder(order)).returned = order.returned
        for entry in counted:
            one = sold.get(entry.order_id)
            if one is None or entry.payment_id != one.payment:
                continue
            kind: SalesKind = "sale" if entry.kind == "capture" else "refund"
            day = datetime.fromisoformat(entry.at).astimezone(zone).date().isoformat()
            for tier, rate, moved in one.moved(entry):
                row = SalesKey(day, kind, tier, rate)
                rows[row] = rows.get(row, Sum()).plus(moved)
    return Sales(dict(sorted(rows.items())), list(missing))


class _SoldOrder:
    """What is left of a sold order's lines, while its refunds are followed in time."""

    def __init__(self, order: Order) -> None:
        self.payment = order.payment_id
        self.returned: Sequence[ReturnedPlace] = ()
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
        self._tiers = {line.tier: line.label for line in order.lines if line.tier}
        self._tickets = {line.label: line.quantity for line in order.lines if line.tier}
        self._left: dict[tuple[int, str], int] = {}
        for one in self._lines:
            key = (one.vat_bp, one.label)
            self._left[key] = self._left.get(key, 0) + one.amount_minor
        self._credited: list[AmountLine] = []
        self._gone: dict[str, list[_Row]] = {}

    def moved(self, entry: LedgerEntry) -> list[_Row]:
        """Return what an entry of the ledger sold or took back."""
        if entry.kind == "capture":
            return [
                (one.label, one.vat_bp, Sum(self._tickets.get(one.label, 0), *_money(one)))
                for one in self._lines
            ]
        cause, _, _count = entry.entry_id.rpartition("#")
        if entry.kind == "refund-returned":  # it came back: what it took stands again
            return self._returned(self._gone.pop(cause, []))
        words = entry.entry_id.split("#")
        part = int(words[2]) if len(words) == _PART_OF else 0
        self._gone[cause] = list(self._refunded(-entry.amount_minor, part))
        return self._gone[cause]

    def _refunded(self, amount_minor: int, part: int) -> Iterator[_Row]:
        place = next((one for one in self.returned if part and one.part == part), None)
        tier = self._tiers[place.tier] if place else ""
        tickets = self._tickets_back(place, part)
        for credit in credit_lines(self._lines, self._credited, amount_minor, ""):
            self._credited.append(credit)
            left = {key[1]: minor for key, minor in self._left.items() if key[0] == credit.vat_bp}
            own = left.get(tier, -1) >= credit.amount_minor
            shares = {tier: credit.amount_minor} if own else shared_out(left, credit.amount_minor)
            vats = shared_out(shares, credit.vat_minor)
            for name, share in shares.items():
                self._left[credit.vat_bp, name] -= share
                if share:
                    yield name, credit.vat_bp, Sum(-tickets.pop(name, 0), -share, -vats[name])
        for name, count in tickets.items():
            yield name, next(one.vat_bp for one in self._lines if one.label == name), Sum(-count)

    def _returned(self, gone: Sequence[_Row]) -> list[_Row]:
        """Take a refund back that did not arrive."""
        for tier, rate, one in gone:
            self._left[rate, tier] -= one.amount_minor
            self._credited.append(AmountLine("", 1, one.amount_minor, rate, one.vat_minor))
        return [(tier, rate, one.negated()) for tier, rate, one in gone]

    def _tickets_back(self, place: ReturnedPlace | None, part: int) -> dict[str, int]:
        """Return the tickets that a refund takes back: a place's, or all that went with no part.

        Refunds are sent in any order: that of a place also after that of the rest.
        """
        if place:
            return {self._tiers[place.tier]: len(place.tickets)}
        if part:  # money alone
            return {}
        rest = dict(self._tickets)
        for one in self.returned:
            if one.part:
                rest[self._tiers[one.tier]] -= len(one.tickets)
        return {name: count for name, count in rest.items() if count}


_Row = tuple[str, int, Sum]


def _money(line: AmountLine) -> tuple[int, int]:
    return line.amount_minor, line.vat_minor
