"""Take a place of a room with a session's beginning, and give it back with its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.ports.table import Update
from fairgate.service.shared.conditions import SHARD_HAS_SLOT
from fairgate.service.shared.keys import capacity_shard_key

if TYPE_CHECKING:
    from fairgate.service.shared.records.sessions import Session


def slot_taken(session: Session) -> list[Update]:
    """Take a place of the session's room, if there is one left; nothing where there is no cap."""
    if session.shard is None:
        return []
    return [
        Update(
            "reservations",
            *capacity_shard_key(session.event_id, session.shard),
            condition=SHARD_HAS_SLOT,
            values={"none": 0},
            add={"left": -1},
        )
    ]


def slot_returned(session: Session) -> list[Update]:
    """Give the session's place back, in the transaction that ends it: once, as it ends once."""
    if session.shard is None:
        return []
    return [
        Update(
            "reservations", *capacity_shard_key(session.event_id, session.shard), add={"left": 1}
        )
    ]
