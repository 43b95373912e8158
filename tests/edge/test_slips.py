"""A slip, at the edge itself: what was checked once is not checked again; all else stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.slip import write_slip
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.auth_token import issue_auth_token
from tests.edge.gate_tools import (
    EVENT,
    NOW_S,
    SUB,
    make_event,
    make_gate,
    missing_tool,
    run_handler,
    told,
)

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
GATE = make_gate(sample_violations=0.0, sample_admission=0.0)
FAR_H = 1e6  # a place of this operational time waits for long
AUTH_TTL_S = 3600
HEADER_SLIP = "x-fairgate-slip"


def auth_of(sub: str = SUB, iat_s: int = NOW_S, ttl_s: int = AUTH_TTL_S) -> str:
    return issue_auth_token(sub, [], GATE.auth_keys["a1"], "a1", iat_s, ttl_s)


def place_of(*, h: float = FAR_H, **changes: Any) -> WaitingToken:
    place = issue_waiting_token(
        GATE, EVENT, SUB, request_id="r", ip="::1", now_ms=(NOW_S - 60) * 1000
    )
    return replace(place, h=h, boff=NOW_S, exp=NOW_S + GATE.token_ttl_s, **changes)


def sent(place: WaitingToken, **changes: str) -> dict[str, str]:
    """The headers of an attempt with a genuine slip; an empty change leaves one out."""
    text, auth = encode_waiting_token(place, GATE), auth_of()
    headers = {
        "authorization": f"Bearer {auth}",
        "x-fairgate-token": text,
        "x-fairgate-solution": proof_of_work.solve(place.ch, place.pow_bits),
        HEADER_SLIP: write_slip(GATE, place, text, auth, NOW_S + AUTH_TTL_S),
    }
    changed = headers | {name.replace("_", "-"): value for name, value in changes.items()}
    return {name: value for name, value in changed.items() if value}


def answer(tmp: Path, headers: dict[str, str], now_s: int = NOW_S) -> Any:
    case = {"now_ms": now_s * 1000, "event": make_event("admission", headers)}
    [outcome] = run_handler(tmp, {EVENT: GATE}, [case])
    answered = told(outcome)
    return answered if answered["status"] else answered["verdict"]


def test_a_slip_stands_for_the_solution_and_keeps_the_token(tmp_path: Path) -> None:
    first = answer(tmp_path, sent(place_of(), x_fairgate_slip=""))
    assert first["status"] == 202
    again = answer(
        tmp_path,
        sent(place_of())
        | {
            HEADER_SLIP: first["slip"],
            "x-fairgate-solution": "",
        },
        first["boff"],
    )
    assert again["status"] == 202
    assert "token" not in again
    assert again["slip"] != first["slip"]
    assert again["boff"] > first["boff"]


def test_nobody_is_admitted_by_a_slip_alone(tmp_path: Path) -> None:
    assert answer(tmp_path, sent(place_of(h=0.0))) == "admit"
    refused = answer(tmp_path, sent(place_of(h=0.0), x_fairgate_solution=""))
    assert (refused["status"], refused["verdict"]) == (429, "no-solution")


@pytest.mark.parametrize(
    "changes",
    [
        {"x_fairgate_slip": "altered"},
        {"x_fairgate_slip": "of another place"},
        {"authorization": f"Bearer {auth_of(iat_s=NOW_S - 1)}"},
        {"x_fairgate_token": encode_waiting_token(place_of(challenge_level=1, pow_bits=20), GATE)},
    ],
    ids=["altered", "of another place", "another sign-in", "a harder challenge"],
)
def test_a_slip_counts_for_nothing_when_it_is_not_of_both(
    tmp_path: Path, changes: dict[str, str]
) -> None:
    genuine = sent(place_of())[HEADER_SLIP]
    others = sent(place_of(id="0" * 8 + place_of().id[8:]))[HEADER_SLIP]
    odd = {"altered": genuine[:19] + ("1" if genuine[19] == "0" else "0") + genuine[20:],
           "of another place": others}  # fmt: skip
    moved = {name: odd.get(value, value) for name, value in changes.items()}
    refused = answer(tmp_path, sent(place_of(), x_fairgate_solution="", **moved))
    assert (refused["status"], refused["verdict"]) == (429, "no-solution")


def test_a_slip_is_nobody_elses(tmp_path: Path) -> None:
    refused = answer(tmp_path, sent(place_of(), authorization=f"Bearer {auth_of('grace')}"))
    assert (refused["status"], refused["verdict"]) == (403, "other-user")


def test_a_slip_does_not_revive_what_has_ended(tmp_path: Path) -> None:
    ended = answer(tmp_path, sent(place_of()), NOW_S + AUTH_TTL_S)
    assert (ended["status"], ended["code"]) == (401, "sign-in-ended")
    ended = answer(tmp_path, sent(place_of()), NOW_S + GATE.token_ttl_s)
    assert (ended["status"], ended["code"]) == (401, "waiting-token-ended")


def test_a_token_is_signed_again_when_half_its_life_is_over(tmp_path: Path) -> None:
    later = answer(tmp_path, sent(place_of()), NOW_S + GATE.token_ttl_s // 2)
    assert later["status"] == 202
    assert "token" in later


def test_an_attempt_before_the_slips_time_is_early(tmp_path: Path) -> None:
    place, text, auth = place_of(), encode_waiting_token(place_of(), GATE), auth_of()
    ahead = replace(place, boff=NOW_S + 30)
    slip = write_slip(GATE, ahead, text, auth, NOW_S + AUTH_TTL_S)
    refused = answer(tmp_path, sent(place, x_fairgate_slip=slip))
    assert (refused["status"], refused["verdict"], refused["retry_after"]) == (429, "early", 30)


@pytest.mark.parametrize(
    "slip", ["a", "abc", "é" * 24, "é" * 100, "\U0001f3ab" * 12, "x" * 23, "x" * 25, "x" * 5000]
)
def test_what_is_no_slip_counts_for_nothing(tmp_path: Path, slip: str) -> None:
    refused = answer(tmp_path, sent(place_of(), x_fairgate_solution="", x_fairgate_slip=slip))
    assert (refused["status"], refused["verdict"]) == (429, "no-solution")


@pytest.mark.parametrize(
    "seal", ["é" * 24, "\u20ac" * 24, "\U0001f3ab" * 24], ids=["two", "three", "four"]
)
def test_a_seal_of_wide_characters_counts_for_nothing(tmp_path: Path, seal: str) -> None:
    """24 of two bytes are 48, which an engine may compare with themselves."""
    headers = sent(place_of(), x_fairgate_solution="")
    headers[HEADER_SLIP] = headers[HEADER_SLIP][:-24] + seal
    assert answer(tmp_path, headers)["verdict"] == "no-solution"


def test_an_empty_slip_counts_for_nothing(tmp_path: Path) -> None:
    headers = sent(place_of(), x_fairgate_solution="") | {HEADER_SLIP: ""}
    assert answer(tmp_path, headers)["verdict"] == "no-solution"
