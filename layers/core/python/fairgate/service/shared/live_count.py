"""Count how many sessions are live, without anybody sweeping up the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.session import live_from
from fairgate.service.shared.keys import live_partitions
from fairgate.service.shared.readable import read_readable
from fairgate.service.shared.records.sessions import LiveCounter

if TYPE_CHECKING:
    from fairgate.ports.table import Table


def live_now(table: Table, event: str, now: str) -> int:
    """Count sessions whose time has not run out; strongly consistent, a minute coarse.

    Args:
        now: RFC 3339.

    Cost: a query for each of the event's partitions of counters.
    """
    return sum(counter.live for counter in counters_from(table, event, live_from(now)))


def counters_from(table: Table, event: str, bucket: str = "") -> list[LiveCounter]:
    """Read an event's counters from a bucket on, in no particular order.

    A damaged one counts nobody: that admits some too many for a minute, and keeps nobody out.
    """
    parts = [read_readable(table, LiveCounter, pk, sk_from=bucket) for pk in live_partitions(event)]
    return [counter for part in parts for counter in part.records]
