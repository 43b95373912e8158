"""Print a command's report: lines for people, or with --json one JSON document.

At a terminal lists are tables and refusals are red; piped output is plain text.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from fairgate.domain.shared.labels import harmless
from fairgate.errors import DependencyUnavailableError, FairgateError, ForbiddenError
from fairgate_ops.shared.json_text import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LISTED_MAX = 20
FOUND = "FOUND"  # how a line begins that says what an audit found
EMPTY = '""'  # as it is typed


class Spoken(Protocol):
    """What a command has to say, and whether what it found is not as it must be."""

    @property
    def failed(self) -> bool: ...
    def say(self, *, as_json: bool) -> None: ...


@runtime_checkable
class Documented(Protocol):
    """What has one bounded document, although a command says it in another way."""

    def document(self) -> Report: ...


class Listing(NamedTuple):
    """Rows under columns: a table at a terminal, the plain lines elsewhere."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    plain: Sequence[str]


class Report(NamedTuple):
    """A command's answer in both forms; ``failed`` when what it found is not as it must be."""

    data: dict[str, Any]
    lines: Sequence[str | Listing] = ()
    failed: bool = False

    def say(self, *, as_json: bool) -> None:
        if as_json:
            print(json_text(self.data, indent=2))
        elif sys.stdout.isatty():
            self._show()
        else:
            for line in self.lines:
                for text in line.plain if isinstance(line, Listing) else (line,):
                    print(harmless(text))

    def _show(self) -> None:
        """At a terminal; what failed is red."""
        from fairgate_ops.operate.cli.terminal import Terminal

        terminal = Terminal()
        for line in self.lines:
            if isinstance(line, Listing):
                terminal.table(line.columns, [tuple(map(harmless, row)) for row in line.rows])
            elif self.failed:
                terminal.line(harmless(line), "red")
            else:
                terminal.line(harmless(line), "yellow" if line.startswith("Dry run") else "")


def one_line(text: str) -> str:
    """Return the text without what a terminal would obey, line breaks among it."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def count_text(count: int, noun: str) -> str:
    """Return ``1 capture``, ``1,200 captures``."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def detail_text(detail: Mapping[str, Any]) -> str:
    """Return ``artist Ann, artist_was ""``: what the log keeps of an act; an empty text is seen."""
    return ", ".join(f"{name} {EMPTY if value == '' else value}" for name, value in detail.items())


def refusal_of(error: Exception, target: str) -> FairgateError:
    """Translate an error of a call into one that a person can act on."""
    from botocore.exceptions import ClientError

    from fairgate.errors import (
        NotFoundError,
        TableUnavailableError,
        UnknownEventError,
    )
    from fairgate_ops.operate.away import detail_of

    if isinstance(error, TableUnavailableError):
        hint = "Look at its throttles, and at AWS's health page."
        if target == "local":
            hint = "Is `make up` still running?"
        text = f"{detail_of(error)} Nothing was lost. {hint} Then please try again."
        return TableUnavailableError(text, retry_after_s=error.retry_after_s)
    if isinstance(error, UnknownEventError):
        event = one_line(error.event)
        return NotFoundError(f"There is no event {event}. `event list` shows what there is.")
    if isinstance(error, FairgateError):
        return error
    if isinstance(error, ClientError):
        code = error.response["Error"]["Code"]
        message = error.response["Error"].get("Message", "")
        hint = "Check the credentials, --stage and --region."
        refused = _sentence(f"AWS refused {error.operation_name} ({code}): {message}")
        return ForbiddenError(f"{refused} {hint}")
    hint = "Check the credentials, the network, --stage and --region."
    if target == "local":
        hint = "Is `make up` still running?"
    return ForbiddenError(f"{_sentence(f'No answer: {error}')} {hint}")


def _sentence(text: str) -> str:
    """End the SDK's words with a full stop, as it does to some of its own."""
    words = text.rstrip(" :")
    return words if words.endswith((".", "!", "?")) else f"{words}."


def refusal_document(error: FairgateError) -> dict[str, Any]:
    """Return what JSON says of a refusal."""
    return {"error": {"code": error.code, "detail": error.detail, **error.fields}}


def say_refusal(error: FairgateError, prog: str, *, as_json: bool) -> None:
    """Say why not, what to do, and where help is, unless something is away or forbidden.

    In JSON on standard output, as an answer; else on standard error.
    """
    if as_json:
        print(json_text(refusal_document(error), indent=2))
        return
    lines = [harmless(text) for text in (f"Not done: {error.detail}", *_reasons(error))]
    if not isinstance(error, (DependencyUnavailableError, ForbiddenError)):
        lines.append(f"Help: {prog} --help")
    if not sys.stderr.isatty():
        print(*lines, sep="\n", file=sys.stderr)
        return
    from fairgate_ops.operate.cli.terminal import Terminal

    terminal = Terminal(stderr=True)
    terminal.line(lines[0], "bold red")
    for line in lines[1:]:
        terminal.line(line)


def _reasons(error: FairgateError) -> list[str]:
    texts = reason_texts(error)
    if len(texts) == 1 and texts[0] in str(error):
        return []  # it is said already
    lines = [f"  - {text}" for text in texts[:LISTED_MAX]]
    if len(texts) > LISTED_MAX:
        lines.append(f"  … and {len(texts) - LISTED_MAX} more; --json lists all.")
    return lines


def reason_texts(error: FairgateError) -> list[str]:
    """List what is wrong, and where as far as the error says so."""
    listed = error.fields.get("errors")
    return [
        f"{entry['where']}: {entry['what']}" if isinstance(entry, dict) else str(entry)
        for entry in (listed if isinstance(listed, list) else [])
    ]
