"""What can be typed about orders, buyers, the books and tickets."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, get_args

from fairgate_ops.operate.cli.command import Verbs, add_reason
from fairgate_ops.operate.cli.kinds import between, count, name
from fairgate_ops.operate.cli.money import amount

if TYPE_CHECKING:
    import argparse

_LISTS_DEFAULT, _LISTS_MAX = 5.0, 25.0  # of the provider a second, a hundred movements each
_YEARS_MIN, _YEARS_MAX = 5, 30  # no law that we know asks for less


def orders(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    every = "List an event's orders, the oldest first."
    listing = verbs.add("list", every, "order_list.run_list", "event", looks=True)
    listing.add_argument("--email", type=name, metavar="ADDRESS", help="only those of this address")
    states = "only those that are now pending, paid, ticketed, cancelled, …"
    listing.add_argument("--state", type=_state, metavar="STATE", help=states)
    words = "only those with these words: of a name, ticket, seat, payment or number"
    listing.add_argument("--find", type=name, metavar="WORDS", help=words)
    listing.add_argument("--csv", action="store_true", help="one row an order, for spreadsheets")
    one = "Show one order: places, money, refunds."
    verbs.add("show", one, "order_staff.run_show", "order", looks=True)
    part, run = "Refund a part of an order.", "order_staff.run_refund"
    refunding = verbs.add("refund", part, run, "order", reason="must", asks=True)
    refunding.add_argument("--amount", type=amount, required=True, metavar="AMOUNT")
    key = "makes this refund once; without it, its amount and reason do for a day"
    refunding.add_argument("--key", help=key)
    mail = "Mail an order's tickets again."
    verbs.add("resend", mail, "order_staff.run_resend", "order", reason="must")
    to, run = "Correct the mail address of an order.", "order_address.run_edit"
    editing = verbs.add("edit", to, run, "order", reason="must", asks=True)
    editing.add_argument(
        "--email", type=name, required=True, metavar="ADDRESS", help="the right one"
    )
    void, run = "Make tickets void, without a refund.", "order_tickets.run_void"
    voiding = verbs.add("void", void, run, "event", "order", reason="must", asks=True)
    voiding.add_argument("--ticket", default="", help="this one alone, as `orders show` names it")
    back, run = "Give a ticket that was passed on back to its buyer.", "order_tickets.run_take_back"
    taking = verbs.add("take-back", back, run, "event", "order", reason="must", asks=True)
    ticket = "as `orders show --json` names it in passed_on"
    taking.add_argument("--ticket", required=True, help=ticket)
    codes, run = "Drop ticket codes that older versions stored.", "order_codes.run_drop_codes"
    verbs.add("drop-codes", codes, run, "event")
    pdf = "Write an order's invoice and credit notes as a PDF."
    invoice = verbs.add("invoice", pdf, "order_invoice.run_invoice", "event", "order")
    invoice.add_argument("--to", required=True, metavar="FILE", help="is written over")
    books = "Compare the payment provider's books with the orders; repair what differs."
    comparing = verbs.add("reconcile", books, "orders.run_reconcile")
    since = "RFC 3339; else since the last complete run, less an hour"
    comparing.add_argument("--since", metavar="TIME", help=since)
    tasks = verbs.add("tasks", "List what only a person can do.", "orders.run_tasks", looks=True)
    tasks.add_argument("--all", action="store_true", help="also those that are done")
    tick = "Mark a task as done."
    ticking = verbs.add("done", tick, "orders.run_done")
    ticking.add_argument("task", help="as `orders tasks` names it")
    add_reason(ticking, "how it was done", required=True)


def _state(text: str) -> str:
    from fairgate.domain.orders.order import OrderState

    states = get_args(OrderState)
    if text not in states:
        raise ArgumentTypeError(f"{text!r} is none of {', '.join(states)}")
    return text


def buyer(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    stored = "Show what is stored about a buyer."
    showing = verbs.add("show", stored, "buyer.run_show", looks=True)
    showing.add_argument("--csv", action="store_true", help="one row a field, for spreadsheets")
    gone = "Erase a buyer's address, keeping what the law keeps."
    erasing = verbs.add("erase", gone, "buyer.run_erase", asks=True)
    add_reason(erasing, "why, for the log; without the address", required=True)
    for verb in (showing, erasing):
        whose = verb.add_mutually_exclusive_group(required=True)
        whose.add_argument("--email", type=name, metavar="ADDRESS", help="orders of this address")
        whose.add_argument("--user", type=name, metavar="ID", help="orders of this account")
        kept = "how long the law keeps invoices, from their year's end (else 10)"
        years = count(_YEARS_MIN, _YEARS_MAX, "years")
        verb.add_argument("--keep-years", type=years, metavar="YEARS", help=kept)


def books(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    entries = "List an event's ledger, the oldest entry first."
    ledger = verbs.add("ledger", entries, "books.run_ledger", "event", looks=True)
    ledger.add_argument("--csv", action="store_true", help="one row an entry, for spreadsheets")
    sold = "Report an event's sales and refunds by day, tier and rate of VAT."
    selling = verbs.add("sales", sold, "books_sales.run_sales", "event", looks=True)
    selling.add_argument("--csv", action="store_true", help="one row a day, kind, tier and rate")
    added = "Compare a ledger, or the whole account, with the provider's books."
    checking = verbs.add("check", added, "books.run_check", looks=True)
    account = "else all movements and payouts of the account"
    checking.add_argument("event", nargs="?", help=account)
    since = "of the account; else since the first event was created"
    checking.add_argument("--since", metavar="TIME", help=since)
    importing = verbs.add(
        "import",
        "Enter the payment provider's fees and payouts, each once.",
        "books_import.run_import",
        more="The hourly comparison does the same. If it is interrupted, the same command goes on:"
        " nothing is entered twice, and nothing is changed.",
    )
    since = "RFC 3339; else since the last import, or since the first event was created"
    importing.add_argument("--since", metavar="TIME", help=since)
    rate = f"of the provider a second, at most (else {_LISTS_DEFAULT:g})"
    kind = between(0.1, _LISTS_MAX)
    importing.add_argument("--rate", type=kind, default=_LISTS_DEFAULT, metavar="LISTS", help=rate)
    moved = "List the movements of the provider's balance, by day."
    listing = verbs.add("movements", moved, "books_balance.run_movements", looks=True)
    since = "RFC 3339; else since the first event was created"
    listing.add_argument("--since", metavar="TIME", help=since)
    listing.add_argument("--csv", action="store_true", help="one row a movement")
    heard = "List the provider's payouts, with their states."
    verbs.add("payouts", heard, "books_balance.run_payouts", looks=True)


def ticket(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    codes = "Check ticket codes; with --key no system is needed."
    checking = verbs.add("verify", codes, "tickets.run_verify", looks=True)
    scanned = "as scanned; else one a line from standard input"
    checking.add_argument("code", nargs="*", help=scanned)
    key = "as `keys ticket` prints it, after an equals sign; else of the target"
    checking.add_argument("--public-key", metavar="KEY", help=key)
    checking.add_argument("--event", help="refuse tickets of any other event")
    void = "as `ticket void-list` wrote it: tickets that are void"
    checking.add_argument("--void-list", metavar="FILE", help=void)
    cancelled = "Write the list of tickets that are no longer valid."
    listing = verbs.add("void-list", cancelled, "tickets.run_void_list", "event")
    listing.add_argument("--out", required=True, metavar="FILE")
