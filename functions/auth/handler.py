"""POST /api/auth/exchange: an OpenID identity token for the auth token that the edge can check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from fairgate.bootstrap import container
from fairgate.http import paths
from fairgate.http.app import answer, create_app, json_body, resolve
from fairgate.service.exchange_identity import exchange_identity

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()


class ExchangeRequest(msgspec.Struct):
    id_token: Annotated[str, msgspec.Meta(min_length=1, max_length=8192)]
    nonce: Annotated[str, msgspec.Meta(min_length=8, max_length=128)]


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
    return answer(
        200,
        {"token": exchanged.token, "expires_at": exchanged.expires_at, "sub": exchanged.sub},
    )


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
