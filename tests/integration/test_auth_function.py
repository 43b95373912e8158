"""The auth function: the handler, our verifier and the local identity provider together."""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from fairgate import metrics
from fairgate.adapters.identity.code_flow import CodeFlow
from fairgate.adapters.identity.oidc import IdTokenVerifier
from fairgate.bootstrap import Container
from fairgate.domain.shared.auth_token import verify_auth_token
from fairgate.http import paths
from fairgate.service.gate.exchange_identity import AUTH_TTL_S
from fairgate.settings import from_environment
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.secrets import MemorySecrets
from fairgate_ops.run.local.guest_sign_in import AUTHORIZE, guest_sign_in
from fairgate_ops.run.local.identity_provider import PUBLIC_URL, IdentityProviderServer
from functions.auth import handler as auth
from functions.renewal import handler as renewal
from tests.support.waiting import patience_s
from tests.support.world import START_MS
from tests.unit.run.test_watched_figures import figures

BODY = {"code": "c", "verifier": "v" * 43, "nonce": "nonce-12345"}


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProviderServer]:
    server = IdentityProviderServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def world(provider: IdentityProviderServer, monkeypatch: pytest.MonkeyPatch) -> Container:
    world = Container(
        from_environment({}),
        clock=MemoryClock(),
        secrets=MemorySecrets(),
        identity=flow(provider, provider.token_url),
    )
    for function in (auth, renewal):
        monkeypatch.setattr(function, "container", lambda: world)
    return world


def flow(provider: IdentityProviderServer, token_url: str) -> CodeFlow:
    verifier = IdTokenVerifier(provider.issuer, provider.client_id, provider.jwks_url)
    return CodeFlow(
        token_url,
        provider.client_id,
        provider.redirect_uri,
        id_tokens=verifier,
        secrets=MemorySecrets(),
    )


def signed_in(provider: IdentityProviderServer, *groups: str) -> dict[str, str]:
    """What the page sends after a sign-in as Ann."""
    begun = guest_sign_in(PUBLIC_URL, "ann", secrets.token_hex, groups)
    connection = http.client.HTTPConnection("127.0.0.1", provider.port, timeout=patience_s(5))
    try:
        connection.request("POST", AUTHORIZE, begun.form())
        answer = connection.getresponse()
        answer.read()
        return begun.exchange(answer.headers["location"])
    finally:
        connection.close()


def post(body: Any, path: str = paths.AUTH_EXCHANGE, **headers: str) -> tuple[int, dict[str, Any]]:
    event = {
        "version": "2.0",
        "routeKey": f"POST {path}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json"} | headers,
        "requestContext": {
            "http": {"method": "POST", "path": path},
            "requestId": "r1",
            "stage": "$default",
        },
        "body": body if isinstance(body, str) else json.dumps(body),
        "isBase64Encoded": False,
    }
    answer = {paths.AUTH_EXCHANGE: auth, paths.AUTH_RENEW: renewal}[path].handler(event, None)
    return answer["statusCode"], json.loads(answer["body"])


def test_a_sign_in_becomes_a_token_that_the_edge_can_check(
    provider: IdentityProviderServer,
) -> None:
    status, body = post(signed_in(provider, "operators"))
    assert status == 200
    claims = verify_auth_token(body["token"], MemorySecrets().current.auth, START_MS // 1000)
    assert (claims.sub, claims.groups) == ("ann", ("operators",))
    assert set(body) == {"token", "expires_at", "sub", "account"}


def test_it_is_401_when_the_nonce_is_another_ones(provider: IdentityProviderServer) -> None:
    status, body = post(signed_in(provider) | {"nonce": "another-nonce"})
    assert (status, body["code"]) == (401, "sign-in-refused")


def test_it_is_401_when_a_code_comes_twice(provider: IdentityProviderServer) -> None:
    body = signed_in(provider)
    assert post(body)[0] == 200
    status, problem = post(body)
    assert (status, problem["code"]) == (401, "sign-in-refused")
    assert problem["detail"].endswith("Please sign in again.")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        {},
        {"code": "c", "nonce": "nonce-12345"},
        BODY | {"code": ""},
        BODY | {"code": "x" * 2049},
        BODY | {"code": "two words"},
        BODY | {"verifier": "v" * 42},
        BODY | {"verifier": "v" * 129},
        BODY | {"verifier": "v" * 42 + "="},
        BODY | {"nonce": "short"},
        BODY | {"code": 7},
    ],
)
def test_it_is_400_when_the_body_is_malformed(body: Any) -> None:
    status, problem = post(body)
    assert (status, problem["code"]) == (400, "malformed-input")


def test_it_is_503_when_the_provider_does_not_answer(
    world: Container, provider: IdentityProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    world.__dict__["identity"] = flow(provider, "http://127.0.0.1:9/token")
    status, problem = post(BODY)
    assert (status, problem["code"]) == (503, "sign-in-unavailable")
    assert figures(capsys) == {metrics.SIGN_INS_UNAVAILABLE: 1}
    assert problem["retry_after"] == 2


def test_a_sign_in_is_renewed_while_it_lasts_and_not_afterwards(
    world: Container, provider: IdentityProviderServer
) -> None:
    first = post(signed_in(provider))[1]
    clock = world.clock
    assert isinstance(clock, MemoryClock)
    clock.tick(AUTH_TTL_S - 1)
    status, renewed = post("", paths.AUTH_RENEW, authorization=f"Bearer {first['token']}")
    assert (status, renewed["sub"]) == (200, "ann")
    assert renewed["expires_at"] > first["expires_at"]
    clock.tick(2)
    codes = [
        post("", paths.AUTH_RENEW, authorization=f"Bearer {token}")[1].get("code")
        for token in (first["token"], renewed["token"], "x")
    ]
    assert codes == ["sign-in-ended", None, "unauthenticated"]
