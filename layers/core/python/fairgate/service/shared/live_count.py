"""Count the live sessions. Sessions that have expired drop out of the count by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.session import live_from
from fairgate.service.shared.keys import live_partitions
from fairgate.service.shared.readable import read_readable
from fairgate.service.shared.records.sessions import LiveCounter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.table import Table


def live_now(table: Table, event: str, now: str) -> int:
    """Count sessions that have not expired; strongly consistent, rounded to a minute.

    Args:
        now: RFC 3339.

    Cost: a query for each of the event's partitions of counters.
    """
    return sum(counter.live for counter in counters_from(table, event, live_from(now)))


class SessionCounts(Struct, frozen=True):
    """An event's counters of sessions, from one reading."""

    counters: Sequence[LiveCounter]

    @property
    def live(self) -> int:
        return sum(counter.live for counter in self.counters)

    def opened_from(self, minute: str) -> int:
        """Return how many sessions were opened that were to end in ``minute`` or later."""
        return sum(counter.opened for counter in self.counters if counter.sk >= minute)


def count_sessions(table: Table, event: str, now: str) -> SessionCounts:
    """Read how many sessions are live and how many were opened. Cost: as ``live_now``."""
    return SessionCounts(counters_from(table, event, live_from(now)))


def counters_from(table: Table, event: str, bucket: str = "") -> list[LiveCounter]:
    """Read an event's counters from a bucket on, in no particular order.

    A damaged counter counts nobody: that admits a few too many for a minute and refuses nobody.
    """
    parts = [read_readable(table, LiveCounter, pk, sk_from=bucket) for pk in live_partitions(event)]
    return [counter for part in parts for counter in part.records]
