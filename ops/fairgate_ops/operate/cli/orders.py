"""``fairgate orders …``: the provider's books against the orders, and what is left to a person."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from fairgate.adapters.aws.sqs import SqsTicketQueue
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import MalformedInputError
from fairgate.service.books.books import Reconciled
from fairgate.service.books.find_sold import SaleWindow
from fairgate.service.books.reconcile_payments import Reconciler
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.records.orders import ManualTask
from fairgate_ops.operate.cli.act import Act, every_log
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import LISTED_MAX, Listing, Report, count_text
from fairgate_ops.operate.target import Target

if TYPE_CHECKING:
    from fairgate.ports.outside import TicketQueue


@at_target
def run_reconcile(options: argparse.Namespace, target: Target) -> Act[Reconciled]:
    """As the hourly function does it. Not well while anything is left to a person."""
    world = target.world

    reconciler = Reconciler(
        world.table,
        world.clock,
        PaymentSettler(world.table, world.clock, world.payments),
        Refunder(world.table, world.clock, world.payments),
        _tickets(target),
    )
    catalog, since_ms = world.catalog.all(), since_ms_of(options.since)
    windows = {str(sale.id): SaleWindow.of(sale) for sale in catalog.events}
    run = partial(reconciler.run, catalog.ids, since_ms=since_ms, windows=windows)
    return Act(
        name="orders reconcile",
        events=every_log(target, catalog.ids),
        detail={"since": options.since},
        do=run,
        would=lambda: _compared(options, run(dry_run=True), catalog.damaged),
        report=lambda books: _compared(options, books, catalog.damaged),
    )


def _tickets(target: Target) -> TicketQueue:
    if target.ticket_queue is not None:
        return target.ticket_queue()

    def send(_operation: str, **request: str) -> dict[str, Any]:
        return dict(target.sqs().send_message(**request))

    return SqsTicketQueue(target.queues()["tickets"].url, send)


def _compared(options: argparse.Namespace, books: Reconciled, damaged: Sequence[str]) -> Report:
    skipped = _skipped(books, damaged, dry_run=options.dry_run)
    data = {
        "since": books.since,
        "until": books.until,
        "captures": books.captures,
        "settling": books.settling,
        "skipped": skipped,
        "differences": to_builtins(books.differences),
        "failures": to_builtins(books.failures),
    }
    shown = books.differences[:LISTED_MAX]
    listing = Listing(
        ("What", "Order", "Payment", "Why"),
        [(d.kind, d.order, d.payment, d.what) for d in shown],
        [f"  {d.kind:<12} {d.order}  {d.payment}  {d.what}" for d in shown],
    )
    more = len(books.differences) - len(shown)
    repaired = "would be repaired" if options.dry_run else "repaired"
    to_look_at = books.count("raised", "failed")
    lines: list[str | Listing] = [
        f"{count_text(books.captures, 'capture')} from {books.since} to {books.until}.",
        listing,
        *([f"  … and {more} more; --json lists all."] if more else []),
        f"{books.repaired} {repaired}, {to_look_at} to look at{_where(options, to_look_at)}.",
        *skipped,
        *(f"Not compared: {f.what}: {f.error} {f.detail}".rstrip() for f in books.failures),
    ]
    return Report(data, lines, failed=bool(books.failures or to_look_at))


def _where(options: argparse.Namespace, to_look_at: int) -> str:
    """Say where what is left to a person stands."""
    if not to_look_at:
        return ""
    return ": a run makes tasks of them" if options.dry_run else ": `fairgate orders tasks`"


def _skipped(books: Reconciled, damaged: Sequence[str], *, dry_run: bool) -> list[str]:
    """Say what was not looked at, and why."""
    lines = []
    if books.settling:
        lines.append(
            f"Left for later: {count_text(books.settling, 'capture')} of the last five minutes:"
            " webhooks may still come."
        )
    if dry_run:
        lines.append("Left out in a dry run: disputes, which are noted as they are heard of.")
    if not books.complete:
        lines.append("Left out: orders without money, as the provider's list is not complete.")
    lines += [
        f"{event} is damaged: its orders were compared by every limit that an event may have."
        for event in damaged
    ]
    return lines


@at_target
def run_tasks(options: argparse.Namespace, target: Target) -> Report:
    """The oldest first; as JSON with everything that is known of each."""
    tasks = ManualTasks(target.world.table, target.world.clock)
    listed = tasks.all() if options.all else tasks.open()
    data = {"tasks": [_as_json(task) for task in listed]}
    if not listed:
        return Report(data, ["Nothing is left to do."])
    listing = Listing(
        ("ManualTask", "Since", "Kind", "Order", "What"),
        [(d.task_id, d.since, _kind(d), d.order_id, d.what) for d in listed],
        [f"{d.task_id}  {d.since}  {_kind(d):<18} {d.order_id}  {d.what}" for d in listed],
    )
    ticking = "Tick one off: fairgate orders done TASK --reason TEXT"
    return Report(data, [listing, ticking])


@at_target
def run_done(options: argparse.Namespace, target: Target) -> Act[ManualTask]:
    """Logged in the log of the event that it is about; about none, in that of each."""
    tasks = ManualTasks(target.world.table, target.world.clock)
    task, who = tasks.find_open(options.task), target.who()
    return Act(
        name="task done",
        events=[task.event_id] if task.event_id else every_log(target),
        detail={"task": task.task_id, "kind": task.kind},
        do=lambda: tasks.done(task.task_id, who, options.reason),
        would=lambda: Report(
            {"task": _as_json(task)}, [f"{task.task_id} ({task.kind}) would be ticked off."]
        ),
        report=lambda done: Report(
            {"task": _as_json(done)},
            [f"{done.task_id} ({done.kind}) ticked off by {done.done_by}."],
        ),
    )


def _kind(task: ManualTask) -> str:
    return f"{task.kind} (done)" if task.done_at else task.kind


def _as_json(task: ManualTask) -> dict[str, str]:
    names = (name for name in task.__struct_fields__ if name not in ("pk", "sk"))
    return {name: value for name in names if (value := getattr(task, name))}


def since_ms_of(text: str | None) -> int | None:
    """Read --since. Raises MalformedInputError."""
    if text is None:
        return None

    try:
        return epoch_ms(text)
    except ValueError as error:
        raise MalformedInputError(
            f"--since {text!r} is no time with its zone, like 2030-06-01T18:00:00Z."
        ) from error
