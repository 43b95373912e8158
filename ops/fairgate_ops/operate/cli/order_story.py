"""Tell what an order is made of, and what became of it when: for those who help its buyer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairgate.service.shared.records.orders import Order, OwedRefund, TicketEntry

_OF_REFUND = {"succeeded": "refund-arrived", "failed": "refund-failed", "refused": "refund-refused"}


def parts_of(order: Order, refunds: Sequence[OwedRefund]) -> dict[str, Any]:
    """Return its lines, each of its tickets, and its story: the oldest first."""
    events = [one for one in _events(order, refunds) if one["at"]]
    return {
        "lines": [
            {
                "label": line.label,
                "kind": line.kind,
                "quantity": line.quantity,
                "price_minor": line.price_minor,
                "vat_minor": line.vat_minor,
            }
            for line in order.lines
        ],
        "entries": [_entry(order, entry) for entry in order.tickets],
        "story": sorted(events, key=lambda one: one["at"]),
    }


def _entry(order: Order, entry: TicketEntry) -> dict[str, Any]:
    """Return a ticket without its code, and without the name of another account."""
    until = next((one.until for one in order.offers if one.ticket == entry.ticket), None)
    return {
        "ticket": entry.ticket,
        "label": entry.label,
        "admits": order.state == "ticketed" and entry in order.admitting,
        "passed_on": bool(entry.holder),
        "offered_until": until,
    }


def _events(order: Order, refunds: Sequence[OwedRefund]) -> Iterator[dict[str, Any]]:
    labels = {entry.ticket: entry.label for entry in order.tickets}
    yield {"at": order.created_at, "what": "made", "amount_minor": order.total_minor}
    yield {"at": order.paid_at, "what": "paid", "amount_minor": order.total_minor}
    yield {"at": order.ticketed_at, "what": "ticketed", "count": len(order.tickets)}
    yield {"at": order.mailed_at, "what": "mailed"}
    for one in order.passed:
        yield {"at": one.at, "what": "passed-on", "ticket": one.ticket, "became": one.became}
    for at in sorted({one.at for one in order.voided}):
        tickets = [one.ticket for one in order.voided if one.at == at]
        named = [labels.get(ticket, ticket) for ticket in tickets]
        yield {"at": at, "what": "void", "tickets": tickets, "labels": named}
    for place in order.returned:
        amounts = {"amount_minor": place.amount_minor, "fee_minor": place.fee_minor}
        yield {"at": place.at, "what": "place-cancelled", "label": place.label, **amounts}
    for refund in refunds:
        about = {"amount_minor": refund.amount_minor, "part": refund.part}
        yield {"at": refund.owed_at, "what": "refund-owed", **about}
        if what := _OF_REFUND.get(refund.state):
            yield {"at": refund.changed_at, "what": what, "reason": refund.reason or None, **about}
    yield {"at": order.cancelled_at, "what": "cancelled", "event": order.event_cancelled}
    yield {"at": order.refunded_at, "what": "refunded"}
    yield {"at": order.erased_at, "what": "erased"}
