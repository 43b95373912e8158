"""``fairgate keys payments``: the payment provider's two secrets, into the deployment's keys."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate_ops.operate.target import Target

CHARS_MAX = 512


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add(
        "payments",
        "Keep the payment provider's API key and webhook secret, or go back to the pair before.",
        run_payments,
    )
    verb.add_argument("--api-key-file", metavar="FILE")
    verb.add_argument("--webhook-secret-file", metavar="FILE")
    verb.add_argument("--back", action="store_true", help="let the pair before be in force again")
    add_reason(verb)
    verb.set_defaults(usage_error=verb.error)


def run_payments(options: argparse.Namespace) -> Report:
    """From files, so that neither stands in a shell's history."""
    files = (options.api_key_file, options.webhook_secret_file)
    if options.back == any(files) or (any(files) and not all(files)):
        options.usage_error("give --api-key-file and --webhook-secret-file, or --back alone")
    return _change(options)


@at_target
def _change(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.errors import WrongStateError
    from fairgate_ops.operate.cli.every_log import NOWHERE
    from fairgate_ops.operate.cli.gate_report import reasoned
    from fairgate_ops.operate.payment_keys import bring_back_payment_keys

    if target.name == "local":
        raise WrongStateError(
            "The local system pays at its sandbox, which has keys of its own; others would break"
            " it. Use --target aws."
        )
    dry_run = options.dry_run
    change: Callable[[], list[str]] = (
        partial(bring_back_payment_keys, target.document, dry_run=dry_run)
        if options.back
        else _new_pair(options, target)
    )
    acts, events = target.acts(dry_run=dry_run), target.world.catalog.all().ids
    act = "payment keys back" if options.back else "payment keys"
    names = acts.do_in_each(events, act, reasoned(options), change)
    done = "Dry run, nothing written." if dry_run else "Written."
    lines = [f"{done} Functions see it within a minute."]
    if not options.back:
        lines.append("The pair before is kept: `fairgate keys payments --back`.")
    if not events:
        lines.append(NOWHERE)
    return Report({"keys": names, "dry_run": dry_run, "back": options.back}, lines)


def _new_pair(options: argparse.Namespace, target: Target) -> Callable[[], list[str]]:
    from fairgate.errors import WrongStateError
    from fairgate_ops.operate.payment_keys import (
        OneKey,
        ask_provider,
        check_stripe_names,
        keep_payment_keys,
    )

    api_key, webhook = _read(options.api_key_file), _read(options.webhook_secret_file)
    if target.world.settings.payments_provider == "stripe":
        check_stripe_names(api_key, webhook)
    if not target.world.settings.payments_provider:
        raise WrongStateError("The deployment names no payment provider: -c payments_provider=….")
    payments = target.world.payments_by(OneKey(target.world.secrets, api_key.encode("ascii")))
    return partial(
        keep_payment_keys,
        target.document,
        api_key=api_key,
        webhook_secret=webhook,
        ask=partial(ask_provider, payments, target.world.clock),
        dry_run=options.dry_run,
    )


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
