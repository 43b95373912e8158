"""Write figures for CloudWatch as one line of JSON on standard output.

Source: CloudWatch User Guide, "Embedded metric format specification". Powertools' Metrics writes
the same, and costs 60 ms of import; a hold is waited for.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from fairgate import request_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.settings import Settings


def emit(
    settings: Settings,
    now_ms: int,
    counts: Mapping[str, int],
    beside: Mapping[str, object] | None = None,
) -> None:
    """Count ``counts`` under this function's name, as the alarms in ``infra`` look for them.

    ``beside`` stands in it as well: a line that has to be written may be the call's own.
    """
    metrics = [{"Name": name, "Unit": "Count"} for name in counts]
    directive = {
        "Namespace": settings.metrics_namespace,
        "Dimensions": [["service"]],
        "Metrics": metrics,
    }
    line = {
        "_aws": {"Timestamp": now_ms, "CloudWatchMetrics": [directive]},
        "service": settings.service,
        **request_ids.fields(),
        **(beside or {}),
        **counts,
    }
    sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
