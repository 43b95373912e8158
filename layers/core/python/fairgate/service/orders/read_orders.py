"""Read orders and live sessions as their owner may see them."""

from __future__ import annotations

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.session import LIVE_STATES
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.request_ids import follow
from fairgate.service.shared.keys import own_order_key, user_status_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import UserStatus
from fairgate.service.shared.session_view import SessionView, read_session


def read_order(table: Table, order_id: str, user: str) -> Order:
    """Read the order, strongly. Raises NotFoundError, also if it is another user's."""
    order = None
    if ORDER_ID.fullmatch(order_id):
        order = table.find(Order, own_order_key(OrderId(order_id)))
    if order is None or order.user_id != user:
        raise NotFoundError("There is no such order.")
    follow(order.correlation_id)
    return order


def read_live_session(table: Table, clock: Clock, event: Event, user: str) -> SessionView:
    """Read the user's one live session in the event.

    Raises NotFoundError: there is none; ``sessions_left`` says how many more the user may have.
    """
    status = table.find(UserStatus, user_status_key(user, event.id))
    if status is not None and status.live_session:
        view = read_session(table, status.live_session, user)
        live = view.session.state in LIVE_STATES
        if live and view.session.expires_at > rfc3339(clock.now_ms()):
            return view
    left = max(0, event.sessions_limit - (status.sessions_used if status is not None else 0))
    used_up = "" if left else " You have used all your sessions for it: you would wait in vain."
    detail = f"You have no open session for this event.{used_up}"
    raise NotFoundError(detail, sessions_left=left)
