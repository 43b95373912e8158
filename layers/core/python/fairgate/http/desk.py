"""What the edge forwards to the desk: verified, counted, then answered as the edge would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.edge_header import verify_edge_header
from fairgate.domain.times import rfc3339
from fairgate.errors import UnauthenticatedError
from fairgate.http import paths
from fairgate.http.admission import admit
from fairgate.http.app import answer, header
from fairgate.http.identity import caller
from fairgate.service.desk import RiskDesk, refusal
from fairgate.service.sample_queue import issue_sampled

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

    from fairgate.bootstrap import Container


def receive(app: APIGatewayHttpResolver, world: Container, event: str) -> Response[str]:
    """Answer one forwarded request. Raises the refusal that belongs to its verdict."""
    gate = world.gate.gate(event)
    user = _user(app, world)
    now_ms = world.clock.now_ms()
    told = header(app, paths.HEADER_EDGE)
    verdict = verify_edge_header(told, gate, event, user, now_ms // 1000)
    desk = RiskDesk(world.table, world.clock)
    desk.record(event, user, verdict)
    if verdict == "sample-admit":
        return admit(app, world, event, verdicts=("sample-admit",))
    if verdict != "sample-queue":
        raise refusal(verdict)
    desk.record_issue(event, gate)
    source = app.current_event.raw_event.get("requestContext", {})
    issued = issue_sampled(
        gate,
        event,
        user,
        request_id=str(source.get("requestId", "")),
        ip=str(source.get("http", {}).get("sourceIp", "")),
        now_ms=now_ms,
    )
    return answer(200, issued | {"opens_at": rfc3339(gate.doors_s * 1000)})


def _user(app: APIGatewayHttpResolver, world: Container) -> str:
    """The caller, or "" for one whom the edge could not identify either."""
    try:
        return caller(app, world).sub
    except UnauthenticatedError:
        return ""
