"""Count each case that the edge forwards to the risk desk, and take appeals to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.bootstrap import container
from fairgate.http import paths
from fairgate.http.app import create_app, resolve
from fairgate.http.desk import receive, take_appeal

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()


@app.post(paths.powertools_rule(paths.DESK))
def post_desk() -> Response[str]:
    event = (app.current_event.raw_event.get("queryStringParameters") or {}).get("event", "")
    return receive(app, container(), event)


@app.post(paths.powertools_rule(paths.QUEUE))
def post_queue(event: str) -> Response[str]:
    """Refuse a caller without the edge's word: only reached when the gate is not in front."""
    return receive(app, container(), event)


@app.post(paths.powertools_rule(paths.APPEAL))
def post_appeal(event: str) -> Response[str]:
    return take_appeal(app, container(), event)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    answered = resolve(app, event, context)
    container().emit_limits()
    return answered
