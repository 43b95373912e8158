"""Giving an order back at the stand-in: all of it, or one place of those that it offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.e2e.stub.answers import Refused

if TYPE_CHECKING:
    from tests.e2e.stub.server import Stub


def cancel(stub: Stub, wish: dict[str, Any]) -> dict[str, Any]:
    """All of it; or one place, whose seat is no longer the order's."""
    world = stub.world
    world.cancelled.append(wish)
    offer = world.cancellation
    if offer is None or world.too_late:
        raise Refused(409, "wrong-state", world.too_late, reason="too-late")
    if "ticket" not in wish:
        world.order_state, world.cancellation = "refunded", None
        world.refund = {
            "state": "arrived",
            "amount_minor": offer["refund_minor"],
            "second_payment": False,
        }
        return stub.order()
    gone = next(p for p in offer["places"] if wish["ticket"] in p["tickets"])
    left = [p for p in offer["places"] if p is not gone]
    amounts = {"amount_minor": gone["refund_minor"], "fee_minor": gone["fee_minor"]}
    world.returned = [{"label": gone["label"], "places": gone["places"], **amounts}]
    world.refund = {
        "state": "arrived",
        "amount_minor": gone["refund_minor"],
        "second_payment": False,
    }
    world.cancellation = offer | {
        "places": left,
        "refund_minor": sum(place["refund_minor"] for place in left),
        "fee_minor": sum(place["fee_minor"] for place in left),
    }
    for held in world.holds:
        held["units"] = [unit for unit in held["units"] if unit["seat"] != gone["seat"]]
    return stub.order()
