"""``fairgate event cancel``: end an event for good and give all of its money back."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

from fairgate.errors import MalformedInputError
from fairgate.service.catalog.cancel_event import mark_cancelled
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.cancel_event.books import Row, Totals
from fairgate_ops.operate.cancel_event.give_all_back import AllGiver
from fairgate_ops.operate.cancel_event.job import CancelJob
from fairgate_ops.operate.cancel_event.pace import Pace
from fairgate_ops.operate.cancel_event.report import reckoned, report_to
from fairgate_ops.operate.cancel_event.walk import sold_by
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.gate_report import NOT_AT_EDGES, changed_gate
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.report import LISTED_MAX, Listing, Report
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.progress import notice, pause, progress
from fairgate_ops.shared.whole_file import check_writable


class Cancelled(NamedTuple):
    """What there is now; ``unwritten`` says why that is not in the report's file."""

    sale: Event
    after: Totals
    people: list[Row]
    unwritten: str = ""


@at_target
def run_cancel(options: argparse.Namespace, target: Target) -> Act[Cancelled]:
    """The totals first, which a dry run ends with. Then gate, mark, money and report."""
    world = target.world
    if not options.dry_run and options.report is None:
        raise MalformedInputError("Say where the report of every order goes: --report FILE.")
    if options.report is not None:
        check_writable(options.report)
    sale = world.catalog.event(options.event)
    giver = AllGiver(world.table, world.clock, world.payments)
    with report_to(None) as write:
        before, people = _reckoned(target, options, giver, write)

    def would() -> Report:
        data = _data(options, sale, before, before, people)
        return Report(data, [*_lines(sale, before), _people(people)])

    def report(done: Cancelled) -> Report:
        if done.after.settled:
            giver.ended(options.event)
        data = _data(options, done.sale, before, done.after, done.people)
        if done.unwritten:
            data |= {"report": None, "report_unwritten": done.unwritten}
        where = done.unwritten or f"Every order: {options.report}"
        failed = not done.after.settled or bool(done.people) or bool(done.unwritten)
        lines = [*_lines(done.sale, done.after), where, _people(done.people)]
        return Report(data, lines, failed=failed)

    return Act(
        name="event cancel",
        events=[options.event],
        detail={"rate": options.rate},
        ends=[f"Cancels {sale.id} for good.", *_lines(sale, before)],
        do=lambda: _cancelled(options, target, giver),
        would=would,
        report=report,
        not_done=lambda done: _not_done(done.after),
    )


def _file(options: argparse.Namespace) -> Path | None:
    return None if options.report is None else Path(options.report)


def _cancelled(options: argparse.Namespace, target: Target, giver: AllGiver) -> Cancelled:
    """Give everything back. Raises MalformedInputError: there is no such file, nothing was done."""
    done: Cancelled | None = None
    try:
        with report_to(_file(options)) as write:
            _close(options, target)
            sale = _given(options, target, giver)
            done = Cancelled(sale, *_reckoned(target, options, giver, write))
    except MalformedInputError as error:
        if done is None:
            raise
        why = f"{error.detail} The same command with another --report writes it."
        return done._replace(unwritten=why)
    return done


def _close(options: argparse.Namespace, target: Target) -> None:
    """Close the gate, if it is not."""
    change = changed_gate(
        options,
        target,
        "close",
        lambda gate: gate.close(options.event, starts_in_s=target.lead_s),
        {"as": "cancelled"},
    )
    if not change.spread:
        notice(NOT_AT_EDGES)


def _given(options: argparse.Namespace, target: Target, giver: AllGiver) -> Event:
    world = target.world
    sale = mark_cancelled(world.table, world.clock, options.event)
    giver.begun(sale.id)
    pace = Pace(options.rate, time.monotonic, pause, notice)
    with progress(f"Giving back {sale.id} (looked at)") as step:
        job = CancelJob(giver, world.clock, lambda: sold_by(target, sale.id), pace, step)
        try:
            job.run(sale)
        except KeyboardInterrupt:
            notice("Stopped. What is done stays done: the same command goes on from here.")
            raise
    return sale


def _reckoned(
    target: Target, options: argparse.Namespace, giver: AllGiver, write: Any
) -> tuple[Totals, list[Row]]:
    with progress(f"Adding up {options.event} (read)") as step:
        return reckoned(giver, sold_by(target, options.event), write, step)


def _not_done(after: Totals) -> dict[str, str]:
    if after.settled:
        return {}
    return {"refunds": "not everything has been sent: begin it again"}


def _lines(sale: Event, totals: Totals) -> list[str]:
    amounts = totals.as_json()  # which lacks a name that is misspelt, where a counter has 0

    def amount(name: str) -> str:
        return money(amounts[f"{name}_minor"], sale.currency)

    lines = [
        f"{totals.orders:,} paid orders, {totals.places:,} tickets, {amount('captured')} taken.",
        f"  {amount('back')} has gone back.",
    ]
    if totals.money["sold_minor"] or totals.money["to_send_minor"]:
        lines.append(
            f"  {amount('sold')} of orders that stand is to go back,"
            f" {amount('to_send')} is decided and to be sent."
        )
    if totals.money["in_vain_minor"] or totals.money["banked_minor"]:
        lines.append(
            f"  {amount('in_vain')} was refused or came back, {amount('banked')} is with a bank:"
            " no refund can be sent."
        )
    if totals.open_sessions:
        lines.append(f"  {totals.open_sessions:,} sessions are open, and are ended.")
    if totals.damaged:
        named = ", ".join(totals.damaged[:LISTED_MAX])
        lines.append(f"  {len(totals.damaged)} items cannot be read, look into them: {named}")
    if not sale.cancelled_at:
        return lines
    end = "All of it has been sent." if totals.settled else "Not all of it: run the same again."
    return [f"{sale.id} is cancelled since {sale.cancelled_at}.", *lines, end]


def _people(people: list[Row]) -> Listing | str:
    if not people:
        return "Nothing is left to a person."
    rows = [(row.order, row.what, row.for_a_person) for row in people]
    plain = [f"  {order}  {text}" for order, _, text in rows[:LISTED_MAX]]
    if more := len(rows) - LISTED_MAX if len(rows) > LISTED_MAX else 0:
        plain.append(f"  … and {more} more; the report and --json have all.")
    return Listing(
        ("Order", "What", "For a person"),
        rows[:LISTED_MAX],
        [f"{len(rows)} orders are left to a person (`fairgate orders tasks`):", *plain],
    )


def _data(
    options: argparse.Namespace, sale: Event, before: Totals, after: Totals, people: list[Row]
) -> dict[str, Any]:
    return {
        "event": options.event,
        "cancelled_at": sale.cancelled_at or None,
        "before": before.as_json(),
        "after": None if options.dry_run else after.as_json(),
        "settled": after.settled,
        "report": options.report,
        "for_a_person": [
            {"order": row.order, "what": row.what, "why": row.for_a_person} for row in people
        ],
    }
