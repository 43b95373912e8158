"""Issue tickets by SQS: a message is a stream record, or names an order whose tickets are late."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools import Logger

from fairgate.adapters.tickets.ed25519 import signer
from fairgate.adapters.tickets.pdf import ticket_pdf
from fairgate.adapters.tickets.svg import ticket_svg
from fairgate.bootstrap import container
from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.ports.record import SK
from fairgate.service.shared.keys import ORDER
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = Logger()


def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Issue the tickets of every order that turned paid; name the messages to deliver again."""
    failures = []
    for message in event["Records"]:
        try:
            order = wanted_order(json.loads(message["body"]))
            if order is not None:
                issued = issue_tickets(_office(), order)
                logger.info("tickets", order=order, state=issued.state, tickets=issued.tickets,
                            issued=issued.issued, mailed=issued.mailed)  # fmt: skip
        except Exception:  # one bad message must not hold up the others; it is retried, then parked
            logger.exception("tickets not issued", message_id=message["messageId"])
            failures.append({"itemIdentifier": message["messageId"]})
    return {"batchItemFailures": failures}


def wanted_order(message: Mapping[str, Any]) -> OrderId | None:
    """Return the order that a message is about: by a stream record, or asked for by its id.

    Raises:
        ValueError: an order without an order's id.
    """
    if "order" not in message:
        return paid_order(message)
    if not ORDER_ID.fullmatch(str(message["order"])):
        raise ValueError("tickets are asked for without an order's id")
    return OrderId(message["order"])


def paid_order(record: Mapping[str, Any]) -> OrderId | None:
    """Return the order that this record shows paid; None for every other change.

    Raises:
        ValueError: a paid order without an order's id.
    """
    image = record.get("dynamodb", {}).get("NewImage") or {}
    if not _text(image, SK).startswith(ORDER) or _text(image, "state") != "paid":
        return None
    order = _text(image, SK).removeprefix(ORDER)
    if not ORDER_ID.fullmatch(order):
        raise ValueError("a paid order without an order's id")
    return OrderId(order)


def _text(image: Mapping[str, Any], name: str) -> str:
    return str(image.get(name, {}).get("S", ""))


def _office() -> TicketOffice:
    world = container()
    return TicketOffice(
        table=world.table,
        clock=world.clock,
        mailer=world.mailer,
        sign=signer(lambda: world.secrets.secrets().ticket),
        render=ticket_svg,
        document=ticket_pdf,
    )
