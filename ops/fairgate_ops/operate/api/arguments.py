"""Read an act's arguments from JSON as if they had been typed: by the command's declarations.

An argument has its option's name without the dashes, or the name of its place: ``starts_in``,
``event``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli.command import Parser, UsageError
from fairgate_ops.operate.cli.event_fields import Field

if TYPE_CHECKING:
    from fairgate_ops.operate.target import Target

CHARS_MAX = 2_000  # of a value
# What the command needs on a machine, or the body says in other words.
_OF_THE_COMMAND = {
    *("help", "target", "run_file", "stage", "region", "tz", "json", "dry_run"),
    *("yes", "confirm", "toml"),
}
_OPTION = re.compile(r"--([a-z][a-z-]*)")


def verbs_of(group: str, add: Callable[[argparse.ArgumentParser], None]) -> Mapping[str, Parser]:
    """Return the parsers of a group's commands, by their verbs."""
    parser = Parser(prog=f"fairgate {group}")
    add(parser)
    (below,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))  # noqa: SLF001 argparse has no other way to walk a parser
    parsers: Mapping[str, Parser] = below.choices
    return parsers


def fields_of(parser: Parser) -> dict[str, Field]:
    """Return what may be given, by its name."""
    found = {}
    for action in parser._actions:  # noqa: SLF001 the same
        if action.dest not in _OF_THE_COMMAND:
            option = next(iter(action.option_strings), "").removeprefix("--").replace("-", "_")
            found[option or action.dest] = Field(option or action.dest, action)
    return found


def read(parser: Parser, given: Mapping[str, Any], system: Target) -> argparse.Namespace:
    """Read what is given, for the system that is reached.

    Raises MalformedInputError: a name is not known, or a value is not as it must be.
    """
    fields = fields_of(parser)
    for name in given:
        if name not in fields:
            raise MalformedInputError(f"{name[:40]!r} is none of: {', '.join(fields)}.")
    typed, placed = [], []
    for name, field in fields.items():
        words = _words(field, given.get(name))
        option = next(iter(field.action.option_strings), "")
        if not option:
            placed += words
        elif field.action.nargs == 0:
            typed += [option] * len(words)
        else:
            typed += [f"{option}={word}" for word in words]
    options = argparse.Namespace(target=system.name, stage="", tz=None, json=True, system=system)
    try:
        return parser.parse_args([*typed, *(["--", *placed] if placed else [])], options)
    except UsageError as error:
        raise MalformedInputError(plain(f"{error.detail}.")) from error


def schema_of(parser: Parser) -> dict[str, Any]:
    """Return what is taken, as JSON Schema."""
    fields = fields_of(parser)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name, field in fields.items() if _is_needed(field.action)],
        "properties": {name: field.schema() for name, field in fields.items()},
    }


def plain(text: str) -> str:
    """Name arguments as JSON has them: ``--starts-in`` is ``starts_in``."""
    return _OPTION.sub(lambda option: option[1].replace("-", "_"), text)


def _is_needed(action: argparse.Action) -> bool:
    return action.required if action.option_strings else action.nargs != "?"


def _words(field: Field, value: Any) -> list[str]:
    """Return the value as it is typed. Raises MalformedInputError."""
    if value is None:
        return []
    if field.action.nargs == 0:
        if not isinstance(value, bool):
            raise MalformedInputError(f"{field.name} is true or false.")
        return ["true"] if value else []
    if not field.of_tiers:
        return [_word(field.name, value)]
    if not isinstance(value, dict):
        raise MalformedInputError(f"{field.name} is an object.")
    return [f"{key}={_word(field.name, one)}" for key, one in value.items()]


def _word(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise MalformedInputError(f"{name} is a text or a number.")
    word = str(value)
    if not word or len(word) > CHARS_MAX:
        raise MalformedInputError(f"{name} has 1 to {CHARS_MAX:,} characters.")
    if word == "--":  # where argparse ends the options
        raise MalformedInputError(f"{name} has no letter.")
    return word
