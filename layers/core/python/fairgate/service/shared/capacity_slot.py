"""Reserve a capacity slot when a session opens, and return it when the session ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.ports.table import Update
from fairgate.service.shared.conditions import SHARD_HAS_SLOT
from fairgate.service.shared.keys import capacity_shard_key

if TYPE_CHECKING:
    from fairgate.service.shared.records.sessions import Session


def slot_taken(session: Session) -> list[Update]:
    """Reserve a slot of the session's shard. Does nothing without a capacity limit."""
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
    """Return the session's slot, in the transaction that ends it. A session ends only once."""
    if session.shard is None:
        return []
    return [
        Update(
            "reservations", *capacity_shard_key(session.event_id, session.shard), add={"left": 1}
        )
    ]
