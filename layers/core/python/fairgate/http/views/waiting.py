"""A place in the waiting room, as the edge or the desk gives it. See docs/gate.md."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class ChallengeView(Struct, frozen=True):
    ch: str
    pow: int


class EstimateView(Struct, frozen=True):
    lo_s: int
    hi_s: int | None


class PlaceView(Struct, frozen=True, kw_only=True):
    """``level``, ``noticed`` and ``advice`` only for a flagged account."""

    state: Literal["prequeue", "waiting", "paused"]
    token: str
    challenge: ChallengeView
    boff: int
    now: int
    estimate: EstimateView | None
    level: int | UnsetType = UNSET
    noticed: str | UnsetType = UNSET
    advice: str | UnsetType = UNSET
    sale_starts_at: str


class WaitingView(Struct, frozen=True, kw_only=True):
    """Not admitted yet: the same place, to come back with. The edge alone answers it.

    ``slip`` is sent along at the next attempt; without ``token`` the one sent goes on.
    """

    state: Literal["prequeue", "waiting", "paused"]
    token: str | UnsetType = UNSET
    slip: str
    boff: int
    now: int
    estimate: EstimateView | None
    retry_after: int | UnsetType = UNSET  # while paused
