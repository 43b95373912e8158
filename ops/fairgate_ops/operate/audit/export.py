"""The admission log from the tables: every session of the event, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.client import table_names
from fairgate.adapters.dynamodb.codec import from_item
from fairgate.domain.gate.admission_log import pseudonym
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.record import PK, SK
from fairgate.service.shared.keys import ORDER, SESSION, USER
from fairgate_ops.operate.audit.log_file import write_log
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate_ops.operate.audit.log_file import LogWriter
    from fairgate_ops.operate.target import Target

_SHOWN = (
    f"{PK}, {SK}, userId, tokenId, #state, openedAt, expiresAt, admission, orderId, sessionsUsed"
)


def export_log(
    target: Target, event: str, path: str, *, publish_key: bytes | None = None
) -> dict[str, int]:
    """Write the log of ``event`` to ``path``; what it counted.

    Args:
        publish_key: the revealed draw key, to write pseudonyms for users and sessions, and no
            orders. Whoever knows a user's id, and only they, finds the user's line.

    Consistency: strong for each item. Before the sale is closed a session that opens meanwhile may
    be missing. Cost: one scan of the Reservations table.
    """
    used = 0
    with write_log(path) as log, progress("Exporting (items read)") as step:
        now = rfc3339(target.world.clock.now_ms())
        log.head(event, published=publish_key is not None, exported_at=now)
        for scanned, items in _pages(target, event):
            for item in items:
                used += _write(log, event, item, publish_key)
            step(scanned)
        log.end(used)
    return {**log.counts, "sessions_used": used}


def _write(log: LogWriter, event: str, item: Mapping[str, Any], publish_key: bytes | None) -> int:
    """One item's line, if it has one; the sessions that a user's counter says were opened."""
    if item[PK].startswith(USER):
        return int(item.get("sessionsUsed", 0))
    if item[SK].startswith(SESSION):
        log.admission(_admission(event, item, publish_key))
    elif publish_key is None:
        order = {"order": item["orderId"], "session": item[PK], "state": item["state"]}
        log.order(order)
    return 0


def _admission(event: str, item: Mapping[str, Any], publish_key: bytes | None) -> dict[str, Any]:
    session, user = item[PK], item["userId"]
    if publish_key is not None:
        session = pseudonym(publish_key, event, "session", session)
        user = pseudonym(publish_key, event, "user", user)
    line: dict[str, Any] = {
        "session": session,
        "user": user,
        "token": item["tokenId"],
        "at_ms": epoch_ms(item["openedAt"]),
        "until_ms": epoch_ms(item["expiresAt"]),
        "state": item["state"],
    }
    if (kept := item.get("admission")) is not None:
        names = ("iat", "h", "lot", "kid", "verdict")
        line |= {name: kept[name] for name in names} | {"edge_at": kept["edgeAt"]}
        line |= {"d": kept["d"]} if "d" in kept else {}
    return line


def _pages(target: Target, event: str) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """How many items were read, and those of this event: sessions, orders, users' standings."""
    names = table_names(target.world.settings)
    request: dict[str, Any] = {
        "TableName": names["reservations"],
        "ConsistentRead": True,
        "ProjectionExpression": _SHOWN,
        "FilterExpression": f"({SK} = :event AND begins_with({PK}, :u))"
        f" OR (eventId = :event AND (begins_with({SK}, :s) OR begins_with({SK}, :o)))",
        "ExpressionAttributeNames": {"#state": "state"},
        "ExpressionAttributeValues": {
            ":event": {"S": event},
            ":s": {"S": SESSION},
            ":o": {"S": ORDER},
            ":u": {"S": USER},
        },
    }
    client = target.dynamodb()
    while True:
        page = client.scan(**request)
        yield int(page["ScannedCount"]), [from_item(item) for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
