"""``fairgate books …`` of the whole account: movements, payouts, and whether they add up."""

from __future__ import annotations

import argparse

from msgspec import to_builtins
from msgspec.structs import asdict

from fairgate.service.books.check_movements import MovementChecker, MovementsChecked
from fairgate.service.books.import_movements import first_of
from fairgate.service.books.read_movements import read_movements, read_payouts
from fairgate.service.shared.records.movements import MovementRecord
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.movement_shape import Movements
from fairgate_ops.operate.cli.orders import since_ms_of
from fairgate_ops.operate.cli.record_stream import RecordStream, after
from fairgate_ops.operate.cli.report import LISTED_MAX, Listing, Report
from fairgate_ops.operate.target import Target


@at_target
def run_movements(options: argparse.Namespace, target: Target) -> RecordStream[MovementRecord]:
    """Said while it is read, also what is no event's: other businesses', adjustments, payouts."""
    movements, table = Movements(), target.world.table
    since_ms, until_ms = since_or_first(options, target), target.world.clock.now_ms()
    found = read_movements(table, since_ms, until_ms, after(options))
    return RecordStream.begun(options, movements.read(table, found), movements.shape)


@at_target
def run_payouts(_options: argparse.Namespace, target: Target) -> Report:
    """One line for each state that was heard of."""
    read = read_payouts(target.world.table)
    steps = [
        {
            "payout": one.payout_id,
            "step": one.step,
            "amount_minor": one.amount_minor,
            "currency": one.currency,
            "at": one.at,
            "arrives_at": one.arrives_at,
            "noticed_at": one.noticed_at,
            "parts": one.parts,
        }
        for one in read.records
    ]
    damaged = [f"{key.pk} {key.sk}" for key in read.damaged]
    data = {"payouts": steps, "damaged": damaged}
    if not steps and not damaged:
        return Report(data, ["No payout is entered; `fairgate books import` enters what there is."])
    rows = [
        (one.at, one.payout_id, one.step, money(one.amount_minor, one.currency), one.arrives_at)
        for one in read.records
    ]
    plain = [
        f"{at}  {payout}  {step:<10} {amount:>15}  arrives {arrives[:10]}"
        for at, payout, step, amount, arrives in rows
    ]
    listing = Listing(("Made", "Payout", "State", "Amount", "Arrives"), rows, plain)
    left_out = [f"Left out, as it is damaged: {where}" for where in damaged]
    return Report(data, [listing, *left_out], failed=bool(damaged))


def check_account(options: argparse.Namespace, target: Target) -> Report:
    """Add up all that was entered of the account's movements and payouts."""
    world = target.world
    since_ms = since_or_first(options, target)
    checked = MovementChecker(world.table, world.clock, world.payments).check(since_ms)
    sides = {
        "entered": checked.ours,
        "provider": checked.provider,
        "events": checked.events,
        "others": checked.others,
        "paid out": checked.paid_out,
    }
    data = {
        "since": checked.since,
        "until": checked.until,
        "waiting": checked.waiting,
        "payouts": checked.payouts,
        "unlisted": checked.unlisted,
        "agrees": checked.agrees,
        **{
            name.replace(" ", "_"): {
                currency: asdict(added) | {"net_minor": added.net_minor}
                for currency, added in sorted(side.items())
            }
            for name, side in sides.items()
        },
        "differences": to_builtins(checked.differences),
        "unreadable": checked.unreadable,
        "damaged": checked.damaged,
    }
    sums = [
        (
            name,
            f"{added.count:,}",
            money(added.amount_minor, currency),
            money(added.fee_minor, currency),
            money(added.net_minor, currency),
        )
        for name, side in sides.items()
        for currency, added in sorted(side.items())
    ]
    listing = Listing(
        ("", "Movements", "Amount", "Fees", "Left"),
        sums,
        [
            f"{name:<9} {count} movements of {amount}, fees {fee}, left {left}"
            for name, count, amount, fee, left in sums
        ],
    )
    return Report(data, [listing, *_lines(checked)], failed=not checked.agrees)


def since_or_first(options: argparse.Namespace, target: Target) -> int:
    """Read --since, or say when the first event was created."""
    since_ms = since_ms_of(options.since)
    if since_ms is not None:
        return since_ms
    return first_of(target.world.catalog.all().events, target.world.clock.now_ms())


def _lines(checked: MovementsChecked) -> list[str | Listing]:
    lines: list[str | Listing] = []
    if shown := checked.differences[:LISTED_MAX]:
        rows = [
            (
                one.what,
                one.thing,
                one.kind,
                str(one.ours_minor),
                str(one.provider_minor),
                one.currency,
                one.why,
            )
            for one in shown
        ]
        plain = [
            f"  {what:<13} {thing}  {kind}  ours {ours}, provider {theirs} {currency}: {why}"
            for what, thing, kind, ours, theirs, currency, why in rows
        ]
        columns = ("What", "Which", "Kind", "Ours", "Provider", "Currency", "Why")
        lines.append(Listing(columns, rows, plain))
    if more := len(checked.differences) - len(shown):
        lines.append(f"  … and {more} more; --json lists all.")
    if checked.waiting:
        lines.append(f"Left for later: {checked.waiting} movements since the last import.")
    if checked.unlisted:
        lines.append(f"Not added up: {checked.unlisted} payouts whose parts are not told.")
    lines += [f"Cannot be read at the provider: {name}" for name in checked.unreadable]
    lines += [f"Left out, as it is damaged: {where}" for where in checked.damaged]
    if checked.agrees:
        count = sum(added.count for added in checked.ours.values())
        lines.append(f"The {count:,} movements and {checked.payouts:,} payouts add up.")
    else:
        count = len(checked.differences)
        lines.append("1 difference." if count == 1 else f"{count} differences.")
    return lines
