"""Show an order as a document, as a row and as a line: what staff may see of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from fairgate.errors import NotFoundError
from fairgate.service.books.read_books import find_order
from fairgate.service.shared.records.orders import Order
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.record_stream import Shape
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.spreadsheet import cells_of

COLUMNS = (
    "order",
    "event",
    "state",
    "created_at",
    "paid_at",
    "email",
    "name",
    "address",
    "user",
    "places",
    "tickets",
    "void",
    "currency",
    "total",
    "net",
    "vat",
    "back",
    "left",
    "labels",
)


def order_of(target: Target, name: str, event: str | None = None) -> Order:
    """Return the order, of this event if one is named. Raises NotFoundError."""
    order = find_order(target.world.table, name)
    if order is None or event not in (None, order.event_id):
        raise NotFoundError(f"There is no order {name}" + (f" of {event}." if event else "."))
    return order


def as_json(order: Order) -> dict[str, Any]:
    """Return the order without the codes of its tickets, which a reader could use."""
    vat_minor = sum(line.vat_minor for line in order.lines)
    return {
        "order": order.order_id,
        "event": order.event_id,
        "state": order.state,
        "user": order.user_id,
        "email": order.email,
        "postal_address": to_builtins(order.postal_address),
        "erased_at": order.erased_at or None,
        "created_at": order.created_at,
        "accepted_terms": order.accepted_terms or None,
        "paid_at": order.paid_at or None,
        "payment": order.payment_id,
        "currency": order.currency,
        "total_minor": order.total_minor,
        "net_minor": order.total_minor - vat_minor,
        "vat_minor": vat_minor,
        "back_minor": order.back_minor,
        "left_minor": order.left_minor,
        "units": [unit.as_map() for unit in order.units],
        "tickets": [entry.ticket for entry in order.admitting],
        "void": [one.ticket for one in order.voided],
        "passed_on": [entry.ticket for entry in order.tickets if entry.holder],
        "returned": [place.as_map() for place in order.returned],
    }


def as_row(order: Order) -> Sequence[str | int]:
    """Return a cell for each of ``COLUMNS``, none of them a formula."""
    postal = order.postal_address
    cells = {
        **as_json(order),
        "paid_at": order.paid_at,
        "name": postal.name if postal else "",
        "address": ", ".join(postal.lines[1:]) if postal else "",
        "places": order.places,
        "tickets": len(order.admitting),
        "void": len(order.voided),
        "labels": "; ".join(unit.label for unit in order.units),
    }
    return cells_of(cells, COLUMNS)


def as_line(order: Order) -> str:
    """Return a line for a terminal, with nothing in it that a terminal would obey."""
    paid = money(order.total_minor, order.currency)
    line = (
        f"{order.order_id}  {order.created_at}  {order.state:<12} {order.places:>3}  {paid:>14}"
        f"  {order.email}"
    )
    return "".join(letter if letter.isprintable() else "?" for letter in line)


SHAPE: Shape[Order] = Shape(("order", "orders"), COLUMNS, as_json, as_row, as_line)
