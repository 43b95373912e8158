"""Verify identity tokens of the operator's OpenID provider: RS256 against its published keys.

Source: OpenID Connect Core 1.0, section 3.1.3.7 "ID Token Validation".
"""

from __future__ import annotations

import hmac
import http.client
import json
import logging
import math
import threading
import time
from typing import TYPE_CHECKING, Any

from fairgate.adapters.identity.provider_calls import call_provider, pause_s
from fairgate.errors import IdentityUnavailableError, SignInRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jwt import PyJWK

KEYS_FRESH_S = 3600.0  # a key that the provider withdraws is refused after at most this …
KEYS_KEPT_S = 24 * 3600.0  # … or this, while the provider cannot be reached: sales go on
REFETCH_S = 30.0  # the least time between two fetches for unknown key names
LEEWAY_S = 60  # clocks of two companies
NONCE_CHARS_MIN = 8
_log = logging.getLogger(__name__)


class IdTokenVerifier:
    """Keeps the provider's keys in memory.

    ``unreadable`` is called for each fetch that fails.
    """

    def __init__(
        self,
        issuer: str,
        audience: str,
        jwks_url: str,
        *,
        unreadable: Callable[[], object] = lambda: None,
        fetch: Callable[[str], bytes] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._issuer = issuer
        self._audience = audience
        self._jwks_url = jwks_url
        self._unreadable = unreadable
        self._fetch = fetch or _read_keys
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._keys: tuple[tuple[str, PyJWK], ...] = ()  # by name; "" where one has none
        self._fetched_at: float | None = None  # the last success
        self._failures = 0  # since then
        self._may_fetch_at = -math.inf

    def require_keys(self) -> None:
        """Fetch the keys that verify a token; called before a code is used.

        Raises IdentityUnavailableError: the issuer's keys cannot be read.

        Cost: none, or one request for the keys.
        """
        with self._lock:
            self._have_keys(wanted=False)

    def verify(self, id_token: str, nonce: str) -> Mapping[str, Any]:
        """Return the claims of a token of this issuer, for this audience and this sign-in.

        Raises:
            SignInRefusedError: for any other token; always with the same text.
            IdentityUnavailableError: the issuer's keys cannot be read.

        Cost: none, or one request for the keys.
        """
        import jwt

        refused = SignInRefusedError("The sign-in could not be verified. Please sign in again.")
        if not (self._issuer and self._audience):
            raise refused  # an operator who has set up no provider lets nobody in
        try:
            claims = self._claims(id_token, refused)
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise refused from error
        if not (_same_nonce(claims.get("nonce"), nonce) and self._for_us(claims)):
            raise refused
        return claims

    def _claims(self, id_token: str, refused: SignInRefusedError) -> dict[str, Any]:
        import jwt

        def read(key: PyJWK | None) -> dict[str, Any]:
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
            return claims

        kid = str(jwt.get_unverified_header(id_token).get("kid") or "")
        key = self._key(kid)
        try:
            return read(key)
        except jwt.InvalidSignatureError:
            if kid:
                raise
        return read(self._key(kid, but=key))  # without a name, a rotation shows here alone

    def _for_us(self, claims: Mapping[str, Any]) -> bool:
        party = claims.get("azp")
        audiences = claims["aud"]
        needs_party = isinstance(audiences, list) and len(audiences) > 1
        return party == self._audience if party is not None or needs_party else True

    def _key(self, kid: str, *, but: PyJWK | None = None) -> PyJWK | None:
        """Find the key of this name; without a name the only key, unless it is ``but``.

        Raises IdentityUnavailableError: the keys cannot be read now.
        """
        with self._lock:
            key = self._known(kid)
            wanted = key is None or key is but
            looked = self._have_keys(wanted=wanted)
            key = self._known(kid)
            missing = key is None or key is but
            if looked and (missing or but is not None):  # nameless: each look makes a new object
                self._may_fetch_at = self._monotonic() + REFETCH_S
            if missing and self._failures:
                raise IdentityUnavailableError("keys")
            return key

    def _known(self, kid: str) -> PyJWK | None:
        """Source: OpenID Connect Core 1.0, section 10.1: among several keys a name is a must."""
        if not kid:
            return self._keys[0][1] if len(self._keys) == 1 else None
        return next((key for name, key in self._keys if name == kid), None)

    def _have_keys(self, *, wanted: bool) -> bool:
        """Fetch the keys if they are old or a new one is wanted, within the limits above.

        Returns whether they were fetched.
        """
        looked = False
        now = self._monotonic()
        age_s = math.inf if self._fetched_at is None else now - self._fetched_at
        if (age_s > KEYS_FRESH_S or wanted) and now >= self._may_fetch_at:
            try:
                self._keys = keys_of(self._fetch(self._jwks_url))
            except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
                self._failures += 1
                self._may_fetch_at = self._monotonic() + pause_s(self._failures)
                why = error if isinstance(error, ValueError) else type(error).__name__
                # Also while the known ones go on: in a day nobody could sign in.
                _log.error("the identity provider's key set: keys (%s)", why)
                self._unreadable()
                if age_s > KEYS_KEPT_S:
                    raise IdentityUnavailableError("keys") from error
            else:
                self._failures = 0
                self._fetched_at = now
                looked = True
                age_s = 0.0
        if age_s > KEYS_KEPT_S:
            raise IdentityUnavailableError("keys")
        return looked


def keys_of(text: bytes) -> tuple[tuple[str, PyJWK], ...]:
    """Return the RSA signing keys with their names. Raises ValueError if there is none."""
    import jwt

    document = json.loads(text)
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ValueError("not a JSON Web Key Set")  # noqa: TRY004 one error for every bad answer
    keys: list[tuple[str, PyJWK]] = []
    for entry in entries:
        if not (isinstance(entry, dict) and entry.get("kty") == "RSA"):
            continue
        if entry.get("use", "sig") != "sig" or entry.get("alg", "RS256") != "RS256":
            continue
        try:
            keys.append((str(entry.get("kid") or ""), jwt.PyJWK(entry, algorithm="RS256")))
        except jwt.PyJWTError:
            continue  # one unreadable key must not lock out the holders of the others
    if not keys:
        raise ValueError("no key that signs")
    return tuple(keys)


def _same_nonce(claimed: object, expected: str) -> bool:
    if not isinstance(claimed, str) or len(expected) < NONCE_CHARS_MIN:
        return False
    return hmac.compare_digest(claimed.encode(), expected.encode())


def _read_keys(url: str) -> bytes:
    status, body = call_provider(url)
    if status != http.client.OK:
        raise ValueError(f"the key set's address answers {status}")
    return body
