"""Find where a request came from, as the edge in front of us saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.http.app import header

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver


def viewer_address(app: APIGatewayHttpResolver) -> str:
    """Return the viewer's address; "" when nobody says. For limits of requests, not for the desk.

    What the gate forwards has the address in its signed word instead (``EdgeWord``): where it is
    there, nothing of these headers counts.

    CloudFront appends the address that it saw to X-Forwarded-For, and API Gateway the one that it
    saw, which is CloudFront's; what stands before is the caller's own invention. Only meaningful
    for requests that came through CloudFront.
    """
    peer = str(
        app.current_event.raw_event.get("requestContext", {}).get("http", {}).get("sourceIp", "")
    )
    hops = [hop.strip() for hop in header(app, "x-forwarded-for").split(",") if hop.strip()]
    if len(hops) > 1 and hops[-1] == peer:
        hops.pop()
    return hops[-1] if hops else peer
