"""Run the command's function of an act, in a request or in a job, and say what it did."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate.errors import FairgateError, MalformedInputError, WrongStateError
from fairgate.ports.record import DamagedItemError
from fairgate_ops.operate.api.arguments import plain, read
from fairgate_ops.operate.api.parsers import parsers
from fairgate_ops.operate.api.sent_files import unpacked
from fairgate_ops.operate.cli.act import UNCONFIRMED, told
from fairgate_ops.operate.cli.command import UsageError
from fairgate_ops.operate.cli.report import Documented, Listing, Report
from fairgate_ops.shared import named_files
from fairgate_ops.shared.json_text import json_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate.http.models import ActFile, ActRequest
    from fairgate_ops.operate.cli.command import Parser
    from fairgate_ops.operate.cli.report import Spoken
    from fairgate_ops.operate.target import Target

    Run = Callable[[argparse.Namespace], Spoken]


def options_of(
    asked: ActRequest, system: Target, files: Mapping[str, str] | None = None
) -> argparse.Namespace:
    """Read the arguments; ``files`` as ``arguments.read``. Raises MalformedInputError."""
    options = read(parsers()[asked.act], asked.arguments, system, files)
    options.dry_run = asked.dry_run
    options.yes, options.confirm = asked.confirm == "yes", asked.confirm
    return options


def report_of(
    act: str, run: Run, options: argparse.Namespace, sent: Mapping[str, ActFile]
) -> Report:
    """Run it, and name what is refused as the request has it. Raises as ``perform_act``."""
    parser = parsers()[act]
    try:
        with named_files.sent(unpacked(sent)):
            report = run(options)
            if isinstance(report, Documented):  # what it streams is read here
                report = report.document()
    except UsageError as error:
        raise MalformedInputError(plain(f"{error.detail}.", parser)) from error
    except DamagedItemError as error:  # a defect elsewhere; here the operator has to know of it
        raise WrongStateError(error.detail) from error
    except FairgateError as error:
        if error.fields.get("reason") == UNCONFIRMED:
            fields: dict[str, Any] = dict(error.fields)
            error.detail = told(fields["ends"])  # without the command's way to confirm
        error.detail = plain(error.detail, parser)
        error.fields = _in_words_of(parser, error.fields)
        raise
    if not isinstance(report, Report):
        raise TypeError(f"{act} answers no document")
    return report


def result_of(report: Report) -> dict[str, Any]:
    """Return what the command's ``--json`` says."""
    result: dict[str, Any] = json.loads(json_text(report.data))
    return result


def said_by(report: Report) -> list[str]:
    """Return what it says to people."""
    lines: list[str] = []
    for line in report.lines:
        lines += line.plain if isinstance(line, Listing) else (line,)
    return lines


def _in_words_of(parser: Parser, said: Mapping[str, object]) -> dict[str, object]:
    """Name arguments in the list of what is wrong as the body has them."""
    errors = said.get("errors")
    if not isinstance(errors, list):
        return dict(said)
    named = [
        {key: plain(text, parser) if isinstance(text, str) else text for key, text in one.items()}
        if isinstance(one, dict)
        else one
        for one in errors
    ]
    return {**said, "errors": named}
