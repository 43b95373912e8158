"""Count how many sessions are live, without anybody sweeping up the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.session import live_from
from fairgate.service.shared.keys import live_key
from fairgate.service.shared.records.sessions import LiveCounter

if TYPE_CHECKING:
    from fairgate.ports.table import Table


def live_now(table: Table, event: str, now: str) -> int:
    """Count sessions whose time has not run out; strongly consistent, a minute coarse.

    Args:
        now: RFC 3339.
    """
    partition, first = live_key(event, live_from(now))
    return sum(counter.live for counter in table.query(LiveCounter, partition, sk_from=first))
