"""Apply stream records, delivered by a queue, to the availability cache.

``fairgate cache rebuild`` calls it directly: ``{"rebuild": {"event": …, "section": …}}``.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from fairgate import bootstrap, log_lines, metrics
from fairgate.deadline import bounded
from fairgate.errors import FairgateError
from fairgate.request_ids import called, valid
from fairgate.service.availability.apply_patiently import apply_patiently
from fairgate.service.availability.apply_seat_changes import Applied
from fairgate.service.availability.rebuild_availability import AvailabilityRebuilder

MARGIN_S = 10.0  # kept of the function's time for the last try and its answer
NAMED_MAX = 100  # in one line of the log

logger = log_lines.logger()
pause = threading.Event().wait


@called
@bounded
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Apply what can be applied; name the messages that are to be delivered again."""
    if "rebuild" in event:
        return _rebuild(event["rebuild"])
    container = bootstrap.container()
    readable, unreadable = [], {}
    for message in event["Records"]:
        try:
            readable.append((message["messageId"], json.loads(message["body"])))
        except (ValueError, RecursionError) as error:  # the latter: brackets without end
            unreadable[message["messageId"]] = error
    left_s = context.get_remaining_time_in_millis() / 1000 - MARGIN_S if context else 0.0
    outcome = apply_patiently(
        container.cache, readable, container.clock, wait=pause, patience_s=left_s
    )
    for message_id, defect in unreadable.items():
        outcome.gives_up(message_id, defect)
    sessions = {message_id: _session_of(record) for message_id, record in readable}
    for message_id, reason in outcome.reasons.items():
        logger.error("seat change not understood", message_id=message_id, reason=reason,
                     session=sessions.get(message_id, ""))  # fmt: skip
    _publish(outcome)
    return {"batchItemFailures": [{"itemIdentifier": message} for message in outcome.failed]}


def _session_of(record: Any) -> str:
    """Return whose change it is, as far as it can be told: seats know sessions, not sales."""
    try:
        return valid(record["dynamodb"]["NewImage"]["sessionId"]["S"])
    except (LookupError, TypeError):
        return ""


def _rebuild(request: Any) -> dict[str, Any]:
    container = bootstrap.container()
    try:
        filled = AvailabilityRebuilder(container.cache, container.table).asked(request)
    except FairgateError as error:
        return {"error": {"code": error.code, "detail": error.detail}}
    if filled.damaged:
        logger.error("damaged seats", keys=filled.damaged[:NAMED_MAX])
        figures = EphemeralMetrics()
        figures.add_metric(metrics.SEATS_DAMAGED, MetricUnit.Count, len(filled.damaged))
        log_lines.name_figures(figures)
        figures.flush_metrics()
    return {"filled": filled.units, "damaged": filled.damaged}


def _publish(outcome: Applied) -> None:
    figures = EphemeralMetrics()  # namespace and service come from the environment
    log_lines.name_figures(figures)
    figures.add_metric(metrics.SEAT_CHANGES_APPLIED, MetricUnit.Count, outcome.applied)
    figures.add_metric(metrics.SEAT_CHANGES_MALFORMED, MetricUnit.Count, len(outcome.malformed))
    if outcome.defects:
        figures.add_metric(metrics.CACHE_SCRIPT_DEFECTS, MetricUnit.Count, outcome.defects)
    if outcome.cache_gone:
        figures.add_metric(metrics.CACHE_UNAVAILABLE, MetricUnit.Count, 1)
    # Powertools prints and clears by itself at the hundredth value; the freshest may go unsaid.
    for age_ms in sorted(outcome.ages_ms, reverse=True)[:99]:
        figures.add_metric(metrics.INVALIDATION_AGE, MetricUnit.Milliseconds, age_ms)
    figures.flush_metrics()
