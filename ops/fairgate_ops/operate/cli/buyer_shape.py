"""Show what is stored about a buyer, by kind, and what becomes of each kind at an erasure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fairgate.domain.orders.erasure import ERASED, kept_until, law_keeps
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import GSI1SK, PK, SK, Record
from fairgate.service.orders.find_buyer import BuyerItems
from fairgate.service.shared.keys import shape_of
from fairgate.service.shared.records.orders import Document, Order
from fairgate_ops.shared.spreadsheet import no_formula

_DAY_MS = 86_400_000
CSV_COLUMNS = ("kind", "pk", "sk", "field", "value")
_ADMITS = "code"  # of a ticket: a reader could use it at the entrance
_ACCOUNTS = ("giver", "holder")  # of tickets that were passed on
_OTHER = "(another account)"
_ITSELF = "goes by itself"
_ACCOUNT = "kept: limits are counted, and the draw is audited, by the account"


class Kind(NamedTuple):
    """Which fields of a kind are about a person, and what an erasure does with them."""

    fields: tuple[str, ...]
    becomes: str


KINDS: dict[str, Kind] = {
    "order": Kind(
        ("email", "postalAddress", "countedBy", "userId"),
        "the addresses are erased, money and places are kept",
    ),
    "document": Kind(("buyer", "postalAddress"), "kept by law, then erased"),
    "ledger entry": Kind(("orderId",), "kept: it is the books"),
    "owed refund": Kind(("orderId",), "kept: it is the books"),
    "dispute": Kind(("orderId",), "kept: it is the books"),
    "session": Kind(("userId", "admission", GSI1SK), _ACCOUNT),
    "reservation": Kind(("userId",), _ACCOUNT),
    "user status": Kind((PK,), _ACCOUNT),
    "held order": Kind((PK,), "kept: the ticket of somebody else's order is theirs"),
    "idempotency record": Kind((PK, "payload"), f"{_ITSELF} within 25 hours"),
    "desk count": Kind((PK,), _ITSELF),
    "desk decision": Kind((PK,), _ITSELF),
    "desk appeal": Kind((SK, "text"), f"the text is erased, the rest {_ITSELF}"),
    "sampled account": Kind((PK,), _ITSELF),
    "rate bucket": Kind((PK,), _ITSELF),
    "sent mail": Kind((PK,), f"{_ITSELF} within ninety days"),
    "mailbox order": Kind((PK,), f"shows nothing any more, and {_ITSELF} within days"),
    "mailed link": Kind((PK,), f"{_ITSELF} within two days"),
}
# What no command of ours reaches, and how it goes.
ELSEWHERE = (
    "the payment provider's records (name, card, address): ask for it there",
    "the sign-in provider's account: delete it there, and the account's name means nobody any more",
    "mailboxes, and what the mail service keeps of what it sent",
    "point-in-time backups of the tables, until they lapse (35 days at most)",
    "logs, by their retention: they hold no address",
    "messages in queues and the table's stream, which quote an order: a day, or 14 as dead letters",
    "the operators' log and tasks, kept: reasons as they were typed, numbers of orders",
    "files that were exported before: lists of orders, reports of cancelled events, audits",
    "sessions in which nothing was ordered: they name the account and no address",
)


def elsewhere(backup_days: int | None, now_ms: int) -> list[str]:
    """Name what no command of ours reaches, with the end of a daily backup that was made today.

    Args:
        backup_days: for so long one is kept; 0: none is made; None: it is not known.
    """
    if backup_days is None:
        kept = "where the stage makes any: each for backup_days days"
    elif backup_days == 0:
        kept = "none are made now; earlier ones stay in the vault for their time"
    else:
        until = rfc3339(now_ms + backup_days * _DAY_MS)[:10]
        kept = f"each for {backup_days} days, so today's until {until}"
    return [*ELSEWHERE, f"daily backups of the tables: {kept}"]


def kind_of(item: Record) -> str:
    return shape_of(item.table, item.key) or type(item).__name__


def address_of(item: Record) -> str:
    """Return the address that an item has; "" where it has none, or none any more."""
    address = item.email if isinstance(item, Order) else ""
    address = item.buyer if isinstance(item, Document) else address
    return "" if address == ERASED else address


def as_json(items: BuyerItems, years: int, now_ms: int, backup_days: int | None) -> dict[str, Any]:
    """Everything that is stored, for who asks what is known of them; no code that admits."""
    return {
        "kinds": list(by_kind(items.all, years, now_ms)),
        "accounts": sorted({str(order.user_id) for order in items.orders}),
        "addresses": sorted({found for one in items.all if (found := address_of(one))}),
        "items": [{"kind": kind_of(one), "item": shown(one)} for one in items.all],
        "elsewhere": elsewhere(backup_days, now_ms),
    }


def by_kind(items: Sequence[Record], years: int, now_ms: int) -> Iterator[dict[str, Any]]:
    """Count each kind that there is, and say what becomes of it."""
    for kind, (fields, becomes) in KINDS.items():
        ours = [one for one in items if kind_of(one) == kind]
        if ours:
            yield {
                "kind": kind,
                "count": len(ours),
                "with_address": sum(bool(address_of(one)) for one in ours),
                "fields": list(fields),
                "at_erasure": _documents(ours, years, now_ms) or becomes,
            }


def _documents(items: Sequence[Record], years: int, now_ms: int) -> str:
    """Say until when the last of some documents is kept; "" for what is none, or is free."""
    kept = [
        kept_until(one.at, years)
        for one in items
        if isinstance(one, Document) and law_keeps(one.at, years, now_ms)
    ]
    return f"kept by law, as they were given out, until {max(kept)}" if kept else ""


def shown(item: Record) -> dict[str, Any]:
    """Return an item as it is stored, without the codes of tickets and the names of others."""
    stored = item.item()
    if isinstance(item, Order):
        for kept in {"tickets", "passed"} & stored.keys():
            stored[kept] = [_of_buyer(entry, item.user_id) for entry in stored[kept]]
    return stored


def _of_buyer(entry: dict[str, Any], user: str) -> dict[str, Any]:
    """Return a ticket without its code; whom it was passed on to is nobody that its buyer is."""
    return {
        name: _OTHER if name in _ACCOUNTS and value not in ("", user) else value
        for name, value in entry.items()
        if name != _ADMITS
    }


def as_rows(items: BuyerItems) -> Iterator[Sequence[str | int]]:
    """A row for each field of each item, none of them a formula."""
    for one in items.all:
        stored = shown(one)
        for field, value in stored.items():
            if field not in (PK, SK):
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                yield [no_formula(cell) for cell in (kind_of(one), one.pk, one.sk, field, text)]
