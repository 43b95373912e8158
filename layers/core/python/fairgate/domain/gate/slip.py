"""Write a slip as the gate does: what it has checked once of a sign-in and a place.

Only the gate reads slips, and by one alone it admits nobody. The origin checks everything itself.
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
        text: the same as it was signed.
        auth: the sign-in that it came with.
        auth_exp_s: when that ends, epoch seconds.
    """
    until_s = min(auth_exp_s, token.boff + gate.token_ttl_s // 2)
    says = (
        f"{token.boff}{until_s}{token.id[-8:]}{jws.b64url(token.lot)}"
        f"{admission.billionths(token.h)}"
    )
    key = gate.token_keys[gate.token_kid]
    covered = f"{text[-_SEAL_CHARS:]}{auth[-_SEAL_CHARS:]}{says}"
    return says + jws.b64url(jws.mac(key, covered))[:_SEAL_CHARS]
