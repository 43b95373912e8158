"""Identify the caller from the Authorization header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.auth_token import AuthClaims, verify_auth_token
from fairgate.errors import UnauthenticatedError
from fairgate.http import paths
from fairgate.http.app import header

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

    from fairgate.bootstrap import Container


def caller(app: APIGatewayHttpResolver, world: Container) -> AuthClaims:
    """Return the verified user. Raises UnauthenticatedError."""
    token = bearer(app)
    keys = world.secrets.sign_in().auth
    return verify_auth_token(token, keys, world.clock.now_ms() // 1000)


def bearer(app: APIGatewayHttpResolver) -> str:
    """Return the token that came, unverified. Raises UnauthenticatedError: none came."""
    scheme, _, token = header(app, paths.HEADER_AUTHORIZATION).partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise UnauthenticatedError("Please sign in first.")
    return token
