"""Who asks for an act over HTTP, and how."""

from __future__ import annotations

from msgspec import Struct

from fairgate_ops.operate.api.roles import Role


class Caller(Struct, frozen=True):
    """A verified sign-in with its request.

    Attributes:
        roles: which the sign-in's groups give.
        key: the Idempotency-Key; "": none.
    """

    sub: str
    groups: tuple[str, ...]
    roles: tuple[Role, ...]
    key: str = ""
