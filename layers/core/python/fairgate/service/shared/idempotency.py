"""A changing request under its Idempotency-Key: one effect and one answer, for a day.

The record travels in the transaction that it protects, so a request under a key costs no trip more
than one without. Only what was done is remembered: a refusal changed nothing and may be tried
again under the same key. docs/adr/0007.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import IdempotencyMismatchError
from fairgate.ports.table import Put, Refusal
from fairgate.service.shared.keys import keyed, once_key

if TYPE_CHECKING:
    from fairgate.ports.table import Table

Route = Literal["hold", "best-available", "checkout", "cancel", "admission"]

KEPT_S = 86_400
_TIDIED_S = 3_600  # the time to live may delete before its minute is over; never before KEPT_S

# The first request under this key in a day; what is older may be written over.
NOT_SEEN = "attribute_not_exists(#PK) OR #until <= :now"


@dataclass(frozen=True, slots=True)
class Once:
    """A request that its caller may send again: whose, where, under which key, asking what."""

    owner: str  # the partition of its record: a session, or U#<user>
    route: Route
    key: str
    payload: str  # fingerprint

    @staticmethod
    def of(owner: str, route: Route, key: str, payload: object) -> Once | None:
        """None when the caller sent no key. ``payload`` is anything that JSON can say."""
        return Once(owner, route, key, fingerprint(payload)) if key else None

    def record(self, now_ms: int, answer: Mapping[str, Any]) -> Put:
        """To be put into the transaction that does what was asked.

        ``answer``: what it takes to answer again; bounded by what one request may ask for.
        """
        return Put(
            "reservations",
            keyed(once_key(self.owner, self.route, self.key))
            | {
                "payload": self.payload,
                "answer": answer,
                "until": rfc3339(now_ms + KEPT_S * 1000),
                "ttl": now_ms // 1000 + KEPT_S + _TIDIED_S,
            },
            condition=NOT_SEEN,
            values={"now": rfc3339(now_ms)},
        )

    def answered(self, refusal: Refusal) -> dict[str, Any] | None:
        """The first request's answer, from the refusal of ``record``; None when it was not that.

        Raises IdempotencyMismatchError.
        """
        return self._answer(refusal.item) if refusal.failed and refusal.item else None

    def before(self, table: Table, now_ms: int) -> dict[str, Any] | None:
        """The first request's answer, read strongly, for requests that read anyway.

        Raises IdempotencyMismatchError.
        """
        item = table.get("reservations", *once_key(self.owner, self.route, self.key))
        if item is None or item["until"] <= rfc3339(now_ms):
            return None
        return self._answer(item)

    def _answer(self, item: Mapping[str, Any]) -> dict[str, Any]:
        if item["payload"] != self.payload:
            raise IdempotencyMismatchError("This Idempotency-Key was used with another request.")
        return dict(item["answer"])


def fingerprint(payload: object) -> str:
    """The same for the same JSON, whatever the order of its names."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
