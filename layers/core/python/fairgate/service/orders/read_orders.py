"""Orders and live sessions as their owner may see them."""

from __future__ import annotations

from typing import Any

from fairgate.domain.shared.ids import ORDER_ID, OrderId, session_of_order
from fairgate.domain.shared.session import LIVE_STATES
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.service.shared.keys import order_key, standing_key
from fairgate.service.shared.session_view import SessionView, read_session


def read_order(table: Table, order: str, user: str) -> dict[str, Any]:
    """The order's item, read strongly. Raises NotFoundError, also when it is not ``user``'s."""
    found = None
    if ORDER_ID.fullmatch(order):
        session = session_of_order(OrderId(order))
        found = table.get("reservations", *order_key(session, order))
    if found is None or found["userId"] != user:
        raise NotFoundError("There is no such order.")
    return found


def read_live_session(table: Table, clock: Clock, event: str, user: str) -> SessionView:
    """The user's one live session in the event. Raises NotFoundError when there is none."""
    standing = table.get("reservations", *standing_key(user, event))
    session = (standing or {}).get("liveSession", "")
    if session:
        view = read_session(table, session, user)
        live = view.session["state"] in LIVE_STATES
        if live and view.session["expiresAt"] > rfc3339(clock.now_ms()):
            return view
    raise NotFoundError("You have no open session for this event.")
