"""``fairgate books …``: an event's ledger, and whether all adds up to the provider's books."""

from __future__ import annotations

import argparse

from msgspec import to_builtins
from msgspec.structs import asdict

from fairgate.service.books.check_ledger import LedgerChecker
from fairgate.service.books.ledger_checked import LedgerChecked
from fairgate.service.ledger.read_ledger import read_ledger
from fairgate.service.shared.records.orders import LedgerEntry
from fairgate_ops.operate.cli import books_balance
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.ledger_shape import WithPayouts
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.record_stream import RecordStream, after
from fairgate_ops.operate.cli.report import LISTED_MAX, Listing, Report, count_text
from fairgate_ops.operate.target import Target


@at_target
def run_ledger(options: argparse.Namespace, target: Target) -> RecordStream[LedgerEntry]:
    """Said while it is read: no buyer's name or address is in it."""
    target.world.catalog.event(options.event)
    entries, table = WithPayouts(), target.world.table
    found = entries.read(table, read_ledger(table, options.event, after(options)))
    return RecordStream.begun(options, found, entries.shape)


@at_target
def run_check(options: argparse.Namespace, target: Target) -> Report:
    """Repairs nothing; not well while anything differs."""
    if options.event is None:
        return books_balance.check_account(options, target)
    world = target.world
    event = world.catalog.event(options.event)
    checked = LedgerChecker(world.table, world.clock, world.payments).check(event)
    data = {
        "event": options.event,
        "currency": event.currency,
        "entries": checked.entries,
        "ledger": asdict(checked.ledger) | {"net_minor": checked.ledger.net_minor},
        "provider": asdict(checked.provider) | {"net_minor": checked.provider.net_minor},
        "settling": checked.settling,
        "fees_waiting": checked.fees_waiting,
        "agrees": checked.agrees,
        "differences": to_builtins(checked.differences),
        "unreadable": checked.unreadable,
        "damaged": checked.damaged,
    }
    sides = [("ledger", checked.ledger), ("provider", checked.provider)]
    sums = [
        (name, *(money(minor, event.currency) for minor in amounts))
        for name, side in sides
        for amounts in [
            (
                side.captured_minor,
                side.refunded_minor,
                side.disputed_minor,
                side.fees_minor,
                side.net_minor,
            )
        ]
    ]
    listing = Listing(
        ("", "Captured", "Refunded", "Disputed", "Fees", "Left"),
        sums,
        [
            f"{name:<9} captured {took}, refunded {back}, disputed {held}, fees {fees}, left {net}"
            for name, took, back, held, fees, net in sums
        ],
    )
    return Report(data, [listing, *_lines(checked)], failed=not checked.agrees)


def _lines(checked: LedgerChecked) -> list[str | Listing]:
    shown = checked.differences[:LISTED_MAX]
    rows = [
        (one.what, one.order, one.payment, str(one.ledger_minor), str(one.provider_minor), one.why)
        for one in shown
    ]
    lines: list[str | Listing] = []
    if shown:
        columns = ("What", "Order", "Payment", "Ledger", "Provider", "Why")
        plain = [
            f"  {what:<11} {order}  {payment}  ledger {ours}, provider {theirs}: {why}"
            for what, order, payment, ours, theirs, why in rows
        ]
        lines.append(Listing(columns, rows, plain))
    if more := len(checked.differences) - len(shown):
        lines.append(f"  … and {more} more; --json lists all.")
    if checked.settling:
        lines.append(
            f"Left for later: {count_text(checked.settling, 'capture')} of the last five minutes:"
            " webhooks may still come."
        )
    if checked.fees_waiting:
        lines.append(
            f"Left for later: fees of {count_text(checked.fees_waiting, 'movement')} since the last"
            " `fairgate books import`."
        )
    lines += [
        f"Fees in {currency} beside: {money(minor, currency)}."
        for currency, minor in sorted(checked.ledger.other_fees.items())
    ]
    lines += [f"Cannot be read at the provider: {name}" for name in checked.unreadable]
    lines += [f"Left out, as it is damaged: {where}" for where in checked.damaged]
    if checked.agrees:
        lines.append(f"The {checked.entries:,} entries add up to the provider's books.")
    else:
        count = len(checked.differences)
        lines.append("1 difference." if count == 1 else f"{count} differences.")
    return lines
