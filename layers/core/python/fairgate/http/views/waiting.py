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
    """In the edge's order: an account that is sampled must not be told from one that is not."""

    token: str
    challenge: ChallengeView
    sale_starts_at: str
    estimate: EstimateView | None
    boff: int
    now: int
    state: Literal["prequeue", "waiting", "paused"]


class AppealView(Struct, frozen=True, kw_only=True):
    """A lock-out about which a person was asked, with what the buyer was told of it."""

    level: int
    noticed: str
    until: str
    by: Literal["rules", "person"]
    appealed: bool


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
