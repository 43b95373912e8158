"""Do operators' jobs, one at a time: acts that take minutes, or write files."""

from __future__ import annotations

import json
from typing import Any

from fairgate import log_lines
from fairgate.bootstrap import container
from fairgate.deadline import bounded
from fairgate.errors import MalformedInputError
from fairgate.request_ids import NAME, called, take_up

logger = log_lines.logger()


@called
@bounded
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Do what an SQS batch names; what the table or the queue did not take comes again."""
    from fairgate_ops.operate.api.do_job import do_job

    failures = []
    for record in event["Records"]:
        take_up()
        try:
            name = _message(record)
            outcome = do_job(container(), name)
        except Exception:  # the job is as it was: a later delivery goes on with it
            logger.exception("job not done", message_id=record["messageId"])
            failures.append({"itemIdentifier": record["messageId"]})
            continue
        logger.info("job", job=name, outcome=outcome)
    return {"batchItemFailures": failures}


def _message(record: dict[str, Any]) -> str:
    """Read the job's name. Raises MalformedInputError, and what JSON raises."""
    body = json.loads(record["body"])
    name = body.get("job") if isinstance(body, dict) else None
    take_up(body.get(NAME) if isinstance(body, dict) else "")
    if not isinstance(name, str):
        raise MalformedInputError("A message names a job.")
    return name
