"""POST /api/auth/exchange: a provider's code for an auth token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate import metrics
from fairgate.adapters.aws.emf import emit
from fairgate.bootstrap import container
from fairgate.errors import IdentityUnavailableError
from fairgate.http import paths
from fairgate.http.app import answer, create_app, json_body, resolve
from fairgate.http.models import ExchangeRequest
from fairgate.service.gate.exchange_identity import exchange_identity

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()


@app.post(paths.AUTH_EXCHANGE)
def exchange() -> Response[str]:
    request = json_body(app, ExchangeRequest)
    world = container()
    try:
        exchanged = exchange_identity(
            identity=world.identity,
            secrets=world.secrets,
            clock=world.clock,
            code=request.code,
            verifier=request.verifier,
            nonce=request.nonce,
            told_by=world.settings.account_claims,
            page=request.page,
        )
    except IdentityUnavailableError:
        emit(world.settings, world.clock.now_ms(), {metrics.SIGN_INS_UNAVAILABLE: 1})
        raise
    return answer(200, exchanged)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
