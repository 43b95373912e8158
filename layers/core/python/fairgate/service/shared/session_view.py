"""Read a session with its reservations, orders and refunds in one strong query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from fairgate.domain.shared.session import LIVE_STATES
from fairgate.errors import NotFoundError
from fairgate.ports.record import Record
from fairgate.ports.table import Table
from fairgate.service.shared.change import UnderWayError
from fairgate.service.shared.keys import ORDER, REFUND, RESERVATION, SESSION
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate.service.shared.records.sessions import Reservation, Session

_ATTEMPTS_MAX = 4
_KINDS: Mapping[str, type[Record]] = {
    SESSION: Session,
    RESERVATION: Reservation,
    ORDER: Order,
    REFUND: OwedRefund,
}


class SessionView(Struct, frozen=True):
    """A session with its live reservations, orders and owed refunds."""

    session: Session
    reservations: Sequence[Reservation]
    orders: Sequence[Order]
    refunds: Sequence[OwedRefund] = ()

    @property
    def pending_order(self) -> Order | None:
        return next((order for order in self.orders if order.state == "pending"), None)

    @property
    def order(self) -> Order | None:
        """Return the session's order in any state. A session has one checkout."""
        return self.orders[0] if self.orders else None

    @property
    def due_at(self) -> str:
        """Return when it ends: in checkout at the order's end.

        The locks of its seats last longer, until the provider has been asked for a payment.
        """
        order = self.order if self.session.state == "checkout" else None
        return self.session.expires_at if order is None else order.expires_at

    def of_hold(self, hold: str) -> list[Reservation]:
        return [r for r in self.reservations if r.hold_id == hold]

    @property
    def seats(self) -> list[Reservation]:
        return [r for r in self.reservations if r.kind == "seat"]

    @property
    def whole(self) -> bool:
        """Say whether all reservations that the session counts, and its order, are there.

        A query may see one item before a commit and the next one after it. Only a live session
        counts its reservations.
        Source: DynamoDB Developer Guide, "Isolation levels for DynamoDB transactions".
        """
        if self.session.state not in LIVE_STATES:
            return True
        held = sum(reservation.quantity for reservation in self.reservations)
        ordered = self.session.state != "checkout" or bool(self.orders)
        return ordered and held == self.session.res_count


def read_session(table: Table, session: str, user: str | None = None) -> SessionView:
    """Read the session; read it again while a commit is under way.

    Raises:
        NotFoundError: also when the session is not ``user``'s.
        DependencyUnavailableError: it keeps changing.
    """
    for _ in range(_ATTEMPTS_MAX):
        view = _read(table, session, user)
        if view.whole:
            return view
    raise UnderWayError(
        "Your seats are being changed elsewhere. Please try again.", retry_after_s=1
    )


def _read(table: Table, session: str, user: str | None) -> SessionView:
    items = table.partition(_KINDS, session)
    head = next((item for item in items if isinstance(item, Session)), None)
    if head is None or (user is not None and head.user_id != user):
        raise NotFoundError("There is no such session.")
    return SessionView(
        head,
        [i for i in items if isinstance(i, Reservation) and i.state == "live"],
        [i for i in items if isinstance(i, Order)],
        [i for i in items if isinstance(i, OwedRefund)],
    )
