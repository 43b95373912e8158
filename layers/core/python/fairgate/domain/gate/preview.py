"""Make the token of a draft's preview link, from a key that is the event's own and never shown."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from fairgate.domain.shared import jws
from fairgate.domain.shared.jws import b64url

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig

_CHARS = 22  # 132 bits


def preview_token(gate: GateConfig, event: str) -> str:
    """Return the token, the same as long as the event has its gate."""
    return b64url(jws.mac(gate.edge_key, f"preview|{event}"))[:_CHARS]


def is_preview_token(token: str, gate: GateConfig, event: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(token.encode(), preview_token(gate, event).encode())
