"""Take a place of a room with a session's beginning, and give it back with its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.ports.table import Update
from fairgate.service.shared.conditions import ROOM_HAS_PLACE
from fairgate.service.shared.keys import hall_room_key

if TYPE_CHECKING:
    from fairgate.service.shared.records.sessions import Session


def place_taken(session: Session) -> list[Update]:
    """Take a place of the session's room, if there is one left; nothing where there is no cap."""
    if session.room is None:
        return []
    return [
        Update(
            "reservations",
            *hall_room_key(session.event_id, session.room),
            condition=ROOM_HAS_PLACE,
            values={"none": 0},
            add={"left": -1},
        )
    ]


def place_given_back(session: Session) -> list[Update]:
    """Give the session's place back, in the transaction that ends it: once, as it ends once."""
    if session.room is None:
        return []
    return [Update("reservations", *hall_room_key(session.event_id, session.room), add={"left": 1})]
