"""Define typed identifiers and the shapes that input must have to become one."""

from __future__ import annotations

import re
from typing import NewType

EventId = NewType("EventId", str)
SectionId = NewType("SectionId", str)
SeatId = NewType("SeatId", str)
UserId = NewType("UserId", str)
SessionId = NewType("SessionId", str)
HoldId = NewType("HoldId", str)
OrderId = NewType("OrderId", str)
Mailbox = NewType("Mailbox", str)

# '#' separates the parts of a table key, so no id may contain one.
EVENT_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
PLACE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")  # section, block, row, seat, area, tier
USER_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:|@-]{0,127}")
SESSION_ID = re.compile(r"ses_[0-9a-f]{32}")
HOLD_ID = re.compile(r"hld_[0-9a-f]{32}")
TICKET_ID = re.compile(r"tkt_[0-9a-f]{16}")
ORDER_ID = re.compile(r"ord_[0-9a-f]{32}_[0-9a-f]{8}")
MAILBOX = re.compile(r"[A-Za-z0-9_-]{22}")
LINK_REQUEST = re.compile(r"[0-9a-f]{32}")


def order_id_of(session: SessionId, attempt: str) -> OrderId:
    """Name the order of a session's payment attempt; the session's key can be read back from it."""
    return OrderId(f"ord_{session.removeprefix('ses_')}_{attempt}")


def session_of_order(order: OrderId) -> SessionId:
    return SessionId("ses_" + order.split("_")[1])
