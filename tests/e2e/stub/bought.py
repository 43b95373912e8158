"""The stub's list of orders: those that a test has made up, or the one that there is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.e2e.stub.answers import Refused, stamp
from tests.e2e.stub.event import event_summary

if TYPE_CHECKING:
    from tests.e2e.stub.server import Stub

PAGE = 2
_SHOWN = ("order", "event", "state", "total_minor", "currency", "tickets", "event_cancelled")


def orders(stub: Stub, after: str) -> dict[str, Any]:
    """A page of them, as the service answers it."""
    listed = stub.world.bought
    if not listed and stub.world.order_state:
        listed = [of_order(stub.order(), event_summary(stub.world)["name"])]
    names = [one["order"] for one in listed]
    if after and after not in names:
        raise Refused(400, "malformed-input")
    first = names.index(after) + 1 if after else 0
    page, rest = listed[first : first + PAGE], listed[first + PAGE :]
    return {"orders": page, "after": page[-1]["order"] if rest else None}


def of_order(made: dict[str, Any], name: str, **changes: Any) -> dict[str, Any]:
    """An entry of the list for an order."""
    more = {"event_name": name, "returned_minor": 0, "created_at": stamp(time.time() - 60)}
    return {each: made[each] for each in _SHOWN} | more | changes
