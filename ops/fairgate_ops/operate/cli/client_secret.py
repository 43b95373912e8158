"""``fairgate keys oidc``: the identity provider's client secret, into the deployment's keys."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from getpass import getpass

from fairgate.errors import WrongStateError
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.payment_keys import secret_act
from fairgate_ops.operate.cli.report import Spoken
from fairgate_ops.operate.client_secret import (
    ask_provider,
    bring_back_client_secret,
    checked,
    keep_client_secret,
    read_client,
)
from fairgate_ops.operate.target import Target

LINE_CHARS_MAX = 4_096


def run_oidc(options: argparse.Namespace) -> Spoken:
    """Read the secret, never as an argument: a shell's history and the process list show these."""
    if options.back and options.unasked:
        options.usage_error("--back asks nobody: leave --unasked out")
    return _change(options)


@at_target
def _change(options: argparse.Namespace, target: Target) -> Act[None]:
    if target.name == "local":
        raise WrongStateError(
            "The local provider's client has no secret; one would break the sign-in here. Use"
            " --target aws."
        )
    change: Callable[..., None] = (
        partial(bring_back_client_secret, target.secret("identity"))
        if options.back
        else _new_secret(options, target)
    )
    kept = "" if options.back else "The one before is kept: `fairgate keys oidc --back`."
    if options.unasked:
        kept += " The provider was not asked: sign in once yourself."
    asked = {"asked": not options.unasked}
    return secret_act(options, target, "client secret", change, kept, lambda _: asked)


def _new_secret(options: argparse.Namespace, target: Target) -> Callable[..., None]:
    secret = checked(_read())

    def ask() -> None:
        if not options.unasked:
            ask_provider(read_client(target.world.settings.public_url), secret)

    return partial(keep_client_secret, target.secret("identity"), secret, ask)


def _read() -> str:
    if sys.stdin.isatty():
        return getpass("Client secret (not shown): ")
    return sys.stdin.readline(LINE_CHARS_MAX)
