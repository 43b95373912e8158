"""List for the sweeper what must be done by a certain minute, in partitions of their own.

An entry is written in the transaction that makes the promise: when a session opens or is extended,
when a refund is owed or followed. Entries are not removed when they are done: the sweeper reads the
session or refund itself. docs/adr/0008, 0019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.ids import ORDER_ID, EventId, OrderId, SessionId, session_of_order
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Put
from fairgate.service.shared.keys import REFUNDS, due_key, due_partitions
from fairgate.service.shared.readable import Readable, read_readable
from fairgate.service.shared.records.sessions import DueEntry

if TYPE_CHECKING:
    from fairgate.ports.record import Key
    from fairgate.ports.table import Table

KEPT_S = 7 * 86_400  # how far back the hourly reconciliation may have to look after an outage
REFUND_OVERDUE_S = 300
_MINUTE = len("2026-01-01T00:00")


def minute_of(time: str) -> str:
    return time[:_MINUTE]


def session_due(
    event: EventId, session: SessionId, expires_at: str, now_ms: int, order: str = ""
) -> Put:
    """Enter that the session ends at ``expires_at``; ``order``: that this order's checkout does."""
    entry = DueEntry(
        *due_key(event, minute_of(expires_at), session),
        session_id=session,
        order_id=order,
        ttl=now_ms // 1000 + KEPT_S,
    )
    return Put.of(entry, condition="")


def refund_due(
    order: OrderId, payment: str, now_ms: int, *, part: int = 0, in_s: int = REFUND_OVERDUE_S
) -> Put:
    """Enter that this capture's refund is to be sent or checked ``in_s`` from now.

    Refunds of all events are in one list: they go on long after the sweeper has left the event's
    own list.
    """
    by_ms = now_ms + in_s * 1000
    entry = DueEntry(
        *due_key(REFUNDS, minute_of(rfc3339(by_ms)), _refund_name(order, payment, part)),
        session_id=session_of_order(order),
        order_id=order,
        payment_id=payment,
        part=part,
        ttl=by_ms // 1000 + KEPT_S,
    )
    return Put.of(entry, condition="")


def due_entries(table: Table, event: str, minute: str) -> Readable[DueEntry]:
    """List what is due in a minute. An entry that does not match its key counts as damaged.

    Cost: a query for each of the minute's partitions.
    """
    records: list[DueEntry] = []
    damaged: list[Key] = []
    for pk in due_partitions(event, minute):
        read = read_readable(table, DueEntry, pk)
        damaged += read.damaged
        for entry in read.records:
            if _is_whole(entry, event, minute):
                records.append(entry)
            else:
                damaged.append(entry.key)
    return Readable(records, damaged)


def _is_whole(entry: DueEntry, event: str, minute: str) -> bool:
    """Say whether an entry matches its key.

    A key that is empty, too long or doubled would make DynamoDB refuse the whole batch of reads,
    every minute.
    """
    session, order, payment = entry.session_id, entry.order_id, entry.payment_id
    is_refund = event == REFUNDS
    if (is_refund or order) and not (
        ORDER_ID.fullmatch(order) and session_of_order(OrderId(order)) == session
    ):
        return False
    if is_refund != bool(payment):
        return False
    name = _refund_name(order, payment, entry.part) if payment else session
    return entry.key == due_key(event, minute, name)


def _refund_name(order: str, payment: str, part: int) -> str:
    return f"refund#{order}#{payment}" + (f"#{part}" if part else "")
