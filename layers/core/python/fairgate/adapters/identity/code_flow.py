"""Redeem an authorization code at the operator's OpenID provider, with its proof key.

Sources: RFC 6749, sections 4.1.3 and 5.2; RFC 7636, section 4.5; OpenID Connect Core 1.0,
section 3.1.3.
"""

from __future__ import annotations

import base64
import http.client
import json
import logging
import math
import re
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode

from fairgate.adapters.identity.provider_calls import call_provider, pause_s
from fairgate.errors import IdentityUnavailableError, SignInRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fairgate.adapters.identity.oidc import IdTokenVerifier
    from fairgate.ports.world import SecretStore

    Call = Callable[[str, bytes | None, Mapping[str, str] | None], tuple[int, bytes]]

_FORM = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
_WORD = re.compile(r"[a-z_]{1,40}")  # an error code, before it goes into a log
_BUSY = (http.client.REQUEST_TIMEOUT, http.client.TOO_MANY_REQUESTS)
_REFUSALS = (http.client.BAD_REQUEST, http.client.UNAUTHORIZED, http.client.FORBIDDEN)
_SERVER_ERROR = 500
_log = logging.getLogger(__name__)


class CodeFlow:
    """Implements ports.IdentityProvider for any provider that speaks OpenID Connect.

    Args:
        redirect_uri: of the site's first page. The provider has sent the person back there, or to a
            page below it; it has to match exactly.
    """

    def __init__(
        self,
        token_url: str,
        client_id: str,
        redirect_uri: str,
        *,
        id_tokens: IdTokenVerifier,
        secrets: SecretStore,
        call: Call = call_provider,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._token_url = token_url
        self._client_id = client_id
        self._redirect_uri = redirect_uri
        self._id_tokens = id_tokens
        self._secrets = secrets
        self._call = call
        self._monotonic = monotonic
        self._silences = 0  # in a row
        self._ask_at = -math.inf

    def redeem(self, code: str, verifier: str, nonce: str, page: str = "") -> Mapping[str, Any]:
        """Return the verified claims of the person who signed in with this code.

        Raises:
            SignInRefusedError: the provider does not take the code (too old, used before, of
                another sign-in), or its identity token does not verify.
            IdentityUnavailableError: it does not answer, its answer cannot be read, or it does not
                accept us as a client.

        Cost: one request, and one for the keys where they are not known yet; none for 2 to 30 s
        after a time without an answer.
        """
        if not (self._token_url and self._client_id):
            raise _unavailable("setup", "no provider is set up")
        if self._monotonic() < self._ask_at:
            raise _unavailable("away", "not asked, as it was silent")
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": f"{self._redirect_uri}{page}",
            "client_id": self._client_id,
            "code_verifier": verifier,
        }
        headers = {**_FORM, **self._client_credentials()}
        self._id_tokens.require_keys()  # a code works once, so have the keys for its token first
        try:
            status, body = self._call(self._token_url, urlencode(form).encode(), headers)
        except (OSError, http.client.HTTPException) as error:
            self._silences += 1
            self._ask_at = self._monotonic() + pause_s(self._silences)
            raise _unavailable("away", type(error).__name__) from error
        except ValueError as error:
            raise _unavailable("nonsense", type(error).__name__) from error
        self._silences = 0
        return self._id_tokens.verify(_id_token(status, body), nonce)

    def _client_credentials(self) -> dict[str, str]:
        """A confidential client's, where the operator keeps a secret. Source: RFC 6749, 2.3.1."""
        secret = self._secrets.identity()
        if not secret:
            return {}
        pair = f"{quote_plus(self._client_id)}:{quote_plus(secret.decode())}"
        return {"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _id_token(status: int, body: bytes) -> str:
    """Read the answer of the token endpoint. Raises as ``redeem`` does."""
    if status in _BUSY or status >= _SERVER_ERROR:
        raise _unavailable("away", str(status))
    document = _document(body)
    if status in _REFUSALS:
        word = document.get("error")
        if word == "invalid_grant":
            raise SignInRefusedError(
                "This sign-in took too long, or was used before. Please sign in again."
            )
        shown = word if isinstance(word, str) and _WORD.fullmatch(word) else "?"
        raise _unavailable("setup" if word else "nonsense", f"{status} {shown}")
    id_token = document.get("id_token")
    if status != http.client.OK or not isinstance(id_token, str):
        raise _unavailable("nonsense", str(status))
    return id_token


def _document(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _unavailable(reason: str, detail: str) -> IdentityUnavailableError:
    """Return the buyer's error, and log the reason."""
    _log.error("the identity provider's token endpoint: %s (%s)", reason, detail)
    return IdentityUnavailableError(reason)
