"""The caller's session: just opened, or as it is by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from fairgate.domain.shared.session import SessionState
from fairgate.http.views.events import FeesView, TierView, fees_view, tier_views
from fairgate.http.views.holds import HoldView
from fairgate.http.views.orders import OrderView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.sessions.sign_session import OpenedSession


class LiveSessionView(Struct, frozen=True):
    session: str
    expires_at: str
    state: SessionState
    hold_limit: int
    credential: str
    event: str
    tiers: list[TierView]  # at the prices that the session began with
    fees: FeesView
    ask_address: bool  # as the event has it now
    terms_url: str | None  # checkout needs them accepted; as the event has it now
    holds: list[HoldView]
    order: OrderView | UnsetType = UNSET  # in checkout


def live_session_view(
    opened: OpenedSession, holds: Sequence[HoldView] = (), order: OrderView | None = None
) -> LiveSessionView:
    return LiveSessionView(
        session=opened.session,
        expires_at=opened.expires_at,
        state=opened.state,
        hold_limit=opened.hold_limit,
        credential=opened.credential,
        event=opened.event,
        tiers=tier_views(opened.agreed),
        fees=fees_view(opened.agreed),
        ask_address=opened.agreed.ask_address,
        terms_url=opened.agreed.terms_url or None,
        holds=list(holds),
        order=UNSET if order is None else order,
    )
