"""Answer what the edge forwards to the desk: verified, counted, judged; and take appeals."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.eligibility import require_eligible
from fairgate.domain.gate.edge_header import verify_edge_header
from fairgate.domain.gate.risk import ADVICE
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    ForbiddenError,
    NotEligibleError,
    SaleOverError,
    TooEarlyError,
    UnauthenticatedError,
)
from fairgate.http import paths
from fairgate.http.admission import admit
from fairgate.http.app import answer, header, json_body, logger, raw_body
from fairgate.http.identity import caller
from fairgate.http.rate_limits import count_request
from fairgate.http.views.waiting import AppealView, PlaceView
from fairgate.ports.record import convert
from fairgate.service.gate.desk import RiskDesk
from fairgate.service.gate.harder_challenge import harder_challenge
from fairgate.service.gate.other_events import belongs_elsewhere
from fairgate.service.gate.sample_queue import issue_sampled
from fairgate.service.gate.user_status import DeskStatus, locked_out

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

    from fairgate.bootstrap import Container
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.shared.auth_token import AuthClaims

_RETRY_S = 5
_LABELS = ("anonymous",)  # infra/firewall.py
_LOCKED = 2

_FORBIDDEN = ("bad-token", "other-user", "other-event")
_OF_ANOTHER = ("bad-token", "other-event")  # may come of another event's token
_TOO_EARLY = ("early", "no-solution", "bad-solution")


def receive(app: APIGatewayHttpResolver, world: Container, event: str) -> Response[str]:
    """Answer one forwarded request. Raises the refusal that belongs to its verdict.

    The edge forwards only requests with a valid sign-in, so any other is refused before anything is
    read.
    """
    claims = caller(app, world)
    user = claims.sub
    gate = world.gate.gate(event)
    now_ms = world.clock.now_ms()
    word = verify_edge_header(header(app, paths.HEADER_EDGE), gate, event, user, now_ms // 1000)
    # Without our firewall in front, the caller could have written the header.
    labelled = world.settings.firewall and header(app, paths.HEADER_FIREWALL) in _LABELS
    if labelled:
        logger.info("labelled by the firewall", verdict=word.verdict)
    if word.verdict == "sample-admit":
        return admit(app, world, event, verdicts=("sample-admit",))
    if word.verdict == "sample-queue":
        source = app.current_event.raw_event.get("requestContext", {})
        request_id = str(source.get("requestId", ""))
        return _issued(world, gate, event, claims, request_id=request_id, address=word.address)
    if word.verdict not in {*_FORBIDDEN, *_TOO_EARLY}:
        raise ForbiddenError("The request did not come through the gate.")
    token, now_s = header(app, paths.HEADER_TOKEN), now_ms // 1000
    if word.verdict in _OF_ANOTHER and belongs_elsewhere(world.gate, token, event, user):
        raise refusal("other-event", gate, DeskStatus(), None, now_s)
    status = RiskDesk(world.table, world.clock).receive(event, gate, user, word, labelled=labelled)
    waiting = _token(token, gate, now_ms) if word.verdict in _TOO_EARLY else None
    if status.level == _LOCKED:
        raise locked_out(status, gate, waiting, world.clock.now_ms())
    raise refusal(word.verdict, gate, status, waiting, now_s)


def take_appeal(app: APIGatewayHttpResolver, world: Container, event: str) -> Response[str]:
    """Ask for a locked-out caller that a person looks. The sign-in is all that they need to have.

    Raises WrongStateError: the caller is not locked out.
    """
    from fairgate.http.models import AppealRequest
    from fairgate.service.gate.appeals import Appeals

    user = caller(app, world).sub
    sale = world.catalog.published(event)
    count_request(app, world, "appeal", sale.id, user)
    asked = json_body(app, AppealRequest) if raw_body(app) else AppealRequest()
    status = Appeals(world.table, world.clock).ask(sale.id, user, asked.text)
    return answer(200, AppealView(**status.as_told()))


def refusal(
    verdict: str, gate: GateConfig, status: DeskStatus, waiting: WaitingToken | None, now_s: int
) -> FairgateError:
    """Explain a violation to the caller, and what a flagged account has to do.

    Args:
        waiting: the waiting token of the request, if it verifies.
    """
    fields: dict[str, Any] = {"verdict": verdict}
    if status.level:
        fields |= {"level": 1, "noticed": status.noticed, "advice": ADVICE}
    if verdict in _FORBIDDEN:
        return ForbiddenError(f"Forbidden: {verdict}.", **fields)  # as the edge words it
    retry_after_s = _RETRY_S
    if waiting is not None:
        retry_after_s = max(gate.backoff_min_s, waiting.boff - now_s)
        if status.level and not waiting.challenge_level:
            fields |= harder_challenge(gate, waiting, status.noticed, now_s)
    return TooEarlyError(f"Too early: {verdict}.", retry_after_s=retry_after_s, **fields)


def _issued(
    world: Container,
    gate: GateConfig,
    event: str,
    claims: AuthClaims,
    *,
    request_id: str,
    address: str,
) -> Response[str]:
    """Count a sampled account for the estimate of the crowd, and answer with the edge's bytes.

    Accounts must not learn whether they are sampled. So a flag, a lock, or an event that is not
    open to the account changes nothing here: it takes effect at the admission, as for accounts
    that the edge answers. Raises SaleOverError.
    """
    now_ms = world.clock.now_ms()
    if gate.state in ("draining", "soldout", "closed"):  # the edge did not know it yet
        raise SaleOverError(f"Sale over: {gate.state}.", state=gate.state)
    # A count is not worth a failed request, and who may not come in is not part of the crowd.
    with suppress(DependencyUnavailableError, NotEligibleError):
        require_eligible(world.catalog.published(event), claims.account, now_ms)
        RiskDesk(world.table, world.clock).join(event, gate, claims.sub)
    issued = issue_sampled(
        gate,
        event,
        claims.sub,
        request_id=request_id,
        ip=address,
        now_ms=now_ms,
    )
    return answer(200, convert(issued, PlaceView))


def _token(text: str, gate: GateConfig, now_ms: int) -> WaitingToken | None:
    try:
        return parse_waiting_token(text, gate, now_ms // 1000)
    except UnauthenticatedError:  # it ran out on the way here
        return None
