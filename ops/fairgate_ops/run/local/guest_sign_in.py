"""Sign in at the local identity provider as a program does: the flow of the pages, without one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from fairgate_ops.run.local.authorization_codes import challenge_of
from fairgate_ops.run.local.identity_provider import CLIENT_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

AUTHORIZE = "/idp/authorize"
FORM = {"content-type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True)
class GuestSignIn:
    """One sign-in as the user ``sub``.

    Args:
        base_url: where the pages are; the provider sends back there alone.
    """

    base_url: str
    sub: str
    verifier: str
    nonce: str
    state: str
    groups: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict)  # fields of the form about the account

    def form(self) -> bytes:
        """What to POST to AUTHORIZE, under the headers FORM."""
        return urlencode(
            {
                "client_id": CLIENT_ID,
                "redirect_uri": f"{self.base_url}/",
                "scope": "openid",
                "state": self.state,
                "nonce": self.nonce,
                "code_challenge": challenge_of(self.verifier),
                "code_challenge_method": "S256",
                "as": "sub",
                "sub": self.sub,
                "groups": " ".join(self.groups),
                **self.facts,
            }
        ).encode()

    def exchange(self, location: str) -> dict[str, str]:
        """Return the body for ``/api/auth/exchange``, from where the provider sent us.

        Raises:
            ValueError: that is no answer to this sign-in.
        """
        answer = parse_qs(urlsplit(location).query)
        if answer.get("state") != [self.state] or "code" not in answer:
            raise ValueError("the identity provider did not sign this guest in")
        return {"code": answer["code"][0], "verifier": self.verifier, "nonce": self.nonce}


def guest_sign_in(
    base_url: str,
    sub: str,
    random_hex: Callable[[int], str],
    groups: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
) -> GuestSignIn:
    """Begin one, with ``random_hex`` as the source of so many random bytes in hexadecimal."""
    verifier, nonce, state = random_hex(32), random_hex(16), random_hex(16)
    return GuestSignIn(base_url, sub, verifier, nonce, state, groups, facts or {})
