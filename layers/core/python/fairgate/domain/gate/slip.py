"""Write a slip as the gate does: the gate's note that it has checked a sign-in and a token.

Only the gate reads slips, and a slip alone admits nobody. The origin checks everything itself.
Format: docs/gate.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.gate import admission
from fairgate.domain.shared import jws

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken

_SEAL_CHARS = 24


def write_slip(gate: GateConfig, token: WaitingToken, text: str, auth: str, auth_exp_s: int) -> str:
    """Return the slip for a place that has to come again at ``boff``.

    Args:
        token: the place with its next ``boff``, and the ``exp`` that its text says.
        text: the token that the holder keeps, signed again or not.
        auth: the sign-in that came with it.
        auth_exp_s: when the sign-in ends, epoch seconds.
    """
    until_s = min(auth_exp_s, kept_until_s(gate, token))
    says = (
        f"{token.boff}{until_s}{token.id[-8:]}{jws.b64url(token.lot)}"
        f"{admission.billionths(token.h)}"
    )
    key = gate.token_keys[gate.token_kid]
    covered = f"{text[-_SEAL_CHARS:]}{auth[-_SEAL_CHARS:]}{says}"
    return says + jws.b64url(jws.mac(key, covered))[:_SEAL_CHARS]


def kept_until_s(gate: GateConfig, token: WaitingToken) -> int:
    """Return until when half of a token's life is left, epoch seconds: it is not signed again."""
    return token.exp - gate.token_ttl_s + gate.token_ttl_s // 2
