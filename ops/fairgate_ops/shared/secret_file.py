"""Make the local run's keys for each run, in a file that only its owner can read."""

from __future__ import annotations

import json
import os
import secrets
from typing import TYPE_CHECKING

from fairgate.domain.shared.jws import b64url

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES = 32
ADDRESSES = "addresses"  # as ``Secrets`` names it


def new_secrets() -> dict[str, object]:
    """The document that ``fairgate.adapters.aws.secrets`` reads."""
    kid = secrets.token_hex(4)

    def key() -> str:
        return b64url(secrets.token_bytes(KEY_BYTES))

    return {
        "auth": {f"a{kid}": key()},
        "auth_kid": f"a{kid}",
        "session": {f"s{kid}": key()},
        "session_kid": f"s{kid}",
        "webhook": key(),
        "ticket": key(),
        ADDRESSES: key(),
    }


def write_secret_file(path: Path) -> dict[str, object]:
    """Write new secrets to ``path`` with mode 0600 from its first byte on, and return them."""
    path.unlink(missing_ok=True)
    document = new_secrets()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return document
