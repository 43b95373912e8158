"""Sign and verify ``x-fairgate-edge``, in which the gate reports to the origin."""

from __future__ import annotations

import hmac
import re
from typing import TYPE_CHECKING

from msgspec import Struct

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
_SHAPE = re.compile(
    r"(v[12])\.([0-9]{1,11})\.([a-z-]{1,16})\.([A-Za-z0-9_-]{22})(?:\.([0-9A-Fa-f.:]{2,45}))?"
)


class EdgeWord(Struct, frozen=True):
    """What the gate reports about a request, and the address of the viewer.

    Attributes:
        address: as CloudFront gives it; "" in version 1, which did not say.
    """

    verdict: str
    address: str

    def share(self, gate: GateConfig) -> float:
        """Return the share of violations that the gate forwards.

        A gate of version 1 forwards all of them.
        """
        return gate.sample_violations if self.address else 1.0


def sign_edge_header(
    gate: GateConfig, verdict: str, event: str, sub: str, now_s: float, address: str
) -> str:
    """Sign a verdict; ``sub`` is empty when the caller is not authenticated."""
    t = str(int(now_s))
    mac = _mac(gate, "v2", t, verdict, event, sub, address)
    return f"v2.{t}.{verdict}.{mac}.{address}"


def verify_edge_header(
    value: str, gate: GateConfig, event: str, sub: str, now_s: float
) -> EdgeWord:
    """Return the gate's report about this caller, at most 120 s old.

    Version 1 is read as well: a deployment's parts may come in any order.

    Raises:
        ForbiddenError: the header is missing, forged, stale or about somebody else.
    """
    match = _SHAPE.fullmatch(value)
    if match is None or (match[1] == "v2") != (match[5] is not None):
        raise ForbiddenError("The request did not come through the gate.")
    version, t, verdict, mac, address = match.groups()
    signed = (version, t, verdict, event, sub, *([address] if address else []))
    genuine = hmac.compare_digest(mac, _mac(gate, *signed))
    if not genuine or verdict not in VERDICTS or abs(now_s - int(t)) > AGE_MAX_S:
        raise ForbiddenError("The request did not come through the gate.")
    return EdgeWord(verdict, address or "")


def _mac(gate: GateConfig, *signed: str) -> str:
    return b64url(jws.mac(gate.edge_key, "|".join(signed)))[:_MAC_CHARS]
