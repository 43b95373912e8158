"""``fairgate keys oidc``: the identity provider's client secret, into the deployment's keys."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate_ops.operate.target import Target

LINE_CHARS_MAX = 4_096


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add(
        "oidc",
        "Keep the identity provider's client secret, read from standard input or asked for; or"
        " go back to the one before.",
        run_oidc,
    )
    verb.add_argument("--back", action="store_true", help="let the one before be in force again")
    verb.add_argument(
        "--unasked", action="store_true", help="for a provider that cannot be asked: write it"
    )
    add_reason(verb)
    verb.set_defaults(usage_error=verb.error)


def run_oidc(options: argparse.Namespace) -> Report:
    """Never as an argument, which stands in a shell's history and in the list of processes."""
    if options.back and options.unasked:
        options.usage_error("--back asks nobody: leave --unasked out")
    return _change(options)


@at_target
def _change(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.errors import WrongStateError
    from fairgate_ops.operate.cli.every_log import NOWHERE
    from fairgate_ops.operate.cli.gate_report import reasoned
    from fairgate_ops.operate.client_secret import bring_back_client_secret

    if target.name == "local":
        raise WrongStateError(
            "The local provider's client has no secret; one would break the sign-in here. Use"
            " --target aws."
        )
    dry_run = options.dry_run
    change: Callable[[], None] = (
        partial(bring_back_client_secret, target.document, dry_run=dry_run)
        if options.back
        else _new_secret(options, target)
    )
    events = target.world.catalog.all().ids
    act = "client secret back" if options.back else "client secret"
    target.acts(dry_run=dry_run).do_in_each(events, act, reasoned(options), change)
    done = "Dry run, nothing written." if dry_run else "Written."
    lines = [f"{done} Functions see it within a minute."]
    if not options.back:
        lines.append("The one before is kept: `fairgate keys oidc --back`.")
    if options.unasked:
        lines.append("The provider was not asked: sign in once yourself.")
    if not events:
        lines.append(NOWHERE)
    return Report({"dry_run": dry_run, "back": options.back, "asked": not options.unasked}, lines)


def _new_secret(options: argparse.Namespace, target: Target) -> Callable[[], None]:
    from fairgate_ops.operate.client_secret import (
        ask_provider,
        checked,
        keep_client_secret,
        read_client,
    )

    secret = checked(_read())

    def ask() -> None:
        if not options.unasked:
            ask_provider(read_client(target.world.settings.public_url), secret)

    return partial(keep_client_secret, target.document, secret, ask, dry_run=options.dry_run)


def _read() -> str:
    import sys
    from getpass import getpass

    if sys.stdin.isatty():
        return getpass("Client secret (not shown): ")
    return sys.stdin.readline(LINE_CHARS_MAX)
