"""Answer what the edge forwards to the desk: verified, counted, judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairgate.domain.gate.edge_header import verify_edge_header
from fairgate.domain.gate.risk import ADVICE, EXTRA_POW_BITS
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    FairgateError,
    ForbiddenError,
    SaleOverError,
    TooEarlyError,
    UnauthenticatedError,
)
from fairgate.http import paths
from fairgate.http.admission import admit
from fairgate.http.app import answer, header
from fairgate.http.identity import caller
from fairgate.http.viewer import viewer_address
from fairgate.http.views.waiting import PlaceView
from fairgate.service.gate.desk import RiskDesk
from fairgate.service.gate.harder_challenge import harder_challenge
from fairgate.service.gate.sample_queue import issue_sampled
from fairgate.service.gate.user_status import DeskStatus, locked_out

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

    from fairgate.bootstrap import Container
    from fairgate.domain.gate.gate_config import GateConfig

_RETRY_S = 5
_LOCKED = 2

_UNAUTHENTICATED = {
    "no-auth": "Please sign in first.",
    "bad-auth": "Your sign-in does not verify. Please sign in again.",
}
_FORBIDDEN = {
    "bad-token": "This waiting token does not verify.",
    "other-user": "This waiting token belongs to somebody else.",
    "other-event": "This waiting token belongs to another event.",
}
_TOO_EARLY = {
    "early": "You asked before your time. Asking earlier never helps.",
    "no-solution": "The solution of the challenge is missing.",
    "bad-solution": "The solution of the challenge is wrong.",
}


def receive(app: APIGatewayHttpResolver, world: Container, event: str) -> Response[str]:
    """Answer one forwarded request. Raises the refusal that belongs to its verdict."""
    gate = world.gate.gate(event)
    user = _user(app, world)
    now_ms = world.clock.now_ms()
    signed = header(app, paths.HEADER_EDGE)
    verdict = verify_edge_header(signed, gate, event, user, now_ms // 1000).verdict
    if verdict == "admit":
        raise ForbiddenError("An admission does not come to the desk.")
    desk = RiskDesk(world.table, world.clock)
    status, _decided = desk.receive(event, gate, user, viewer_address(app), verdict)
    if verdict == "sample-admit":
        return admit(app, world, event, verdicts=("sample-admit",))
    if status.level == _LOCKED:
        raise locked_out(status, now_ms)
    if verdict == "sample-queue":
        return _issued(app, desk, gate, event, user, status, now_ms)
    waiting = (
        _token(header(app, paths.HEADER_TOKEN), gate, now_ms) if verdict in _TOO_EARLY else None
    )
    raise refusal(verdict, gate, status, waiting, now_ms // 1000)


def refusal(
    verdict: str, gate: GateConfig, status: DeskStatus, waiting: WaitingToken | None, now_s: int
) -> FairgateError:
    """Explain a violation to the caller, and what a flagged one has to do.

    Args:
        waiting: the place that was shown, where it verifies.
    """
    if verdict in _UNAUTHENTICATED:
        return UnauthenticatedError(_UNAUTHENTICATED[verdict])
    fields: dict[str, Any] = {"verdict": verdict}
    if status.level:
        fields |= {"level": 1, "noticed": status.noticed, "advice": ADVICE}
    if verdict in _FORBIDDEN:
        return ForbiddenError(_FORBIDDEN[verdict], **fields)
    retry_after_s = _RETRY_S
    if waiting is not None:
        retry_after_s = max(gate.backoff_min_s, waiting.boff - now_s)
        if status.level and not waiting.level:
            fields |= harder_challenge(gate, waiting, status.noticed, now_s)
    detail = _TOO_EARLY.get(verdict, "Please try again.")
    return TooEarlyError(detail, retry_after_s=retry_after_s, **fields)


def _issued(
    app: APIGatewayHttpResolver,
    desk: RiskDesk,
    gate: GateConfig,
    event: str,
    user: str,
    status: DeskStatus,
    now_ms: int,
) -> Response[str]:
    """Count a sampled token for the estimate of the crowd, harder for a flagged account."""
    if gate.state in ("draining", "soldout", "closed"):  # the edge had not heard of it yet
        raise SaleOverError("The waiting room takes nobody new in.", state=gate.state)
    desk.record_issue(event, gate)
    source = app.current_event.raw_event.get("requestContext", {})
    issued = issue_sampled(
        gate,
        event,
        user,
        request_id=str(source.get("requestId", "")),
        ip=viewer_address(app),
        now_ms=now_ms,
        level=1 if status.level else 0,
        extra_pow_bits=EXTRA_POW_BITS if status.level else 0,
    )
    if status.level:
        issued |= {"level": 1, "noticed": status.noticed, "advice": ADVICE}
    issued |= {"opens_at": rfc3339(gate.doors_s * 1000)}
    return answer(200, msgspec.convert(issued, PlaceView))


def _token(text: str, gate: GateConfig, now_ms: int) -> WaitingToken | None:
    try:
        return parse_waiting_token(text, gate, now_ms // 1000)
    except UnauthenticatedError:  # it ran out on the way here
        return None


def _user(app: APIGatewayHttpResolver, world: Container) -> str:
    """Return the caller, or "" for one whom the edge could not identify either."""
    try:
        return caller(app, world).sub
    except UnauthenticatedError:
        return ""
