"""Add commands to their groups, with the switches and arguments that they share.

It imports only what ``--help`` needs.
"""

from __future__ import annotations

import argparse
import functools
import math
import re
import sys
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from fairgate_ops.operate.cli.kinds import seconds, tau_s
from fairgate_ops.operate.cli.streams import answering

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from _typeshed import SupportsWrite

    from fairgate_ops.operate.cli.act import Act
    from fairgate_ops.operate.cli.report import Spoken
    from fairgate_ops.operate.target import Target

    Command = Callable[[argparse.Namespace], Spoken]

_ADDRESS = re.compile(r"[^\s@]@[^\s@]+\.[^\s@.]")
REASON_CHARS_MAX = 500  # as service/ledger/manual_tasks.py
DONE, REFUSED, MISUSED, INTERRUPTED = 0, 1, 2, 130  # exit codes


class UsageError(Exception):
    """The command line is wrong."""

    def __init__(self, prog: str, detail: str) -> None:
        super().__init__(detail)
        self.prog = prog
        self.detail = detail

    def say(self, *, as_json: bool) -> None:
        """Print the mistake and where help is: in JSON on standard output, else on the other."""
        help_at = f"{self.prog} --help"
        if as_json:
            document = {"code": "wrong-usage", "detail": self.detail, "help": help_at}
            from fairgate_ops.shared.json_text import json_text

            print(json_text({"error": document}, indent=2))
            return
        print(f"{self.prog}: {self.detail}\nHelp: {help_at}", file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """argparse's parser, which raises mistakes instead of printing them."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(self.prog, message)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        with answering():
            print(self.format_help(), end="", file=file)


class Version(argparse.Action):
    """``--version``: print the version of the checkout or of the installed package."""

    def __call__(self, parser: argparse.ArgumentParser, *_arguments: object) -> None:
        from fairgate.version import version

        with answering():
            print(f"fairgate {version()}")
        parser.exit()


class Verbs:
    """The commands of one group."""

    def __init__(self, group: argparse.ArgumentParser) -> None:
        self._parsers = group.add_subparsers(dest="verb", required=True, metavar="COMMAND")

    def add(
        self,
        name: str,
        text: str,
        run: str | Command,
        *words: str,
        more: str = "",
        looks: bool = False,
        reason: Literal["no", "may", "must"] = "no",
        asks: bool = False,
    ) -> argparse.ArgumentParser:
        """Add a command, and return its parser for its other arguments.

        Args:
            run: the function, or ``module.function`` of this package, imported when it runs.
            words: the positional arguments, like the event.
            more: follows ``text`` in the command's own help.
            looks: it changes nothing.
            reason: whether ``--reason`` is an option, or needed.
            asks: it cannot be undone, and asks unless ``--yes`` is typed.
        """
        verb = self._parsers.add_parser(name, help=text, description=f"{text} {more}".rstrip())
        for word in words:
            verb.add_argument(word)
        finish(verb, run, looks=looks)
        if reason != "no":
            add_reason(verb, required=reason == "must")
        if asks:
            add_yes(verb)
        return verb


def finish(of: argparse.ArgumentParser, run: str | Command, *, looks: bool = False) -> None:
    """Give a command its switches and its function."""
    add_switches(of)
    of.set_defaults(run=run, looks=looks, prog=of.prog, usage_error=of.error)


def add_yes(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--yes", action="store_true", help="do not ask; for scripts")


def at_target(
    run: Callable[[argparse.Namespace, Target], Spoken | Act[Any]],
) -> Callable[[argparse.Namespace], Spoken]:
    """Run the command at the system of the switches, and perform the ``Act`` that it returns.

    Where ``options`` have a ``system``, it is reached already: a function, not a command, asks.
    """

    @functools.wraps(run)
    def command(options: argparse.Namespace) -> Spoken:
        from fairgate_ops.operate.cli.act import Act, perform
        from fairgate_ops.operate.target import target_of

        target = getattr(options, "system", None) or target_of(options)
        if target.clock_ahead_s:
            where = "ahead" if target.clock_ahead_s > 0 else "behind"
            off = f"This clock is {abs(target.clock_ahead_s)} s {where}"
            print(f"{off}: AWS's time is used instead.", file=sys.stderr)
        from fairgate_ops.operate.cli.times import take_event_zone

        take_event_zone(options, target)
        found = run(options, target)
        return perform(options, target, found) if isinstance(found, Act) else found

    return command


def add_switches(to: argparse.ArgumentParser, *, top: bool = False) -> None:
    """Add the switches that every command takes, before or after its name."""

    def default(value: object) -> Any:
        return value if top else argparse.SUPPRESS

    group = to.add_argument_group("where and how")
    group.add_argument("--target", choices=("local", "aws"), default=default("local"))
    group.add_argument(
        "--run-file",
        metavar="FILE",
        default=default(None),
        help="local: of the running system, else the nearest .run/local.json",
    )
    group.add_argument("--stage", default=default("prod"), help="aws: the deployment's stage")
    group.add_argument("--region", default=default(None), help="aws: else the environment's")
    group.add_argument(
        "--tz",
        type=_zone,
        metavar="ZONE",
        default=default(None),
        help="also show times in this zone (else the event's, or the environment's TZ)",
    )
    group.add_argument(
        "--json",
        action="store_true",
        default=default(False),
        help="one JSON document on standard output",
    )
    group.add_argument(
        "--dry-run",
        action="store_true",
        default=default(False),
        help="check everything, write nothing, show what would be written",
    )


def _zone(name: str) -> dt.tzinfo:
    from fairgate_ops.operate.cli.times import zone

    return zone(name)


def add_reason(
    verb: argparse.ArgumentParser, what: str = "why, for the log", *, required: bool = False
) -> None:
    verb.add_argument("--reason", type=reason, metavar="TEXT", required=required, help=what)


def reason(text: str) -> str:
    """Read one line for the log. Raises ArgumentTypeError if it is empty or not printable."""
    line = text.strip()
    if not line:
        raise argparse.ArgumentTypeError("it is empty: give a reason in a few words")
    if not line.isprintable():
        raise argparse.ArgumentTypeError("it has to be one line without control characters")
    if _ADDRESS.search(line):
        raise argparse.ArgumentTypeError(
            "the log is never erased: give the reason without a mail address; an order's number is"
            " enough"
        )
    if len(line) > REASON_CHARS_MAX:
        raise argparse.ArgumentTypeError(f"it has more than {REASON_CHARS_MAX} characters")
    return line


def add_start(verb: argparse.ArgumentParser) -> None:
    """Add when a change of the gate starts, and why it is made."""
    add_reason(verb)
    verb.add_argument(
        "--starts-in",
        type=seconds,
        metavar="SECONDS",
        help="seconds until the change (aws: 60, because edges learn late; local: 1)",
    )


def add_pace(verb: argparse.ArgumentParser) -> None:
    """Add the pace from a change of the gate on, and what ``add_start`` adds."""
    verb.add_argument("--tau", type=tau_s, metavar="SECONDS", help="else the pace it had")
    add_start(verb)


def moment_ms(text: str, options: argparse.Namespace) -> int:
    """Milliseconds since the epoch, in the zone of the event that is named where it has no offset.

    A wrong time is refused (exit code 1), so the parser (2) does not read times itself. Raises
    MalformedInputError.
    """
    from fairgate.errors import MalformedInputError
    from fairgate.service.shared.zoned_times import moment_in

    try:
        return moment_in(text, getattr(options, "event_zone", ""))
    except ValueError as error:
        raise MalformedInputError(f"The time “{text}” {error}.") from error


def moment_s(text: str, options: argparse.Namespace) -> int:
    """The first whole second at or after the time. Raises MalformedInputError."""
    return math.ceil(moment_ms(text, options) / 1000)
