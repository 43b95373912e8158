"""A small OpenID provider for one machine: guests and names, no passwords.

It stands where the operator's own provider does in AWS, and never runs there: anybody who reaches
it may be anybody, operators included, which is why it only listens on loopback. It speaks the same
flow: the authorization code with a proof key (RFC 7636), for one client and the addresses of the
buyers' page and of the console, where it offers a role. It also serves the ``config.json`` that a
deployment writes beside the pages.
"""

from __future__ import annotations

import argparse
import re
import secrets
import sys
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from fairgate.settings import AccountClaims, signed_in_uris
from fairgate_ops.operate.api.roles import PREFIX, ROLES
from fairgate_ops.run.local.authorization_codes import (
    AuthorizationCodes,
    GrantError,
    Person,
    SignIn,
)
from fairgate_ops.run.local.loopback_server import (
    LoopbackServer,
    RefusedError,
    Reply,
    Request,
    json_reply,
    page,
    see_other,
    serve_until_told,
    stylesheet,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PUBLIC_URL = "http://127.0.0.1"
CLIENT_ID = "fairgate-local"
TOKEN_S = 600
NAME_CHARS_MAX = 64
STATE_CHARS_MAX = 512
GROUPS_MAX = 8
CLAIMS = AccountClaims("account_created", "phone_number_verified", "memberships")
_DAY_CHARS = 10
_GUEST = re.compile(r"guest\|[0-9a-f]{16}")
_NONCE = re.compile(r"[\x21-\x7e]{8,128}")
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_SUBJECT = re.compile(r"[\x21-\x7e]{1,128}")
_CARRIED = ("client_id", "redirect_uri", "state", "nonce", "code_challenge", "login_hint")


def issuer_of(public_url: str) -> str:
    return f"{public_url}/idp"


class IdentityProviderServer:
    """Mounted at /idp/. Its key is made at start, so a restart signs everybody out within hours.

    Args:
        public_url: the origin of the pages, which is also its own as browsers see it.
    """

    def __init__(
        self, port: int = 0, *, public_url: str = PUBLIC_URL, client_id: str = CLIENT_ID
    ) -> None:
        self.issuer = issuer_of(public_url)
        (self.redirect_uri, self._console) = self._redirect_uris = signed_in_uris(public_url)
        self.client_id = client_id
        self._kid = secrets.token_hex(4)
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._codes = AuthorizationCodes()
        self._server = LoopbackServer(self._answer, port)
        self.port = self._server.port
        self.url = self._server.url
        self.token_url = f"{self.url}/idp/token"
        self.jwks_url = f"{self.url}/idp/jwks.json"

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        self._server.stop()

    def rotate(self) -> None:
        """Sign with another key from now on, and publish that one alone."""
        self._kid = secrets.token_hex(4)
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def id_token(
        self,
        *,
        nonce: str,
        sub: str,
        name: str = "",
        groups: Sequence[str] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> str:
        """What a sign-in as ``sub`` ends with; ``facts`` are more claims, as of its creation."""
        now_s = int(time.time())
        claims: dict[str, Any] = {
            "iss": self.issuer,
            "aud": self.client_id,
            "sub": sub,
            "iat": now_s,
            "exp": now_s + TOKEN_S,
            "nonce": nonce,
            **(facts or {}),
        }
        if name:
            claims["name"] = name
        if groups:
            claims["groups"] = list(groups)
        return jwt.encode(claims, self._key, algorithm="RS256", headers={"kid": self._kid})

    def jwks(self) -> dict[str, Any]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {"keys": [{**public, "kid": self._kid, "use": "sig", "alg": "RS256"}]}

    def discovery(self) -> dict[str, Any]:
        """Source: OpenID Connect Discovery 1.0, section 3."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks.json",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": True,
        }

    def pages_config(self) -> dict[str, Any]:
        """What a deployment writes beside the pages, ``config.json``."""
        return {
            "identity": {
                "issuer": self.issuer,
                "client_id": self.client_id,
                "authorize_url": f"{self.issuer}/authorize",
                "redirect_uri": self.redirect_uri,
                "sign_out_url": "",
                "hint_subject": True,
                "scope": "openid phone",
                "account": ["since", "verified_phone", "memberships"],
            },
            "test_stage": True,
        }

    def _answer(self, request: Request) -> Reply:
        documents = {
            "/idp/.well-known/openid-configuration": self.discovery,
            "/idp/jwks.json": self.jwks,
            "/config.json": self.pages_config,
        }
        if request.method == "GET" and request.path in documents:
            return json_reply(200, documents[request.path]())
        match request.method, request.path:
            case "GET", "/idp/authorize":
                return self._authorize_page(request.query)
            case "POST", "/idp/authorize":
                return self._sign_in(request.form())
            case "POST", "/idp/token":
                return self._token(request.form())
            case "GET", "/idp/style.css":
                return stylesheet()
        raise RefusedError(404, "There is nothing here.")

    def _authorize_page(self, asked: Mapping[str, str]) -> Reply:
        if not self._known_client(asked):
            raise _unknown_client()
        if asked.get("response_type") != "code" or _problem_of(asked):
            return self._send_back(asked, error=_problem_of(asked) or "unsupported_response_type")
        guest = _hinted(asked)
        if guest:
            offer = {"first_as": "hint", "first": f"Go on as guest {guest.partition('|')[2][:6]}"}
        else:
            offer = {"first_as": "guest", "first": "Continue as a new guest"}
        values = {name: asked.get(name, "") for name in _CARRIED}
        if asked["redirect_uri"] == self._console:
            return page("operators.html", values)
        return page("authorize.html", values | offer | {"login_hint": guest})

    def _sign_in(self, form: Mapping[str, str]) -> Reply:
        if not self._known_client(form):
            raise _unknown_client()
        if form.get("as") == "nobody":
            return self._send_back(form, error="access_denied")
        if problem := _problem_of(form):
            return self._send_back(form, error=problem)
        back = form["redirect_uri"]
        person = _operator(form) if back == self._console else _person(form)
        begun = SignIn(form["code_challenge"], form["nonce"], person, back)
        return self._send_back(form, code=self._codes.issue(begun))

    def _known_client(self, asked: Mapping[str, str]) -> bool:
        """Whether the browser may be sent back at all. Source: RFC 6749, section 4.1.2.1."""
        known = asked.get("redirect_uri") in self._redirect_uris
        return known and asked.get("client_id") == self.client_id

    def _send_back(self, asked: Mapping[str, str], **answer: str) -> Reply:
        """With the state as it came, and our name. Source: RFC 9207, section 2."""
        state = {"state": asked["state"]} if asked.get("state") else {}
        query = urlencode(answer | state | {"iss": self.issuer})
        return see_other(f"{asked['redirect_uri']}?{query}")

    def _token(self, form: Mapping[str, str]) -> Reply:
        if form.get("grant_type") != "authorization_code":
            return json_reply(400, {"error": "unsupported_grant_type"})
        if form.get("client_id") != self.client_id:
            return json_reply(401, {"error": "invalid_client"})
        try:
            begun = self._codes.redeem(form.get("code", ""), form.get("code_verifier", ""))
            if form.get("redirect_uri") != begun.redirect_uri:
                raise GrantError  # noqa: TRY301 one answer for all of them
        except GrantError:
            return json_reply(400, {"error": "invalid_grant"})
        who = begun.person
        token = self.id_token(
            nonce=begun.nonce, sub=who.sub, name=who.name, groups=who.groups, facts=who.facts
        )
        return json_reply(
            200,
            {
                "access_token": secrets.token_urlsafe(16),
                "token_type": "Bearer",
                "expires_in": TOKEN_S,
                "id_token": token,
            },
        )


def _problem_of(asked: Mapping[str, str]) -> str:
    """Return the error code of a request that is not as we want it, else ""."""
    whole = (
        _NONCE.fullmatch(asked.get("nonce", ""))
        and _CHALLENGE.fullmatch(asked.get("code_challenge", ""))
        and asked.get("code_challenge_method") == "S256"
        and len(asked.get("state", "")) <= STATE_CHARS_MAX
    )
    if not whole:
        return "invalid_request"
    return "" if "openid" in asked.get("scope", "").split() else "invalid_scope"


def _person(form: Mapping[str, str]) -> Person:
    name = " ".join(form.get("name", "").split())[:NAME_CHARS_MAX]
    if form.get("as") == "hint" and (guest := _hinted(form)):
        return Person(guest, "Guest")
    if form.get("as") == "name" and name:
        return Person(f"name|{name.casefold()}", name, facts=_facts(form))
    if form.get("as") == "sub" and _SUBJECT.fullmatch(form.get("sub", "")):  # a simulated buyer
        groups = tuple(form.get("groups", "").split()[:GROUPS_MAX])
        return Person(form["sub"], groups=groups, facts=_facts(form))
    return Person(f"guest|{secrets.token_hex(8)}", "Guest")


def _operator(form: Mapping[str, str]) -> Person:
    """Return somebody with the role that was chosen; two names are two people."""
    role = form.get("role", "")
    if role not in ROLES:
        return _person(form)
    name = " ".join(form.get("name", "").split())[:NAME_CHARS_MAX] or role
    return Person(f"{role}|{name.casefold()}", name, (f"{PREFIX}{role}",))


def _facts(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the claims about an account that were typed, under the names in ``CLAIMS``."""
    typed = {
        CLAIMS.created: form.get("created", "")[:_DAY_CHARS],
        CLAIMS.phone: form.get("phone") == "on",
        CLAIMS.membership: form.get("memberships", "").split()[:GROUPS_MAX],
    }
    return {name: value for name, value in typed.items() if value}


def _hinted(values: Mapping[str, str]) -> str:
    """The guest whom ``login_hint`` (OpenID Connect Core, 3.1.2.1) names, or ""."""
    hint = values.get("login_hint", "")
    return hint if _GUEST.fullmatch(hint) else ""


def _unknown_client() -> RefusedError:
    return RefusedError(400, "client_id and redirect_uri must be those of this site.")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="on 127.0.0.1; 0 takes a free one")
    parser.add_argument("--public-url", default=PUBLIC_URL, help="the origin of the pages")
    options = parser.parse_args(arguments)
    server = IdentityProviderServer(options.port, public_url=options.public_url)
    serve_until_told(server, f"ready: identity provider on {server.url}/idp/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
