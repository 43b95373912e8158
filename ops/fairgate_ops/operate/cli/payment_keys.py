"""``fairgate keys payments``: the payment provider's two secrets, into the deployment's keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.domain.shared.jws import b64url
from fairgate.errors import MalformedInputError, NotFoundError, WrongStateError
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.target import Target

CHARS_MAX = 512


def run_payments(options: argparse.Namespace, target: Target) -> Report:
    """From files, so that neither stands in a shell's history. Seen by every function in a minute.

    Raises:
        WrongStateError: the deployment has no keys yet.
    """
    wanted = {
        "payments": _read(options.api_key_file),
        "webhook": _read(options.webhook_secret_file),
    }
    before = target.document.read()
    document = json.loads(before)
    if "auth_kid" not in document:
        raise WrongStateError("There are no keys yet. Make them with `fairgate keys init`.")
    if not options.dry_run:
        document |= {name: b64url(text.encode("ascii")) for name, text in wanted.items()}
        target.document.write(before, json.dumps(document))
    done = "Dry run, nothing written." if options.dry_run else "Written."
    data = {"keys": sorted(wanted), "dry_run": options.dry_run}
    return Report(data, [f"{done} Functions see it within a minute."])


def _read(path: str) -> str:
    try:
        text = Path(path).read_text(encoding="ascii").strip()
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise MalformedInputError(f"{path} holds no key.") from error
    if not text or len(text) > CHARS_MAX or any(c.isspace() for c in text):
        raise MalformedInputError(f"{path} holds no key: it is one word of letters and digits.")
    return text
