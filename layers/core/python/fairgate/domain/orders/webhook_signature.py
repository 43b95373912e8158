"""Sign payment webhooks: ``t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">``.

The scheme is Stripe's, so that one verifier serves the sandbox and the real provider.
Source: Stripe documentation, "Verify webhook signatures manually".
"""

from __future__ import annotations

import hashlib
import hmac
import re

from fairgate.errors import UnauthenticatedError

HEADER = "x-sandbox-signature"
TOLERANCE_S = 300
HEADER_CHARS_MAX = 1024
SIGNATURES_MAX = 8  # several while a secret rotates; a bound on the work a stranger can cause

_TIME = re.compile(r"[0-9]{1,12}")
_SIGNATURE = re.compile(r"[0-9a-f]{64}")


def sign(body: bytes, *, secret: bytes, now_s: int) -> str:
    """Return the header's value for these exact bytes at this moment."""
    return f"t={now_s},v1={_mac(secret, str(now_s), body)}"


def verify(
    header: str, body: bytes, *, secret: bytes, now_s: int, tolerance_s: int = TOLERANCE_S
) -> None:
    """Return only if the holder of the secret signed these bytes less than ``tolerance_s`` away.

    The signature is checked before the time, so only its holder ever learns that it was stale.

    Raises:
        UnauthenticatedError: missing, malformed or wrong; or, told apart, right but stale.
    """
    wrong = UnauthenticatedError("The webhook's signature does not verify.")
    if len(header) > HEADER_CHARS_MAX:
        raise wrong
    pairs = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in pairs if name == "t"]
    signatures = [v for name, _, v in pairs if name == "v1" and _SIGNATURE.fullmatch(v)]
    if len(times) != 1 or not _TIME.fullmatch(times[0]) or len(signatures) > SIGNATURES_MAX:
        raise wrong
    expected = _mac(secret, times[0], body)
    # Every one is compared: where the right one stands must not show in the time.
    if not any([hmac.compare_digest(expected, signature) for signature in signatures]):  # noqa: C419 see above
        raise wrong
    if abs(now_s - int(times[0])) > tolerance_s:
        raise UnauthenticatedError("The webhook's time stamp is too old or ahead of time.")


def _mac(secret: bytes, time: str, body: bytes) -> str:
    if not secret:
        raise ValueError("the webhook secret is empty")
    return hmac.new(secret, time.encode("ascii") + b"." + body, hashlib.sha256).hexdigest()
