"""Give back what sessions left behind, by expiry messages from the queue."""

from __future__ import annotations

import json
from typing import Any

from aws_lambda_powertools import Logger

from fairgate.bootstrap import container
from fairgate.service.holds.release_seats import SeatReleaser, expire_session
from fairgate.service.orders.open_payment import close_payment

logger = Logger()


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Expire an SQS batch; what could not be expired comes again (partial batch failure)."""
    world = container()
    releaser = SeatReleaser(world.table, world.clock)
    failures = []
    for record in event["Records"]:
        try:
            session = str(json.loads(record["body"])["session"])
            outcome = expire_session(
                releaser, world.expiry_queue, world.table, world.clock, session
            )
            if outcome == "expired":
                close_payment(world.table, world.payments, session)
            logger.info("session expiry", session=session, outcome=outcome)
        except Exception:  # whatever it is, the other messages of the batch are not its victims
            logger.exception("session expiry failed", message_id=record["messageId"])
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
