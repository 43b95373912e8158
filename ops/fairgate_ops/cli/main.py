"""The command ``fairgate``. Exit codes: 0 done, 1 refused (it says why), 2 wrong usage."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from fairgate_ops.cli.arguments import parser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from fairgate_ops.cli.report import Report

DONE, REFUSED, INTERRUPTED = 0, 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; never a traceback for anything that can be expected."""
    options = parser().parse_args(argv)
    try:
        report = _run(options)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    if report is None:
        return REFUSED
    try:
        report.say(as_json=options.json)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough; the work is done
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return REFUSED if report.failed else DONE


def _run(options: argparse.Namespace) -> Report | None:
    """The command's report, or None when it was refused and that was said."""
    from botocore.exceptions import BotoCoreError, ClientError

    from fairgate.errors import FairgateError, ForbiddenError
    from fairgate_ops.cli.report import say_refusal

    try:
        if options.group == "venue":
            from fairgate_ops.cli import venues

            return {"import": venues.run_import, "validate": venues.run_validate}[options.verb](
                options
            )
        return _run_at_target(options)
    except FairgateError as error:
        say_refusal(error, as_json=options.json)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        said = error.response["Error"].get("Message", "")
        hint = "Check the credentials, --stage and --region."
        refused = ForbiddenError(f"AWS refused {error.operation_name} ({code}): {said} {hint}")
        say_refusal(refused, as_json=options.json)
    except BotoCoreError as error:
        hint = "Check the credentials, the network, --stage and --region."
        if options.target == "local":
            hint = "Is `make up` still running?"
        say_refusal(ForbiddenError(f"No answer: {error} {hint}"), as_json=options.json)
    return None


def _run_at_target(options: argparse.Namespace) -> Report:
    from fairgate_ops.cli import acts, events, keys, tau
    from fairgate_ops.cli.target import target_of

    commands: dict[tuple[str, str], Any] = {
        ("event", "create"): events.run_create,
        ("event", "list"): events.run_list,
        ("event", "open"): events.run_open,
        ("event", "pause"): events.run_pause,
        ("event", "resume"): events.run_resume,
        ("event", "drain"): events.run_drain,
        ("event", "open-until"): events.run_open_until,
        ("event", "close"): events.run_close,
        ("event", "target"): events.run_target,
        ("event", "log"): acts.run_log,
        ("tau", "get"): tau.run_get,
        ("tau", "set"): tau.run_set,
        ("keys", "rotate"): keys.run_rotate,
    }
    report: Report = commands[options.group, options.verb](options, target_of(options))
    return report


if __name__ == "__main__":
    sys.exit(main())
