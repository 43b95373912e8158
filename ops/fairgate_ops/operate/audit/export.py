"""The admission log from the tables: every session of the event, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairgate.adapters.dynamodb.client import table_names
from fairgate.adapters.dynamodb.codec import read_item
from fairgate.domain.gate.admission_log import pseudonym
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.record import PK, SK, DamagedItemError, Part, convert
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


class _UserStatus(Part, frozen=True):
    sessions_used: int = 0


class _Order(Part, frozen=True):
    order_id: str
    state: str


class _Decided(Part, frozen=True):
    iat: int | float
    h: int | float
    lot: str
    kid: str
    verdict: str
    edge_at: int
    d: int | float | None = None


class _Session(Part, frozen=True):
    user_id: str
    token_id: str
    opened_at: str
    expires_at: str
    state: str
    admission: _Decided | None = None


def export_log(
    target: Target, event: str, path: str, *, publish_key: bytes | None = None
) -> dict[str, int]:
    """Write the log of ``event`` to ``path``; what it counted.

    Args:
        publish_key: the revealed draw key, to write pseudonyms for users and sessions, and no
            orders. Whoever knows a user's id, and only they, finds the user's line.

    Consistency: strong for each item. Before the sale is closed a session that opens meanwhile may
    be missing. Cost: one scan of the Reservations table. Raises DamagedItemError.
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
    """One item's line, if it has one; the sessions that a user's counter says were opened.

    Raises DamagedItemError: a log without it would be found to have lost lines.
    """
    try:
        if item[PK].startswith(USER):
            return convert(item, _UserStatus).sessions_used
        if item[SK].startswith(SESSION):
            log.admission(_admission(event, item[PK], convert(item, _Session), publish_key))
        elif publish_key is None:
            order = convert(item, _Order)
            log.order({"order": order.order_id, "session": item[PK], "state": order.state})
    except (msgspec.ValidationError, ValueError) as error:
        where = f"{item[PK]} {item[SK]}"
        raise DamagedItemError(
            f"The log needs an item that is damaged: {error} ({where})"
        ) from error
    return 0


def _admission(
    event: str, session: str, opened: _Session, publish_key: bytes | None
) -> dict[str, Any]:
    user = opened.user_id
    if publish_key is not None:
        session = pseudonym(publish_key, event, "session", session)
        user = pseudonym(publish_key, event, "user", user)
    line: dict[str, Any] = {
        "session": session,
        "user": user,
        "token": opened.token_id,
        "at_ms": epoch_ms(opened.opened_at),
        "until_ms": epoch_ms(opened.expires_at),
        "state": opened.state,
    }
    if (decided := opened.admission) is not None:
        names = ("iat", "h", "lot", "kid", "verdict", "edge_at")
        line |= {name: getattr(decided, name) for name in names}
        line |= {} if decided.d is None else {"d": decided.d}
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
        yield int(page["ScannedCount"]), [read_item(item) for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
