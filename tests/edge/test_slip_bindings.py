"""What a slip is bound to: each binding, and the same gate without it.

The gate under test writes the slip itself, so a gate that lacks a binding still takes its own slips
from those whom it gave them to; what it must not do is take one from anybody else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.gate import admission, proof_of_work
from fairgate.domain.gate.gate_config import Epoch, GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.auth_token import issue_auth_token
from tests.edge.gate_tools import (
    EVENT,
    NOW_S,
    SUB,
    gate_source,
    make_event,
    make_gate,
    missing_tool,
    run_joined,
    write_gates,
)

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
GATE = make_gate(
    sample_violations=0.0,
    sample_admission=0.0,
    epochs=(Epoch(NOW_S - 3600, 0.0, 1e-5),),  # every turn is hours away: boff is in 60 to 72 s
)
OTHER_EVENT = "winter-night"
OTHER_GATE = replace(GATE, token_keys={kid: bytes(range(9, 41)) for kid in GATE.token_keys})
AUTH_TTL_S = 3600
FORWARDED, WAITS, REFUSED = 0, 202, 429
FAR_H = admission.on_grid(admission.operational_time(GATE.epochs, NOW_S + 10**6))


@dataclass(frozen=True)
class Asked:
    """An attempt without a solution: only a slip that counts gets it past that."""

    place: WaitingToken
    slip: str
    auth_iat_s: int = NOW_S
    auth_ttl_s: int = AUTH_TTL_S
    event: str = EVENT
    value: GateConfig = GATE  # of the event; whoever signs has its keys
    at_s: int = NOW_S + 73
    solved: bool = False

    def case(self) -> dict[str, Any]:
        key = GATE.auth_keys["a1"]
        auth = issue_auth_token(SUB, [], key, "a1", self.auth_iat_s, self.auth_ttl_s)
        headers = {
            "authorization": f"Bearer {auth}",
            "x-fairgate-token": encode_waiting_token(self.place, GATE),
            "x-fairgate-slip": self.slip,
        }
        if self.solved:
            solution = proof_of_work.solve(self.place.ch, self.place.pow_bits)
            headers["x-fairgate-solution"] = solution
        event = make_event("admission", headers, uri=f"/api/events/{self.event}/admission")
        return {"now_ms": self.at_s * 1000, "event": event}


def place_of() -> WaitingToken:
    place = issue_waiting_token(
        GATE, EVENT, SUB, request_id="r", ip="::1", now_ms=(NOW_S - 60) * 1000
    )
    return replace(place, h=FAR_H, boff=NOW_S, exp=NOW_S + GATE.token_ttl_s)


def answers(tmp: Path, source: str, asked: Asked) -> dict[str, Any]:
    write_gates(tmp / "kvs", {EVENT: asked.value, OTHER_EVENT: OTHER_GATE})
    [outcome] = run_joined(tmp, source, "harness.js", [asked.case()])
    if "body" not in outcome:
        return {
            "status": 0,
            "verdict": outcome["headers"]["x-fairgate-edge"]["value"].split(".")[2],
        }
    return {"status": outcome["statusCode"], **json.loads(outcome["body"])}


def first(tmp: Path, source: str, auth_ttl_s: int = AUTH_TTL_S) -> Asked:
    """The attempt after the one that brought a slip: the same place, as the gate signed it."""
    before = Asked(place_of(), "", auth_ttl_s=auth_ttl_s, at_s=NOW_S, solved=True)
    answer = answers(tmp, source, before)
    place = replace(before.place, boff=answer["boff"], exp=answer["boff"] + GATE.token_ttl_s)
    assert answer["token"] == encode_waiting_token(place, GATE)
    return replace(before, place=place, slip=answer["slip"], at_s=NOW_S + 73, solved=False)


def altered(start: int, end: int, to: str) -> Callable[[Asked], Asked]:
    """With other figures in the same slip, up to ``end``; 0 is the end."""

    def change(asked: Asked) -> Asked:
        text = asked.slip[:start] + to + (asked.slip[end:] if end else "")
        assert text != asked.slip
        return replace(asked, slip=text)

    return change


def of_another_event(asked: Asked) -> Asked:
    """The token of the other event's key has another signature, so this asks with the own one."""
    return replace(asked, event=OTHER_EVENT)


BINDINGS: dict[str, tuple[str, str, Callable[[Asked], Asked]]] = {
    "until": ("key, says +", "key, says.slice(10) +", altered(0, 10, str(NOW_S + 9999))),
    "boff": (
        "key, says +",
        "key, says.slice(0, 10) + says.slice(20) +",
        altered(10, 20, str(NOW_S + 10)),
    ),
    "id": (
        "key, says +",
        "key, says.slice(0, 20) + says.slice(28) +",
        altered(20, 28, "00000000"),
    ),
    "ticket": (
        "key, says +",
        "key, says.slice(0, 28) + says.slice(50) +",
        altered(28, 50, "A" * 22),
    ),
    "h": ("key, says +", "key, says.slice(0, 50) +", altered(50, -24, "9" * 15)),
    "token": (
        "token.slice(-SEAL_CHARS) + ",
        "",
        lambda asked: replace(asked, place=replace(asked.place, level=1, pow_bits=20)),
    ),
    "sign-in": (
        " + bearer.slice(-SEAL_CHARS)",
        "",
        lambda asked: replace(asked, auth_iat_s=NOW_S - 1),
    ),
    "event's key": ("signature(key, says", "signature('k', says", of_another_event),
    "first third of the seal": (
        "(n[0] !== n[3]) | ",
        "",
        lambda asked: altered(len(asked.slip) - 24, -23, other(asked.slip[-24]))(asked),
    ),
    "second third of the seal": (
        "| (n[1] !== n[4]) ",
        "",
        lambda asked: altered(len(asked.slip) - 9, -8, other(asked.slip[-9]))(asked),
    ),
    "last third of the seal": (
        " | (n[2] !== n[5])",
        "",
        lambda asked: altered(len(asked.slip) - 1, 0, other(asked.slip[-1]))(asked),
    ),
    "wide characters": (
        "seal(key, says, token, bearer) + slip.slice(-SEAL_CHARS)",
        "slip.slice(-SEAL_CHARS) + seal(key, says, token, bearer)",
        altered(-24, 0, "é" * 24),
    ),
}


def other(character: str) -> str:
    return "A" if character != "A" else "B"


@pytest.mark.parametrize("binding", list(BINDINGS))
def test_a_slip_counts_for_nobody_else_and_a_gate_without_the_binding_shows(
    tmp_path: Path, binding: str
) -> None:
    line, instead, change = BINDINGS[binding]
    source = gate_source(readable=True)
    assert source.count(line) == 1, f"edge/gate/src spells this binding differently now: {line}"
    for gate, told in ((source, (403, REFUSED)), (source.replace(line, instead), (WAITS,))):
        own = first(tmp_path, gate)
        assert answers(tmp_path, gate, own)["status"] == WAITS
        assert answers(tmp_path, gate, change(own))["status"] in told


LIMITS: dict[str, tuple[str, str, Callable[[Asked], Asked], int]] = {
    "by itself it admits nobody": (
        "return place && admitted(event, rules, text, name, slip[CALLER], now);",
        "return admitted(event, rules, text, name, 'x', now);",
        lambda asked: replace(asked, value=replace(GATE, open_until_s=NOW_S + 9999)),
        FORWARDED,
    ),
    "at its time": (
        "now >= slip.slice(SLIP_BOFF, SLIP_TURN) - GRACE_S &&",
        "",
        lambda asked: replace(asked, at_s=NOW_S + 5, solved=True),
        WAITS,
    ),
    "no longer than until": (
        "if (boff > until)",
        "if (false)",
        lambda asked: replace(asked, at_s=NOW_S + 330),
        WAITS,
    ),
    "no longer than the sign-in": (
        "if (until > slip[CALLER_EXP])",
        "if (false)",
        lambda asked: replace(asked, at_s=NOW_S + 100),
        WAITS,
    ),
    "whoever is early by it is early": (
        "place[BOFF] = slip.slice(SLIP_BOFF, SLIP_TURN);",
        "",
        lambda asked: replace(asked, at_s=NOW_S + 75, solved=True),
        WAITS,
    ),
}


@pytest.mark.parametrize("limit", list(LIMITS))
def test_a_slip_has_its_limits_and_a_gate_without_one_shows(tmp_path: Path, limit: str) -> None:
    line, instead, change, lax = LIMITS[limit]
    source = gate_source(readable=True)
    assert source.count(line) == 1, f"edge/gate/src spells this limit differently now: {line}"
    ttl_s = 130 if "sign-in" in limit else AUTH_TTL_S
    for gate, told in ((source, REFUSED), (source.replace(line, instead), lax)):
        own = first(tmp_path, gate, auth_ttl_s=ttl_s)
        if "early by it" in limit:  # the token's own time is past, the slip's is not
            own = replace(own, slip=answers(tmp_path, gate, own)["slip"])
        assert answers(tmp_path, gate, change(own))["status"] == told
