"""Compare what an event may ask of its stage with what the stage carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from infra.carried import EVENT_SHARE, HOLDS_ALLOWED_PER_S, carried

if TYPE_CHECKING:
    from collections.abc import Mapping


class StageLoad(NamedTuple):
    """``text`` says what the stage carries; ``advice`` is empty if that is enough."""

    text: str
    advice: str


def stage_load(limits: Mapping[str, int], live_max: int, session_s: float) -> StageLoad:
    """Say what the stage carries of an event, and when the event deserves a stage of its own.

    Args:
        limits: the stage's ``api_rate`` and ``payments_per_s``, as its deployment says.
        live_max: sessions that the event may have open; 0: any number.
        session_s: their mean length.
    """
    stage = carried(limits["api_rate"], limits["payments_per_s"])
    event = stage.of_event()
    at_once, hardest = event.sessions(session_s), event.hardest_sessions()
    text = (
        f"The stage carries {stage.holds_per_s:,.0f} holds and {stage.checkouts_per_s:,.0f}"
        f" checkouts a second; of that one event gets {event.holds_per_s:,.0f} holds and is let in"
        f" at {event.admissions_per_s:,.0f} a second at most: {at_once:,} sessions of"
        f" {session_s:,.0f} s at once."
    )
    advice = []
    if not live_max or live_max > at_once:
        advice.append(
            f"{at_once:,} sessions are reached, however many it allows: buyers are let in more"
            " slowly. Raise api_rate or payments_per_s."
        )
    if not live_max or live_max > hardest:
        rate = -(-limits["api_rate"] * live_max // hardest // 1000) * 1000
        advice.append(
            f"If each of its buyers asked as often as allowed ({HOLDS_ALLOWED_PER_S:.1f} holds a"
            f" second), {hardest:,} sessions would take the {EVENT_SHARE:.0%} of a route that one"
            " event may: give it a stage of its own"
            + (f", or set api_rate to {rate:,}." if live_max else ".")
        )
    return StageLoad(text, " ".join(advice))
