"""``fairgate buyer …``: what is stored about a person, and its erasure on request."""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Sequence
from secrets import token_hex
from shlex import quote
from typing import Any

from fairgate.domain.orders.erasure import KEPT_YEARS
from fairgate.errors import MalformedInputError, NotFoundError, WrongStateError
from fairgate.service.orders.erase_buyer import BuyerEraser, OrderAsRead
from fairgate.service.orders.find_buyer import (
    BuyerItems,
    items_of_account,
    items_of_address,
    read_again,
)
from fairgate.service.shared.records.gate import DeskAppeal
from fairgate_ops.operate.cli.act import Act, every_log
from fairgate_ops.operate.cli.buyer_shape import (
    CSV_COLUMNS,
    address_of,
    as_json,
    as_rows,
    by_kind,
    elsewhere,
)
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Listing, Report, count_text, one_line
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.spreadsheet import csv_writer


@at_target
def run_show(options: argparse.Namespace, target: Target) -> Report:
    """Show personal data; no log gets it."""
    items = _items(target, options)
    if options.csv:
        return _rows(CSV_COLUMNS, as_rows(items))
    return Report(_data(options, target, items), _shown(options, target, items))


@at_target
def run_erase(options: argparse.Namespace, target: Target) -> Report | Act[None]:
    """Order by order, and not while anything is owed; killed and said again, it goes on."""
    eraser = BuyerEraser(target.world.table, target.world.clock)
    before = _items(target, options)
    if _names_buyer(options, before):
        raise MalformedInputError(
            "The log is never erased: give the reason without the address or the account."
        )
    seen, tasks = [eraser.read(order.key) for order in before.orders], eraser.orders_with_tasks()
    _require_nothing_owed(eraser, seen, tasks)
    orders, documents = _to_erase(eraser, seen, options)
    appeals = [one for one in before.all if isinstance(one, DeskAppeal) and one.text]
    what = f"{count_text(len(orders), 'order')} and {_documents_text(len(documents))}"
    if appeals:
        what += f", and the text of {count_text(len(appeals), 'appeal')}"
    request = f"era_{token_hex(6)}"

    def told(items: BuyerItems, head: str, request: str | None = None) -> Report:
        data = _data(options, target, items)
        data |= {"request": request, "orders": orders, "documents": documents}
        data |= {"appeals": len(appeals)}
        return Report(data, [head, *_shown(options, target, items)])

    if not (orders or documents or appeals or options.dry_run):
        return told(before, "Nothing is left to erase.")
    of_appeals = {one.event for one in appeals}
    events = every_log(target, sorted({*_events(seen, orders, documents), *of_appeals}))
    if not events and not options.dry_run:
        raise WrongStateError("No log can be written that would have it: nothing was erased.")
    return Act(
        name="buyer erase",
        events=events,
        detail={"request": request, "orders": len(orders), "documents": len(documents)},
        ends=[f"Erases the address from {what}, for good."],
        do=lambda: _erase(eraser, seen, _kept_years(options), appeals),
        would=lambda: told(before, f"The address would go from {what}."),
        report=lambda _: told(
            read_again(target.world.table, before),
            f"Erased from {what}; in the log as {request}. What is left:",
            request,
        ),
    )


def _names_buyer(options: argparse.Namespace, items: BuyerItems) -> bool:
    """Say whether the reason names them: as they were looked for, or as anything of theirs does."""
    names = {options.email or options.user, *(str(order.user_id) for order in items.orders)}
    names |= {found for one in items.all if (found := address_of(one))}
    names |= {one.postal_address.name for one in items.orders if one.postal_address}
    words = (rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)
    return any(re.search(word, options.reason, re.IGNORECASE) for word in words)


def _erase(
    eraser: BuyerEraser, seen: Sequence[OrderAsRead], years: int, appeals: Sequence[DeskAppeal]
) -> None:
    """Raises WrongStateError where something has come up meanwhile; the others are erased."""
    eraser.erase_appeals(appeals)
    refused: list[str] = []
    tasks = eraser.orders_with_tasks()  # again: somebody may have thought for long
    for one in seen:
        try:
            order = eraser.erase(one.order.key, tasks)
        except WrongStateError as error:
            refused.append(error.detail)
            continue
        eraser.erase_documents(one, years)
        print(f"Erased: {order.order_id}", file=sys.stderr, flush=True)
    if refused:
        raise WrongStateError(
            "Something has come up meanwhile, and only the others are erased: say it again.",
            errors=refused,
        )


def _require_nothing_owed(
    eraser: BuyerEraser, seen: Sequence[OrderAsRead], tasks: set[str]
) -> None:
    """Raises WrongStateError, which lists the orders and why."""
    owed = [(one.order.order_id, eraser.owed(one, tasks)) for one in seen]
    errors = [{"where": order, "what": why} for order, why in owed if why]
    if errors:
        raise WrongStateError(
            "Something is still owed to this buyer: nothing was erased.", errors=errors
        )


def _to_erase(
    eraser: BuyerEraser, seen: Sequence[OrderAsRead], options: argparse.Namespace
) -> tuple[list[str], list[str]]:
    """Name the orders that have their address yet, and the documents that no law keeps."""
    years = _kept_years(options)
    orders = [str(one.order.order_id) for one in seen if not one.order.erased_at]
    documents = [document.sk for one in seen for document in eraser.free_documents(one, years)]
    return orders, documents


def _events(
    seen: Sequence[OrderAsRead], orders: Sequence[str], documents: Sequence[str]
) -> list[str]:
    """Name the events that an erasure is about."""
    return sorted(
        {
            str(one.order.event_id)
            for one in seen
            if one.order.order_id in orders or any(doc.sk in documents for doc in one.documents)
        }
    )


def _items(target: Target, options: argparse.Namespace) -> BuyerItems:
    """Raises NotFoundError where nothing is stored."""
    table, events = target.world.table, target.world.catalog.all().ids
    if options.email:
        items = items_of_address(table, events, options.email)
    else:
        items = items_of_account(table, events, options.user)
    if not items.all:
        whose = "address" if options.email else "account"
        raise NotFoundError(f"Nothing is stored about this {whose}.")
    return items


def _data(options: argparse.Namespace, target: Target, items: BuyerItems) -> dict[str, Any]:
    asked = {"email": options.email, "user": options.user}
    now_ms = target.world.clock.now_ms()
    return asked | as_json(items, _kept_years(options), now_ms, target.backup_days)


def _shown(options: argparse.Namespace, target: Target, items: BuyerItems) -> list[str | Listing]:
    now_ms = target.world.clock.now_ms()
    kinds = list(by_kind(items.all, _kept_years(options), now_ms))
    rows = [
        (
            one["kind"],
            str(one["count"]),
            str(one["with_address"]),
            ", ".join(one["fields"]),
            one["at_erasure"],
        )
        for one in kinds
    ]
    plain = [
        f"  {kind:<18} {count:>4}  with an address {named:>3}  {fields:<24} {becomes}"
        for kind, count, named, fields, becomes in rows
    ]
    columns = ("Kind", "Count", "With an address", "About a person", "At an erasure")
    others = _others(options, items)
    return [
        Listing(columns, rows, plain),
        *others,
        "What lies elsewhere, and no command here reaches:",
        *(f"  {one}" for one in elsewhere(target.backup_days, now_ms)),
    ]


def _others(options: argparse.Namespace, items: BuyerItems) -> list[str]:
    """Name by what else the same buyer may be found: the operator decides whether it is theirs."""
    if options.email:
        accounts = sorted({one_line(str(order.user_id)) for order in items.orders})
        return [
            f"Ordered by the account {one}: fairgate buyer show --user {quote(one)}"
            for one in accounts
        ]
    addresses = sorted({one_line(found) for one in items.all if (found := address_of(one))})
    return [f"Ordered for the address {one}" for one in addresses]


def _rows(columns: Sequence[str], rows: Any) -> Report:
    """Raises nothing: what is said is rows alone."""
    text = io.StringIO()
    writer = csv_writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    return Report({}, [text.getvalue().removesuffix("\n")])


def _kept_years(options: argparse.Namespace) -> int:
    return int(options.keep_years or KEPT_YEARS)


def _documents_text(count: int) -> str:
    return "1 invoice or credit note" if count == 1 else f"{count} invoices or credit notes"
