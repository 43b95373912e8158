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
    """Return the slip for a token that was just signed again.

    Args:
        token: the place, with its new ``boff``.
        text: the same token as text.
        auth: the sign-in that came with it.
        auth_exp_s: when the sign-in ends, epoch seconds.
    """
    until_s = min(auth_exp_s, token.boff + gate.token_ttl_s // 2)
    says = (
        f"{token.boff}{until_s}{token.id[-8:]}{jws.b64url(token.lot)}"
        f"{admission.billionths(token.h)}"
    )
    key = gate.token_keys[gate.token_kid]
    covered = f"{text[-_SEAL_CHARS:]}{auth[-_SEAL_CHARS:]}{says}"
    return says + jws.b64url(jws.mac(key, covered))[:_SEAL_CHARS]
