"""Who asks for an act over HTTP, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate_ops.operate.api.roles import ROLES, Role

if TYPE_CHECKING:
    from fairgate.service.shared.records.operators import ApiToken

TOKEN = "token#"  # noqa: S105 how a token is named; no account's id has a #


class Caller(Struct, frozen=True):
    """A verified sign-in or token, with its request.

    Attributes:
        roles: at every event.
        key: the Idempotency-Key; "": none.
        at: event → more roles, of a token; those of a sign-in are read when they are needed.
    """

    sub: str
    groups: tuple[str, ...]
    roles: tuple[Role, ...]
    key: str = ""
    at: Mapping[str, frozenset[str]] = {}

    @property
    def is_token(self) -> bool:
        return self.sub.startswith(TOKEN)


def caller_by(token: ApiToken, key: str) -> Caller:
    """Return who acts by a token."""
    roles = tuple(role for role in ROLES if role == token.role)
    sub = f"{TOKEN}{token.sk}"
    if not token.event_id:
        return Caller(sub, (), roles, key)
    return Caller(sub, (), (), key, {token.event_id: frozenset(roles)})
