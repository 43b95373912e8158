"""The waiting-room token: comes back whole, and every change of it is refused."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.admission import life_max_s
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    parse_waiting_token,
    postponed,
)
from fairgate.domain.shared import jws
from fairgate.errors import UnauthenticatedError, WaitingTokenEndedError
from tests.edge.gate_tools import NOW_S, make_gate

GATE = make_gate()
KEY = GATE.token_keys["w1"]


def issued(**changes: Any) -> WaitingToken:
    token = issue_waiting_token(
        GATE, "summer", "ada", request_id="r", ip="203.0.113.7", now_ms=NOW_S * 1000 + 123
    )
    return replace(token, **changes)


def claims(**changes: Any) -> dict[str, Any]:
    text = encode_waiting_token(issued(), GATE)
    return jws.decode(text, typ="WR", keys=GATE.token_keys, chars_max=1024) | changes


def test_a_token_comes_back_whole_when_encoded_and_parsed() -> None:
    token = issued()
    assert parse_waiting_token(encode_waiting_token(token, GATE), GATE, NOW_S) == token


def test_a_token_still_verifies_when_the_keys_have_rotated() -> None:
    text = encode_waiting_token(issued(), GATE)
    rotated = make_gate(token_keys={"w2": bytes(32), "w1": KEY}, token_kid="w2")
    assert parse_waiting_token(text, rotated, NOW_S).sub == "ada"
    assert parse_waiting_token(encode_waiting_token(issued(), rotated), rotated, NOW_S).sub == "ada"


def test_the_id_is_unique_and_dated_when_issued() -> None:
    ids = {
        issue_waiting_token(GATE, "e", "ada", request_id=r, ip=ip, now_ms=ms).id
        for r in "ab"
        for ip in ("1", "2")
        for ms in (1, 2)
    }
    assert len(ids) == 8
    assert int(issued().id.replace("-", "")[:12], 16) == NOW_S * 1000 + 123


def test_a_token_outlives_its_time_to_come_back() -> None:
    for sale_start_s in (NOW_S - 60, NOW_S + 60, NOW_S + 30 * 86_400):
        gate = make_gate(sale_start_s=sale_start_s)
        token = issue_waiting_token(gate, "e", "ada", request_id="r", ip="", now_ms=NOW_S * 1000)
        assert token.exp == token.boff + gate.token_ttl_s
        assert postponed(token, gate, NOW_S + 9).exp == NOW_S + 9 + gate.token_ttl_s


def test_no_token_lives_longer_than_presence_renews_it() -> None:
    for sale_start_s in range(NOW_S - 60, NOW_S + 3_000, 7):
        gate = make_gate(sale_start_s=sale_start_s)
        token = issue_waiting_token(gate, "e", "ada", request_id="r", ip="", now_ms=NOW_S * 1000)
        assert token.exp - NOW_S <= life_max_s(gate) == 360 + 1 + 600


def test_the_challenge_is_harder_when_the_buyer_was_flagged() -> None:
    token = issue_waiting_token(
        GATE, "e", "ada", request_id="r", ip="", now_ms=0, challenge_level=1, extra_pow_bits=99
    )
    assert (token.challenge_level, token.pow_bits) == (1, 32)


WRONG: dict[str, list[Any]] = {
    "id": ["x", issued().id.upper()],
    "evt": ["a#b", None],
    "sub": ["", "a" * 129, 1],
    "iat": [1.0, True, -1],
    "exp": ["9", 10**12],
    "h": ["1", -1, None, True],
    "lot": ["", "A" * 23, "A" * 21 + "B"],
    "ch": [1],
    "pow": [33, 1.5],
    "boff": [None],
    "lvl": [2],
}


@pytest.mark.parametrize(
    ("name", "wrong"), [(name, wrong) for name in WRONG for wrong in WRONG[name]]
)
def test_a_signed_token_is_refused_when_a_claim_is_wrong(name: str, wrong: Any) -> None:
    text = jws.encode("WR", "w1", claims(**{name: wrong}), KEY)
    with pytest.raises(UnauthenticatedError):
        parse_waiting_token(text, GATE, NOW_S)


def test_a_signed_token_is_refused_when_its_claims_are_not_the_eleven() -> None:
    fewer = claims()
    del fewer["lvl"]
    swapped = dict(reversed(claims().items()))
    for wrong in (fewer, claims(more=1), swapped):
        with pytest.raises(UnauthenticatedError):
            parse_waiting_token(jws.encode("WR", "w1", wrong, KEY), GATE, NOW_S)


def test_a_token_is_refused_when_its_header_is_spelled_differently() -> None:
    header = jws.b64url(b'{"alg":"HS256","typ":"WR","kid":"w1"}')
    payload = encode_waiting_token(issued(), GATE).split(".")[1]
    signature = jws.b64url(jws.mac(KEY, f"{header}.{payload}"))
    with pytest.raises(UnauthenticatedError):
        parse_waiting_token(f"{header}.{payload}.{signature}", GATE, NOW_S)


def test_a_token_is_refused_when_it_has_expired() -> None:
    text = encode_waiting_token(issued(exp=NOW_S), GATE)
    assert parse_waiting_token(text, GATE, NOW_S - 0.1)
    with pytest.raises(WaitingTokenEndedError):
        parse_waiting_token(text, GATE, NOW_S)


@pytest.mark.parametrize("text", ["", "a.b.c", "A" * 100_000, "é", "..", "\x00"])
def test_text_is_refused_when_it_is_no_token(text: str) -> None:
    with pytest.raises(UnauthenticatedError):
        parse_waiting_token(text, GATE, NOW_S)


def test_a_token_is_refused_when_one_character_changes() -> None:
    text = encode_waiting_token(issued(), GATE)
    for at in range(0, len(text), 7):
        wrong = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        with pytest.raises(UnauthenticatedError):
            parse_waiting_token(wrong, GATE, NOW_S)
