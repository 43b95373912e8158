"""``fairgate keys passes``: what Apple and Google gave for passes, into the deployment's keys."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from fairgate.errors import MalformedInputError, NotFoundError
from fairgate_ops.operate.cli.act import NO_LOG, Act, every_log
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report, Spoken
from fairgate_ops.operate.pass_keys import apple_keys, google_keys, keep_pass_keys
from fairgate_ops.operate.target import Target

BYTES_MAX = 16_384


def run_passes(options: argparse.Namespace) -> Spoken:
    """Read the keys from files, so that a shell's history has none of them."""
    apple = (options.apple_certificate, options.apple_key, options.apple_intermediate)
    google = (options.google_account, options.google_issuer)
    if not (any(apple) or any(google)):
        options.usage_error("give the three --apple-… files, both --google-… options, or all")
    if any(apple) and not all(apple):
        options.usage_error("Apple's passes need all three --apple-… files")
    if any(google) and not all(google):
        options.usage_error("Google's passes need --google-account and --google-issuer")
    if not options.organisation:
        options.usage_error("say by --organisation who issues the passes")
    return _change(options)


@at_target
def _change(options: argparse.Namespace, target: Target) -> Act[list[str]]:
    apple = google = None
    said = []
    if options.apple_certificate:
        apple, what = apple_keys(
            options.organisation,
            _read(options.apple_certificate),
            _read(options.apple_key),
            _read(options.apple_intermediate),
            target.world.clock.now_ms(),
        )
        said.append(f"Apple: {what}.")
    if options.google_account:
        account = _read(options.google_account)
        google, what = google_keys(options.organisation, account, options.google_issuer)
        said.append(f"Google: {what}.")
    keep = partial(keep_pass_keys, target.secret("tickets"), apple, google)
    events = every_log(target)

    def report(names: list[str]) -> Report:
        lines = [
            *said,
            "Functions see it within a minute. Buyers are offered what -c passes=… names.",
            *([] if events else [NO_LOG]),
        ]
        return Report({"keys": names}, lines)

    return Act(
        name="pass keys",
        events=events,
        detail={"passes": said},
        do=keep,
        would=lambda: report(keep(dry_run=True)),
        report=report,
    )


def _read(path: str) -> str:
    try:
        with Path(path).open(encoding="ascii") as file:
            return file.read(BYTES_MAX)
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise MalformedInputError(f"{path} holds no key: it is a text file.") from error
