"""POST /api/auth/exchange: exchange an OpenID identity token for the edge's auth token."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler import Response

from fairgate.bootstrap import container
from fairgate.http import paths
from fairgate.http.app import answer, create_app, json_body, resolve
from fairgate.http.models import ExchangeRequest
from fairgate.service.gate.exchange_identity import exchange_identity

app = create_app()


@app.post(paths.AUTH_EXCHANGE)
def exchange() -> Response[str]:
    request = json_body(app, ExchangeRequest)
    world = container()
    exchanged = exchange_identity(
        identity=world.identity,
        secrets=world.secrets,
        clock=world.clock,
        id_token=request.id_token,
        nonce=request.nonce,
    )
    return answer(200, exchanged)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
