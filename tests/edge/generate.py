"""Writes what both languages are held to: tests/edge/vectors.json and edge/gate/events/*.json.

Run ``python -m tests.edge.generate`` with the repository root, ``layers/core/python`` and ``ops``
on PYTHONPATH. The same code gives the same bytes; a test compares.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairgate.domain.gate import admission, proof_of_work
from fairgate.domain.gate.edge_header import sign_edge_header
from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token, postponed
from fairgate.domain.shared import jws
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.times import rfc3339
from tests.edge.gate_tools import EVENT, GATE, HERE, NOW_S, ONE_TAU_S, SUB, make_event, make_gate

Rows = dict[str, tuple[dict[str, Any], dict[str, Any]]]
DRAW_VECTORS = 60
REQUEST_ID = "EXAMPLEntjQpEXAMPLE_SG5Z-EXAMPLEPmPfEXAMPLEu3EqEXAMPLE=="


def auth(gate: GateConfig, sub: str = SUB, ttl_s: int = 600) -> str:
    token = issue_auth_token(sub, [], gate.auth_keys["a1"], "a1", NOW_S - 60, ttl_s)
    return f"Bearer {token}"


def place(
    gate: GateConfig, *, sub: str = SUB, event: str = EVENT, ago_s: int = 120
) -> WaitingToken:
    """A token as it was issued some time ago, whose time to come back has passed."""
    ms = (NOW_S - ago_s) * 1000
    token = issue_waiting_token(gate, event, sub, request_id="r-1", ip="203.0.113.7", now_ms=ms)
    return postponed(token, gate, NOW_S - 10)


def attempt(gate: GateConfig, token: WaitingToken, **headers: str) -> dict[str, Any]:
    sent = {
        "authorization": auth(gate),
        "x-fairgate-token": encode_waiting_token(token, gate),
        "x-fairgate-solution": proof_of_work.solve(token.ch, token.pow_bits),
    }
    return make_event("admission", {k: v for k, v in (sent | headers).items() if v})


def forwarded(gate: GateConfig, verdict: str, *, sub: str = SUB) -> dict[str, Any]:
    said = sign_edge_header(gate, verdict, EVENT, sub, NOW_S)
    admit = verdict == "admit"
    return {
        "forward": f"/api/events/{EVENT}/admission" if admit else "/api/desk",
        "querystring": {} if admit else {"event": {"value": EVENT}},
        "x-fairgate-edge": said,
    }


def answered(gate: GateConfig, token: WaitingToken, state: str) -> dict[str, Any]:
    """202: the same place with a later time."""
    decision = admission.decide(gate, token, NOW_S)
    body: dict[str, Any] = {
        "state": state,
        "token": encode_waiting_token(postponed(token, gate, decision.boff_s), gate),
        "boff": decision.boff_s,
        "now": NOW_S,
        "estimate": decision.estimate.as_json() if decision.estimate else None,
    }
    wait = decision.boff_s - NOW_S
    if state == "paused":
        body["retry_after"] = wait
    return {"status": 202, "body": body, "headers": {"retry-after": str(wait)}}


def joined(gate: GateConfig, state: str) -> dict[str, Any]:
    ms = NOW_S * 1000
    token = issue_waiting_token(
        gate, EVENT, SUB, request_id=REQUEST_ID, ip="203.0.113.7", now_ms=ms
    )
    estimate = admission.decide(gate, token, NOW_S).estimate
    body = {
        "state": state,
        "token": encode_waiting_token(token, gate),
        "challenge": {"ch": token.ch, "pow": token.pow_bits},
        "boff": token.boff,
        "opens_at": rfc3339(gate.doors_s * 1000),
        "now": NOW_S,
        "estimate": estimate.as_json() if estimate else None,
    }
    return {"status": 200, "body": body, "headers": {"cache-control": "no-store"}}


def refused(status: int, code: str, **fields: str) -> dict[str, Any]:
    return {"status": status, "problem": {"code": code, "status": status, **fields}}


def rows() -> Rows:  # noqa: PLR0915 one statement for each row of a table
    """One for each row of what the edge answers: (event and gate, expectation)."""
    open_gate = make_gate()
    doors = make_gate(doors_s=NOW_S + 900, epochs=(Epoch(NOW_S + 900, 0.0, 1 / ONE_TAU_S),))
    paused = make_gate(state="paused")
    # This buyer's u: an age of nothing is too young for it, one hundred τ is old enough.
    young, old = place(open_gate, ago_s=20), replace(place(open_gate), h=0.0)
    queue = {"authorization": auth(open_gate)}
    found: dict[str, tuple[GateConfig | str | None, dict[str, Any], dict[str, Any]]] = {}

    def row(name: str, gate: GateConfig | str | None, event: dict[str, Any], want: Any) -> None:
        found[name] = (gate, event, want)

    row("queue-open", open_gate, make_event("queue", queue), joined(open_gate, "waiting"))
    row("queue-before-doors", doors, make_event("queue", queue), joined(doors, "prequeue"))
    row("queue-paused", paused, make_event("queue", queue), joined(paused, "paused"))
    spoof = make_event("queue", queue | {"x-fairgate-edge": "v1.1.admit.AAAAAAAAAAAAAAAAAAAAAA"})
    row("queue-spoofed-word", open_gate, spoof, joined(open_gate, "waiting"))
    sampling = make_gate(sample_queue=1.0, sample_admission=1.0)
    row("queue-sampled", sampling, make_event("queue", queue), forwarded(sampling, "sample-queue"))
    row(
        "queue-no-auth", open_gate, make_event("queue", {}), forwarded(open_gate, "no-auth", sub="")
    )
    late = make_event("queue", {"authorization": auth(open_gate, ttl_s=60)})
    row("queue-auth-expired", open_gate, late, forwarded(open_gate, "bad-auth", sub=""))
    forged = make_event("queue", {"authorization": auth(open_gate)[:-4] + "AAAA"})
    row("queue-auth-forged", open_gate, forged, forwarded(open_gate, "bad-auth", sub=""))
    for state in ("soldout", "closed"):
        over = refused(410, "sale-over", state=state)
        gate = make_gate(state=state)
        row(f"queue-{state}", gate, make_event("queue", queue), over)
        row(f"admission-{state}", gate, attempt(open_gate, old), over)
    draining = make_gate(state="draining")
    no_more = refused(410, "sale-over", state="draining")
    row("queue-draining", draining, make_event("queue", queue), no_more)
    row("admission-draining", draining, attempt(draining, old), forwarded(draining, "admit"))
    row(
        "admission-draining-not-yet",
        draining,
        attempt(draining, young),
        answered(draining, young, "waiting"),
    )

    row(
        "admission-not-yet",
        open_gate,
        attempt(open_gate, young),
        answered(open_gate, young, "waiting"),
    )
    row("admission-admitted", open_gate, attempt(open_gate, old), forwarded(open_gate, "admit"))
    row("admission-sampled", sampling, attempt(sampling, old), forwarded(sampling, "sample-admit"))
    row("admission-paused", paused, attempt(paused, old), answered(paused, old, "paused"))
    everyone = make_gate(open_until_s=NOW_S + 60)
    row("admission-open-until", everyone, attempt(everyone, young), forwarded(everyone, "admit"))
    stopped = make_gate(open_until_s=NOW_S + 60, state="paused")
    row(
        "admission-paused-open-until",
        stopped,
        attempt(stopped, old),
        answered(stopped, old, "paused"),
    )
    token = encode_waiting_token(old, open_gate)
    header, payload, signature = token.split(".")
    none = jws.b64url(b'{"typ":"WR","alg":"none","kid":"w1"}')
    for name, text in {
        "missing": "",
        "garbage": "x.y.z",
        "huge": "A" * 8000,
        "alg-none": f"{none}.{payload}.{signature}",
        "tampered": f"{header}.{payload[:-4]}AAAA.{signature}",
        "auth-as-token": auth(open_gate)[7:],
    }.items():
        event = attempt(open_gate, old, **{"x-fairgate-token": text})
        row(f"admission-token-{name}", open_gate, event, forwarded(open_gate, "bad-token"))
    other = place(open_gate, sub="grace")
    row(
        "admission-other-user",
        open_gate,
        attempt(open_gate, other),
        forwarded(open_gate, "other-user"),
    )
    other = place(open_gate, event="winter-night")
    row(
        "admission-other-event",
        open_gate,
        attempt(open_gate, other),
        forwarded(open_gate, "other-event"),
    )
    stale = replace(old, exp=NOW_S)
    row(
        "admission-expired",
        open_gate,
        attempt(open_gate, stale),
        forwarded(open_gate, "expired-token"),
    )
    early = replace(old, boff=NOW_S + 3)
    row("admission-early", open_gate, attempt(open_gate, early), forwarded(open_gate, "early"))
    just = replace(old, boff=NOW_S + 2)
    row(
        "admission-just-in-time", open_gate, attempt(open_gate, just), forwarded(open_gate, "admit")
    )
    for name, nonce, verdict in (
        ("no-solution", "", "no-solution"),
        ("bad-solution", unsolved(old), "bad-solution"),
        ("strange-solution", "0x1", "bad-solution"),
    ):
        event = attempt(open_gate, old, **{"x-fairgate-solution": nonce})
        row(f"admission-{name}", open_gate, event, forwarded(open_gate, verdict))

    row("unknown-event", None, make_event("queue", queue), refused(404, "not-found"))
    elsewhere = make_event("queue", queue, uri=f"/api/events/{EVENT}/elsewhere/queue")
    row("unknown-path", open_gate, elsewhere, refused(404, "not-found"))
    row(
        "wrong-method",
        open_gate,
        make_event("queue", queue, method="GET"),
        refused(405, "method-not-allowed"),
    )
    broken = refused(503, "dependency-unavailable")
    row("gate-garbage", "{", make_event("queue", queue), broken)
    lame = dump_gate(open_gate)[:-1]
    row("gate-incomplete", lame, attempt(open_gate, old), broken)
    from tests.edge.generate_more import add_rows  # it uses this module's helpers

    add_rows(row)
    return {
        name: (
            event,
            {
                "now_s": NOW_S,
                "gate": dump_gate(g) if isinstance(g, GateConfig) else g,
                "expect": want,
            },
        )
        for name, (g, event, want) in found.items()
    }


def unsolved(token: WaitingToken) -> str:
    """The smallest number that is no solution."""
    numbers = map(str, range(1000))
    return next(n for n in numbers if not proof_of_work.verify(token.ch, token.pow_bits, n))


def draws() -> list[dict[str, Any]]:
    """Figures of the draw over the range of the inputs, from a fixed seed."""
    chance = random.Random(20_260_101)  # noqa: S311 reproducible, nothing secret
    vectors = []
    for n in range(DRAW_VECTORS):
        bends = sorted(chance.sample(range(NOW_S - 7200, NOW_S + 120), chance.randint(1, 6)))
        epochs: list[Epoch] = []
        for start in bends:
            level = (
                epochs[-1].h + (start - epochs[-1].start_s) * epochs[-1].slope if epochs else 0.0
            )
            epochs.append(Epoch(start, level, chance.choice([0.0, chance.random() / 30])))
        gate = make_gate(
            mode=chance.choice("at"),
            curve=chance.choice([1.0, 1.5, 3.0, 8.0, 100.0]),
            epochs=tuple(epochs),
            draw_key=chance.randbytes(32),
            doors_s=chance.choice([NOW_S - 3600, NOW_S + 60]),
            beacon_key=b"" if n % 4 else bytes(range(n, n + 32)),
        )
        sub = f"user-{n}|x@example.org"
        ms = (NOW_S - chance.randint(0, 5000)) * 1000 + chance.randint(0, 999)
        token = issue_waiting_token(gate, EVENT, sub, request_id=str(n), ip="::1", now_ms=ms)
        now_ms = NOW_S * 1000 + chance.randint(0, 999)
        vectors.append(draw_vector(gate, token, now_ms, str(chance.randint(0, 99))))
    return vectors + near_draws()


def near_draws() -> list[dict[str, Any]]:
    """Places whose turn comes within seconds: the last poll is dated at the turn, in mode a."""
    vectors = []
    for n, (mode, remaining_s) in enumerate((m, s) for m in "at" for s in (0.4, 6.7, 14.2, 15.6)):
        gate = make_gate(mode=mode)
        ms = (NOW_S - 60) * 1000
        token = issue_waiting_token(
            gate, EVENT, f"near-{n}", request_id=str(n), ip="::1", now_ms=ms
        )
        u = admission.lottery_number(gate.number_key, token.lot)
        now_s = NOW_S + 0.25
        line = admission.operational_time(gate.epochs, now_s)
        h = line + remaining_s / ONE_TAU_S - admission.turn_at(u, gate.curve)
        token = replace(token, h=admission.on_grid(h))
        vectors.append(draw_vector(gate, token, round(now_s * 1000), str(n)))
    return vectors


def draw_vector(gate: GateConfig, token: WaitingToken, now_ms: int, nonce: str) -> dict[str, Any]:
    """One case for tests/edge/maths.js, with what Python makes of it."""
    now_s = now_ms / 1000
    decision = admission.decide(gate, token, now_s)
    given = {
        "gate": dump_gate(gate),
        "evt": token.event,
        "sub": token.sub,
        "id": token.id,
        "h": admission.billionths(token.h),
        "now_ms": now_ms,
        "ch": token.ch,
        "bits": 2,
        "nonce": nonce,
    }
    want = {
        "lot": jws.b64url(token.lot),
        "u": decision.u,
        "H": admission.operational_time(gate.epochs, now_s),
        "x": decision.x,
        "p": decision.probability,
        "admitted": decision.u < decision.probability,
        "boff": decision.boff_s,
        "estimate": decision.estimate.as_json() if decision.estimate else None,
        "state": admission.state_shown(gate, now_s),
        "solved": proof_of_work.verify(token.ch, 2, nonce),
    }
    return {"given": given, "want": want}


def files() -> dict[Path, str]:
    """Every generated file and its content."""
    found = {HERE / "vectors.json": json.dumps({"draws": draws()}, indent=1) + "\n"}
    for name, (event, expected) in rows().items():
        folder = GATE / "events"
        found[folder / f"{name}.json"] = json.dumps(event, indent=2) + "\n"
        found[folder / f"{name}.expected.json"] = json.dumps(expected, indent=2) + "\n"
    return found


def main() -> None:
    wanted = files()
    (GATE / "events").mkdir(exist_ok=True)
    for path in (GATE / "events").glob("*.json"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
