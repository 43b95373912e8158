"""One session as the table has it: read strongly, in one query of its partition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairgate.domain.shared.session import LIVE_STATES
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.ports.table import Table

LIVE_SUFFIX = "#L"
_ATTEMPTS_MAX = 4


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

    @property
    def whole(self) -> bool:
        """Whether the reservations are those that the session counts.

        A query may see one item as it was before a commit and the next as it was after it. Only
        while a session is live does it count what it holds.
        Source: DynamoDB Developer Guide, "Isolation levels for DynamoDB transactions".
        """
        held = sum(reservation["quantity"] for reservation in self.reservations)
        return self.session["state"] not in LIVE_STATES or held == self.session["resCount"]


def read_session(table: Table, session: str, user: str | None = None) -> SessionView:
    """The session with all that it holds at one moment, read again while a commit is under way.

    Raises:
        NotFoundError: also when the session is not ``user``'s.
        DependencyUnavailableError: it keeps changing.
    """
    for _ in range(_ATTEMPTS_MAX):
        view = _read(table, session, user)
        if view.whole:
            return view
    raise DependencyUnavailableError(
        "Your seats are being changed elsewhere. Please try again.", retry_after_s=1
    )


def _read(table: Table, session: str, user: str | None) -> SessionView:
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
