"""The command ``fairgate``. Exit codes, the same for every command:

0 done, and all is as it must be; 1 refused (it says why), or what it found is not as it must be;
2 wrong usage; 130 interrupted. With ``--json`` each comes with one document; what was refused,
misused or interrupted has its ``error``.
"""

from __future__ import annotations

import importlib
import sys
from argparse import RawDescriptionHelpFormatter
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from fairgate_ops.operate.cli.command import Parser, UsageError, Version, add_switches
from fairgate_ops.operate.cli.streams import UnwrittenError, answering, make_ready

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Container, Sequence

    from fairgate_ops.operate.cli.report import Spoken

T = TypeVar("T")
DONE, REFUSED, MISUSED, INTERRUPTED = 0, 1, 2, 130

GROUPS = {  # what is typed: the module that has it, and what it is for
    "event": ("events", "create an event, list events, open, pause and close them"),
    "watch": ("watch", "show a sale as it goes on, refreshed each two seconds"),
    "tau": ("tau", "get or set the pace of admission"),
    "venue": ("venues", "import or check a seating chart"),
    "keys": ("keys", "make, rotate and show keys"),
    "desk": ("desk", "show what the risk desk decided about a user, and lift it"),
    "orders": ("orders", "list, show and mend orders, compare them with the provider's books"),
    "buyer": ("buyer", "show what is stored about a buyer, and erase their address"),
    "books": ("books", "export an event's ledger, hold it against the provider's books"),
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
# What writes nothing anywhere: its answer is all that it does (`doctor` may ring alarms).
LOOKS = frozenset(
    {
        *("audit check", "check", "completion", "doctor", "watch"),
        *("books check", "books ledger", "books movements", "books payouts", "buyer show"),
        *("desk show", "draw show", "draw verify", "event list", "event log", "event show"),
        *("keys ticket", "orders duties", "orders list", "orders show", "queue list"),
        *("tau get", "tau preview", "ticket verify", "venue validate"),
    }
)
_JSON = "--json"
EXAMPLES = """\
examples:
  fairgate venue validate chart.json
  fairgate event create final --venue chart.json --name "The Final" --price-all 4500 \\
      --opens-at 2030-06-01T18:00:00Z --tau 600
  fairgate tau set final 300
  fairgate --target aws --stage prod event pause final

Amounts are in minor units: 45.00 EUR is 4500. Help for one command: fairgate event create --help
Exit codes: 0 done and well, 1 refused or not well, 2 wrong usage, 130 interrupted.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; never a traceback for anything that can be expected.

    Raises SystemExit with MISUSED for what cannot be understood, and with DONE after help.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    make_ready(as_json=_JSON in words)
    try:
        return _ended(words)
    except UnwrittenError as error:
        print(f"The {error}", file=sys.stderr)
        return REFUSED


def _ended(words: list[str]) -> int:
    """Run it to one of its ends, and say which."""
    try:
        return _main(words)
    except UsageError as error:
        _say_anyhow(error.say, as_json=_JSON in words)
        raise SystemExit(MISUSED) from error
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        if _JSON in words:
            with answering():
                print('{"error": {"code": "interrupted", "detail": "Interrupted."}}')
        return INTERRUPTED


def _main(words: list[str]) -> int:
    if "audit" in words:
        from fairgate_ops.operate.cli.audit import with_audit_verb

        words = with_audit_verb(words)
    options = parser(words).parse_args(words)
    report = _run_plainly(options) if options.json else _run(options)
    if report is None:
        return REFUSED
    if not _said(options, report):
        return REFUSED
    return REFUSED if report.failed else DONE


def parser(words: Container[str] = GROUPS) -> argparse.ArgumentParser:
    """What can be typed: every group, with the commands of those that ``words`` name.

    A command line needs only its own group, and ``--help`` none.
    """
    top = Parser(
        prog="fairgate",
        description="Operate a Fairgate sale, on this machine or in AWS.",
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=Version, nargs=0, help="show the version and end")
    add_switches(top, top=True)
    groups = top.add_subparsers(dest="group", required=True, metavar="COMMAND")
    for name, (module, text) in GROUPS.items():
        group = groups.add_parser(name, help=text)
        if name in words:
            importlib.import_module(f"{__package__}.{module}").add_arguments(group)
    return top


def _run_plainly(options: argparse.Namespace) -> Spoken | None:
    """Without a bar of progress: who wants JSON wants nothing that is drawn."""
    from fairgate_ops.shared.progress import plain_progress

    with plain_progress():
        return _run(options)


def _run(options: argparse.Namespace) -> Spoken | None:
    """The command's report, or None when it was refused and that was said."""
    return _unless_refused(options, lambda: options.run(options))


def _said(options: argparse.Namespace, report: Spoken) -> bool:
    """Say it, which may still be refused where it is read meanwhile."""

    def say() -> bool:
        report.say(as_json=options.json)
        return True

    whole = True
    try:
        with answering():
            whole = _unless_refused(options, say) or False
    except UnwrittenError as error:
        if report.failed:
            print(f"Not all is well, and the {error}", file=sys.stderr)
            return False
        if options.dry_run or _only_looked(options):
            raise
        print(f"Done, but the {error}", file=sys.stderr)
        return False
    return whole


def _only_looked(options: argparse.Namespace) -> bool:
    command = " ".join(filter(None, (options.group, getattr(options, "verb", ""))))
    return command in LOOKS and not getattr(options, "fire_alarms", False)


def _unless_refused(options: argparse.Namespace, act: Callable[[], T]) -> T | None:
    from botocore.exceptions import BotoCoreError, ClientError

    from fairgate.errors import FairgateError
    from fairgate_ops.operate.cli.report import refusal_of, say_refusal

    try:
        return act()
    except (FairgateError, ClientError, BotoCoreError) as error:
        refusal = refusal_of(error, options.target)
        _say_anyhow(partial(say_refusal, refusal), as_json=options.json)
    return None


def _say_anyhow(say: Callable[..., None], *, as_json: bool) -> None:
    """Say why not; in plain words where the document cannot be written."""
    try:
        with answering():
            say(as_json=as_json)
    except UnwrittenError as error:
        say(as_json=False)
        print(f"The {error}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
