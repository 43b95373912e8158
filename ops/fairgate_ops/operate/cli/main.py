"""The command ``fairgate``. Exit codes: 0 done, 1 refused (it says why), 2 wrong usage.

``fairgate audit`` ends with 1 when it finds something, and with 2 when it cannot look.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import add_switches

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from fairgate_ops.operate.cli.report import Report

DONE, REFUSED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

GROUPS = {  # what is typed: the module that has it, and what it is for
    "event": ("events", "create an event, list events, open, pause and close them"),
    "watch": ("watch", "show a sale as it goes on, refreshed each two seconds"),
    "tau": ("tau", "get or set the pace of admission"),
    "venue": ("venues", "import or check a seating chart"),
    "keys": ("keys", "make, rotate and show keys"),
    "desk": ("desk", "show what the risk desk decided about a user, and lift it"),
    "orders": ("orders", "compare the orders with the provider's books, list duties"),
    "ticket": ("tickets", "check ticket codes, list cancelled tickets"),
    "queue": ("queues", "show the queues, send again what was given up"),
    "cache": ("cache", "fill the availability cache from the table"),
    "draw": ("draw", "commit to the draw, reveal it, verify it"),
    "audit": ("audit", "recompute a whole sale"),
    "check": ("check", "say go or no-go for one event, with what to do"),
    "doctor": ("doctor", "look whether everything is ready for the day"),
    "prewarm": ("prewarm", "make ready ahead of doors, and give back afterwards"),
    "completion": ("completion", "print a script that completes commands in the shell"),
}
EXAMPLES = """\
examples:
  fairgate venue validate chart.json
  fairgate event create final --venue chart.json --name "The Final" --price-all 4500 \\
      --opens-at 2030-06-01T18:00:00Z --tau 600
  fairgate tau set final 300
  fairgate --target aws --stage prod event pause final

Amounts are in minor units: 45.00 EUR is 4500. Help for one command: fairgate event create --help
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; never a traceback for anything that can be expected."""
    words = list(sys.argv[1:] if argv is None else argv)
    if "audit" in words:
        from fairgate_ops.operate.cli.audit import with_audit_verb

        words = with_audit_verb(words)
    options = parser(words).parse_args(words)
    try:
        report = _run_plainly(options) if options.json else _run(options)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    if report is None:
        return UNUSABLE if options.group == "audit" else REFUSED
    try:
        report.say(as_json=options.json)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough; the work is done
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return REFUSED if report.failed else DONE


def parser(words: Container[str] = GROUPS) -> argparse.ArgumentParser:
    """What can be typed: every group, with the commands of those that ``words`` name.

    A command line needs only its own group, and ``--help`` none.
    """
    top = argparse.ArgumentParser(
        prog="fairgate",
        description="Operate a Fairgate sale, on this machine or in AWS.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_switches(top, top=True)
    groups = top.add_subparsers(dest="group", required=True, metavar="COMMAND")
    for name, (module, text) in GROUPS.items():
        group = groups.add_parser(name, help=text)
        if name in words:
            importlib.import_module(f"{__package__}.{module}").add_arguments(group)
    return top


def _run_plainly(options: argparse.Namespace) -> Report | None:
    """Without a bar of progress: who wants JSON wants nothing that is drawn."""
    from fairgate_ops.shared.progress import plain_progress

    with plain_progress():
        return _run(options)


def _run(options: argparse.Namespace) -> Report | None:
    """The command's report, or None when it was refused and that was said."""
    from botocore.exceptions import BotoCoreError, ClientError

    from fairgate.errors import FairgateError, ForbiddenError
    from fairgate_ops.operate.cli.report import say_refusal

    try:
        report: Report = options.run(options)
    except FairgateError as error:
        say_refusal(error, as_json=options.json)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        message = error.response["Error"].get("Message", "")
        hint = "Check the credentials, --stage and --region."
        refused = ForbiddenError(f"AWS refused {error.operation_name} ({code}): {message} {hint}")
        say_refusal(refused, as_json=options.json)
    except BotoCoreError as error:
        hint = "Check the credentials, the network, --stage and --region."
        if options.target == "local":
            hint = "Is `make up` still running?"
        say_refusal(ForbiddenError(f"No answer: {error} {hint}"), as_json=options.json)
    else:
        return report
    return None


if __name__ == "__main__":
    sys.exit(main())
