"""What must hold of the hall's size: the cap of live sessions, and the rooms that keep it."""

from __future__ import annotations

from collections import Counter

from fairgate.domain.shared.session import LIVE_STATES
from fairgate.ports.record import PK, SK
from fairgate.service.shared.keys import hall_cap_key, hall_room_key
from fairgate_ops.run.laws.snapshot import Item, Snapshot
from fairgate_ops.run.laws.violation import Found, Violation


def cap_is_kept(snapshot: Snapshot) -> Found:
    """No more sessions are live than the cap allows.

    A cap may be lowered below those who are inside: then its rooms are shut, and nobody enters.
    """
    caps = {item[PK]: item["cap"] for item in snapshot.hall_caps}
    live = Counter(
        session["eventId"]
        for session in snapshot.sessions
        if session["state"] in LIVE_STATES and session["expiresAt"] > snapshot.now
    )
    for event in snapshot.events:
        name = event[SK]
        cap = caps.get(hall_cap_key(name).pk, event["liveMax"])
        if not cap or live[name] <= cap:
            continue
        if not caps or any(room["dealt"] for room in rooms_of(snapshot, name).values()):
            yield Violation("hall-cap", name, f"{live[name]} of {cap} are live")


def rooms_balance(snapshot: Snapshot) -> Found:
    """Room by room, who is inside and what is left is what was dealt; in all at most the cap."""
    inside = Counter(
        (session["eventId"], session["room"])
        for session in snapshot.sessions
        if session["state"] in LIVE_STATES and session.get("room") is not None
    )
    caps = {item[PK]: item["cap"] for item in snapshot.hall_caps}
    for event in (item[SK] for item in snapshot.events):
        rooms = rooms_of(snapshot, event)
        for number, room in rooms.items():
            dealt, left, count = room["dealt"], room["left"], inside[event, number]
            if left + count != dealt:
                what = f"{left} left + {count} inside ≠ {dealt} dealt"
                yield Violation("hall-balance", f"{event} room {number}", what)
            if left < 0 < dealt:
                yield Violation("hall-bounds", f"{event} room {number}", f"{left} of {dealt} left")
        dealt, cap = sum(room["dealt"] for room in rooms.values()), caps.get(hall_cap_key(event).pk)
        if dealt and (cap is None or dealt > cap):
            yield Violation("hall-dealt", event, f"{dealt} dealt, the cap is {cap}")


def rooms_of(snapshot: Snapshot, event: str) -> dict[int, Item]:
    """The event's rooms by their numbers."""
    prefix = hall_room_key(event, 0).pk.removesuffix("0")
    return {
        int(item[PK].removeprefix(prefix)): item
        for item in snapshot.hall_rooms
        if item[PK].startswith(prefix)
    }
