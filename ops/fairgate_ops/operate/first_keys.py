"""Make the keys of a new deployment, and bring those of an older one to where they are read now.

CloudFormation makes the secrets without keys, so that no template or log holds one. They are filled
once; from then on keys are rotated with ``fairgate keys rotate``. Up to version 0.2.0 one secret
held all keys.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate.errors import WrongStateError
from fairgate.ports.world import SECRET_OF, SecretName
from fairgate_ops.shared.secret_file import SECRET_NAMES, new_secrets, of_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fairgate.service.gate.rotate_keys import SecretDocument

    Secret = Callable[[SecretName], SecretDocument]

ALL_ONCE: SecretName = "keys"  # held every key once
MADE = ("addresses", "links")  # where a version before had no such key
# Written before it, so that a secret with sign-in keys means: this was done to its end.
_OTHERS = tuple(name for name in SECRET_NAMES if name != ALL_ONCE)


def make_first_keys(secret: Secret) -> None:
    """Give empty secrets their keys. Raises WrongStateError when there are any, and leaves them.

    What an attempt that broke off has made stays.
    """
    before, made = check_no_keys(secret), new_secrets()
    _fill(secret, made)
    secret(ALL_ONCE).write(before, json.dumps(of_secret(ALL_ONCE, made)))


def check_no_keys(secret: Secret) -> str:
    """Return the secret of sign-ins as it is. Raises WrongStateError when it has keys."""
    before, held = _keys(secret(ALL_ONCE))
    if "auth_kid" in held:
        raise WrongStateError("There are keys already. Rotate them with `fairgate keys rotate`.")
    return before


def split_keys(secret: Secret, *, dry_run: bool = False) -> list[SecretName]:
    """Copy each key out of the one secret of before into its own; return what was written.

    A secret that has keys stays as it is, so that this can be repeated. Keys that the version of
    before did not have are made.

    Raises WrongStateError: there are no keys yet.
    """
    held = _keys(secret(ALL_ONCE))[1]
    if "auth_kid" not in held:
        raise WrongStateError("There are no keys yet. Make them with `fairgate keys init`.")
    made = {key: value for key, value in new_secrets().items() if key in MADE and not held.get(key)}
    return _fill(secret, held | made, dry_run=dry_run)


def left_behind(secret: Secret) -> list[str]:
    """Name the keys in the one secret of before that functions read elsewhere now."""
    held = _keys(secret(ALL_ONCE))[1]
    return sorted(key for key in held if SECRET_OF[key] != ALL_ONCE)


def check_split(secret: Secret) -> list[str]:
    """Return ``left_behind``. Raises WrongStateError: it would take the only copy of some."""
    left = left_behind(secret)
    missing = sorted(key for key in left if key not in _keys(secret(SECRET_OF[key]))[1])
    if missing:
        raise WrongStateError(
            f"Only the old secret has {', '.join(missing)}: run `fairgate keys split` first."
        )
    return left


def remove_left_behind(secret: Secret) -> list[str]:
    """Take what has been copied out of the one secret of before; return its names.

    Raises WrongStateError as ``check_split``.
    """
    left = check_split(secret)
    document = secret(ALL_ONCE)
    before, held = _keys(document)
    if left:
        document.write(before, json.dumps(of_secret(ALL_ONCE, held)))
    return left


def _fill(secret: Secret, keys: Mapping[str, object], *, dry_run: bool = False) -> list[SecretName]:
    """Write those of the keys that belong into each other secret that has none."""
    written: list[SecretName] = []
    for name in _OTHERS:
        before, held = _keys(secret(name))
        wanted = of_secret(name, keys)
        if held or not wanted:
            continue
        if not dry_run:
            secret(name).write(before, json.dumps(wanted))
        written.append(name)
    return written


def _keys(document: SecretDocument) -> tuple[str, dict[str, Any]]:
    """Return the secret's text, and the keys in it: an empty one has another entry."""
    before = document.read()
    return before, {key: value for key, value in json.loads(before).items() if key in SECRET_OF}
