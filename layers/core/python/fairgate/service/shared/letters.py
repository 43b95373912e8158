"""Make the mails to a buyer: language, order and event."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from fairgate.domain.shared.language import language_of
from fairgate.errors import MailAddressError, MailNotSentError
from fairgate.ports.mails import AboutEvent, Letter
from fairgate.service.shared.localised import localised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.mails import MailCase, MailKind
    from fairgate.ports.outside import Mail, Mailer
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order


def mail_id(kind: MailKind, order: str, about: str) -> str:
    """Name a mail as the part of a Message-ID before its ``@``.

    The name is the same each time that this mail is sent, and does not show what it is about.
    """
    return f"{kind}.{order}.{hashlib.sha256(about.encode()).hexdigest()[:12]}"


def send_to_buyer(mailer: Mailer, order: Order, mail: Mail) -> None:
    """Send a mail about an order.

    Raises:
        MailNotSentError: none can be sent to its address; a person has to do something.
        DependencyUnavailableError: try again.
    """
    try:
        mailer.send(mail)
    except MailAddressError as error:
        raise MailNotSentError(error.detail, order=order.order_id, event=order.event_id) from error


def about_event(order: Order, event: Event | None) -> AboutEvent:
    """Return what a mail says about the order's event; without the event only its id."""
    if event is None:
        return AboutEvent(name=order.event_id)
    event = localised(event, order.language)
    return AboutEvent(
        name=event.name or order.event_id,
        artist=event.artist,
        starts_at=event.starts_at,
        time_zone=event.time_zone,
        venue_name=event.venue_name,
        venue_address=event.venue_address,
        seller_name=event.seller_name,
        contact_mail=event.contact_mail,
        contact_phone=event.contact_phone,
        imprint_url=event.imprint_url,
        terms_url=order.accepted_terms or event.terms_url,
        privacy_url=event.privacy_url,
        color_1=event.color_1,
    )


def letter_of(
    order: Order,
    event: Event | None,
    kind: MailKind,
    case: MailCase,
    places: Sequence[str],
    public_url: str,
) -> Letter:
    """Return a letter about an order, in its buyer's language."""
    return Letter(
        kind=kind,
        case=case,
        language=language_of(order.language),
        order=order.order_id,
        page=f"{public_url}/#/o/{order.order_id}",
        event=about_event(order, event),
        currency=order.currency,
        places=places,
    )
