"""Issue tickets and mail them, by two SQS queues.

A message is a stream record of the Reservations table, ``{"order": order}`` where tickets are late,
``{"mail": order}``, or ``{"find": mailbox, "request": …}`` from who has lost theirs.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate import log_lines, metrics
from fairgate.adapters.aws.emf import emit
from fairgate.adapters.tickets.calendar_file import calendar_file
from fairgate.adapters.tickets.ed25519 import signer
from fairgate.adapters.tickets.pdf import ticket_pdf
from fairgate.adapters.tickets.svg import ticket_svg
from fairgate.bootstrap import container
from fairgate.deadline import bounded, each
from fairgate.domain.shared.ids import LINK_REQUEST, MAILBOX, ORDER_ID, Mailbox, OrderId
from fairgate.ports.record import SK, attribute
from fairgate.request_ids import NAME, called, take_up
from fairgate.service.shared.keys import ORDER
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets
from fairgate.service.tickets.mail_link import LinkRoom, mail_link
from fairgate.service.tickets.mail_tickets import MailRoom, mail_tickets

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = log_lines.logger()


@called
@bounded
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Issue or mail the tickets of each message's order; name the messages to deliver again."""
    failures, ticketed = [], 0
    for message in each(event["Records"]):
        take_up()
        try:
            body = json.loads(message["body"])
            take_up(_sale_of(body))
            if "mail" in body:
                _mail(_order_id(body["mail"]), again=body.get("again") is True)
            elif "find" in body:
                _find(str(body["find"]), str(body["request"]))
            elif (order := wanted_order(body)) is not None:
                ticketed += _issue(order)
        except Exception:  # one bad message must not hold up the others; it is retried, then parked
            logger.exception("tickets not issued or not mailed", message_id=message["messageId"])
            failures.append({"itemIdentifier": message["messageId"]})
    take_up()
    if ticketed:
        world = container()
        emit(world.settings, world.clock.now_ms(), {metrics.ORDERS_TICKETED: ticketed})
    return {"batchItemFailures": failures}


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


def _mail(order: OrderId, *, again: bool) -> None:
    mailed = mail_tickets(_mail_room(), order, again=again)
    logger.info("mail", order=order, mailed=mailed, again=again)


def _find(mailbox: str, request: str) -> None:
    """Mail the link that was asked for; the log does not say whose."""
    if not (MAILBOX.fullmatch(mailbox) and LINK_REQUEST.fullmatch(request)):
        raise ValueError("a message without a mailbox or a request")
    mailed = mail_link(_link_room(), Mailbox(mailbox), request)
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
        sign=signer(lambda: world.secrets.secrets().ticket),
    )


def _mail_room() -> MailRoom:
    world = container()
    return MailRoom(
        table=world.table,
        clock=world.clock,
        mailer=world.mailer,
        render=ticket_svg,
        document=ticket_pdf,
        calendar=calendar_file,
        public_url=world.settings.public_url,
    )


def _link_room() -> LinkRoom:
    world = container()
    return LinkRoom(
        table=world.table,
        clock=world.clock,
        mailer=world.mailer,
        addresses_key=lambda: world.secrets.secrets().addresses,
        public_url=world.settings.public_url,
    )
