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
from typing import TYPE_CHECKING, Any, TypeVar

from fairgate_ops.operate.cli.command import (
    DONE,
    INTERRUPTED,
    MISUSED,
    REFUSED,
    Parser,
    UsageError,
    Version,
    add_switches,
)
from fairgate_ops.operate.cli.streams import UnwrittenError, answering, make_ready

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Container, Sequence

    from fairgate_ops.operate.cli.report import Spoken

T = TypeVar("T")

GROUPS = {  # what is typed: what adds its commands, and what it is for
    "event": ("sale.event", "create an event, list events, open, pause and close them"),
    "seats": ("sale.seats", "block seats, free and list them"),
    "watch": ("sale.watch", "show a sale as it goes on, refreshed every two seconds"),
    "tau": ("sale.tau", "get or set the pace of admission"),
    "venue": ("sale.venue", "import or check a seating chart"),
    "access": ("system.access", "give people and programs a role for one event, take it back"),
    "keys": ("system.keys", "make, rotate and show keys"),
    "desk": ("system.desk", "show and change the risk desk's decisions"),
    "orders": (
        "money.orders",
        "list, show and mend orders, compare them with the provider's books",
    ),
    "buyer": ("money.buyer", "show what is stored about a buyer, and erase their address"),
    "books": ("money.books", "export an event's ledger, hold it against the provider's books"),
    "ticket": ("money.ticket", "check ticket codes, list cancelled tickets"),
    "queue": ("system.queue", "show the queues, send again what was given up"),
    "cache": ("system.cache", "fill the availability cache from the table"),
    "draw": ("sale.draw", "commit to the draw, reveal it, verify it"),
    "audit": ("sale.audit", "recompute a whole sale"),
    "report": ("sale.report", "report on a sale from its logs"),
    "simulate": ("sale.simulate", "say how a sale may go, before it starts: modelled"),
    "check": ("sale.check", "say go or no-go for one event, with what to do"),
    "doctor": ("sale.doctor", "look whether everything is ready for the day"),
    "prewarm": ("system.prewarm", "make ready ahead of the sale start, and give back afterwards"),
    "completion": ("system.completion", "print a script that completes commands in the shell"),
}
_JSON = "--json"
_ALONE = (_JSON, "--dry-run", "--help", "--version", "-h")  # switches without a value
EXAMPLES = """\
examples:
  fairgate venue validate chart.json
  fairgate event create final --venue chart.json --name "The Final" --price-all 45 \\
      --sale-starts-at 2030-06-01T18:00:00Z --tau 600
  fairgate event publish final
  fairgate tau set final 300
  fairgate --target aws --stage prod event pause final

Amounts are written 45 or 45.00, rates 19%, durations 90s or 10min; JSON has minor units, seconds.
Help for one command: fairgate event create --help
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
    words = with_audit_verb(words)
    options, unknown = parser(words).parse_known_args(words)
    if unknown:
        options.usage_error(f"unrecognized arguments: {' '.join(unknown)}")
    for other in ("csv", "toml"):
        if options.json and getattr(options, other, False):
            options.usage_error(f"argument --{other}: not allowed with argument --json")
    report = _run_plainly(options) if options.json else _run(options)
    if report is None:
        return REFUSED
    if not _said(options, report):
        return REFUSED
    return REFUSED if report.failed else DONE


def with_audit_verb(words: Sequence[str]) -> list[str]:
    """``audit final`` means ``audit check final``; every other command line is as it was.

    ``audit`` may be an event, a name or a reason as well, and is the command in one place alone.
    """
    typed = list(words)
    group = 0
    while group < len(typed) and typed[group].startswith("-"):
        alone = "=" in typed[group] or any(one.startswith(typed[group]) for one in _ALONE)
        group += 1 if alone else 2
    match typed[group : group + 2]:
        case ["audit", verb] if verb not in ("check", "export", "items", "-h", "--help"):
            typed.insert(group + 1, "check")
    return typed


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
    for name, (where, text) in GROUPS.items():
        group = groups.add_parser(name, help=text)
        if name in words:
            named(f"words.{where}")(group)
    return top


def ran(options: argparse.Namespace) -> Spoken:
    """Run the command that was typed, with nothing imported for the others."""
    run = named(options.run) if isinstance(options.run, str) else options.run
    said: Spoken = run(options)
    return said


def named(where: str) -> Any:
    """Import what is named as ``module.function`` of this package."""
    module, _, function = where.rpartition(".")
    return getattr(importlib.import_module(f"{__package__}.{module}"), function)


def _run_plainly(options: argparse.Namespace) -> Spoken | None:
    """Without a bar of progress: who wants JSON wants nothing that is drawn."""
    from fairgate_ops.shared.progress import plain_progress

    with plain_progress():
        return _run(options)


def _run(options: argparse.Namespace) -> Spoken | None:
    """The command's report, or None when it was refused and that was said."""
    return _unless_refused(options, lambda: ran(options))


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
    return options.looks and not getattr(options, "fire_alarms", False)


def _unless_refused(options: argparse.Namespace, act: Callable[[], T]) -> T | None:
    from botocore.exceptions import BotoCoreError, ClientError

    from fairgate.errors import FairgateError
    from fairgate_ops.operate.cli.report import refusal_of, say_refusal

    try:
        return act()
    except (FairgateError, ClientError, BotoCoreError) as error:
        refusal = refusal_of(error, options.target)
        _say_anyhow(partial(say_refusal, refusal, options.prog), as_json=options.json)
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
