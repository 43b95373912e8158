"""Read an act's arguments from JSON as if they had been typed: by the command's declarations.

An argument has its option's name without the dashes, or the name of its place: ``starts_in``,
``event``.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli.command import Parser, UsageError
from fairgate_ops.operate.cli.event_fields import Field
from fairgate_ops.operate.cli.event_options import FromFile, translations

if TYPE_CHECKING:
    from fairgate_ops.operate.target import Target

_SWITCH = argparse._StoreTrueAction  # noqa: SLF001 argparse names it nowhere else
CHARS_MAX = 2_000  # of a value
TEXTS_CHARS_MAX = 100_000  # of texts in several languages
REPEATED_MAX = 2_000  # options of one name: argparse takes time with the square of their number
# Of what is in a table's key: a sort key has 1,024 bytes, and a letter up to four.
KEY_CHARS_MAX, _IN_KEYS = 240, {"user", "task", "names"}
# What the command needs on a machine, or the body says in other words.
_OF_THE_COMMAND = {
    *("help", "target", "run_file", "stage", "region", "tz", "json", "dry_run"),
    *("yes", "confirm", "toml", "csv"),
}


def verbs_of(group: str, add: Callable[[argparse.ArgumentParser], None]) -> Mapping[str, Parser]:
    """Return the parsers of a group's commands, by their verbs; of a group without, by ""."""
    parser = Parser(prog=f"fairgate {group}")
    add(parser)
    for below in parser._actions:  # noqa: SLF001 argparse has no other way to walk a parser
        if isinstance(below, argparse._SubParsersAction):  # noqa: SLF001 the same
            parsers: Mapping[str, Parser] = below.choices
            return parsers
    return {"": parser}


def fields_of(parser: Parser) -> dict[str, Field]:
    """Return what may be given, by its name.

    A file that the command writes is named by the server: it is written always, or if ``true`` is
    given where the command need not write it.
    """
    found = {}
    left_out, written = parser.get_default("left_out") or (), parser.get_default("written") or {}
    for action in parser._actions:  # noqa: SLF001 the same
        if written.get(action.dest):
            switch = _SWITCH(action.option_strings, action.dest, help=action.help)
            found[action.dest] = Field(action.dest, switch)
        elif action.dest not in _OF_THE_COMMAND and action.dest not in {*left_out, *written}:
            option = next(iter(action.option_strings), "").removeprefix("--").replace("-", "_")
            found[option or action.dest] = Field(option or action.dest, action)
    return found


def read(
    parser: Parser, given: Mapping[str, Any], system: Target, files: Mapping[str, str] | None = None
) -> argparse.Namespace:
    """Read what is given, for the system that is reached.

    Args:
        files: where the files go that the command writes, by their options.

    Raises MalformedInputError: a name is not known or missing, or a value is not as it must be.
    """
    fields = fields_of(parser)
    for name in given:
        if name not in fields:
            known = f"is none of: {', '.join(fields)}" if fields else "is not taken: nothing is"
            raise MalformedInputError(f"{name[:40]!r} {known}.")
    # Without one of them, the next would take its place.
    elsewhere = any(isinstance(fields[name].action, FromFile) for name in given)
    if missing := [n for n in _needed(fields) if given.get(n) is None and not elsewhere]:
        raise MalformedInputError(f"the following arguments are required: {', '.join(missing)}.")
    typed, placed = [], []
    for name, field in fields.items():
        words = _words(field, given.get(name))
        option = next(iter(field.action.option_strings), "")
        if not option:
            placed += words
        elif field.action.nargs == 0:
            typed += words
        elif isinstance(field.action.nargs, int):
            typed += [option, *words] if words else []
        elif len(words) > REPEATED_MAX:
            raise MalformedInputError(f"{name} has at most {REPEATED_MAX:,} entries.")
        else:
            typed += [f"{option}={word}" for word in words]
    typed = _with_files(parser, typed, files or {})
    options = argparse.Namespace(target=system.name, stage="", tz=None, json=True, system=system)
    try:
        return _parsed(parser, [*typed, *(["--", *placed] if placed else [])], options)
    except UsageError as error:
        raise MalformedInputError(plain(f"{error.detail}.", parser)) from error


def _with_files(parser: Parser, typed: list[str], files: Mapping[str, str]) -> list[str]:
    """Name the files that are written: those that must be, and those that are asked for."""
    paths = {f"--{name}": f"--{name}={path}" for name, path in files.items()}
    asked_for = parser.get_default("written") or {}
    always = [paths[f"--{name}"] for name in files if not asked_for[name]]
    return [paths.get(word, word) for word in typed] + always


def _parsed(parser: Parser, words: list[str], options: argparse.Namespace) -> argparse.Namespace:
    """Parse, and leave the parser as it was: ``FromFile`` changes what it requires."""
    may_change: list[Any] = [*parser._actions, *parser._mutually_exclusive_groups]  # noqa: SLF001 the same
    required = [one.required for one in may_change]
    try:
        return parser.parse_args(words, options)
    finally:
        for one, needed in zip(may_change, required, strict=True):
            one.required = needed


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
    action = field.action
    if value is None:
        return []
    if action.nargs == 0:
        return _switch(field, value)
    if action.type is translations:
        return [_texts(field.name, value)]
    if field.of_tiers:
        return _pairs(field.name, value)
    if field.is_list or isinstance(action.nargs, int):
        return _listed(field, value)
    may_be_empty = bool(action.option_strings) and action.type in (None, str)
    return [_word(field.name, value, least=0 if may_be_empty else 1)]


def _pairs(name: str, value: Any) -> list[str]:
    if not isinstance(value, dict):
        raise MalformedInputError(f"{name} is an object.")
    for key in value:
        if "=" in key:  # where the key ends
            raise MalformedInputError(f"{name} has no {key[:40]!r}.")
    return [f"{key}={_word(name, one)}" for key, one in value.items()]


def _listed(field: Field, value: Any) -> list[str]:
    count = field.action.nargs
    if not isinstance(value, list) or (isinstance(count, int) and len(value) != count):
        of = f" of {count}" if isinstance(count, int) else ""
        raise MalformedInputError(f"{field.name} is a list{of}.")
    return [_word(field.name, one) for one in value]


def _switch(field: Field, value: Any) -> list[str]:
    """Return the option, or the one that says no, if there is one."""
    if not isinstance(value, bool):
        raise MalformedInputError(f"{field.name} is true or false.")
    options = field.action.option_strings
    return list(options[:1] if value else options[1:2])


def _texts(name: str, value: Any) -> str:
    text = json.dumps(value) if isinstance(value, dict) else ""
    if not text or len(text) > TEXTS_CHARS_MAX:
        what = f"an object of languages, of at most {TEXTS_CHARS_MAX:,} characters"
        raise MalformedInputError(f"{name} is {what}.")
    return text


def _word(name: str, value: Any, least: int = 1) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise MalformedInputError(f"{name} is a text or a number.")
    whole = isinstance(value, float) and value.is_integer()  # 300.0 is 300 in JSON
    word = str(int(value) if whole else value)
    most = KEY_CHARS_MAX if name in _IN_KEYS else CHARS_MAX
    if not least <= len(word) <= most:
        raise MalformedInputError(f"{name} has {least} to {most:,} characters.")
    if word == "--":  # where argparse ends the options
        raise MalformedInputError(f"{name} has no letter.")
    return word
