"""Tickets at the stand-in that are passed on: by their holder, and to the one who looks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.e2e.stub.answers import Refused, stamp
from tests.e2e.stub.event import EVENT

if TYPE_CHECKING:
    from tests.e2e.stub.server import Stub

TOKEN = "t" * 54
DAY_S = 86_400


def ticket(number: int, label: str, state: str = "good") -> dict[str, Any]:
    until = stamp(time.time() + DAY_S) if state == "offered" else None
    return {"ticket": f"tkt_{number:016x}", "label": label, "state": state, "offered_until": until}


def transfer(*tickets: dict[str, Any], ends_in_s: float = 2 * DAY_S) -> dict[str, Any]:
    return {"until": stamp(time.time() + ends_in_s), "tickets": list(tickets)}


def passed_on(stub: Stub) -> int:
    """Count the order's tickets that somebody else has."""
    tickets = stub.world.transfer["tickets"] if stub.world.transfer else []
    return sum(one["state"] == "passed-on" for one in tickets)


def held(stub: Stub) -> dict[str, Any]:
    return {"orders": stub.world.held}


def offer(stub: Stub, name: str) -> dict[str, Any]:
    found = _found(stub, name)
    found |= {"state": "offered", "offered_until": stamp(stub.world.now() + DAY_S)}
    link = f"{stub.base_url}/#/a/{TOKEN}"
    return {"ticket": name, "token": TOKEN, "link": link, "until": found["offered_until"]}


def withdraw(stub: Stub, name: str) -> tuple[int, None]:
    _found(stub, name).update({"state": "good", "offered_until": None})
    return 204, None


def accept(stub: Stub, wish: dict[str, Any], order: str) -> dict[str, Any]:
    """Look, or take over the one ticket that there is."""
    world = stub.world
    if world.too_late:
        raise Refused(409, "wrong-state", world.too_late, reason="withdrawn")
    mine = ticket(9, "Block 101 · Row A · Seat 1")
    taken = not wish.get("look")
    if taken:
        world.held = [
            {
                "order": order,
                "event": EVENT,
                "event_name": "The Demonstration",
                "good": True,
                "event_cancelled": False,
                "transfer": transfer(mine),
            }
        ]
    return {
        "order": order,
        "event": EVENT,
        "event_name": "The Demonstration",
        "label": mine["label"],
        "ticket": mine["ticket"] if taken else None,
        "until": None if taken else stamp(world.now() + DAY_S),
    }


def _found(stub: Stub, name: str) -> dict[str, Any]:
    listed = [world["transfer"] for world in stub.world.held]
    listed += [stub.world.transfer] if stub.world.transfer else []
    return next(one for each in listed for one in each["tickets"] if one["ticket"] == name)
