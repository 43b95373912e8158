"""Verify identity tokens of the operator's OpenID provider: RS256 against its published keys.

Source: OpenID Connect Core 1.0, section 3.1.3.7 "ID Token Validation".
"""

from __future__ import annotations

import hmac
import http.client
import json
import math
import threading
import time
from typing import TYPE_CHECKING, Any

from fairgate.adapters.identity.provider_calls import call_provider
from fairgate.errors import IdentityUnavailableError, SignInRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jwt import PyJWK

KEYS_FRESH_S = 3600.0  # a key that the provider withdraws is refused after at most this …
KEYS_KEPT_S = 24 * 3600.0  # … or this, while the provider cannot be reached: sales go on
REFETCH_S = 30.0  # strangers can name unknown keys; they cause one request in this time at most
RETRY_S = 2.0  # after a failed one
LEEWAY_S = 60  # clocks of two companies
NONCE_CHARS_MIN = 8


class IdTokenVerifier:
    """Keeps the provider's keys in memory."""

    def __init__(
        self,
        issuer: str,
        audience: str,
        jwks_url: str,
        *,
        fetch: Callable[[str], bytes] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._issuer = issuer
        self._audience = audience
        self._jwks_url = jwks_url
        self._fetch = fetch or _read_keys
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._keys: Mapping[str, PyJWK] = {}
        self._fetched_at: float | None = None  # the last success
        self._may_fetch_at = -math.inf

    def verify(self, id_token: str, nonce: str) -> Mapping[str, Any]:
        """Return the claims of a token of this issuer, for this audience and this sign-in.

        Raises:
            SignInRefusedError: the token is anything else; always with the same text.
            IdentityUnavailableError: the issuer's keys cannot be read.

        Cost: none, or one request for the keys.
        """
        import jwt

        refused = SignInRefusedError("The sign-in could not be verified. Please sign in again.")
        if not (self._issuer and self._audience):
            raise refused  # an operator who has set up no provider lets nobody in
        try:
            header = jwt.get_unverified_header(id_token)
            key = self._key(str(header.get("kid") or ""))
            if key is None:
                raise refused
            claims: dict[str, Any] = jwt.decode(
                id_token,
                key,
                algorithms=["RS256"],
                issuer=self._issuer,
                audience=self._audience,
                leeway=LEEWAY_S,
                options={"require": ["iss", "sub", "aud", "exp", "iat"]},
            )
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise refused from error
        if not (_same_nonce(claims.get("nonce"), nonce) and self._for_us(claims)):
            raise refused
        return claims

    def _for_us(self, claims: Mapping[str, Any]) -> bool:
        party = claims.get("azp")
        audiences = claims["aud"]
        needs_party = isinstance(audiences, list) and len(audiences) > 1
        return party == self._audience if party is not None or needs_party else True

    def _key(self, kid: str) -> PyJWK | None:
        with self._lock:
            now = self._monotonic()
            age_s = math.inf if self._fetched_at is None else now - self._fetched_at
            wanted = age_s > KEYS_FRESH_S or kid not in self._keys
            if wanted and now >= self._may_fetch_at:
                try:
                    self._keys = _keys_of(self._fetch(self._jwks_url))
                except (OSError, http.client.HTTPException, ValueError) as error:
                    self._may_fetch_at = now + RETRY_S
                    if kid not in self._keys or age_s > KEYS_KEPT_S:
                        raise IdentityUnavailableError("keys") from error
                else:
                    self._fetched_at = now
                    self._may_fetch_at = now + REFETCH_S
                    age_s = 0.0
            if age_s > KEYS_KEPT_S:
                raise IdentityUnavailableError("keys")
            return self._keys.get(kid)


def _keys_of(text: bytes) -> dict[str, PyJWK]:
    """Return the RSA signing keys by id. Raises ValueError when this is no key set."""
    import jwt

    document = json.loads(text)
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ValueError("not a JSON Web Key Set")  # noqa: TRY004 one error for every bad answer
    keys: dict[str, PyJWK] = {}
    for entry in entries:
        usable = isinstance(entry, dict) and entry.get("kty") == "RSA" and entry.get("kid")
        if not usable or entry.get("use", "sig") != "sig":
            continue
        try:
            keys[str(entry["kid"])] = jwt.PyJWK(entry, algorithm="RS256")
        except jwt.PyJWTError:
            continue  # one unreadable key must not lock out the holders of the others
    return keys


def _same_nonce(claimed: object, expected: str) -> bool:
    if not isinstance(claimed, str) or len(expected) < NONCE_CHARS_MIN:
        return False
    return hmac.compare_digest(claimed.encode(), expected.encode())


def _read_keys(url: str) -> bytes:
    status, body = call_provider(url)
    if status != http.client.OK:
        raise ValueError(f"the key set's address answers {status}")
    return body
