"""Make tokens for programs, check them, and take them back.

A token looks like a sign-in's, because the edge lets nothing else to the API. It is signed by no
key: its last part is a secret of 256 random bits, and the table has the hash of it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, UnauthenticatedError
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.shared.conditions import API_ACCESS_IS_IN_FORCE
from fairgate.service.shared.keys import API_TOKENS, api_token_key
from fairgate.service.shared.records.operators import ApiToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

SECRET_BYTES, _ID_BYTES = 32, 9
# As edge/screen/screen.js wants a sign-in's header; no signing key has this name.
_HEADER = b64url(b'{"typ":"JWT","alg":"HS256","kid":"api-token"}')
_TOKEN = re.compile(rf"{_HEADER}\.([A-Za-z0-9_-]{{12}})\.([A-Za-z0-9_-]{{43}})")
_NO_HASH = "0" * 64  # compared for a token that there is not


def is_api_token(bearer: str) -> bool:
    """Say whether it looks like one; a sign-in's token does not."""
    return bearer.startswith(f"{_HEADER}.")


class ApiTokens(Struct, frozen=True):
    """The tokens of all programs. Every change counts at the next request."""

    table: Table
    clock: Clock

    def make(
        self, event: str, role: str, *, by: str, until: str, token_bytes: Callable[[int], bytes]
    ) -> tuple[str, ApiToken]:
        """Make a token for a role at an event, "" for all; return it, which nobody can do again.

        Cost: a transaction of one write.
        """
        name, secret = b64url(token_bytes(_ID_BYTES)), b64url(token_bytes(SECRET_BYTES))
        record = ApiToken(
            *api_token_key(name),
            hashed=_hashed(secret),
            event_id=event,
            role=role,
            by=by,
            at=rfc3339(self.clock.now_ms()),
            until=until,
        )
        self.table.transact([Put.of(record)])
        return f"{_HEADER}.{name}.{secret}", record

    def check(self, bearer: str) -> ApiToken:
        """Return what a token is for; strongly consistent.

        Raises UnauthenticatedError: always with the same text.

        Cost: a read.
        """
        match = _TOKEN.fullmatch(bearer)
        if match is None:
            raise _refused()
        name, secret = match.groups()
        record = self.table.find(ApiToken, api_token_key(name))
        expected = _NO_HASH if record is None else record.hashed
        genuine = hmac.compare_digest(expected.encode(), _hashed(secret).encode())
        if record is None or not genuine or not record.counts(rfc3339(self.clock.now_ms())):
            raise _refused()
        return record

    def all(self) -> list[ApiToken]:
        """Read every token's record, also of those that have ended."""
        return self.table.query(ApiToken, API_TOKENS)

    def find(self, name: str) -> ApiToken:
        """Read a token's record by its name. Raises NotFoundError."""
        found = self.table.find(ApiToken, api_token_key(name[:64] or "-"))
        if found is None:
            raise NotFoundError(f"There is no token {name[:64]}: `access tokens` lists them.")
        return found

    def revoke(self, name: str, *, by: str) -> None:
        """Take a token back. Raises NotFoundError: there is none, or it was taken back."""
        gone = Update(
            "catalog",
            *api_token_key(name),
            condition=API_ACCESS_IS_IN_FORCE,
            set={"revokedAt": rfc3339(self.clock.now_ms()), "by": by},
        )
        try:
            self.table.update(gone)
        except TransactionRefusedError as refused:
            raise NotFoundError(f"There is no token {name}, or it was taken back.") from refused


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _refused() -> UnauthenticatedError:
    return UnauthenticatedError("The token does not verify.")
