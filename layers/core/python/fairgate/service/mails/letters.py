"""Write the mail about a change to an order or its event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import places_of
from fairgate.ports.mails import AboutEvent
from fairgate.service.shared.letters import letter_of
from fairgate.service.tickets.pass_terms import stands_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate.domain.orders.order import OrderState
    from fairgate.ports.mails import Letter, MailCase
    from fairgate.service.mails.news import News
    from fairgate.service.shared.records.catalog import Event, LastChange
    from fairgate.service.shared.records.orders import Order, OwedRefund

# Buyers of these orders are told of a changed event; a dispute may still be won.
TOLD_OF_CHANGES = ("paid", "ticketed", "disputed")


def hears_of_changes(order: Order) -> bool:
    """Say whether this order's tickets are valid, so that its buyer is told of changes."""
    return order.state in TOLD_OF_CHANGES and (
        order.state == "paid" or bool(order.held_by(order.user_id))
    )


def changed_letter(
    order: Order, event: Event | None, number: int, public_url: str
) -> Letter | None:
    """Return the mail about an event's change; None if it is no news, or no longer."""
    change = None if event is None else event.last_change
    if event is None or event.cancelled_at or change is None or change.number != number:
        return None
    if not hears_of_changes(order):
        return None
    # By its own name, as before: a translation is no change.
    event = replace(event, translations={})
    letter = letter_of(order, event, "changed", "changed", _good(order), public_url)
    return replace(letter, before=_before(change))


def news_letter(
    order: Order,
    event: Event | None,
    news: News,
    owed: OwedRefund | None,
    now_ms: int,
    public_url: str,
) -> Letter | None:
    """Return the mail about the change; None if it is no longer true.

    Args:
        owed: the refund that it is about, or the refund of the whole order.
    """
    letter = letter_of(order, event, news.kind, news.case, (), public_url)
    if news.payment:
        return _of_refund(letter, order, event, news, owed)
    if news.kind == "cancelled":
        return _of_cancelling(letter, order, news, owed)
    if news.kind == "passed":
        return _of_passing(letter, order, news)
    if news.case == "unsold":
        return replace(letter, back_minor=owed.amount_minor if owed is not None else None)
    if order.state not in _STATES[news.case]:
        return None
    return _of_payment(letter, order, news, now_ms)


def _of_payment(letter: Letter, order: Order, news: News, now_ms: int) -> Letter | None:
    if news.case != "declined":
        return replace(letter, places=_good(order))
    if order.last_attempt != "declined" or order.expires_at <= rfc3339(now_ms):
        return None
    return replace(letter, places=_all(order), until=order.expires_at)


# The order's states in which a change of its payment is still true.
_STATES: Mapping[MailCase, Sequence[OrderState]] = {
    "declined": ("pending",),
    "disputed": ("disputed",),
    "charged-back": ("charged_back",),
    "restored": ("ticketed",),
}


def _of_refund(
    letter: Letter, order: Order, event: Event | None, news: News, owed: OwedRefund | None
) -> Letter | None:
    if owed is None or (owed.state == "failed") != (news.case == "returned"):
        return None
    case = news.case
    if news.kind == "refund" and owed.payment_id != order.payment_id:
        case = "second"
    elif news.kind == "refund" and not order.paid_at:
        case = "unsold"
    invoiced = event is not None and event.gives_invoices
    return replace(
        letter,
        case=case,
        currency=owed.currency or order.currency,
        back_minor=owed.amount_minor,
        credit_note=invoiced and order.was_bought_by(owed.payment_id),
    )


def _of_cancelling(
    letter: Letter, order: Order, news: News, owed: OwedRefund | None
) -> Letter | None:
    if news.case == "void":
        void = {one.ticket for one in order.voided if one.at == news.change} - order.passed_on
        places = [entry.label for entry in order.tickets if entry.ticket in void]
        return replace(letter, places=places) if places else None
    if news.case == "place":
        place = order.returned[int(news.change)]
        return replace(
            letter,
            places=[place.label] * len(place.tickets),
            back_minor=place.amount_minor,
            kept_minor=place.fee_minor,
        )
    return replace(
        letter,
        places=_own(order),
        back_minor=0 if owed is None else owed.amount_minor,
        kept_minor=order.left_minor,  # the part of the price that is not refunded
    )


def _of_passing(letter: Letter, order: Order, news: News) -> Letter | None:
    """Return the mail about a ticket that was passed on; None if its buyer has it again."""
    now = stands_for(order, order.passed[int(news.change)].ticket)
    places = [entry.label for entry in order.tickets if entry.ticket == now and entry.holder]
    return replace(letter, places=places) if places else None


def _all(order: Order) -> list[str]:
    """Return the label of each place of the order, with a valid ticket or not."""
    return [place.label for place in places_of(order.units)]


def _own(order: Order) -> list[str]:
    """Return the labels of the order's places whose tickets were not passed on."""
    if not order.passed_on:
        return _all(order)
    return [entry.label for entry in order.tickets if not entry.holder]


def _good(order: Order) -> list[str]:
    """Return the labels of the buyer's valid tickets."""
    if not order.tickets:
        return _all(order)
    return [entry.label for entry in order.held_by(order.user_id)]


def _before(change: LastChange) -> AboutEvent:
    return AboutEvent(
        name=change.name,
        artist=change.artist,
        starts_at=change.starts_at,
        time_zone=change.time_zone,
        venue_name=change.venue_name,
        venue_address=change.venue_address,
    )
