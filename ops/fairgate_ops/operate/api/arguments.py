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

    Raises MalformedInputError: a name is not known or missing, or a value is not as it must be.
    """
    fields = fields_of(parser)
    for name in given:
        if name not in fields:
            known = f"is none of: {', '.join(fields)}" if fields else "is not taken: nothing is"
            raise MalformedInputError(f"{name[:40]!r} {known}.")
    # Without one of them, the next would take its place.
    if missing := [name for name in _needed(fields) if given.get(name) is None]:
        raise MalformedInputError(f"the following arguments are required: {', '.join(missing)}.")
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
        raise MalformedInputError(plain(f"{error.detail}.", parser)) from error


def schema_of(parser: Parser) -> dict[str, Any]:
    """Return what is taken, as JSON Schema."""
    fields = fields_of(parser)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": _needed(fields),
        "properties": {name: field.schema() for name, field in fields.items()},
    }


def plain(text: str, parser: Parser) -> str:
    """Name arguments as JSON has them: ``--starts-in`` is ``starts_in``, ``TAU`` is ``seconds``.

    What is quoted is somebody's own text.
    """
    names = {
        next(iter(field.action.option_strings), str(field.action.metavar or name)): name
        for name, field in fields_of(parser).items()
    }
    typed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    if not typed:
        return text
    pattern = rf"(?<!\w)'[^']*'|“[^”]*”|(?<![\w-])(?:{typed})(?![\w-])"
    return re.sub(pattern, lambda found: names.get(found[0], found[0]), text)


def _needed(fields: Mapping[str, Field]) -> list[str]:
    """Return the names of what must be given, in the order of the command."""
    return [
        name
        for name, field in fields.items()
        if (
            field.action.required
            if field.action.option_strings
            else field.action.nargs not in ("?", "*")
        )
    ]


def _words(field: Field, value: Any) -> list[str]:
    """Return the value as it is typed. Raises MalformedInputError."""
    if value is None:
        return []
    if field.action.nargs == 0:
        if not isinstance(value, bool):
            raise MalformedInputError(f"{field.name} is true or false.")
        return ["true"] if value else []
    if field.is_list:
        if not isinstance(value, list):
            raise MalformedInputError(f"{field.name} is a list.")
        return [_word(field.name, one) for one in value]
    if not field.of_tiers:
        return [_word(field.name, value)]
    if not isinstance(value, dict):
        raise MalformedInputError(f"{field.name} is an object.")
    for key in value:
        if "=" in key:  # where the key ends
            raise MalformedInputError(f"{field.name} has no {key[:40]!r}.")
    return [f"{key}={_word(field.name, one)}" for key, one in value.items()]


def _word(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise MalformedInputError(f"{name} is a text or a number.")
    whole = isinstance(value, float) and value.is_integer()  # 300.0 is 300 in JSON
    word = str(int(value) if whole else value)
    if not word or len(word) > CHARS_MAX:
        raise MalformedInputError(f"{name} has 1 to {CHARS_MAX:,} characters.")
    if word == "--":  # where argparse ends the options
        raise MalformedInputError(f"{name} has no letter.")
    return word
