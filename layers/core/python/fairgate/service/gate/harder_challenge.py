"""Give a flagged account a harder challenge for the same place in the draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.risk import ADVICE, EXTRA_POW_BITS
from fairgate.domain.gate.waiting_token import encode_waiting_token, hardened

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken


def harder_challenge(
    gate: GateConfig, waiting: WaitingToken, noticed: str, now_s: int
) -> dict[str, Any]:
    """Return the details of a refusal: the new token, its challenge, and the reason.

    Id, ticket and waiting time stay, so nothing is lost or gained in the draw.
    """
    boff = max(waiting.boff, now_s + gate.backoff_min_s)
    token = hardened(waiting, gate, boff, EXTRA_POW_BITS)
    return {
        "level": token.challenge_level,
        "noticed": noticed,
        "advice": ADVICE,
        "token": encode_waiting_token(token, gate),
        "challenge": {"ch": token.ch, "pow": token.pow_bits},
        "boff": boff,
    }
