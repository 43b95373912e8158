"""Stream records, delivered by a queue, become changes of the availability cache."""

from __future__ import annotations

import json
from typing import Any

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from fairgate import bootstrap
from fairgate.service.apply_seat_changes import Outcome, apply_seat_changes


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Apply what can be applied; name the messages that are to be delivered again."""
    container = bootstrap.container()
    readable, unreadable = [], []
    for message in event["Records"]:
        try:
            readable.append((message["messageId"], json.loads(message["body"])))
        except ValueError:
            unreadable.append(message["messageId"])
    outcome = apply_seat_changes(container.cache, readable, container.clock.now_ms())
    outcome.failed += unreadable
    outcome.malformed += unreadable
    _publish(outcome)
    return {"batchItemFailures": [{"itemIdentifier": message} for message in outcome.failed]}


def _publish(outcome: Outcome) -> None:
    metrics = EphemeralMetrics()  # namespace and service come from the environment
    metrics.add_metric("SeatChangesApplied", MetricUnit.Count, outcome.applied)
    metrics.add_metric("MalformedSeatChanges", MetricUnit.Count, len(outcome.malformed))
    if outcome.cache_gone:
        metrics.add_metric("CacheUnavailable", MetricUnit.Count, 1)
    # Powertools prints and clears by itself at the hundredth value; the freshest may go unsaid.
    for age_ms in sorted(outcome.ages_ms, reverse=True)[:99]:
        metrics.add_metric("InvalidationAge", MetricUnit.Milliseconds, age_ms)
    metrics.flush_metrics()
