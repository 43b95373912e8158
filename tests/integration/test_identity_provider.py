"""The local identity provider and our verifier, over HTTP, as in the demonstration."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from fairgate.adapters.identity.oidc import OidcIdentityProvider
from fairgate.errors import UnauthenticatedError
from fairgate.service.gate.exchange_identity import user_of
from fairgate_ops.run.local.identity_provider import AUDIENCE, ISSUER, IdentityProviderServer

NONCE = "nonce-12345"


@pytest.fixture(scope="module")
def server() -> Iterator[IdentityProviderServer]:
    server = IdentityProviderServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def verifier(server: IdentityProviderServer) -> OidcIdentityProvider:
    return OidcIdentityProvider(ISSUER, AUDIENCE, server.jwks_url)


def call(
    server: IdentityProviderServer, method: str, path: str, body: bytes = b""
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    try:
        connection.request(method, path, body or None)
        answer = connection.getresponse()
        named = {k.lower(): v for k, v in answer.getheaders()}
        return answer.status, named, answer.read().decode()
    finally:
        connection.close()


def sign_in(server: IdentityProviderServer, **fields: str) -> str:
    form = {"nonce": NONCE, "redirect_uri": "/waiting.html?event=show", "state": "s 1"} | fields
    status, headers, _ = call(server, "POST", "/idp/authorize", urlencode(form).encode())
    assert status == 303
    target = urlsplit(headers["location"])
    assert f"{target.path}?{target.query}" == "/waiting.html?event=show"
    fragment = parse_qs(target.fragment)
    assert fragment["state"] == ["s 1"]
    return fragment["id_token"][0]


def token(server: IdentityProviderServer, **wanted: Any) -> str:
    body = json.dumps({"nonce": NONCE} | wanted).encode()
    status, _, text = call(server, "POST", "/idp/token", body)
    assert status == 200
    id_token: str = json.loads(text)["id_token"]
    return id_token


def test_a_simulated_buyer_signs_in_as_who_it_says(
    server: IdentityProviderServer, verifier: OidcIdentityProvider
) -> None:
    claims = verifier.verify(token(server, sub="bot-1", groups=["operators"]), NONCE)
    assert (claims["sub"], claims["groups"]) == ("bot-1", ["operators"])


def test_a_token_is_for_its_own_nonce_only(
    server: IdentityProviderServer, verifier: OidcIdentityProvider
) -> None:
    with pytest.raises(UnauthenticatedError):
        verifier.verify(token(server), "another-nonce")


def test_every_guest_is_somebody_else(
    server: IdentityProviderServer, verifier: OidcIdentityProvider
) -> None:
    subs = {verifier.verify(sign_in(server, **{"as": "guest"}), NONCE)["sub"] for _ in range(3)}
    subs.add(verifier.verify(token(server), NONCE)["sub"])
    assert len(subs) == 4


def test_a_name_comes_back_as_the_same_person(
    server: IdentityProviderServer, verifier: OidcIdentityProvider
) -> None:
    first = verifier.verify(sign_in(server, **{"as": "name", "name": " Zoë  K "}), NONCE)
    again = verifier.verify(sign_in(server, **{"as": "name", "name": "zoë k"}), NONCE)
    assert first["sub"] == again["sub"]
    assert first["name"] == "Zoë K"
    assert user_of(first["sub"]) != user_of("name|zoe k")


def test_a_guest_comes_back_as_the_same_person_when_the_page_says_who_it_was(
    server: IdentityProviderServer, verifier: OidcIdentityProvider
) -> None:
    guest = verifier.verify(sign_in(server), NONCE)["sub"]
    query = urlencode({"nonce": NONCE, "redirect_uri": "/", "login_hint": guest})
    status, _, text = call(server, "GET", f"/idp/authorize?{query}")
    assert (status, f"Go on as guest {guest[6:12]}" in text) == (200, True)
    again = sign_in(server, **{"as": "hint", "login_hint": guest})
    assert verifier.verify(again, NONCE)["sub"] == guest


@pytest.mark.parametrize("hint", ["", "name|ann", "guest|x", 'guest|"><script>', "operators"])
def test_nobody_becomes_whom_a_page_names_when_that_is_no_guest(
    server: IdentityProviderServer, verifier: OidcIdentityProvider, hint: str
) -> None:
    query = urlencode({"nonce": NONCE, "redirect_uri": "/", "login_hint": hint})
    assert "Go on as" not in call(server, "GET", f"/idp/authorize?{query}")[2]
    became = verifier.verify(sign_in(server, **{"as": "hint", "login_hint": hint}), NONCE)["sub"]
    assert became != hint


def test_the_page_offers_both_ways_and_escapes_what_it_was_given(
    server: IdentityProviderServer,
) -> None:
    query = urlencode(
        {"nonce": NONCE, "redirect_uri": "/a?b=\"'", "state": '"><script>alert(1)</script>'}
    )
    status, headers, text = call(server, "GET", f"/idp/authorize?{query}")
    assert status == 200
    assert "Continue as a new guest" in text
    assert "<script" not in text
    assert 'value="/a?b=&quot;&#x27;"' in text
    assert "default-src 'none'" in headers["content-security-policy"]
    assert call(server, "GET", "/idp/style.css")[0] == 200


@pytest.mark.parametrize(
    "target",
    [
        "",
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "/ok\r\nx-a: b",
        "/\t/evil.example",
        "/page#fragment",
        "javascript:alert(1)",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_nobody_is_sent_elsewhere(server: IdentityProviderServer, target: str, method: str) -> None:
    text = urlencode({"nonce": NONCE, "redirect_uri": target, "as": "guest"})
    path, body = ("/idp/authorize", text.encode()) if method == "POST" else (
        f"/idp/authorize?{text}", b"")  # fmt: skip
    assert call(server, method, path, body)[0] == 400


@pytest.mark.parametrize("nonce", ["", "short", "x" * 129, "with space", "é" * 10])
def test_a_sign_in_needs_a_good_nonce(server: IdentityProviderServer, nonce: str) -> None:
    query = urlencode({"nonce": nonce, "redirect_uri": "/"})
    assert call(server, "GET", f"/idp/authorize?{query}")[0] == 400
    body = json.dumps({"nonce": nonce}).encode()
    assert call(server, "POST", "/idp/token", body)[0] == 400


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"\xff", b'{"nonce":"nonce-12345","groups":"operators"}', b"[" * 9000]
)
def test_a_malformed_token_request_is_refused(server: IdentityProviderServer, body: bytes) -> None:
    assert call(server, "POST", "/idp/token", body)[0] == 400


def test_the_published_key_is_the_public_half_alone(server: IdentityProviderServer) -> None:
    (key,) = json.loads(call(server, "GET", "/idp/jwks.json")[2])["keys"]
    assert set(key) <= {"kty", "n", "e", "kid", "use", "alg", "key_ops"}
    assert key["kty"] == "RSA"
