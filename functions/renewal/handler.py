"""POST /api/auth/renew: a sign-in for one of two more hours, without asking anybody.

The canary, which alone may call this function directly, gets the sign-in of its own account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.bootstrap import container
from fairgate.http import paths
from fairgate.http.app import answer, create_app, resolve
from fairgate.http.identity import caller
from fairgate.service.gate.renew_sign_in import renew_sign_in
from fairgate.service.gate.sign_in_canary import is_canary_call, sign_in_canary

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()


@app.post(paths.AUTH_RENEW)
def renew() -> Response[str]:
    world = container()
    renewed = renew_sign_in(caller(app, world), secrets=world.secrets, clock=world.clock)
    return answer(200, renewed)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    if is_canary_call(event):
        world = container()
        return sign_in_canary(secrets=world.secrets, clock=world.clock)
    return resolve(app, event, context)
