"""Keep a forecast of an event for those who watch its sale, and find it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate.service.watch.forecasts import find_forecast, keep_forecast
from fairgate_ops.shared.json_text import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.bootstrap import Container

POINTS_MAX = 200  # of a curve that is kept


def keep(world: Container, event: str, forecast: Mapping[str, Any], who: str) -> dict[str, Any]:
    """Keep it, and return what is kept. Raises DependencyUnavailableError."""
    now_ms = world.clock.now_ms()
    document = {"event": event, "made_at": rfc3339(now_ms), "by": who, **forecast}
    keep_forecast(world.table, event, json_text(document), now_ms // 1000)
    return document


def find(world: Container, event: str) -> dict[str, Any] | None:
    """Return what was kept last; None: nothing. Raises DependencyUnavailableError."""
    kept = find_forecast(world.table, event)
    try:
        document = None if kept is None else json.loads(kept)
    except ValueError:  # another version wrote it
        return None
    return document if isinstance(document, dict) else None
