"""``fairgate keys payments``: the payment provider's two secrets, into the deployment's keys."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, at_target
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    from fairgate_ops.operate.target import Target

CHARS_MAX = 512


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add(
        "payments", "Keep the payment provider's API key and webhook secret.", run_payments
    )
    verb.add_argument("--api-key-file", required=True, metavar="FILE")
    verb.add_argument("--webhook-secret-file", required=True, metavar="FILE")


@at_target
def run_payments(options: argparse.Namespace, target: Target) -> Report:
    """From files, so that neither stands in a shell's history."""
    from fairgate_ops.operate.payment_keys import keep_payment_keys

    names = keep_payment_keys(
        target.document,
        api_key=_read(options.api_key_file),
        webhook_secret=_read(options.webhook_secret_file),
        dry_run=options.dry_run,
    )
    done = "Dry run, nothing written." if options.dry_run else "Written."
    data = {"keys": names, "dry_run": options.dry_run}
    return Report(data, [f"{done} Functions see it within a minute."])


def _read(path: str) -> str:
    from pathlib import Path

    from fairgate.errors import MalformedInputError, NotFoundError

    try:
        text = Path(path).read_text(encoding="ascii").strip()
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise MalformedInputError(f"{path} holds no key.") from error
    if not text or len(text) > CHARS_MAX or any(c.isspace() for c in text):
        raise MalformedInputError(f"{path} holds no key: it is one word of letters and digits.")
    return text
