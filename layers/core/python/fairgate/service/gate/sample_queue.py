"""Issue tokens for sampled queue requests as the edge would, with a harder challenge if flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.gate import admission
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig


def issue_sampled(
    gate: GateConfig,
    event: str,
    user: str,
    *,
    request_id: str,
    ip: str,
    now_ms: int,
    challenge_level: int = 0,
    extra_pow_bits: int = 0,
) -> dict[str, Any]:
    """Return the body of a queue answer, without ``sale_starts_at``. See docs/gate.md."""
    token = issue_waiting_token(
        gate,
        event,
        user,
        request_id=request_id,
        ip=ip,
        now_ms=now_ms,
        challenge_level=challenge_level,
        extra_pow_bits=extra_pow_bits,
    )
    now_s = now_ms / 1000
    decision = admission.decide(gate, token, now_s)
    return {
        "state": admission.state_shown(gate, now_s),
        "token": encode_waiting_token(token, gate),
        "challenge": {"ch": token.ch, "pow": token.pow_bits},
        "boff": token.boff,
        "now": int(now_s),
        "estimate": decision.estimate.as_json() if decision.estimate else None,
    }
