"""Give a request with an Idempotency-Key one effect and one answer for a day.

The record is part of the transaction that it protects, so a key costs no extra round trip. Only
success is remembered: a refused request may be tried again with the same key. docs/adr/0007.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import IdempotencyMismatchError
from fairgate.ports.table import Put, Refusal
from fairgate.service.shared.conditions import KEY_NOT_SEEN
from fairgate.service.shared.keys import idempotency_key
from fairgate.service.shared.records.sessions import IdempotencyRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table

Route = Literal[
    "hold", "best-available", "checkout", "cancel", "refund", "admission", "offer", "accept"
]

KEPT_S = 86_400
_TIDIED_S = 3_600  # the TTL may delete a little early, and must not before KEPT_S


class IdempotentRequest(Struct, frozen=True):
    """A request that its caller may repeat: whose it is, its route, its key and its payload."""

    owner: str  # the partition of its record: a session, or U#<user>
    route: Route
    key: str
    payload: str  # fingerprint

    @staticmethod
    def of(owner: str, route: Route, key: str, payload: object) -> IdempotentRequest | None:
        """Make one; None without a key. ``payload`` is anything that JSON can hold."""
        return IdempotentRequest(owner, route, key, fingerprint(payload)) if key else None

    def record(self, now_ms: int, answer: Mapping[str, Any]) -> Put:
        """Return the Put for the transaction of this request.

        ``answer``: what the same answer can be made of again; the size of a request bounds it.
        """
        record = IdempotencyRecord(
            *idempotency_key(self.owner, self.route, self.key),
            payload=self.payload,
            answer=answer,
            until=rfc3339(now_ms + KEPT_S * 1000),
            ttl=now_ms // 1000 + KEPT_S + _TIDIED_S,
        )
        return Put.of(record, condition=KEY_NOT_SEEN, values={"now": rfc3339(now_ms)})

    def answered(self, refusal: Refusal) -> dict[str, Any] | None:
        """Read the first answer from the refusal of ``record``; None if the record did not refuse.

        Raises IdempotencyMismatchError.
        """
        record = refusal.old(IdempotencyRecord) if refusal.failed else None
        return None if record is None else self._answer(record)

    def before(self, table: Table, now_ms: int) -> dict[str, Any] | None:
        """Read the first answer, strongly consistent.

        Raises IdempotencyMismatchError.
        """
        record = table.find(IdempotencyRecord, idempotency_key(self.owner, self.route, self.key))
        if record is None or record.until <= rfc3339(now_ms):
            return None
        return self._answer(record)

    def _answer(self, record: IdempotencyRecord) -> dict[str, Any]:
        if record.payload != self.payload:
            raise IdempotencyMismatchError("This Idempotency-Key was used with another request.")
        return dict(record.answer)


def fingerprint(payload: object) -> str:
    """Hash a payload as JSON. The order of its names does not matter."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
