"""``python -m fairgate_ops.operate.first_keys --stage prod``: the keys of a new deployment.

CloudFormation makes the secret without keys, so that no template or log holds one. This fills it,
once; from then on keys are rotated with ``fairgate keys rotate``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairgate.errors import FairgateError, WrongStateError
from fairgate_ops.shared.secret_file import ADDRESSES, new_secrets

if TYPE_CHECKING:
    from fairgate.service.gate.rotate_keys import SecretDocument


def make_first_keys(document: SecretDocument) -> None:
    """Give an empty secret its keys. Raises WrongStateError when it has any, and leaves them."""
    document.write(check_no_keys(document), json.dumps(new_secrets()))


def check_no_keys(document: SecretDocument) -> str:
    """Return the secret as it is. Raises WrongStateError when it has keys."""
    before = document.read()
    if "auth_kid" in json.loads(before):
        raise WrongStateError("There are keys already. Rotate them with `fairgate keys rotate`.")
    return before


def make_addresses_key(document: SecretDocument) -> None:
    """Give a secret of before its key of addresses. Raises WrongStateError when it has one."""
    before = check_no_addresses_key(document)
    keys = json.loads(before)
    document.write(before, json.dumps({**keys, ADDRESSES: new_secrets()[ADDRESSES]}))


def check_no_addresses_key(document: SecretDocument) -> str:
    """Return the secret as it is. Raises WrongStateError when it has this key, or none at all."""
    before = document.read()
    keys = json.loads(before)
    if "auth_kid" not in keys:
        raise WrongStateError("There are no keys yet. Make them with `fairgate keys init`.")
    if keys.get(ADDRESSES):
        raise WrongStateError(
            "There is such a key already. Another one would find nothing that was bought before."
        )
    return before


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="fairgate_ops.operate.first_keys", description=__doc__)
    parser.add_argument("--stage", required=True, help="of the deployment")
    parser.add_argument("--region", help="else the environment's")
    options = parser.parse_args(arguments)
    options.target = "aws"
    from fairgate_ops.operate.target import target_of

    try:
        make_first_keys(target_of(options).document)
    except FairgateError as error:
        print(f"error: {error.detail}", file=sys.stderr)
        return 1
    print(f"{options.stage} has its keys. Every function sees them within a minute.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
