"""Writes what both languages are held to in the draw: tests/edge/vectors.json.

Run ``python -m tests.edge.vectors`` with the repository root, ``layers/core/python`` and ``ops``
on PYTHONPATH. The same code gives the same bytes; a test compares.
"""

from __future__ import annotations

import json
import random
from typing import Any

from msgspec.structs import replace

from fairgate.domain.gate import admission, proof_of_work
from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import issue_waiting_token
from fairgate.domain.shared import jws
from tests.edge.gate_tools import EVENT, HERE, NOW_S, ONE_TAU_S, make_gate

VECTORS = HERE / "vectors.json"
DRAW_VECTORS = 60


def text() -> str:
    """The file's content."""
    return json.dumps({"draws": draws()}, indent=1) + "\n"


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
            sale_start_s=chance.choice([NOW_S - 3600, NOW_S + 60]),
            sample_queue=chance.random(),
            wave_s=chance.choice([0, 30, 600]),
            beacon_key=b"" if n % 4 else bytes(range(n, n + 32)),
        )
        sub = f"user-{n}|x@example.org"
        ms = (NOW_S - chance.randint(0, 5000)) * 1000 + chance.randint(0, 999)
        token = issue_waiting_token(gate, EVENT, sub, request_id=str(n), ip="::1", now_ms=ms)
        now_ms = NOW_S * 1000 + chance.randint(0, 999)
        vectors.append(draw_vector(gate, token, now_ms, str(chance.randint(0, 99))))
    return vectors + near_draws() + early_draws() + wave_draws()


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
        h = line + remaining_s / ONE_TAU_S - admission.admission_at(u, gate.curve)
        token = replace(token, h=admission.on_grid(h))
        vectors.append(draw_vector(gate, token, round(now_s * 1000), str(n)))
    return vectors


def early_draws() -> list[dict[str, Any]]:
    """Places before the sale starts: long before, just before, and half a token's life before."""
    vectors = []
    for n, (sale_start_in_s, ttl_s) in enumerate(
        (sale_start, ttl) for sale_start in (1, 290, 330, 86_400) for ttl in (599, 600)
    ):
        gate = make_gate(
            sale_start_s=NOW_S + sale_start_in_s,
            token_ttl_s=ttl_s,
            epochs=(Epoch(NOW_S + sale_start_in_s, 0.0, 1 / ONE_TAU_S),),
        )
        token = issue_waiting_token(
            gate, EVENT, f"early-{n}", request_id=str(n), ip="::1", now_ms=(NOW_S - 60) * 1000
        )
        vectors.append(draw_vector(gate, token, NOW_S * 1000 + 250, str(n)))
    return vectors


def wave_draws() -> list[dict[str, Any]]:
    """Places from just before the sale start to just after the wave's end, narrow and wide."""
    vectors = []
    for n, (wave_s, since_s) in enumerate((w, s) for w in (0, 13, 900) for s in (-1, 0, 11, 600)):
        gate = make_gate(
            sale_start_s=NOW_S - since_s,
            wave_s=wave_s,
            epochs=(Epoch(NOW_S - since_s, 0.0, 1 / ONE_TAU_S),),
        )
        token = issue_waiting_token(
            gate, EVENT, f"wave-{n}", request_id=str(n), ip="::1", now_ms=NOW_S * 1000
        )
        vectors.append(draw_vector(gate, token, NOW_S * 1000 + 250, str(n)))
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
        "sampled": admission.sampled_account(gate, token.event, token.sub),
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


if __name__ == "__main__":
    VECTORS.write_text(text())
