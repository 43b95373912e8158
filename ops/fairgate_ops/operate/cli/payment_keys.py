"""``fairgate keys payments``: the payment provider's two secrets, into the deployment's keys."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from fairgate.errors import MalformedInputError, NotFoundError, WrongStateError
from fairgate_ops.operate.cli.act import NO_LOG, Act, every_log
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report, Spoken
from fairgate_ops.operate.payment_keys import (
    OneKey,
    ask_provider,
    bring_back_payment_keys,
    check_stripe_names,
    keep_payment_keys,
)
from fairgate_ops.operate.target import Target

CHARS_MAX = 512
Kept = TypeVar("Kept")


def run_payments(options: argparse.Namespace) -> Spoken:
    """Read both from files, so that a shell's history has neither."""
    files = (options.api_key_file, options.webhook_secret_file)
    if options.back == any(files) or (any(files) and not all(files)):
        options.usage_error("give --api-key-file and --webhook-secret-file, or --back alone")
    return _change(options)


@at_target
def _change(options: argparse.Namespace, target: Target) -> Act[list[str]]:
    if target.name == "local":
        raise WrongStateError(
            "The local system pays at its sandbox, which has keys of its own; others would break"
            " it. Use --target aws."
        )
    change: Callable[..., list[str]] = (
        partial(bring_back_payment_keys, target.secret("payments"))
        if options.back
        else _new_pair(options, target)
    )
    kept = "" if options.back else "The pair before is kept: `fairgate keys payments --back`."
    return secret_act(options, target, "payment keys", change, kept, lambda names: {"keys": names})


def secret_act(
    options: argparse.Namespace,
    target: Target,
    name: str,
    change: Callable[..., Kept],
    kept: str,
    data_of: Callable[[Kept], dict[str, Any]],
) -> Act[Kept]:
    """Keep a secret in the deployment's keys, or bring back the one before.

    Args:
        change: takes ``dry_run``.
        kept: what to do about the one before.
    """
    events = every_log(target)

    def report(done: Kept, *head: str) -> Report:
        lines = [*head, "Functions see it within a minute.", kept, "" if events else NO_LOG]
        return Report({**data_of(done), "back": options.back}, list(filter(None, lines)))

    return Act(
        name=f"{name} back" if options.back else name,
        events=events,
        do=partial(change, dry_run=False),
        would=lambda: report(change(dry_run=True)),
        report=lambda done: report(done, "Written."),
    )


def _new_pair(options: argparse.Namespace, target: Target) -> Callable[..., list[str]]:
    api_key, webhook = _read(options.api_key_file), _read(options.webhook_secret_file)
    if target.world.settings.payments_provider == "stripe":
        check_stripe_names(api_key, webhook)
    if not target.world.settings.payments_provider:
        raise WrongStateError("The deployment names no payment provider: -c payments_provider=….")
    payments = target.world.payments_by(OneKey(target.world.secrets, api_key.encode("ascii")))
    return partial(
        keep_payment_keys,
        target.secret("payments"),
        api_key=api_key,
        webhook_secret=webhook,
        ask=partial(ask_provider, payments, target.world.clock),
    )


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
