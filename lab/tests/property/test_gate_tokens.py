"""Tokens of the edge and of Python beside an independent library, PyJWT, in both directions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jwt
import pytest
from jwt.types import Options

from fairgate.domain.gate import admission, proof_of_work
from fairgate.domain.gate.gate_config import GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    parse_waiting_token,
)
from fairgate.domain.shared.auth_token import issue_auth_token, verify_auth_token
from fairgate.domain.shared.jws import b64url
from tests.edge.gate_tools import EVENT, NOW_S, make_event, make_gate, missing_tool, run_handler

needs_njs = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
SUBS = ["a", "ada@example.org", "auth0|5f7c", "A" * 128]
# These tokens live in another year than we.
THEN: Options = {"verify_exp": False, "verify_iat": False}


def claims_of(token: WaitingToken) -> dict[str, Any]:
    return {
        "exp": token.exp,
        "boff": token.boff,
        "lvl": token.challenge_level,
        "iat": token.iat,
        "lot": b64url(token.lot),
        "ch": token.ch,
        "id": token.id,
        "pow": token.pow_bits,
        "h": admission.billionths(token.h),
        "evt": token.event,
        "sub": token.sub,
    }


def place(gate: GateConfig, sub: str, ago_s: int) -> WaitingToken:
    ms = (NOW_S - ago_s) * 1000 + 123
    return issue_waiting_token(gate, EVENT, sub, request_id="r", ip="::1", now_ms=ms)


def foreign_auth(gate: GateConfig, sub: str) -> str:
    """An auth token made by PyJWT."""
    claims = {"sub": sub, "iat": NOW_S - 60, "exp": NOW_S + 600, "grp": ["operators", "box-office"]}
    return foreign(claims, gate.auth_keys["a1"], {"kid": "a1"})


def foreign_place(gate: GateConfig, token: WaitingToken) -> str:
    """A waiting token made by PyJWT."""
    key = gate.token_keys["w1"]
    return foreign(claims_of(token), key, {"typ": "WR", "kid": "w1"})


def foreign(claims: dict[str, Any], key: bytes, header: dict[str, Any]) -> str:
    """By PyJWT, which signs any bytes: ours have blanks up to a multiple of three."""
    text = json.dumps(claims, separators=(",", ":")).encode()
    payload = text[:-1] + b" " * (-len(text) % 3) + b"}"
    return jwt.api_jws.encode(payload, b64url(key), headers=header, sort_headers=False)


@pytest.mark.parametrize("sub", SUBS)
def test_pyjwt_verifies_python_tokens_when_it_has_the_key(sub: str) -> None:
    gate = make_gate()
    token = place(gate, sub, 120)
    text = encode_waiting_token(token, gate)
    assert jwt.get_unverified_header(text) == {"typ": "WR", "alg": "HS256", "kid": "w1"}
    read = jwt.decode(text, b64url(gate.token_keys["w1"]), algorithms=["HS256"], options=THEN)
    assert read == claims_of(token)

    auth = issue_auth_token(sub, ["operators"], gate.auth_keys["a1"], "a1", NOW_S, 60)
    read = jwt.decode(auth, b64url(gate.auth_keys["a1"]), algorithms=["HS256"], options=THEN)
    assert read == {"sub": sub, "iat": NOW_S, "exp": NOW_S + 60, "grp": ["operators"]}
    for wrong, key in (
        (text, bytes(32)),
        (text, gate.token_keys["w1"]),
        (auth, b64url(gate.token_keys["w1"])),
    ):
        with pytest.raises(jwt.InvalidSignatureError):
            jwt.decode(wrong, key, algorithms=["HS256"], options=THEN)


@pytest.mark.parametrize("sub", SUBS)
def test_python_verifies_pyjwt_tokens_when_they_have_its_keys(sub: str) -> None:
    gate = make_gate()
    token = place(gate, sub, 120)
    assert parse_waiting_token(foreign_place(gate, token), gate, NOW_S) == token
    auth = verify_auth_token(foreign_auth(gate, sub), gate.auth_keys, NOW_S)
    assert (auth.sub, auth.groups) == (sub, ("operators", "box-office"))


@needs_njs
def test_the_edge_and_pyjwt_verify_each_other_when_they_share_keys(tmp_path: Path) -> None:
    gate = make_gate()
    cases: list[dict[str, Any]] = []
    for sub in SUBS:
        auth = {"authorization": f"Bearer {foreign_auth(gate, sub)}"}
        cases.append({"now_ms": NOW_S * 1000 + 7, "event": make_event("queue", auth)})
        for ago_s in (8, 500):  # the young one waits on, the old one's turn has come
            token = place(gate, sub, ago_s)
            headers = auth | {
                "x-fairgate-token": foreign_place(gate, token),
                "x-fairgate-solution": proof_of_work.solve(token.ch, token.pow_bits),
            }
            moment = max(NOW_S, token.boff) * 1000
            cases.append({"now_ms": moment, "event": make_event("admission", headers)})
    outcomes = run_handler(tmp_path, {EVENT: gate}, cases)

    seen = {"issued": 0, "waits": 0, "admitted": 0}
    for case, outcome in zip(cases, outcomes, strict=True):
        sub = SUBS[cases.index(case) // 3]
        if "body" not in outcome:
            word = outcome["headers"]["x-fairgate-edge"]["value"]
            assert word.split(".")[2] == "admit"
            seen["admitted"] += 1
            continue
        body = json.loads(outcome["body"])
        if "token" not in body:  # half of its life is left
            seen["waits"] += 1
            continue
        text = body["token"]
        read = jwt.decode(text, b64url(gate.token_keys["w1"]), algorithms=["HS256"], options=THEN)
        assert (read["evt"], read["sub"]) == (EVENT, sub)
        assert read == claims_of(parse_waiting_token(text, gate, case["now_ms"] / 1000))
        assert type(read["h"]) is int
        seen["issued" if outcome["statusCode"] == 200 else "waits"] += 1
    assert seen["issued"] == len(SUBS)
    assert seen["waits"] > 0
    assert seen["admitted"] > 0
