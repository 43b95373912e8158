"""Keep the payment provider's two secrets with the deployment's keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fairgate.domain.shared.jws import b64url
from fairgate.errors import WrongStateError

if TYPE_CHECKING:
    from fairgate.service.gate.rotate_keys import SecretDocument


def keep_payment_keys(
    document: SecretDocument, *, api_key: str, webhook_secret: str, dry_run: bool = False
) -> list[str]:
    """Write both, in ASCII; the names they are kept under. Functions see them within a minute.

    Raises WrongStateError when the deployment has no keys yet.
    """
    kept = {"payments": api_key, "webhook": webhook_secret}
    before = document.read()
    secret = json.loads(before)
    if "auth_kid" not in secret:
        raise WrongStateError("There are no keys yet. Make them with `fairgate keys init`.")
    if not dry_run:
        secret |= {name: b64url(text.encode("ascii")) for name, text in kept.items()}
        document.write(before, json.dumps(secret))
    return sorted(kept)
