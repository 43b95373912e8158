"""Go a buyer's way at a hidden event each minute, through the public address, and count it."""

from __future__ import annotations

import threading
from typing import Any

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from fairgate import log_lines
from fairgate import metrics as names
from fairgate.adapters.identity.provider_calls import call_provider
from fairgate.bootstrap import container
from fairgate.deadline import bounded
from fairgate.errors import DependencyUnavailableError
from fairgate.http.journey import Journey, JourneyFailedError
from fairgate.request_ids import called

logger = log_lines.logger()
pause = threading.Event().wait


@called
@bounded
def handler(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Return what failed, "" if nothing did; a failure is counted instead of raised."""
    world = container()
    settings = world.settings
    journey = Journey(
        call_provider, settings.public_url, settings.canary_event, clock=world.clock, pause=pause
    )
    failed = ""
    try:
        journey.go(world.canary_sign_in.token())
    except (JourneyFailedError, DependencyUnavailableError, LookupError, TypeError) as error:
        failed = str(error) or type(error).__name__
    if failed:
        logger.error("the canary failed", failed=failed)
    _publish(failed=bool(failed), answering_ms=journey.answering_ms)
    return {"failed": failed, "answering_ms": journey.answering_ms}


def _publish(*, failed: bool, answering_ms: int) -> None:
    """Say how it went; a run that does not come so far is silent, and silence is an alarm."""
    metrics = EphemeralMetrics()  # namespace and service come from the environment
    metrics.add_metric(names.CANARY_RUNS, MetricUnit.Count, 1)
    metrics.add_metric(names.CANARY_FAILURES, MetricUnit.Count, int(failed))
    metrics.add_metric(names.CANARY_ANSWERING, MetricUnit.Milliseconds, answering_ms)
    log_lines.name_figures(metrics)
    metrics.flush_metrics()
