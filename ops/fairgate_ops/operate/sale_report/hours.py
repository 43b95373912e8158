"""Which hours of the logs a sale's report is about."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from fairgate.domain.gate.draft import state_at
from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.start_text import start_text
from fairgate_ops.operate.sale_report.answers import HOUR

if TYPE_CHECKING:
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.target import Target

BEFORE = timedelta(hours=1)  # of the sale start: who joins early


class Hours(NamedTuple):
    """First and last one in UTC, as questions take them, and ``when`` in words."""

    first: str
    last: str
    when: str


def hours_of(sale: Event, now_ms: int, most_h: float | None) -> Hours:
    """Return the hours from before the sale start until now, or for so long after it."""
    starts = datetime.fromisoformat(sale.sale_starts_at) - BEFORE
    ends = datetime.fromtimestamp(now_ms / 1000, tz=UTC)
    if most_h:
        ends = min(ends, starts + BEFORE + timedelta(hours=most_h))
    first, last = (moment.astimezone(UTC).strftime(HOUR) for moment in (starts, ends))
    began = start_text(rfc3339(int(starts.timestamp() * 1000)), sale.time_zone)
    return Hours(first, last, f"from {began} to {start_text(ends.isoformat(), sale.time_zone)}")


def not_started(target: Target, event: str) -> list[str]:
    """Say so if no buyer could come in yet."""
    gate, now_s = target.control().read(event), target.world.clock.now_ms() / 1000
    if state_at(gate.state, gate.open_until_s, now_s) == "draft":
        return ["The event is a draft: its sale has not started."]
    return ["The sale has not started."] if now_s < gate.sale_start_s else []
