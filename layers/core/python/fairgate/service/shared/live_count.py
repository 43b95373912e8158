"""How many sessions are live, without anybody sweeping up the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.session import live_from
from fairgate.service.shared.keys import live_key

if TYPE_CHECKING:
    from fairgate.ports.table import Table


def live_now(table: Table, event: str, now: str) -> int:
    """Sessions whose time has not run out; strongly consistent, a minute coarse.

    Args:
        now: RFC 3339.
    """
    partition, first = live_key(event, live_from(now))
    return sum(int(item["live"]) for item in table.query("reservations", partition, sk_from=first))
