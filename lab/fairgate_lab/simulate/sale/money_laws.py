"""What must hold of a sale's money by what only the simulated provider knows: its pages and hands.

All else about money is a law of ``fairgate.service.audit.payments``, over the books' lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate.service.audit.law import Violation
from fairgate_lab.simulate.sale.books import Books

if TYPE_CHECKING:
    from fairgate.ports.payments import Capture
    from fairgate.service.audit.snapshot import Item, Snapshot


def lines_of(books: Books) -> list[dict[str, Any]]:
    """List the books as any provider's list of payments does; and which refunds are the shop's."""
    ours = {*books.ours.values(), *(refund.id for refund in books.again)}
    captures, disputes = books.taken.values(), books.disputed.values()
    return [
        *({**_line(made), "kind": "capture", "at_ms": made.at_ms} for made in captures),
        *({**_line(one), "kind": "dispute", "id": one.id, "state": one.state} for one in disputes),
        *(
            {**_line(one), "kind": "refund", "refund": one.id, "state": one.state}
            | {"part": one.part, "ours": one.id in ours}
            for one in books.refunds.values()
        ),
    ]


def _line(moved: Any) -> dict[str, Any]:
    return {"payment": moved.payment, "order": moved.order, "amount_minor": moved.amount_minor}


def violations(books: Books, seen: Snapshot, raised: int) -> Iterator[Violation]:
    """Judge the books, where the last reconciliation ``raised`` so many differences."""
    orders = {order["orderId"]: order for order in seen.orders}
    for made in books.taken.values():
        if made.order in orders:
            yield from _paid_in_time(books, orders[made.order], made)
    for again in books.again:
        what = f"{again.amount_minor} of part {again.part} went a second time"
        yield Violation("sent-twice", again.payment, what)
    opened = [task for task in seen.of("manual task") if not task.get("doneAt")]
    if raised > len({(task.get("paymentId"), task["kind"]) for task in opened}):
        what = f"{raised} differences could not be repaired, {len(opened)} tasks are listed"
        yield Violation("books", "provider", what)


def _paid_in_time(books: Books, order: Item, made: Capture) -> Iterator[Violation]:
    """A buyer who paid before the order's end, on an open page, got the tickets."""
    page = next(one for one in books.pages.values() if one.payment == made.payment)
    if page.late_when_closed or page.url in books.refused:
        return
    in_time = rfc3339(made.at_ms) < order["expiresAt"]
    whole = made.amount_minor == order["totalMinor"]
    touched = any(one.payment == made.payment for one in books.disputed.values()) or any(
        refund.payment == made.payment and refund.id not in books.ours.values()
        for refund in books.refunds.values()
    )
    if in_time and whole and not touched and not order.get("paidAt"):
        yield Violation("paid-in-time", made.order, f"{order['state']}, and never paid")
