"""The auth function: the handler, our verifier and the local identity provider together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from fairgate.adapters.identity.oidc import OidcIdentityProvider
from fairgate.adapters.memory.clock import MemoryClock
from fairgate.adapters.memory.secrets import MemorySecrets
from fairgate.bootstrap import Container
from fairgate.domain.shared.auth_token import verify_auth_token
from fairgate.http import paths
from fairgate.service.gate.exchange_identity import AUTH_TTL_S
from fairgate.settings import from_environment
from fairgate_ops.run.local.identity_provider import IdentityProviderServer
from functions.auth import handler as auth
from tests.support.world import START_MS

NONCE = "nonce-12345"


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
        identity=OidcIdentityProvider(provider.issuer, provider.audience, provider.jwks_url),
    )
    monkeypatch.setattr(auth, "container", lambda: world)
    return world


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
    answer = auth.handler(event, None)
    return answer["statusCode"], json.loads(answer["body"])


def test_a_sign_in_becomes_a_token_that_the_edge_can_check(
    provider: IdentityProviderServer,
) -> None:
    id_token = provider.id_token(nonce=NONCE, sub="ann", groups=["operators"])
    status, body = post({"id_token": id_token, "nonce": NONCE})
    assert status == 200
    claims = verify_auth_token(body["token"], MemorySecrets().current.auth, START_MS // 1000)
    assert (claims.sub, claims.groups) == ("ann", ("operators",))
    assert set(body) == {"token", "expires_at", "sub"}


def test_it_is_401_when_the_nonce_is_another_ones(provider: IdentityProviderServer) -> None:
    id_token = provider.id_token(nonce=NONCE, sub="ann")
    status, body = post({"id_token": id_token, "nonce": "another-nonce"})
    assert (status, body["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        {},
        {"id_token": "a.b.c"},
        {"id_token": "x" * 8193, "nonce": NONCE},
        {"id_token": "a.b.c", "nonce": "short"},
        {"id_token": 7, "nonce": NONCE},
    ],
)
def test_it_is_400_when_the_body_is_malformed(body: Any) -> None:
    status, problem = post(body)
    assert (status, problem["code"]) == (400, "malformed-input")


def test_it_is_503_when_the_issuers_keys_cannot_be_read(
    world: Container, provider: IdentityProviderServer
) -> None:
    world.__dict__["identity"] = OidcIdentityProvider("i", "a", "http://127.0.0.1:9/jwks.json")
    id_token = provider.id_token(nonce=NONCE, sub="ann")
    status, problem = post({"id_token": id_token, "nonce": NONCE})
    assert (status, problem["code"]) == (503, "dependency-unavailable")


def test_a_sign_in_is_renewed_while_it_lasts_and_not_afterwards(
    world: Container, provider: IdentityProviderServer
) -> None:
    id_token = provider.id_token(nonce=NONCE, sub="ann")
    first = post({"id_token": id_token, "nonce": NONCE})[1]
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
