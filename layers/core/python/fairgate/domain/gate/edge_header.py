"""Sign what the gate tells the origin, ``x-fairgate-edge``, so that nobody else can."""

from __future__ import annotations

import hmac
import re
from typing import TYPE_CHECKING

from fairgate.domain.shared import jws
from fairgate.domain.shared.jws import b64url
from fairgate.errors import ForbiddenError

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig

VERDICTS = (
    "admit",
    "sample-queue",
    "sample-admit",
    "no-auth",
    "bad-auth",
    "bad-token",
    "other-user",
    "other-event",
    "early",
    "no-solution",
    "bad-solution",
)
AGE_MAX_S = 120
_MAC_CHARS = 22
_SHAPE = re.compile(r"v1\.([0-9]{1,11})\.([a-z-]{1,16})\.([A-Za-z0-9_-]{22})")


def sign_edge_header(gate: GateConfig, verdict: str, event: str, sub: str, now_s: float) -> str:
    """Sign a verdict; ``sub`` is empty when the caller is not authenticated."""
    t = str(int(now_s))
    return f"v1.{t}.{verdict}.{_mac(gate, t, verdict, event, sub)}"


def verify_edge_header(value: str, gate: GateConfig, event: str, sub: str, now_s: float) -> str:
    """Return the gate's verdict about this caller, at most 120 s old.

    Raises:
        ForbiddenError: the header is missing, forged, stale or about somebody else.
    """
    match = _SHAPE.fullmatch(value)
    if match is None:
        raise ForbiddenError("The request did not come through the gate.")
    t, verdict, mac = match.groups()
    genuine = hmac.compare_digest(mac, _mac(gate, t, verdict, event, sub))
    if not genuine or verdict not in VERDICTS or abs(now_s - int(t)) > AGE_MAX_S:
        raise ForbiddenError("The request did not come through the gate.")
    return verdict


def _mac(gate: GateConfig, t: str, verdict: str, event: str, sub: str) -> str:
    text = f"v1|{t}|{verdict}|{event}|{sub}"
    return b64url(jws.mac(gate.edge_key, text))[:_MAC_CHARS]
