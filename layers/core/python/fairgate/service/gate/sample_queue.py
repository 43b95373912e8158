"""Issue tokens for sampled queue requests as the edge would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.gate import admission
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.times import rfc3339

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig


def issue_sampled(
    gate: GateConfig, event: str, user: str, *, request_id: str, ip: str, now_ms: int
) -> dict[str, Any]:
    """Return the body of a queue answer. See docs/gate.md."""
    token = issue_waiting_token(gate, event, user, request_id=request_id, ip=ip, now_ms=now_ms)
    now_s = now_ms / 1000
    decision = admission.decide(gate, token, now_s)
    return {
        "token": encode_waiting_token(token, gate),
        "challenge": {"ch": token.ch, "pow": token.pow_bits},
        "sale_starts_at": rfc3339(gate.sale_start_s * 1000),
        "estimate": decision.estimate.as_json() if decision.estimate else None,
        "boff": token.boff,
        "now": int(now_s),
        "state": admission.state_shown(gate, now_s),
    }
