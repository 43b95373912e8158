"""Decide whether an event is a draft: no buyer sees it, and nobody can join."""

from __future__ import annotations

from typing import Literal

State = Literal["open", "draining", "paused", "soldout", "closed", "draft"]


def state_at(state: State, open_until_s: int, now_s: float) -> State:
    """Return the state in force: a draft counts as open from its publication on.

    Args:
        open_until_s: of a draft, when it is published; 0: not yet decided.
    """
    return "open" if state == "draft" and 0 < open_until_s <= now_s else state
