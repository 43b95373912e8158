"""Make the token of a draft's preview link, from a key that is the event's own and never shown.

A deleted draft that is created again keeps the key. So the token has the time of its creation, too.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from fairgate.domain.shared import jws
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.times import epoch_ms

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig

_CHARS = 22  # 132 bits


def preview_token(gate: GateConfig, event: str, created_at: str) -> str:
    """Return the token of the event that was created then, RFC 3339."""
    made = f"{epoch_ms(created_at):x}"
    return _signature(gate, event, made) + made


def is_preview_token(token: str, gate: GateConfig, event: str) -> bool:
    """Say whether it is of an event of this id, the present one or one that was deleted."""
    signature, made = token[:_CHARS], token[_CHARS:]
    return hmac.compare_digest(signature.encode(), _signature(gate, event, made).encode())


def _signature(gate: GateConfig, event: str, made: str) -> str:
    return b64url(jws.mac(gate.edge_key, f"preview|{event}|{made}"))[:_CHARS]
