"""Identity tokens: this issuer's, for us, for this sign-in, now; and keys fetched sparingly."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from fairgate.adapters.identity.oidc import (
    KEYS_FRESH_S,
    KEYS_KEPT_S,
    REFETCH_S,
    IdTokenVerifier,
)
from fairgate.adapters.identity.provider_calls import CALL_S_MAX, PAUSE_S_MAX, RETRY_S
from fairgate.errors import (
    DependencyUnavailableError,
    IdentityUnavailableError,
    UnauthenticatedError,
)

ISSUER, AUDIENCE, NONCE = "https://id.example", "fairgate", "nonce-12345"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public(key: rsa.RSAPrivateKey, kid: str, **fields: str) -> dict[str, Any]:
    entry = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**entry, "kid": kid} | fields


def nameless(key: rsa.RSAPrivateKey) -> dict[str, Any]:
    return {name: value for name, value in public(key, "").items() if name != "kid"}


class Issuer:
    """A key set that can be rotated or taken down, and that counts its readers."""

    def __init__(self) -> None:
        self.document: Any = {"keys": [public(KEY, "k1")]}
        self.down = False
        self.fetches = 0
        self.failures = 0  # as counted by who is told of them
        self.now = 0.0
        self.takes_s = 0.0

    def fetch(self, _url: str) -> bytes:
        self.fetches += 1
        self.now += self.takes_s
        if self.down:
            raise ConnectionRefusedError("down")
        return json.dumps(self.document).encode()

    def provider(self) -> IdTokenVerifier:
        return IdTokenVerifier(
            ISSUER,
            AUDIENCE,
            "http://unused",
            unreadable=self.unreadable,
            fetch=self.fetch,
            monotonic=lambda: self.now,
        )

    def unreadable(self) -> None:
        self.failures += 1


def set_up() -> tuple[Issuer, IdTokenVerifier]:
    issuer = Issuer()
    return issuer, issuer.provider()


def token(kid: str | None = "k1", key: Any = KEY, alg: str = "RS256", **changes: Any) -> str:
    now_s = int(time.time())
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ann",
        "iat": now_s,
        "exp": now_s + 600,
        "nonce": NONCE,
    } | changes
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(claims, key, algorithm=alg, headers={"kid": kid} if kid else None)


def refused(id_token: str, nonce: str = NONCE) -> None:
    with pytest.raises(UnauthenticatedError) as caught:
        Issuer().provider().verify(id_token, nonce)
    assert caught.value.detail.startswith("The sign-in could not be verified")


def test_claims_come_back_when_the_token_is_right() -> None:
    assert Issuer().provider().verify(token(), NONCE)["sub"] == "ann"


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "somebody-else"},
        {"aud": None},
        {"aud": [AUDIENCE, "somebody-else"]},
        {"azp": "somebody-else"},
        {"exp": int(time.time()) - 120},
        {"exp": None},
        {"iat": int(time.time()) + 86_400},  # ahead also at the end of a long run
        {"sub": None},
        {"nonce": "another-nonce"},
        {"nonce": None},
    ],
)
def test_it_refuses_when_a_claim_is_wrong_or_missing(changes: dict[str, Any]) -> None:
    refused(token(**changes))


def test_it_accepts_several_audiences_when_we_are_the_authorized_party() -> None:
    several = token(aud=[AUDIENCE, "other"], azp=AUDIENCE)
    assert Issuer().provider().verify(several, NONCE)["sub"] == "ann"


@pytest.mark.parametrize(
    ("key", "alg"),
    [
        (OTHER_KEY, "RS256"),
        (str(public(KEY, "k1")["n"]) * 2, "HS256"),  # the public key, used as an HMAC secret
        (None, "none"),
        (KEY, "PS256"),
    ],
    ids=["other key", "HMAC", "unsigned", "PS256"],
)
def test_it_refuses_when_another_key_or_algorithm_signed(key: Any, alg: str) -> None:
    refused(token(key=key, alg=alg))


@pytest.mark.parametrize("text", ["", "a.b.c", "x" * 8192, "[" * 5000, "é.é.é"])
def test_it_refuses_when_the_text_is_no_token(text: str) -> None:
    refused(text)


def test_it_refuses_when_the_nonce_is_empty_on_both_sides() -> None:
    refused(token(nonce=""), nonce="")


def test_a_token_names_no_key_when_the_provider_has_one() -> None:
    """Source: OpenID Connect Core 1.0, section 10.1: a name is needed among several."""
    assert Issuer().provider().verify(token(kid=None), NONCE)["sub"] == "ann"


def test_a_key_has_no_name_when_the_provider_has_one() -> None:
    issuer = Issuer()
    issuer.document = {"keys": [nameless(KEY), public(OTHER_KEY, "e", use="enc")]}
    assert issuer.provider().verify(token(kid=None), NONCE)["sub"] == "ann"


@pytest.mark.parametrize("second", ["k2", ""])
def test_it_refuses_when_the_token_names_none_of_several_keys(second: str) -> None:
    issuer = Issuer()
    issuer.document["keys"].append(public(OTHER_KEY, second) if second else nameless(OTHER_KEY))
    with pytest.raises(UnauthenticatedError):
        issuer.provider().verify(token(kid=None), NONCE)


def test_it_refuses_when_the_token_names_a_key_and_the_one_there_is_has_no_name() -> None:
    issuer = Issuer()
    issuer.document = {"keys": [nameless(KEY)]}
    with pytest.raises(UnauthenticatedError):
        issuer.provider().verify(token(kid="k1"), NONCE)


def test_a_key_without_a_name_is_found_when_the_issuer_rotates() -> None:
    issuer = Issuer()
    issuer.document = {"keys": [nameless(KEY)]}
    provider = issuer.provider()
    provider.verify(token(kid=None), NONCE)
    issuer.document = {"keys": [nameless(OTHER_KEY)]}
    issuer.now += REFETCH_S + 1
    assert provider.verify(token(kid=None, key=OTHER_KEY), NONCE)["sub"] == "ann"
    for _ in range(3):
        with pytest.raises(UnauthenticatedError):
            provider.verify(token(kid=None), NONCE)
    assert issuer.fetches == 2


def test_it_refuses_everyone_when_no_issuer_is_set_up() -> None:
    issuer = Issuer()
    provider = IdTokenVerifier("", "", "", fetch=issuer.fetch)
    with pytest.raises(UnauthenticatedError):
        provider.verify(token(iss="", aud=""), NONCE)
    assert issuer.fetches == 0


def test_it_skips_keys_when_they_are_not_for_rsa_signatures() -> None:
    issuer = Issuer()
    issuer.document = {
        "keys": [
            {"kty": "EC", "kid": "k1"},
            public(KEY, "k1", use="enc"),
            {"kty": "RSA", "kid": "broken", "n": 7},
            public(KEY, "k2", use="sig"),
        ]
    }
    assert issuer.provider().verify(token(kid="k2"), NONCE)["sub"] == "ann"
    with pytest.raises(UnauthenticatedError):
        issuer.provider().verify(token(kid="k1"), NONCE)


def test_keys_are_fetched_once_when_many_sign_in() -> None:
    issuer, provider = set_up()
    for _ in range(20):
        provider.verify(token(), NONCE)
    assert issuer.fetches == 1


def test_a_new_key_is_found_when_the_issuer_rotates() -> None:
    issuer, provider = set_up()
    provider.verify(token(), NONCE)
    issuer.document = {"keys": [public(OTHER_KEY, "k2")]}
    issuer.now += REFETCH_S + 1
    assert provider.verify(token(kid="k2", key=OTHER_KEY), NONCE)["sub"] == "ann"


def test_a_key_published_just_after_the_last_look_is_found_at_once() -> None:
    issuer, provider = set_up()
    provider.require_keys()
    issuer.document = {"keys": [public(KEY, "k1"), public(OTHER_KEY, "k2")]}
    issuer.now += 1
    assert provider.verify(token(kid="k2", key=OTHER_KEY), NONCE)["sub"] == "ann"
    assert issuer.fetches == 2


def test_a_look_that_brought_no_such_key_is_not_made_again_at_once() -> None:
    issuer, provider = set_up()
    provider.require_keys()
    for n in range(50):
        with pytest.raises(UnauthenticatedError):
            provider.verify(token(kid=f"x{n}"), NONCE)
    assert issuer.fetches == 2
    issuer.now += REFETCH_S
    with pytest.raises(UnauthenticatedError):
        provider.verify(token(kid="x"), NONCE)
    assert issuer.fetches == 3


def test_a_bad_signature_without_a_name_causes_one_look() -> None:
    issuer = Issuer()
    issuer.document = {"keys": [public(KEY, "")]}
    provider = issuer.provider()
    provider.require_keys()
    for _ in range(50):
        with pytest.raises(UnauthenticatedError):
            provider.verify(token(kid="", key=OTHER_KEY), NONCE)
    assert issuer.fetches == 2


def test_it_is_unavailable_for_as_long_as_rotated_keys_cannot_be_read() -> None:
    """Not "could not be verified", which would send each buyer through the sign-in for nothing."""
    issuer, provider = set_up()
    provider.verify(token(), NONCE)
    issuer.document = {"keys": [public(OTHER_KEY, "k2")]}
    issuer.now += REFETCH_S + 1
    issuer.down = True
    for _ in range(3):
        with pytest.raises(DependencyUnavailableError) as caught:
            provider.verify(token(kid="k2", key=OTHER_KEY), NONCE)
        assert caught.value.retry_after_s
    assert issuer.fetches == 2
    assert provider.verify(token(), NONCE)["sub"] == "ann"  # the known key goes on
    issuer.down = False
    issuer.now += RETRY_S
    assert provider.verify(token(kid="k2", key=OTHER_KEY), NONCE)["sub"] == "ann"


def test_keys_are_there_before_a_token_is() -> None:
    issuer, provider = set_up()
    provider.require_keys()
    provider.require_keys()
    provider.verify(token(), NONCE)
    assert issuer.fetches == 1


def test_known_keys_are_enough_when_the_issuer_is_down() -> None:
    issuer, provider = set_up()
    provider.require_keys()
    issuer.down = True
    issuer.now += KEYS_FRESH_S + 1
    provider.require_keys()
    issuer.now += KEYS_KEPT_S
    with pytest.raises(DependencyUnavailableError):
        provider.require_keys()


def test_sign_ins_hardly_wait_for_keys_that_stall_while_the_known_ones_count() -> None:
    issuer, provider = set_up()
    provider.require_keys()
    issuer.now += KEYS_FRESH_S + 1
    issuer.down, issuer.takes_s, issuer.fetches = True, CALL_S_MAX, 0
    began = issuer.now
    while issuer.now < began + 120:
        assert provider.verify(token(), NONCE)["sub"] == "ann"
        issuer.now += 0.1
    assert issuer.fetches * CALL_S_MAX < 120 / 4
    issuer.down, issuer.takes_s = False, 0.0
    issuer.now += PAUSE_S_MAX
    provider.require_keys()
    issuer.now += KEYS_FRESH_S + 1
    issuer.down, issuer.fetches = True, 0
    provider.require_keys()
    issuer.now += RETRY_S  # from the beginning again
    provider.require_keys()
    assert issuer.fetches == 2


def test_it_is_said_that_the_keys_cannot_be_read_before_nobody_can_sign_in(
    caplog: pytest.LogCaptureFixture,
) -> None:
    issuer, provider = set_up()
    provider.require_keys()
    issuer.now += KEYS_FRESH_S + 1
    issuer.down = True
    provider.require_keys()
    provider.require_keys()
    [line] = caplog.records
    assert line.getMessage() == "the identity provider's key set: keys (ConnectionRefusedError)"
    assert line.levelname == "ERROR"
    issuer.down, issuer.document = False, {"keys": []}
    issuer.now += RETRY_S
    provider.require_keys()
    assert caplog.records[1].getMessage().endswith("keys (no key that signs)")
    assert issuer.failures == 2


def test_nothing_but_keys_nested_too_deep_is_no_defect_of_ours() -> None:
    provider = IdTokenVerifier(ISSUER, AUDIENCE, "http://unused", fetch=lambda _: b"[" * 100_000)
    with pytest.raises(IdentityUnavailableError):
        provider.require_keys()


def test_one_request_is_made_when_strangers_name_unknown_keys() -> None:
    issuer, provider = set_up()
    for n in range(50):
        with pytest.raises(UnauthenticatedError):
            provider.verify(token(kid=f"x{n}"), NONCE)
    assert issuer.fetches == 1


def test_a_withdrawn_key_is_refused_when_the_kept_ones_are_no_longer_fresh() -> None:
    issuer, provider = set_up()
    provider.verify(token(), NONCE)
    issuer.document = {"keys": [public(OTHER_KEY, "k2")]}
    issuer.now += KEYS_FRESH_S + 1
    with pytest.raises(UnauthenticatedError):
        provider.verify(token(), NONCE)


def test_known_keys_go_on_for_a_day_when_the_issuer_is_down() -> None:
    issuer, provider = set_up()
    provider.verify(token(), NONCE)
    issuer.down = True
    issuer.now += KEYS_KEPT_S - 1
    assert provider.verify(token(), NONCE)["sub"] == "ann"
    issuer.now += 2
    with pytest.raises(DependencyUnavailableError):
        provider.verify(token(), NONCE)


@pytest.mark.parametrize("document", [None, [], {"keys": 7}, {"keys": []}, "x"])
def test_it_is_unavailable_when_the_issuer_answers_no_key_set(document: Any) -> None:
    issuer = Issuer()
    issuer.document = document
    with pytest.raises(DependencyUnavailableError):
        issuer.provider().verify(token(), NONCE)


def test_it_recovers_when_the_issuer_comes_back() -> None:
    issuer = Issuer()
    issuer.down = True
    provider = issuer.provider()
    for _ in range(5):
        with pytest.raises(DependencyUnavailableError):
            provider.verify(token(), NONCE)
    assert issuer.fetches == 1
    issuer.down = False
    issuer.now += 3
    assert provider.verify(token(), NONCE)["sub"] == "ann"


def test_it_is_unavailable_when_the_address_is_not_http() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "jwks.json"
        file.write_text(json.dumps({"keys": [public(KEY, "k1")]}))
        provider = IdTokenVerifier(ISSUER, AUDIENCE, file.as_uri())
        with pytest.raises(DependencyUnavailableError):
            provider.verify(token(), NONCE)
