"""``fairgate books sales``: what an event sold and gave back, by day, tier and rate of VAT."""

from __future__ import annotations

import sys
from datetime import UTC
from typing import TYPE_CHECKING, Any, NamedTuple

from fairgate.domain.orders.vat import rate_text
from fairgate.domain.shared.labels import harmless
from fairgate.service.shared.start_text import known_zone
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.report import Listing, Report, count_text
from fairgate_ops.operate.sales import Sales, SalesKey, Sum, read_sales
from fairgate_ops.shared.spreadsheet import cells_of, csv_writer

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from fairgate_ops.operate.target import Target

COLUMNS = ("day", "kind", "tier", "vat_percent", "tickets", "amount", "net", "vat", "currency")
_BY = (("tier", "Tier"), ("day", "Day"), ("vat_bp", "VAT"), ("kind", "Kind"))


@at_target
def run_sales(options: argparse.Namespace, target: Target) -> SalesReport:
    """No buyer is named in it. Days are those of the event's zone."""
    event = target.world.catalog.event(options.event)
    zone = known_zone(event.time_zone) if event.time_zone else UTC
    sales = read_sales(target.world.table, options.event, zone or UTC, target.parts_max)
    return SalesReport(options, sales, event.currency, event.time_zone or "UTC")


class SalesReport(NamedTuple):
    """What is said of it, as lines, rows or a document."""

    options: argparse.Namespace
    sales: Sales
    currency: str
    zone: str

    @property
    def failed(self) -> bool:
        return bool(self.sales.missing)

    def say(self, *, as_json: bool) -> None:
        if self.options.csv and not as_json:
            rows = csv_writer(sys.stdout)
            rows.writerow(COLUMNS)
            rows.writerows(cells_of(one, COLUMNS) for one in self._documents())
            for where in self.sales.missing:
                print(harmless(f"Left out, as it is damaged: {where}"), file=sys.stderr)
            return
        self.document().say(as_json=as_json)

    def document(self) -> Report:
        data = {
            "event": self.options.event,
            "currency": self.currency,
            "time_zone": self.zone,
            "rows": self._documents(),
            "total": _amounts(self.sales.total),
            "damaged": self.sales.missing,
        }
        return Report(data, self._lines(), failed=self.failed)

    def _documents(self) -> list[dict[str, Any]]:
        return [self._document(key, one) for key, one in self.sales.rows.items()]

    def _document(self, key: SalesKey, one: Sum) -> dict[str, Any]:
        percent = f"{key.vat_bp / 100:g}"
        about = {**key._asdict(), "vat_percent": percent, "currency": self.currency}
        return about | _amounts(one)

    def _lines(self) -> list[str | Listing]:
        lines: list[str | Listing] = [
            self._listing(title, self.sales.by(field)) for field, title in _BY if self.sales.rows
        ]
        total = self.sales.total
        lines += [f"Left out, as it is damaged: {where}" for where in self.sales.missing]
        about = f"{self.options.event}: {count_text(total.tickets, 'ticket')}"
        return [*lines, f"{about}, {self._money(total)}, refunds taken off. Days of {self.zone}."]

    def _listing(self, title: str, sums: Mapping[str | int, Sum]) -> Listing:
        rows = [
            (
                rate_text(name) if isinstance(name, int) else name,
                count_text(one.tickets, "ticket"),
                *cells,
            )
            for name, one in sums.items()
            for cells in [
                [money(m, self.currency) for m in (one.amount_minor, one.net_minor, one.vat_minor)]
            ]
        ]
        plain = [
            f"{title} {name}: {tickets}, {amount}, net {net}, VAT {vat}"
            for name, tickets, amount, net, vat in rows
        ]
        return Listing((title, "Tickets", "Amount", "Net", "VAT"), rows, plain)

    def _money(self, one: Sum) -> str:
        amount, net, vat = (
            money(minor, self.currency)
            for minor in (one.amount_minor, one.net_minor, one.vat_minor)
        )
        return f"{amount}, net {net}, VAT {vat}"


def _amounts(one: Sum) -> dict[str, int]:
    return {**one._asdict(), "net_minor": one.net_minor}
