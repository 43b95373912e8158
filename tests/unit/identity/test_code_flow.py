"""A code is redeemed once, for the sign-in it is of; a provider's bad days are told apart."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

import pytest
from msgspec.structs import replace

from fairgate.adapters.identity.code_flow import CodeFlow
from fairgate.adapters.identity.oidc import REFETCH_S, IdTokenVerifier
from fairgate.adapters.identity.provider_calls import CALL_S_MAX, PAUSE_S_MAX, RETRY_S
from fairgate.errors import IdentityUnavailableError, SignInRefusedError
from fairgate_lab.engine.secrets import KEYS, MemorySecrets
from tests.unit.identity.test_oidc import AUDIENCE, ISSUER, NONCE, OTHER_KEY, Issuer, public, token

URL, BACK = "https://id.example/token", "https://tickets.example/"
CODE, VERIFIER = "c/o+d&e", "v" * 43


class Provider:
    """Its token endpoint; says what ``answer`` says, or raises it, and keeps what it was sent."""

    def __init__(self, *answer: Any, secret: bytes = b"") -> None:
        self.answers = list(answer)
        self.issuer = Issuer()
        self.sent: list[tuple[str, dict[str, list[str]], Mapping[str, str]]] = []
        self.flow = CodeFlow(
            URL,
            AUDIENCE,
            BACK,
            id_tokens=self.issuer.provider(),
            secrets=MemorySecrets(replace(KEYS, oidc_client_secret=secret)),
            call=self.call,
            monotonic=lambda: self.issuer.now,
        )

    def call(
        self, url: str, form: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        self.sent.append((url, parse_qs((form or b"").decode()), headers or {}))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        status, body = answer
        return status, body if isinstance(body, bytes) else json.dumps(body).encode()

    def redeem(self, nonce: str = NONCE, page: str = "") -> Mapping[str, Any]:
        return self.flow.redeem(CODE, VERIFIER, nonce, page)


def test_the_claims_come_back_when_the_provider_takes_the_code() -> None:
    provider = Provider((200, {"id_token": token(), "access_token": "unused"}))
    assert provider.redeem()["sub"] == "ann"
    ((url, form, headers),) = provider.sent
    assert url == URL
    assert form == {
        "grant_type": ["authorization_code"],
        "code": [CODE],
        "redirect_uri": [BACK],
        "client_id": [AUDIENCE],
        "code_verifier": [VERIFIER],
    }
    assert "authorization" not in headers


def test_a_code_of_the_console_is_redeemed_with_the_address_of_the_console() -> None:
    provider = Provider((200, {"id_token": token()}))
    provider.redeem(page="console")
    ((_, form, _),) = provider.sent
    assert form["redirect_uri"] == [f"{BACK}console"]


def test_a_confidential_client_shows_its_secret_to_the_provider_alone() -> None:
    provider = Provider((200, {"id_token": token()}), secret=b"s:e c")
    provider.redeem()
    ((_, form, headers),) = provider.sent
    kind, _, pair = headers["authorization"].partition(" ")
    assert (kind, base64.b64decode(pair)) == ("Basic", b"fairgate:s%3Ae+c")
    assert "client_secret" not in form


@pytest.mark.parametrize("status", [400, 401])
def test_it_refuses_when_the_code_is_too_old_or_was_used(status: int) -> None:
    provider = Provider((status, {"error": "invalid_grant"}))
    with pytest.raises(SignInRefusedError):
        provider.redeem()


def test_it_refuses_when_the_token_is_of_another_sign_in() -> None:
    provider = Provider((200, {"id_token": token()}))
    with pytest.raises(SignInRefusedError):
        provider.redeem("another-nonce")


BAD_DAYS = [
    ("away", TimeoutError("slow")),
    ("away", ConnectionRefusedError()),
    ("away", (500, b"oops")),
    ("away", (503, {"error": "invalid_grant"})),
    ("away", (429, {"error": "slow_down"})),
    ("nonsense", ValueError("too long")),
    ("nonsense", (200, b"<html>")),
    ("nonsense", (200, b"[" * 100_000)),
    ("nonsense", (200, [])),
    ("nonsense", (200, {"access_token": "x"})),
    ("nonsense", (200, {"id_token": 7})),
    ("nonsense", (302, b"")),
    ("nonsense", (204, b"")),
    ("nonsense", (400, b"bad")),
    ("nonsense", (404, b"")),
    ("setup", (401, {"error": "invalid_client"})),
    ("setup", (400, {"error": "unauthorized_client"})),
    ("setup", (400, {"error": "redirect_uri_mismatch"})),
    ("setup", (403, {"error": {"odd": 1}})),
]


@pytest.mark.parametrize(("reason", "answer"), BAD_DAYS)
def test_it_is_unavailable_for_a_reason_when_the_provider_has_a_bad_day(
    reason: str, answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR), pytest.raises(IdentityUnavailableError) as caught:
        Provider(answer).redeem()
    assert caught.value.reason == reason
    assert f": {reason} (" in caplog.text


def test_a_provider_that_stalls_does_not_hold_every_sign_in_for_its_whole_time() -> None:
    """What waits for it takes a place from whoever renews a sign-in, or buys."""
    provider = Provider(*[TimeoutError("slow")] * 100)

    def stall(*asked: Any) -> tuple[int, bytes]:
        provider.issuer.now += CALL_S_MAX
        return provider.call(*asked)

    provider.flow.__dict__["_call"] = stall
    while provider.issuer.now < 120:
        with pytest.raises(IdentityUnavailableError) as caught:
            provider.redeem()
        assert caught.value.reason == "away"
        provider.issuer.now += 0.1
    assert len(provider.sent) * CALL_S_MAX < 120 / 4


def test_the_code_is_still_good_when_the_provider_is_asked_again() -> None:
    answer = (200, {"id_token": token()})
    provider = Provider(TimeoutError("slow"), answer, TimeoutError("slow"), answer)
    for pause_s in (RETRY_S, RETRY_S):  # a success begins from the beginning
        for _ in range(3):
            with pytest.raises(IdentityUnavailableError):
                provider.redeem()
        provider.issuer.now += pause_s
        assert provider.redeem()["sub"] == "ann"
    assert len(provider.sent) == 4


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_provider_that_answers_at_once_is_asked_each_time(status: int) -> None:
    """One that takes so many a second takes them, however many it turns away."""
    provider = Provider(*[(status, b"")] * 20)
    for _ in range(20):
        with pytest.raises(IdentityUnavailableError):
            provider.redeem()
    assert provider.answers == []


def test_a_long_outage_is_not_left_alone_for_longer_than_half_a_minute() -> None:
    provider = Provider(*[OSError()] * 3_000)
    for asked in range(1, 3_000):
        with pytest.raises(IdentityUnavailableError):
            provider.redeem()
        assert len(provider.sent) == asked
        provider.issuer.now += PAUSE_S_MAX


def test_no_code_and_no_word_of_a_stranger_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    answer = (400, {"error": f"{CODE}\nforged line", "error_description": VERIFIER})
    with pytest.raises(IdentityUnavailableError):
        Provider(answer).redeem()
    assert "(400 ?)" in caplog.text
    assert not any(text in caplog.text for text in (CODE, VERIFIER, "forged"))


def test_nobody_is_asked_when_no_provider_is_set_up() -> None:
    asked: list[str] = []

    def ask(url: str, _form: object, _headers: object) -> tuple[int, bytes]:
        asked.append(url)
        return 200, b"{}"

    flow = CodeFlow(
        "",
        "",
        BACK,
        id_tokens=IdTokenVerifier("", "", ""),
        secrets=MemorySecrets(),
        call=ask,
    )
    with pytest.raises(IdentityUnavailableError) as caught:
        flow.redeem(CODE, VERIFIER, NONCE)
    assert (caught.value.reason, asked) == ("setup", [])


def test_a_sign_in_goes_on_when_the_provider_has_rotated_its_keys() -> None:
    rotated = token(kid="k2", key=OTHER_KEY)
    provider = Provider((200, {"id_token": token()}), (200, {"id_token": rotated}))
    provider.redeem()
    provider.issuer.document = {"keys": [public(OTHER_KEY, "k2")]}
    provider.issuer.now += REFETCH_S + 1
    assert provider.redeem()["sub"] == "ann"
    assert provider.issuer.fetches == 2


def test_it_is_unavailable_when_the_keys_cannot_be_read() -> None:
    provider = Provider((200, {"id_token": token()}))
    provider.issuer.down = True
    with pytest.raises(IdentityUnavailableError) as caught:
        provider.redeem()
    assert caught.value.reason == "keys"
    assert provider.sent == []  # the code is still good when the page asks again
    provider.issuer.down = False
    provider.issuer.now += RETRY_S
    assert provider.redeem()["sub"] == "ann"
    assert len(provider.sent) == 1


def test_the_issuer_is_the_one_that_was_set_up() -> None:
    provider = Provider((200, {"id_token": token(iss=f"{ISSUER}/")}))
    with pytest.raises(SignInRefusedError):
        provider.redeem()
