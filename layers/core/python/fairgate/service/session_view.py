"""One session as the table has it: read strongly, in one query of its partition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairgate.errors import NotFoundError
from fairgate.ports import Table

LIVE_SUFFIX = "#L"


@dataclass(frozen=True)
class SessionView:
    """The session's item, its live reservations, its orders, and captures owed back or refunded."""

    session: dict[str, Any]
    reservations: Sequence[dict[str, Any]]
    orders: Sequence[dict[str, Any]]
    refunds: Sequence[dict[str, Any]] = ()

    @property
    def pending_order(self) -> dict[str, Any] | None:
        return next((o for o in self.orders if o["state"] == "pending"), None)

    def of_hold(self, hold: str) -> list[dict[str, Any]]:
        return [r for r in self.reservations if r["holdId"] == hold]


def read_session(table: Table, session: str, user: str | None = None) -> SessionView:
    """Raises NotFoundError, also when the session is not ``user``'s."""
    items = table.query("reservations", session)
    head = next((item for item in items if item["SK"].startswith("S#")), None)
    if head is None or (user is not None and head["userId"] != user):
        raise NotFoundError("There is no such session.")
    return SessionView(
        head,
        [i for i in items if i["SK"].startswith("R#") and i["GSI1SK"].endswith(LIVE_SUFFIX)],
        [i for i in items if i["SK"].startswith("O#")],
        [i for i in items if i["SK"].startswith("F#")],
    )
