"""``fairgate event cancel``: end an event for good and give all of its money back."""

from __future__ import annotations

import argparse
import functools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target, number
from fairgate_ops.operate.cli.confirm import add_yes, confirm
from fairgate_ops.operate.cli.report import LISTED_MAX, Listing, Report

if TYPE_CHECKING:
    from fairgate.service.orders.give_all_back import AllGiver
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.cancel_event.books import Row, Totals
    from fairgate_ops.operate.target import Target

# Stripe takes 25 calls a second of an endpoint unless it was asked for more, and the shop's other
# events sell and refund meanwhile. Source: docs.stripe.com/rate-limits, from memory.
RATE_DEFAULT = 10.0
RATE_MAX = 100.0
_WHAT = "Cancel the event for good and give all of its money back."
_MORE = (
    " Everything that was paid goes back: prices and fees of every kind, also what was kept of"
    " places that buyers had cancelled alone. What a buyer had cancelled whole keeps its own terms."
    " Interrupted at any point, it goes on when it is begun again: no money goes back twice."
)


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add("cancel", _WHAT, run_cancel)
    verb.description = _WHAT + _MORE
    verb.add_argument("event")
    verb.add_argument(
        "--refund-all", action="store_true", required=True, help="say that all money goes back"
    )
    add_reason(verb, "why, for the log", required=True)
    verb.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="where every order's line goes: .csv, else a JSON object a line; a dry run needs none",
    )
    verb.add_argument(
        "--rate",
        type=_rate,
        default=RATE_DEFAULT,
        metavar="CALLS",
        help=f"to the payment provider a second, at most (else {RATE_DEFAULT:g})",
    )
    add_yes(verb)


@at_target
def run_cancel(options: argparse.Namespace, target: Target) -> Report:
    """The totals first, which a dry run ends with. Then gate, mark, money and report."""
    from fairgate.errors import MalformedInputError
    from fairgate.service.orders.give_all_back import AllGiver
    from fairgate_ops.operate.cancel_event.report import report_to

    world = target.world
    if not options.dry_run and options.report is None:
        raise MalformedInputError("Say where the report of every order goes: --report FILE.")
    sale = world.catalog.event(options.event)
    giver = AllGiver(world.table, world.clock, world.payments)
    with report_to(options.report if options.dry_run else None) as write:
        before, people = _reckoned(target, options, giver, write)
    if options.dry_run:
        lines = ["Dry run, nothing written.", *_lines(sale, before), _people(people)]
        return Report(_data(options, sale, before, before, people), lines)
    confirm(options, [f"Cancels {sale.id} for good.", *_lines(sale, before)])
    sale, after, people, unwritten = _cancelled(options, target, giver)
    if after.settled:
        giver.ended(options.event)
    where = unwritten or f"Every order: {options.report}"
    data = _data(options, sale, before, after, people)
    if unwritten:
        data |= {"report": None, "report_unwritten": unwritten}
    return Report(
        data,
        [*_lines(sale, after), where, _people(people)],
        failed=not after.settled or bool(people) or bool(unwritten),
    )


def _cancelled(
    options: argparse.Namespace, target: Target, giver: AllGiver
) -> tuple[Event, Totals, list[Row], str]:
    """Give everything back; what there is now, and why that is not in the report's file.

    Raises MalformedInputError: there can be no such file, and nothing was done.
    """
    from fairgate.errors import MalformedInputError
    from fairgate_ops.operate.cancel_event.report import report_to

    done: tuple[Event, Totals, list[Row]] | None = None
    try:
        with report_to(options.report) as write:

            def give_all() -> tuple[Event, Totals, list[Row]]:
                _close(options, target)
                cancelled = _given(options, target, giver)
                return cancelled, *_reckoned(target, options, giver, write)

            done = target.acts().do(
                options.event,
                "event cancel",
                {"reason": options.reason, "rate": options.rate},
                give_all,
                not_done=lambda done: _not_done(done[1]),
            )
    except MalformedInputError as error:
        if done is None:
            raise
        return *done, f"{error.detail} The same command with another --report writes it."
    return *done, ""


def _close(options: argparse.Namespace, target: Target) -> None:
    """Close the gate, if it is not."""
    from fairgate_ops.operate.cli.gate_report import NOT_AT_EDGES, changed_gate

    control = target.control()
    change = changed_gate(
        options,
        target,
        "close",
        {"as": "cancelled"},
        lambda: control.close(options.event, starts_in_s=target.lead_s),
    )
    if not change.spread:
        print(NOT_AT_EDGES, file=sys.stderr)


def _given(options: argparse.Namespace, target: Target, giver: AllGiver) -> Event:
    from fairgate.service.catalog.cancel_event import mark_cancelled
    from fairgate_ops.operate.cancel_event.job import CancelJob
    from fairgate_ops.operate.cancel_event.pace import Pace
    from fairgate_ops.operate.cancel_event.walk import sold_by
    from fairgate_ops.shared.progress import progress

    world = target.world
    sale = mark_cancelled(world.table, world.clock, options.event)
    giver.begun(sale.id)
    say = functools.partial(print, file=sys.stderr, flush=True)
    pace = Pace(options.rate, time.monotonic, time.sleep, say)
    with progress(f"Giving back {sale.id} (looked at)") as step:
        job = CancelJob(giver, world.clock, lambda: sold_by(target, sale.id), pace, step)
        try:
            job.run(sale)
        except KeyboardInterrupt:
            say("Stopped. What is done stays done: the same command goes on from here.")
            raise
    return sale


def _reckoned(
    target: Target, options: argparse.Namespace, giver: AllGiver, write: Any
) -> tuple[Totals, list[Row]]:
    from fairgate_ops.operate.cancel_event.report import reckoned
    from fairgate_ops.operate.cancel_event.walk import sold_by
    from fairgate_ops.shared.progress import progress

    with progress(f"Adding up {options.event} (read)") as step:
        return reckoned(giver, sold_by(target, options.event), write, step)


def _not_done(after: Totals) -> dict[str, str]:
    if after.settled:
        return {}
    return {"refunds": "not everything has been sent: begin it again"}


def _lines(sale: Event, totals: Totals) -> list[str]:
    from fairgate_ops.operate.cli.money import money

    def amount(name: str) -> str:
        return money(totals.money[f"{name}_minor"], sale.currency)

    lines = [
        f"{totals.orders:,} paid orders, {totals.places:,} tickets, {amount('captured')} taken.",
        f"  {amount('back')} has gone back.",
    ]
    if totals.money["standing_minor"] or totals.money["to_send_minor"]:
        lines.append(
            f"  {amount('standing')} of orders that stand is to go back,"
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
        [f"{len(rows)} orders are left to a person (`fairgate orders duties`):", *plain],
    )


def _data(
    options: argparse.Namespace, sale: Event, before: Totals, after: Totals, people: list[Row]
) -> dict[str, Any]:
    return {
        "event": options.event,
        "dry_run": options.dry_run,
        "cancelled_at": sale.cancelled_at or None,
        "before": before.as_json(),
        "after": None if options.dry_run else after.as_json(),
        "settled": after.settled,
        "report": None if options.report is None else str(options.report),
        "for_a_person": [
            {"order": row.order, "what": row.what, "why": row.for_a_person} for row in people
        ],
    }


def _rate(text: str) -> float:
    return number(text, 0.1, RATE_MAX)
