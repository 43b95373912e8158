"""Decide who may act on a session: its credential and its user's auth token, both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.credential import Credential, verify_credential
from fairgate.errors import NotFoundError, UnauthenticatedError
from fairgate.http import paths
from fairgate.http.app import header
from fairgate.http.identity import caller
from fairgate.request_ids import follow
from fairgate.service.shared.idempotency import KEPT_S

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

    from fairgate.bootstrap import Container


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
