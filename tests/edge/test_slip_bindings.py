"""What a slip is bound to: each binding, and the same gate without it.

The gate under test writes the slip itself, so a gate that lacks a binding still takes a slip from
the buyer who got it. It must not take the slip from anybody else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.gate import admission, proof_of_work
from fairgate.domain.gate.gate_config import SAMPLE_VIOLATIONS, VERSION_BEFORE, Epoch, GateConfig
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
    run_joined,
    told,
    write_gates,
)
from tests.support.gate_build import gate_source

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
GATE = make_gate(
    sample_violations=0.0,
    sample_admission=0.0,
    epochs=(Epoch(NOW_S - 3600, 0.0, 1e-5),),  # every turn is hours away: boff is in 60 to 72 s
)
OTHER_EVENT = "winter-night"
OTHER_GATE = structs.replace(GATE, token_keys={kid: bytes(range(9, 41)) for kid in GATE.token_keys})
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
    value: GateConfig = GATE  # of the event, with the keys that sign
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
    return structs.replace(place, h=FAR_H, boff=NOW_S, exp=NOW_S + GATE.token_ttl_s)


def answers(tmp: Path, source: str, asked: Asked) -> dict[str, Any]:
    write_gates(tmp / "kvs", {EVENT: asked.value, OTHER_EVENT: OTHER_GATE})
    [outcome] = run_joined(tmp, source, "harness.js", [asked.case()])
    return told(outcome)


def first(tmp: Path, source: str, auth_ttl_s: int = AUTH_TTL_S) -> Asked:
    """The attempt after the one that brought a slip, with the token that it had."""
    before = Asked(place_of(), "", auth_ttl_s=auth_ttl_s, at_s=NOW_S, solved=True)
    answer = answers(tmp, source, before)
    assert "token" not in answer
    return replace(before, slip=answer["slip"], at_s=NOW_S + 73, solved=False)


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


def sealed_but_for(*spans: str) -> tuple[tuple[str, str], ...]:
    """The seal over no more than these spans of what a slip says."""
    covered = " + ".join(["ends", *(f"says.slice({span})" for span in spans)])
    return (("ends + says)", f"{covered})"),)


SHORT = ("ends.length === 48", "true")
BINDINGS: dict[str, tuple[tuple[tuple[str, str], ...], Callable[[Asked], Asked]]] = {
    "boff": (sealed_but_for("10"), altered(0, 10, str(NOW_S + 10))),
    "until": (sealed_but_for("0, 10", "20"), altered(10, 20, str(NOW_S + 9999))),
    "id": (sealed_but_for("0, 20", "28"), altered(20, 28, "00000000")),
    "ticket": (sealed_but_for("0, 28", "50"), altered(28, 50, "A" * 22)),
    "h": (sealed_but_for("0, 50"), altered(50, -24, "9" * 15)),
    "token": (
        (("ends = token.slice(-SEAL_CHARS) + ", "ends = "), SHORT),
        lambda asked: replace(
            asked, place=structs.replace(asked.place, challenge_level=1, pow_bits=20)
        ),
    ),
    "sign-in": (
        ((" + bearer.slice(-SEAL_CHARS)", ""), SHORT),
        lambda asked: replace(asked, auth_iat_s=NOW_S - 1),
    ),
    "event's key": (
        (
            (
                "signature(key, ends + says)",
                "signature('k', ends + says)",
            ),
        ),
        of_another_event,
    ),
    "first third of the seal": (
        (("(words[0] !== words[3]) | ", ""),),
        lambda asked: altered(len(asked.slip) - 24, -23, other(asked.slip[-24]))(asked),
    ),
    "second third of the seal": (
        (("| (words[1] !== words[4]) ", ""),),
        lambda asked: altered(len(asked.slip) - 9, -8, other(asked.slip[-9]))(asked),
    ),
    "last third of the seal": (
        ((" | (words[2] !== words[5])", ""),),
        lambda asked: altered(len(asked.slip) - 1, 0, other(asked.slip[-1]))(asked),
    ),
    "wide characters": (
        (("room.write(made + given)", "room.write(given + made)"),),
        altered(-24, 0, "é" * 24),
    ),
}


def other(character: str) -> str:
    return "A" if character != "A" else "B"


@pytest.mark.parametrize("binding", list(BINDINGS))
def test_a_slip_counts_for_nobody_else_and_a_gate_without_the_binding_shows(
    tmp_path: Path, binding: str
) -> None:
    lines, change = BINDINGS[binding]
    source = unbound = gate_source(readable=True)
    for line, instead in lines:
        assert line in source, f"edge/gate/src spells this binding differently now: {line}"
        unbound = unbound.replace(line, instead)
    for gate, statuses in ((source, (403, REFUSED)), (unbound, (WAITS,))):
        own = first(tmp_path, gate)
        assert answers(tmp_path, gate, own)["status"] == WAITS
        assert answers(tmp_path, gate, change(own))["status"] in statuses


LIMITS: dict[str, tuple[str, str, Callable[[Asked], Asked], int]] = {
    "by itself it admits nobody": (
        ("      if (place) {\n        return admitted(place[SUB]);\n      }"),
        "return admitted('x');",
        lambda asked: replace(asked, value=structs.replace(GATE, open_until_s=NOW_S + 9999)),
        FORWARDED,
    ),
    "at its time": (
        "var whole = !slip || '' + (second + GRACE_S + 1) < slip;",
        "var whole = !slip;",
        lambda asked: replace(asked, at_s=NOW_S + 5, solved=True),
        WAITS,
    ),
    "no longer than until": (
        "if (place || boff < slip.slice(SLIP_UNTIL))",
        "if (true)",
        lambda asked: replace(asked, at_s=NOW_S + 330),
        WAITS,
    ),
    "no longer than the sign-in": (
        "(until < place[CALLER_EXP] ? until : place[CALLER_EXP])",
        "until",
        lambda asked: replace(asked, at_s=NOW_S + 100),
        WAITS,
    ),
    "a slip that says too early is obeyed": (
        "place[BOFF] = slip.slice(0, SLIP_UNTIL);",
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
    for gate, status in ((source, REFUSED), (source.replace(line, instead), lax)):
        own = first(tmp_path, gate, auth_ttl_s=ttl_s)
        if limit.endswith("too early is obeyed"):  # the token's own time is past, the slip's is not
            own = replace(own, slip=answers(tmp_path, gate, own)["slip"])
        assert answers(tmp_path, gate, change(own))["status"] == status


ROTATED = structs.replace(GATE, token_keys={"w1": GATE.token_keys["w1"], "w9": bytes(range(5, 37))})
# What an event's value becomes after the gate has given a slip: the slip alone still waits …
KEPT: dict[str, dict[str, Any]] = {
    "the same rules": {},
    "the format before": {"version": VERSION_BEFORE, "sample_violations": SAMPLE_VIOLATIONS},
    "a new token key that does not sign yet": {"token_keys": ROTATED.token_keys},
    "a new edge key": {"edge_key": bytes(range(7, 39))},
    "an older sign-in key": {"auth_keys": {"a1": GATE.auth_keys["a1"], "a9": bytes(range(3, 35))}},
    "paused": {"state": "paused"},
    "paused while open to all": {"state": "paused", "open_until_s": NOW_S + 9999},
    "draining": {"state": "draining"},
}
# … or it does not: the status, and the verdict or the code.
CHANGED: dict[str, tuple[GateConfig, int, str]] = {
    "a new token key that signs": (
        structs.replace(ROTATED, token_kid="w9"),
        REFUSED,
        "no-solution",
    ),
    "sold out": (structs.replace(GATE, state="soldout"), 410, "sale-over"),
    "closed": (structs.replace(GATE, state="closed"), 410, "sale-over"),
    # The next look is beyond `until` then: the place is signed again, for all of an attempt.
    "a later sale start": (structs.replace(GATE, sale_start_s=NOW_S + 600), REFUSED, "no-solution"),
}


@pytest.mark.parametrize("now", list(KEPT))
def test_a_slip_alone_waits_when_rules_changed_that_it_does_not_meet(
    tmp_path: Path, now: str
) -> None:
    value = structs.replace(GATE, **KEPT[now])
    source = gate_source()
    answer = answers(tmp_path, source, replace(first(tmp_path, source), value=value))
    assert answer["status"] == WAITS, answer
    assert "token" not in answer
    assert ("retry_after" in answer) == (value.state == "paused")


@pytest.mark.parametrize("now", list(CHANGED))
def test_a_slip_alone_is_refused_when_rules_changed_that_it_meets(tmp_path: Path, now: str) -> None:
    value, status, what = CHANGED[now]
    source = gate_source()
    answer = answers(tmp_path, source, replace(first(tmp_path, source), value=value))
    assert answer["status"] == status, answer
    assert what in (answer["code"], answer.get("verdict"))


@pytest.mark.parametrize(
    ("late_s", "status"), [(-4, REFUSED), (-2, WAITS), (0, WAITS), (300, REFUSED)]
)
def test_a_slip_counts_from_two_seconds_before_its_time(
    tmp_path: Path, late_s: int, status: int
) -> None:
    """Clocks of two edges differ by a second or so; a whole attempt has the same grace."""
    source = gate_source()
    own = first(tmp_path, source)
    late = replace(own, at_s=int(own.slip[:10]) + late_s)
    assert answers(tmp_path, source, late)["status"] == status
