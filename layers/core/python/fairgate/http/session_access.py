"""Decide who may act on a session: its credential and its user's auth token, both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.credential import Credential, verify_credential
from fairgate.errors import NotFoundError, UnauthenticatedError
from fairgate.http import paths
from fairgate.http.app import header, idempotency_key, json_body
from fairgate.http.identity import caller
from fairgate.http.rate_limits import count_request
from fairgate.request_ids import follow
from fairgate.service.shared.idempotency import KEPT_S

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

    from fairgate.bootstrap import Container
    from fairgate.domain.shared.rate_limit import LimitName
    from fairgate.http.app import Model


def session_credential(
    app: APIGatewayHttpResolver, world: Container, session: str, *, replayed: bool = False
) -> Credential:
    """Return the credential.

    Args:
        replayed: the request carries an Idempotency-Key and may have been answered before. For as
            long as answers are kept, a credential that has run out since is returned as well.

    Raises UnauthenticatedError, SessionExpiredError, NotFoundError (somebody else's session).
    """
    user = caller(app, world).sub
    text = header(app, paths.HEADER_SESSION)
    if not text:
        told = f"The header {paths.HEADER_SESSION} is missing."
        raise UnauthenticatedError(told, verdict="no-session")
    keys = world.secrets.sign_in().session
    kept_ms = KEPT_S * 1000 if replayed else 0
    credential = verify_credential(text, keys, world.clock.now_ms() - kept_ms)
    if (credential.session, credential.user) != (session, user):
        raise NotFoundError("There is no such session.")
    follow(credential.correlation_id)
    return credential


def keyed_request(
    app: APIGatewayHttpResolver, world: Container, session: str, name: LimitName, model: type[Model]
) -> tuple[str, Credential, Model]:
    """Read a request of a session that its Idempotency-Key lets come again, and count it.

    Returns the key, "" for none, the credential and the body. Raises as ``session_credential``,
    ``count_request`` and ``json_body`` do.
    """
    key = idempotency_key(app)
    credential = session_credential(app, world, session, replayed=bool(key))
    count_request(app, world, name, credential.event, credential.user)
    return key, credential, json_body(app, model)
