"""A small OpenID provider for one machine: guests and names, no passwords.

It stands where the operator's own provider does in AWS, and never runs there: anybody who reaches
it may be anybody, operators included, which is why it only listens on loopback.
"""

from __future__ import annotations

import argparse
import re
import secrets
import sys
import time
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric import rsa

from fairgate_ops.run.local.loopback_server import (
    LOCAL_PATH,
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

ISSUER = "http://127.0.0.1/idp"
AUDIENCE = "fairgate-local"
TOKEN_S = 600
NAME_CHARS_MAX = 64
_GUEST = re.compile(r"guest\|[0-9a-f]{16}")
_NONCE = re.compile(r"[\x21-\x7e]{8,128}")

_Group = Annotated[str, msgspec.Meta(max_length=32)]


class TokenRequest(msgspec.Struct, forbid_unknown_fields=True):
    nonce: Annotated[str, msgspec.Meta(pattern=rf"^{_NONCE.pattern}$")]
    sub: Annotated[str, msgspec.Meta(min_length=1, max_length=128)] | None = None
    groups: Annotated[list[_Group], msgspec.Meta(max_length=8)] = []


class IdentityProviderServer:
    """Mounted at /idp/. Its key is made at start, so a restart signs everybody out within hours."""

    def __init__(self, port: int = 0, *, issuer: str = ISSUER, audience: str = AUDIENCE) -> None:
        self.issuer = issuer
        self.audience = audience
        self._kid = secrets.token_hex(4)
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._server = LoopbackServer(self._answer, port)
        self.port = self._server.port
        self.url = self._server.url
        self.jwks_url = f"{self.url}/idp/jwks.json"

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        self._server.stop()

    def id_token(self, *, nonce: str, sub: str, name: str = "", groups: Sequence[str] = ()) -> str:
        """What a sign-in as ``sub`` ends with."""
        now_s = int(time.time())
        claims: dict[str, Any] = {
            "iss": self.issuer,
            "aud": self.audience,
            "sub": sub,
            "iat": now_s,
            "exp": now_s + TOKEN_S,
            "nonce": nonce,
        }
        if name:
            claims["name"] = name
        if groups:
            claims["groups"] = list(groups)
        return jwt.encode(claims, self._key, algorithm="RS256", headers={"kid": self._kid})

    def jwks(self) -> dict[str, Any]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {"keys": [{**public, "kid": self._kid, "use": "sig", "alg": "RS256"}]}

    def _answer(self, request: Request) -> Reply:
        match request.method, request.path:
            case "GET", "/idp/jwks.json":
                return json_reply(200, self.jwks())
            case "GET", "/idp/authorize":
                return _authorize_page(request)
            case "POST", "/idp/authorize":
                return self._sign_in(request)
            case "POST", "/idp/token":
                return self._token(request)
            case "GET", "/idp/style.css":
                return stylesheet()
        raise RefusedError(404, "There is nothing here.")

    def _sign_in(self, request: Request) -> Reply:
        form = request.form()
        nonce, redirect_uri, state = _authorization(form)
        name = " ".join(form.get("name", "").split())[:NAME_CHARS_MAX]
        if form.get("as") == "hint" and (guest := _hinted(form)):
            token = self.id_token(nonce=nonce, sub=guest, name="Guest")
        elif form.get("as") == "name" and name:
            token = self.id_token(nonce=nonce, sub=f"name|{name.casefold()}", name=name)
        else:
            token = self.id_token(nonce=nonce, sub=_guest(), name="Guest")
        fragment = {"id_token": token} | ({"state": state} if state else {})
        return see_other(f"{redirect_uri}#{urlencode(fragment)}")

    def _token(self, request: Request) -> Reply:
        try:
            wanted = msgspec.json.decode(request.body, type=TokenRequest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RefusedError(400, f"The request is not as expected: {error}") from error
        sub = wanted.sub or _guest()
        token = self.id_token(nonce=wanted.nonce, sub=sub, groups=wanted.groups)
        return json_reply(200, {"id_token": token})


def _authorize_page(request: Request) -> Reply:
    nonce, redirect_uri, state = _authorization(request.query)
    values = {"nonce": nonce, "redirect_uri": redirect_uri, "state": state}
    guest = _hinted(request.query)
    if guest:
        offer = {"first_as": "hint", "first": f"Go on as guest {guest.partition('|')[2][:6]}"}
    else:
        offer = {"first_as": "guest", "first": "Continue as a new guest"}
    return page("authorize.html", values | offer | {"login_hint": guest})


def _hinted(values: Mapping[str, str]) -> str:
    """The guest whom ``login_hint`` (OpenID Connect Core, 3.1.2.1) names, or ""."""
    hint = values.get("login_hint", "")
    return hint if _GUEST.fullmatch(hint) else ""


def _authorization(values: Mapping[str, str]) -> tuple[str, str, str]:
    """Nonce, where to return to, state. Raises RefusedError: no page is shown for a bad request."""
    nonce, state = values.get("nonce", ""), values.get("state", "")
    redirect_uri = values.get("redirect_uri", "")
    if not _NONCE.fullmatch(nonce):
        raise RefusedError(400, "nonce needs 8 to 128 printable ASCII characters.")
    if not LOCAL_PATH.fullmatch(redirect_uri) or "#" in redirect_uri:
        raise RefusedError(400, "redirect_uri must be a path of this site, without a fragment.")
    if len(state) > 512:  # noqa: PLR2004 any bound will do
        raise RefusedError(400, "state is too long.")
    return nonce, redirect_uri, state


def _guest() -> str:
    return f"guest|{secrets.token_hex(8)}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="on 127.0.0.1; 0 takes a free one")
    parser.add_argument("--issuer", default=ISSUER)
    parser.add_argument("--audience", default=AUDIENCE)
    options = parser.parse_args(arguments)
    server = IdentityProviderServer(options.port, issuer=options.issuer, audience=options.audience)
    serve_until_told(server, f"ready: identity provider on {server.url}/idp/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
