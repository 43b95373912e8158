"""What must have been done by a certain minute: a list for the sweeper, one partition a minute.

Written in the transaction that makes the promise: when a session opens or is extended, when a
refund is owed. Nothing is crossed off; whoever looks reads the thing itself. docs/adr/0008.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Put
from fairgate.service.shared.keys import due_key, keyed

if TYPE_CHECKING:
    from collections.abc import Mapping

KEPT_S = 7 * 86_400  # how far back the hourly reconciliation may have to look after an outage
REFUND_OVERDUE_S = 300
_MINUTE = len("2026-01-01T00:00")


def minute_of(time: str) -> str:
    return time[:_MINUTE]


def session_due(event: str, session: str, expires_at: str, now_ms: int, order: str = "") -> Put:
    """The session is to be over by ``expires_at``; ``order`` when that is a checkout's end."""
    more = {"orderId": order} if order else {}
    return _due(event, expires_at, session, now_ms, {"sessionId": session, **more})


def refund_due(event: str, order: Mapping[str, Any], payment: str, now_ms: int) -> Put:
    """The refund of this capture is to be sent within five minutes."""
    owed = {"orderId": order["orderId"], "paymentId": payment, "sessionId": order["PK"]}
    by = rfc3339(now_ms + REFUND_OVERDUE_S * 1000)
    return _due(event, by, f"refund#{order['orderId']}#{payment}", now_ms, owed)


def _due(event: str, time: str, name: str, now_ms: int, what: Mapping[str, Any]) -> Put:
    item = {**keyed(due_key(event, minute_of(time), name)), **what}
    return Put("reservations", {**item, "ttl": now_ms // 1000 + KEPT_S}, condition="")
