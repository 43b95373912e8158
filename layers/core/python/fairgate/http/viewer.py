"""Find the address of a request, as the edge saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.http.app import header

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver


def viewer_address(app: APIGatewayHttpResolver) -> str:
    """Return the viewer's address; "" if unknown. For rate limits, not for the desk.

    Requests through the gate have the address in the signed header instead (``EdgeWord``), which
    replaces these headers.

    CloudFront appends the address that it saw to X-Forwarded-For, and API Gateway then appends
    CloudFront's; anything before comes from the caller. Only meaningful for requests that came
    through CloudFront.
    """
    peer = str(
        app.current_event.raw_event.get("requestContext", {}).get("http", {}).get("sourceIp", "")
    )
    hops = [hop.strip() for hop in header(app, "x-forwarded-for").split(",") if hop.strip()]
    if len(hops) > 1 and hops[-1] == peer:
        hops.pop()
    return hops[-1] if hops else peer
