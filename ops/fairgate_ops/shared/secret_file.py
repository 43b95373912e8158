"""Make a deployment's first keys; the local run's for each run, in files of its owner's alone."""

from __future__ import annotations

import json
import os
import secrets
from typing import TYPE_CHECKING, get_args

from fairgate.domain.shared.jws import b64url
from fairgate.ports.world import SECRET_OF, SecretName

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEY_BYTES = 32
SECRET_NAMES: tuple[SecretName, ...] = get_args(SecretName)


def new_secrets() -> dict[str, object]:
    """Make every key that is ours to make, by its name in ``fairgate.ports.world.SECRET_OF``."""
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
        "links": key(),
        "addresses": key(),
    }


def of_secret(name: SecretName, keys: Mapping[str, object]) -> dict[str, object]:
    """Return those of the keys that lie in this secret."""
    return {key: value for key, value in keys.items() if SECRET_OF.get(key) == name}


def write_secret_files(folder: Path, keys: Mapping[str, object] | None = None) -> None:
    """Write keys, or else new ones: a file a secret, with mode 0600 from its first byte on."""
    folder.mkdir(mode=0o700, exist_ok=True)
    made = new_secrets() if keys is None else keys
    for name in SECRET_NAMES:
        path = folder / f"{name}.json"
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(of_secret(name, made), file)
