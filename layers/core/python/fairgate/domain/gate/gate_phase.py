"""Name the phase of a waiting room for its operators."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from fairgate.domain.gate.draft import State, state_at

PhaseName = Literal[
    "draft",
    "before the sale",
    "admitting",
    "draw suspended",
    "at capacity",
    "draining",
    "paused",
    "sold out",
    "closed",
]
_STOPPED: dict[State, PhaseName] = {"paused": "paused", "soldout": "sold out", "closed": "closed"}


class GatePhase(Struct, frozen=True):
    """Attributes:
    until_s: time at which it ends, epoch seconds: the publication, the sale start, or the end of a
        suspended draw.
    """

    name: PhaseName
    until_s: int | None = None


def phase_of(
    state: State, sale_start_s: int, open_until_s: int, now_s: float, *, is_full: bool = False
) -> GatePhase:
    """Return the phase at ``now_s``: the condition that decides who is admitted next.

    Args:
        is_full: live sessions have reached their cap.
    """
    state = state_at(state, open_until_s, now_s)
    if state == "draft":
        return GatePhase("draft", open_until_s or None)
    if state in _STOPPED:
        return GatePhase(_STOPPED[state])
    if now_s < sale_start_s:
        return GatePhase("before the sale", sale_start_s)
    if is_full:
        return GatePhase("at capacity")
    if now_s < open_until_s:
        return GatePhase("draw suspended", open_until_s)
    return GatePhase("draining" if state == "draining" else "admitting")
