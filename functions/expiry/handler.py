"""End sessions whose time is over, by expiry messages from the queue."""

from __future__ import annotations

import json
from typing import Any

from fairgate import log_lines, metrics
from fairgate.adapters.aws.emf import emit
from fairgate.bootstrap import container
from fairgate.deadline import bounded, each
from fairgate.errors import MalformedInputError
from fairgate.request_ids import NAME, called, take_up
from fairgate.service.checkout.end_checkout import CheckoutEnder, expire_session

logger = log_lines.logger()


@called
@bounded
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Expire an SQS batch; what could not be expired comes again (partial batch failure)."""
    world = container()
    ender = CheckoutEnder.of(world.table, world.clock, world.payments)
    failures, expired = [], 0
    for record in each(event["Records"]):
        take_up()
        try:
            session, handed = _message(record)
            outcome = expire_session(ender, world.expiry_queue, session, handed=handed)
        except Exception:  # whatever it is, the other messages of the batch are not its victims
            logger.exception("session expiry failed", message_id=record["messageId"])
            failures.append({"itemIdentifier": record["messageId"]})
            continue
        expired += outcome == "ended"
        if outcome == "unanswered":
            logger.warning("session expiry postponed", session=session)
        else:
            logger.info("session expiry", session=session, outcome=outcome)
    take_up()
    if expired:
        emit(world.settings, world.clock.now_ms(), {metrics.SESSIONS_EXPIRED: expired})
    return {"batchItemFailures": failures}


def _message(record: dict[str, Any]) -> tuple[str, bool]:
    """Take up the sale, and read the session and whether the sweeper handed it over.

    Raises MalformedInputError, and what JSON raises.
    """
    body = json.loads(record["body"])
    session = body.get("session") if isinstance(body, dict) else None
    take_up(body.get(NAME) if isinstance(body, dict) else "")
    if not isinstance(session, str):
        raise MalformedInputError("An expiry message names a session.")
    return session, body.get("handed") is True
