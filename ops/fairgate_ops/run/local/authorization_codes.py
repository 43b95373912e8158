"""Keep the codes of sign-ins for a minute, each good for one redemption."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CODE_S = 60.0  # a maximum of ten minutes is recommended: RFC 6749, section 4.1.2
CODES_MAX = 100_000
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


class GrantError(Exception):
    """The code is unknown, too old, used before, or of another client."""


@dataclass(frozen=True)
class Person:
    sub: str
    name: str = ""
    groups: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)  # claims about the account


@dataclass(frozen=True)
class SignIn:
    """What the code of a sign-in stands for."""

    challenge: str  # SHA-256 of the verifier, in base64url
    nonce: str
    person: Person
    redirect_uri: str


class AuthorizationCodes:
    """Safe to use from several threads."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._begun: dict[str, tuple[float, SignIn]] = {}  # oldest first

    def issue(self, sign_in: SignIn) -> str:
        code = secrets.token_urlsafe(24)
        with self._lock:
            while len(self._begun) >= CODES_MAX:
                del self._begun[next(iter(self._begun))]
            self._begun[code] = (self._monotonic() + CODE_S, sign_in)
        return code

    def redeem(self, code: str, verifier: str) -> SignIn:
        """Return the grant of the code, and forget the code in any case. Raises GrantError."""
        with self._lock:
            ends_at, begun = self._begun.pop(code, (0.0, None))
        if begun is None or self._monotonic() >= ends_at or not _VERIFIER.fullmatch(verifier):
            raise GrantError
        if not hmac.compare_digest(challenge_of(verifier), begun.challenge):
            raise GrantError
        return begun


def challenge_of(verifier: str) -> str:
    """Return the S256 challenge of a verifier. Source: RFC 7636, section 4.2."""
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
