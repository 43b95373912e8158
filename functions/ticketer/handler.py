"""Issue tickets, mail them, and mail what is new of orders, by two SQS queues.

A message is a stream record of the Reservations table, of an order that is paid or of what its
buyer is mailed; ``{"order": order}`` where tickets are late; or ``{"mail": order}``, of its tickets
or, with ``change``, of a change of its event; or ``{"find": mailbox, "request": …}`` from who has
lost theirs.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from fairgate import log_lines, metrics
from fairgate.adapters.aws.emf import emit
from fairgate.adapters.dynamodb.codec import read_item
from fairgate.bootstrap import container
from fairgate.deadline import bounded, each
from fairgate.domain.shared.ids import LINK_REQUEST, MAILBOX, ORDER_ID, Mailbox, OrderId
from fairgate.errors import MailNotSentError
from fairgate.ports.record import SK, attribute, decode
from fairgate.request_ids import NAME, called, take_up
from fairgate.service.shared.keys import ORDER, REFUND
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate.service.mails.mail_news import NewsDeps
    from fairgate.service.mails.news import News
    from fairgate.service.tickets.mail_link import LinkDeps
    from fairgate.service.tickets.mail_tickets import MailDeps

logger = log_lines.logger()


@called
@bounded
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Issue or mail the tickets of each message's order; name the messages to deliver again."""
    failures: list[dict[str, str]] = []
    figures: Counter[str] = Counter()
    for message in each(event["Records"]):
        take_up()
        try:
            figures += _worked(json.loads(message["body"]), message["messageId"])
        except Exception:  # one bad message must not hold up the others; it is retried, then parked
            logger.exception("tickets not issued or not mailed", message_id=message["messageId"])
            failures.append({"itemIdentifier": message["messageId"]})
    take_up()
    if figures:
        world = container()
        emit(world.settings, world.clock.now_ms(), figures)
    return {"batchItemFailures": failures}


def _worked(body: Mapping[str, Any], message: str) -> Counter[str]:
    """Do what a message asks for; return what is to be counted."""
    take_up(_sale_of(body))
    figures = Counter({metrics.CHANGES_HEARD: int(_is_change(body))})
    try:
        if "change" in body:
            _mail_change(_order_id(body["mail"]), int(body["change"]))
        elif "mail" in body:
            _mail(_order_id(body["mail"]), again=message if body.get("again") is True else "")
        elif "find" in body:
            _find(str(body["find"]), str(body["request"]))
        elif news := news_in(body):
            _mail_news(*news)
        elif (order := wanted_order(body)) is not None:
            figures[metrics.ORDERS_TICKETED] += _issue(order)
    except MailNotSentError as error:  # trying again helps nobody
        _raise_task(error)
        figures[metrics.MAILS_NOT_SENT] += 1
    return figures


def _raise_task(error: MailNotSentError) -> None:
    from fairgate.service.ledger.manual_tasks import ManualTasks

    world = container()
    text = (
        f"No mail can be sent to the address of {error.order}: `fairgate orders show` says why."
        " Reach its buyer another way and correct it with `fairgate orders edit`. The tickets are"
        " on the order's page."
    )
    tasks = ManualTasks(world.table, world.clock)
    tasks.note("mail-not-sent", text, event=error.event, order=error.order)
    logger.warning("mail not sent", order=error.order)


def _is_change(body: Mapping[str, Any]) -> bool:
    """Say whether the pipe for mails brought it: it alone tells of more than paid orders."""
    image = body.get("dynamodb", {}).get("NewImage")
    return bool(image) and _text(image, "state") != "paid"


def _sale_of(body: Mapping[str, Any]) -> str:
    """Return which sale a message says that it is of: itself, or by the order in its record."""
    image = body.get("dynamodb", {}).get("NewImage") or {}
    return str(body.get(NAME) or _text(image, attribute(NAME)))


def _issue(order: OrderId) -> bool:
    """Issue an order's tickets; True when this call did."""
    issued = issue_tickets(_office(), order)
    logger.info("tickets", order=order, state=issued.state, tickets=issued.tickets,
                issued=issued.issued, mail_asked=issued.mail_asked)  # fmt: skip
    return issued.issued


def _mail(order: OrderId, *, again: str) -> None:
    from fairgate.service.tickets.mail_tickets import mail_tickets

    mailed = mail_tickets(_mail_deps(), order, again=again)
    logger.info("mail", order=order, mailed=mailed, again=bool(again))


def _mail_change(order: OrderId, number: int) -> None:
    from fairgate.service.mails.mail_news import mail_change

    mailed = mail_change(_news_deps(), order, number)
    logger.info("mail", order=order, mailed=mailed, about="changed", number=number)


def _mail_news(order: OrderId, news: Sequence[News]) -> None:
    from fairgate.service.mails.mail_news import mail_news

    for one in news:
        mailed = mail_news(_news_deps(), order, one)
        logger.info("mail", order=order, mailed=mailed, about=f"{one.kind} {one.case}")


def news_in(record: Mapping[str, Any]) -> tuple[OrderId, Sequence[News]] | None:
    """Return what a stream record has for an order's buyer; None for every other message.

    Tickets wait for none of this: that an order is paid is not looked into further.

    Raises:
        ValueError: an order without an order's id.
        DamagedItemError: an order or a refund that nobody can read.
    """
    images = record.get("dynamodb", {})
    old, new = images.get("OldImage") or {}, images.get("NewImage") or {}
    key = _text(new, SK)
    if (
        not old
        or not key.startswith((ORDER, REFUND))
        or _text(new, "state") == "paid" != _text(old, "state")
    ):
        return None
    from fairgate.service.mails.news import order_news, refund_news

    news: Sequence[News]
    if key.startswith(ORDER):
        order = key.removeprefix(ORDER)
        news = order_news(decode(Order, read_item(old)), decode(Order, read_item(new)))
    else:
        order = _text(new, attribute("order_id"))
        news = refund_news(decode(OwedRefund, read_item(old)), decode(OwedRefund, read_item(new)))
    return (_order_id(order), news) if news else None


def _find(mailbox: str, request: str) -> None:
    """Mail the link that was asked for; the log does not say whose."""
    if not (MAILBOX.fullmatch(mailbox) and LINK_REQUEST.fullmatch(request)):
        raise ValueError("a message without a mailbox or a request")
    from fairgate.service.tickets.mail_link import mail_link

    mailed = mail_link(_link_deps(), Mailbox(mailbox), request)
    logger.info("link", link_request=request, mailed=mailed)


def wanted_order(message: Mapping[str, Any]) -> OrderId | None:
    """Return the order that a message is about: by a stream record, or asked for by its id.

    Raises:
        ValueError: an order without an order's id.
    """
    if "order" not in message:
        return paid_order(message)
    return _order_id(str(message["order"]))


def paid_order(record: Mapping[str, Any]) -> OrderId | None:
    """Return the order that this record shows paid; None for every other change.

    Raises:
        ValueError: a paid order without an order's id.
    """
    image = record.get("dynamodb", {}).get("NewImage") or {}
    if not _text(image, SK).startswith(ORDER) or _text(image, "state") != "paid":
        return None
    return _order_id(_text(image, SK).removeprefix(ORDER))


def _order_id(text: str) -> OrderId:
    if not ORDER_ID.fullmatch(text):
        raise ValueError("a message without an order's id")
    return OrderId(text)


def _text(image: Mapping[str, Any], name: str) -> str:
    return str(image.get(name, {}).get("S", ""))


def _office() -> TicketOffice:
    world = container()
    return TicketOffice(
        table=world.table,
        clock=world.clock,
        mail_queue=world.mail_queue,
    )


def _mail_deps() -> MailDeps:
    from fairgate.adapters.mail.letters import word_letter
    from fairgate.adapters.tickets.calendar_file import calendar_file
    from fairgate.adapters.tickets.ed25519 import signer
    from fairgate.adapters.tickets.ticket_files import ticket_pdf
    from fairgate.service.tickets.mail_tickets import MailDeps
    from fairgate.service.tickets.ticket_logo import ticket_logo

    world = container()
    return MailDeps(
        table=world.table,
        clock=world.clock,
        mailer=world.mailer,
        document=lambda faces: ticket_pdf(faces, ticket_logo(lambda: world.layouts, faces)),
        word=word_letter,
        calendar=calendar_file,
        public_url=world.settings.public_url,
        sign=signer(lambda: world.secrets.tickets().ticket),
    )


def _news_deps() -> NewsDeps:
    from fairgate.adapters.mail.letters import word_letter
    from fairgate.adapters.tickets.calendar_file import calendar_file
    from fairgate.service.mails.mail_news import NewsDeps

    world = container()
    return NewsDeps(
        table=world.table,
        clock=world.clock,
        mailer=world.mailer,
        word=word_letter,
        calendar=calendar_file,
        public_url=world.settings.public_url,
    )


def _link_deps() -> LinkDeps:
    from fairgate.service.tickets.mail_link import LinkDeps

    world = container()
    return LinkDeps(
        table=world.table,
        clock=world.clock,
        mailer=world.mailer,
        links_key=lambda: world.secrets.tickets().links,
        public_url=world.settings.public_url,
    )
