"""The local identity provider speaks the flow of the pages, and refuses what is not of it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from fairgate.adapters.identity.code_flow import CodeFlow
from fairgate.adapters.identity.oidc import IdTokenVerifier
from fairgate.errors import SignInRefusedError
from fairgate.service.gate.exchange_identity import user_of
from fairgate_lab.engine.secrets import MemorySecrets
from fairgate_ops.operate.api.roles import ROLES
from fairgate_ops.run.local.authorization_codes import challenge_of
from fairgate_ops.run.local.identity_provider import (
    CLIENT_ID,
    PUBLIC_URL,
    IdentityProviderServer,
    issuer_of,
)
from tests.support.waiting import patience_s

NONCE, STATE, VERIFIER = "nonce-12345", "s 1", "v" * 43
ASKED = {
    "client_id": CLIENT_ID,
    "redirect_uri": f"{PUBLIC_URL}/",
    "scope": "openid",
    "state": STATE,
    "nonce": NONCE,
    "code_challenge": challenge_of(VERIFIER),
    "code_challenge_method": "S256",
}


@pytest.fixture(scope="module")
def server() -> Iterator[IdentityProviderServer]:
    server = IdentityProviderServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def flow(server: IdentityProviderServer) -> CodeFlow:
    return CodeFlow(
        server.token_url,
        server.client_id,
        server.redirect_uri,
        id_tokens=IdTokenVerifier(server.issuer, server.client_id, server.jwks_url),
        secrets=MemorySecrets(),
    )


def call(
    server: IdentityProviderServer, method: str, path: str, body: bytes = b""
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=patience_s(5))
    try:
        connection.request(method, path, body or None)
        answer = connection.getresponse()
        named = {k.lower(): v for k, v in answer.getheaders()}
        return answer.status, named, answer.read().decode()
    finally:
        connection.close()


def ask(server: IdentityProviderServer, **changes: str) -> tuple[int, dict[str, str], str]:
    query = urlencode({"response_type": "code"} | ASKED | changes)
    return call(server, "GET", f"/idp/authorize?{query}")


def sent_back(headers: dict[str, str]) -> dict[str, str]:
    address, _, query = headers["location"].partition("?")
    assert address in (f"{PUBLIC_URL}/", f"{PUBLIC_URL}/console")
    return {name: values[-1] for name, values in parse_qs(query).items()}


def sign_in(server: IdentityProviderServer, **fields: str) -> str:
    body = urlencode(ASKED | fields).encode()
    status, headers, _ = call(server, "POST", "/idp/authorize", body)
    assert status == 303
    answer = sent_back(headers)
    assert (answer["state"], answer["iss"]) == (STATE, server.issuer)
    return answer["code"]


def test_a_simulated_buyer_signs_in_as_who_it_says(
    server: IdentityProviderServer, flow: CodeFlow
) -> None:
    code = sign_in(server, **{"as": "sub", "sub": "bot-1", "groups": "operators desk"})
    claims = flow.redeem(code, VERIFIER, NONCE)
    assert (claims["sub"], claims["groups"]) == ("bot-1", ["operators", "desk"])


def test_the_console_is_offered_roles_and_a_name_makes_another_person(
    server: IdentityProviderServer, flow: CodeFlow
) -> None:
    at_console = {"redirect_uri": f"{PUBLIC_URL}/console"}
    offered = ask(server, **at_console)[2]
    assert [role for role in ROLES if f'value="{role}"' not in offered] == []
    people = [sign_in(server, **at_console, role="owner", name=name) for name in ("", "Tilda")]
    claims = [flow.redeem(code, VERIFIER, NONCE, "console") for code in people]
    assert [(one["sub"], one["groups"]) for one in claims] == [
        ("owner|owner", ["fairgate-owner"]),
        ("owner|tilda", ["fairgate-owner"]),
    ]


@pytest.mark.parametrize(("asked", "redeemed"), [("", "console"), ("console", "")])
def test_a_code_is_for_the_page_where_its_sign_in_began(
    server: IdentityProviderServer, flow: CodeFlow, asked: str, redeemed: str
) -> None:
    code = sign_in(server, redirect_uri=f"{PUBLIC_URL}/{asked}")
    with pytest.raises(SignInRefusedError):
        flow.redeem(code, VERIFIER, NONCE, redeemed)


def test_a_code_is_for_its_own_nonce_only(server: IdentityProviderServer, flow: CodeFlow) -> None:
    with pytest.raises(SignInRefusedError):
        flow.redeem(sign_in(server), VERIFIER, "another-nonce")


def test_a_code_is_good_once(server: IdentityProviderServer, flow: CodeFlow) -> None:
    code = sign_in(server)
    flow.redeem(code, VERIFIER, NONCE)
    with pytest.raises(SignInRefusedError):
        flow.redeem(code, VERIFIER, NONCE)


def test_a_code_is_worth_nothing_when_somebody_else_brings_it(
    server: IdentityProviderServer, flow: CodeFlow
) -> None:
    code = sign_in(server)
    for verifier in ("w" * 43, VERIFIER):  # a wrong guess has used it up
        with pytest.raises(SignInRefusedError):
            flow.redeem(code, verifier, NONCE)


def test_sign_ins_go_on_when_the_keys_were_rotated(
    server: IdentityProviderServer,
) -> None:
    now = [0.0]
    verifier = IdTokenVerifier(
        server.issuer, server.client_id, server.jwks_url, monotonic=lambda: now[0]
    )
    flow = CodeFlow(
        server.token_url,
        server.client_id,
        server.redirect_uri,
        id_tokens=verifier,
        secrets=MemorySecrets(),
    )
    flow.redeem(sign_in(server), VERIFIER, NONCE)
    server.rotate()
    now[0] += 60
    assert flow.redeem(sign_in(server), VERIFIER, NONCE)["sub"]


def test_every_guest_is_somebody_else(server: IdentityProviderServer, flow: CodeFlow) -> None:
    guests: tuple[dict[str, str], ...] = (
        {"as": "guest"},
        {"as": "guest"},
        {},
        {"as": "sub", "sub": "é"},
    )
    subs = {flow.redeem(sign_in(server, **how), VERIFIER, NONCE)["sub"] for how in guests}
    assert len(subs) == 4


def test_a_name_comes_back_as_the_same_person(
    server: IdentityProviderServer, flow: CodeFlow
) -> None:
    first = flow.redeem(sign_in(server, **{"as": "name", "name": " Zoë  K "}), VERIFIER, NONCE)
    again = flow.redeem(sign_in(server, **{"as": "name", "name": "zoë k"}), VERIFIER, NONCE)
    assert first["sub"] == again["sub"]
    assert first["name"] == "Zoë K"
    assert user_of(first["sub"]) != user_of("name|zoe k")


def test_a_guest_comes_back_as_the_same_person_when_the_page_says_who_it_was(
    server: IdentityProviderServer, flow: CodeFlow
) -> None:
    guest = flow.redeem(sign_in(server), VERIFIER, NONCE)["sub"]
    status, _, text = ask(server, login_hint=guest)
    assert (status, f"Go on as guest {guest[6:12]}" in text) == (200, True)
    again = sign_in(server, **{"as": "hint", "login_hint": guest})
    assert flow.redeem(again, VERIFIER, NONCE)["sub"] == guest


@pytest.mark.parametrize("hint", ["", "name|ann", "guest|x", 'guest|"><script>', "operators"])
def test_nobody_becomes_whom_a_page_names_when_that_is_no_guest(
    server: IdentityProviderServer, flow: CodeFlow, hint: str
) -> None:
    assert "Go on as" not in ask(server, login_hint=hint)[2]
    code = sign_in(server, **{"as": "hint", "login_hint": hint})
    assert flow.redeem(code, VERIFIER, NONCE)["sub"] != hint


def test_the_page_offers_both_ways_and_escapes_what_it_was_given(
    server: IdentityProviderServer,
) -> None:
    status, headers, text = ask(server, state='"><script>alert(1)</script>', nonce="a'b\"c<d>efg")
    assert status == 200
    assert "Continue as a new guest" in text
    assert "<script" not in text
    assert 'value="a&#x27;b&quot;c&lt;d&gt;efg"' in text
    assert "default-src 'none'" in headers["content-security-policy"]
    assert call(server, "GET", "/idp/style.css")[0] == 200


def test_the_site_hears_it_when_a_guest_does_not_want_to(server: IdentityProviderServer) -> None:
    body = urlencode(ASKED | {"as": "nobody"}).encode()
    status, headers, _ = call(server, "POST", "/idp/authorize", body)
    answer = sent_back(headers)
    assert (status, answer["error"], answer["state"]) == (303, "access_denied", STATE)
    assert "code" not in answer


@pytest.mark.parametrize(
    "target",
    [
        "",
        "/",
        PUBLIC_URL,
        f"{PUBLIC_URL}/?x",
        f"{PUBLIC_URL}/page",
        f"{PUBLIC_URL}/#",
        "https://evil.example/",
        "//evil.example/",
        "http://127.0.0.1@evil.example/",
        "javascript:alert(1)",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_nobody_is_sent_elsewhere(server: IdentityProviderServer, target: str, method: str) -> None:
    asked = {"response_type": "code"} | ASKED | {"redirect_uri": target, "as": "guest"}
    text = urlencode(asked)
    path, body = ("/idp/authorize", text.encode()) if method == "POST" else (
        f"/idp/authorize?{text}", b"")  # fmt: skip
    status, headers, _ = call(server, method, path, body)
    assert (status, "location" in headers) == (400, False)
    assert ask(server, client_id="another")[0] == 400


WRONG = [
    ({"nonce": "short"}, "invalid_request"),
    ({"nonce": "x" * 129}, "invalid_request"),
    ({"nonce": "with space"}, "invalid_request"),
    ({"state": "x" * 513}, "invalid_request"),
    ({"code_challenge": ""}, "invalid_request"),
    ({"code_challenge": VERIFIER + "="}, "invalid_request"),
    ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"scope": "profile"}, "invalid_scope"),
]


@pytest.mark.parametrize(("changes", "error"), [*WRONG, ({"response_type": "token"}, "")])
def test_a_wrong_request_goes_back_without_a_code(
    server: IdentityProviderServer, changes: dict[str, str], error: str
) -> None:
    status, headers, _ = ask(server, **changes)
    assert (status, sent_back(headers)["error"]) == (303, error or "unsupported_response_type")
    if error:
        _, headers, _ = call(server, "POST", "/idp/authorize", urlencode(ASKED | changes).encode())
        assert sent_back(headers)["error"] == error
    assert "code" not in sent_back(headers)


@pytest.mark.parametrize(
    ("changes", "status", "error"),
    [
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"client_id": "another"}, 401, "invalid_client"),
        ({"redirect_uri": f"{PUBLIC_URL}/other"}, 400, "invalid_grant"),
        ({"code": "made-up"}, 400, "invalid_grant"),
        ({"code_verifier": "short"}, 400, "invalid_grant"),
    ],
)
def test_a_wrong_redemption_is_refused(
    server: IdentityProviderServer, changes: dict[str, str], status: int, error: str
) -> None:
    form = {
        "grant_type": "authorization_code",
        "client_id": CLIENT_ID,
        "redirect_uri": f"{PUBLIC_URL}/",
        "code": sign_in(server),
        "code_verifier": VERIFIER,
    }
    got, _, text = call(server, "POST", "/idp/token", urlencode(form | changes).encode())
    assert (got, json.loads(text)) == (status, {"error": error})


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b'{"nonce":"nonce-12345"}'])
def test_a_malformed_token_request_is_refused(server: IdentityProviderServer, body: bytes) -> None:
    assert call(server, "POST", "/idp/token", body)[0] == 400


def test_the_published_key_is_the_public_half_alone(server: IdentityProviderServer) -> None:
    (key,) = json.loads(call(server, "GET", "/idp/jwks.json")[2])["keys"]
    assert set(key) <= {"kty", "n", "e", "kid", "use", "alg", "key_ops"}
    assert key["kty"] == "RSA"


def test_what_it_publishes_of_itself_is_where_it_answers(server: IdentityProviderServer) -> None:
    found: dict[str, Any] = json.loads(
        call(server, "GET", "/idp/.well-known/openid-configuration")[2]
    )
    assert found["issuer"] == issuer_of(PUBLIC_URL) == server.issuer
    assert urlsplit(found["jwks_uri"]).path == "/idp/jwks.json"
    config = json.loads(call(server, "GET", "/config.json")[2])["identity"]
    assert config["authorize_url"] == found["authorization_endpoint"]
    assert (config["issuer"], config["client_id"]) == (found["issuer"], CLIENT_ID)
    assert config["redirect_uri"] == f"{PUBLIC_URL}/"
