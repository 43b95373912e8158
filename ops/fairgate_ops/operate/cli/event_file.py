"""Read an event's file, TOML or JSON, and use it as if its values were typed; what is typed wins.

TOML is read by Python's own ``tomllib``, which says no lines. They are found here: the file is a
row of statements, and each of them can be read alone. (tomlkit says no lines either.)
"""

from __future__ import annotations

import argparse
import difflib
import io
import json
import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.brand_files import NAMES
from fairgate.domain.shared.reading import Problems
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli.event_fields import TYPED_ONLY, Number, fields
from fairgate_ops.shared import named_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BYTES_MAX = 100_000
LINES_CHARS_MAX = 20 * BYTES_MAX  # read to find the lines of statements, some of them again
# What is typed takes the place of these, too.
_INSTEAD = {
    "price_all": ("price",),
    "vat_all": ("vat", "vat_fees"),
    "sale_starts_in": ("sale_starts_at",),
}
_OF_TIERS = ("price", "vat")
TRANSLATIONS = "translations"
_NEEDED = {"event": 'event = "summer-2030"', "venue": 'venue = "chart.json"', "name": 'name = "…"'}
_QUOTES = 'Texts, times, rates and durations stand in quotes: "19%"'
DEPTH_MAX = 200  # the fields need two; a line of a text has not as many
_DEEPER = re.compile(r"[\w\"']\s*\.(?=\s*[\w\"'])")
_WHERE = re.compile(r"(.*) \((?:at line (\d+), column (\d+)|at end of document)\)")


class EventFile:
    """A file that was read: its values by the names of the parsed options.

    Attributes:
        values: a table is a list of pairs, as the options of its tiers would make it.
        typed: the options that were typed, whose values count before these.
    """

    def __init__(self, name: str, text: str) -> None:
        """Raise MalformedInputError with everything that is wrong, each with its line."""
        self._name, self._text = name, text
        self._is_json = text.lstrip()[:1] == "{"  # with which no TOML begins
        self._document = self._json() if self._is_json else self._parsed()
        self._problems = Problems()
        self.values = dict(self._read())
        self._problems.raise_if_any(name)
        self.typed: frozenset[str] = frozenset()

    @classmethod
    def at(cls, path: str) -> EventFile:
        """Read the file. Raises MalformedInputError."""
        try:
            with named_files.opened(path) as file:  # its size says nothing of a pipe or a device
                read = file.read(BYTES_MAX + 1)
            if len(read) > BYTES_MAX:
                raise MalformedInputError(f"{path} has more than {BYTES_MAX:,} bytes: no event's.")
            return cls(path, io.TextIOWrapper(io.BytesIO(read), "utf-8-sig").read())
        except OSError as error:
            raise MalformedInputError(f"{path} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise MalformedInputError(f"{path} is no text in UTF-8.") from error

    def _json(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(
                self._text,
                parse_float=Number,
                parse_constant=_no_constant,
                object_pairs_hook=_once,
            )
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise MalformedInputError(
                f"{self._name}, {where}: this is not JSON: {error.msg}."
            ) from error
        except (ValueError, RecursionError) as error:
            said = str(error)
            if isinstance(error, RecursionError):
                said = "objects are nested too deeply"
            elif "digits" in said:
                said = "a number has too many digits"
            raise MalformedInputError(f"{self._name}: this is not JSON: {said}.") from error
        return {name: value for name, value in found.items() if value is not None}

    def _parsed(self) -> dict[str, Any]:
        for number, text in enumerate(self._rows, 1):
            if len(_DEEPER.findall(text)) > DEPTH_MAX:
                raise MalformedInputError(f"{self._name}, line {number}: a key has too many parts.")
        try:
            return _loaded(self._text)
        except (ValueError, RecursionError) as error:
            said = str(error)
            if isinstance(error, RecursionError):
                said = "brackets are nested too deeply"
            elif "digits" in said:
                said = "a number has too many digits"
            found = _WHERE.fullmatch(said)
            what, line, column = found.groups() if found else (said, None, None)
            row = int(line) if line else len(self._rows)
            where = f", line {row}, column {column or len(self._rows[-1]) + 1}" if found else ""
            written = f" in “{self._rows[row - 1].strip()[:80]}”" if line else ""
            raise MalformedInputError(
                f"{self._name}{where}: this is not TOML{written}: {what}. {_QUOTES}."
            ) from error

    def _read(self) -> Iterator[tuple[str, Any]]:
        for name, value in self._document.items():
            field = fields().get(name)
            if field is None:
                self._wrong((name,), _unknown(name))
                continue
            good: list[tuple[str, Any]] = []
            for tier, part in field.read(value):
                if isinstance(part, argparse.ArgumentTypeError):
                    above = f"; is it the event's {tier}? Write that above [{name}]"
                    self._wrong(
                        (name, tier) if tier else (name,),
                        f"{part}{above if tier in fields() else ''}",
                    )
                else:
                    good.append((tier, part))
            if field.of_tiers:
                yield field.dest, [part for _, part in good]
            elif good:
                yield field.dest, good[0][1]

    def _wrong(self, key: tuple[str, ...], what: str) -> None:
        self._problems.add(self._at(key), what)

    def require_needed(self, options: argparse.Namespace) -> None:
        """Raise MalformedInputError for each field that is neither in the file nor typed."""
        missing = {name: how for name, how in _NEEDED.items() if getattr(options, name) is None}
        if options.sale_starts_at is None and options.sale_starts_in is None:
            missing["sale-starts-at"] = 'sale-starts-at = "2030-06-01T20:00"'
        for name, how in missing.items():
            also = "EVENT" if name == "event" else f"--{name}"
            self._wrong((name,), f"is missing: write {how}, or type {also}")
        self._problems.raise_if_any(self._name)

    def place(self, option: str) -> str:
        """Return where the value of an option is from: the option, or the file's line and field."""
        name, _, tier = option.removeprefix("--").partition(" ")
        name = name.lower() if name == "EVENT" else name
        field = fields().get(name)
        if field is None or f"{field.dest} {tier}".strip() in self.typed:
            return option
        if field.dest == TRANSLATIONS:
            return option if TRANSLATIONS in self.typed else self._at((name, *tier.split(".")))
        key, of_all = (name, tier) if tier else (name,), (f"{name}-all",)
        return self._at(of_all if key not in self._lines and of_all in self._lines else key)

    def written(self, name: str, tier: str = "") -> Any:
        """Return a field's value as the file has it."""
        value = self._document.get(name)
        return value.get(tier) if tier and isinstance(value, dict) else value

    def _at(self, key: tuple[str, ...]) -> str:
        line = self._lines.get(key)
        return ", ".join([self._name, *([f"line {line}"] if line else []), ".".join(key)])

    @cached_property
    def _rows(self) -> list[str]:
        return self._text.split("\n") or [""]

    @cached_property
    def _lines(self) -> dict[tuple[str, ...], int]:
        """Return the line of each field, and of each part of a table."""
        lines: dict[tuple[str, ...], int] = {}
        if self._is_json:
            return lines
        table: tuple[str, ...] = ()
        begun, first, left = "", 0, LINES_CHARS_MAX
        for number, row in enumerate(self._rows, 1):
            begun, first = (f"{begun}\n{row}", first) if begun else (row, number)
            left -= len(begun)
            if left < 0:
                break  # a statement of very many lines: what follows is named without its line
            try:
                statement = _loaded(begun)
            except ValueError:
                continue
            keys = [key for key, _ in _walked(statement)]
            if begun.lstrip().startswith("["):
                table = keys[-1]
                keys = [table[:depth] for depth in range(1, len(table) + 1)]
            else:
                keys = [table + key for key in keys]
            for key in keys:
                lines.setdefault(key, first)
            begun = ""
        return lines


def _loaded(text: str) -> dict[str, Any]:
    return tomllib.loads(text, parse_float=lambda digits: Number(digits.replace("_", "")))


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"“{name[:40]}” stands there twice")
        found[name] = value
    return found


def _walked(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in table.items():
        yield (name,), value
        if isinstance(value, dict):
            yield from ((((name, *below), one)) for below, one in _walked(value))


def _unknown(name: str) -> str:
    if name.replace("_", "-") in TYPED_ONLY.values():
        return f"is no field of the file: type --{name.replace('_', '-')}"
    nearest = difflib.get_close_matches(name, fields(), 1, 0.0)[0]
    return f"is no field of the file; the nearest is {nearest}"


def fill(options: argparse.Namespace) -> None:
    """Put the file's values among the options of ``event create``, where none was typed.

    Raises MalformedInputError: something is wrong with the file, or missing in both.
    """
    file = EventFile.at(options.source)
    take(options, file)
    if "venue" in file.values and "venue" not in file.typed:
        options.chart = file.values["venue"]
        options.venue = beside(options.source, options.chart)
    for name in NAMES:
        if file.values.get(name) and name not in file.typed:
            setattr(options, name, beside(options.source, file.values[name]))
    file.require_needed(options)


def beside(source: str, name: str) -> str:
    """Return the path of a file that the event's file names: it starts from there."""
    return str(Path(source).parent / name)


def take(options: argparse.Namespace, file: EventFile) -> None:
    """Take what was not typed from the file, and note where each value is from."""
    mark(options, file)
    for dest, value in left_of(file).items():
        typed = getattr(options, dest, None)
        setattr(options, dest, [*typed, *value] if dest in _OF_TIERS and typed else value)


def mark(options: argparse.Namespace, file: EventFile) -> None:
    """Note what was typed, and let errors name the file's lines for the rest."""
    typed = {dest for dest, one in vars(options).items() if one is not None and one is not False}
    tiers = {f"{dest} {tier}" for dest in _OF_TIERS for tier, _ in vars(options).get(dest) or ()}
    file.typed = frozenset(typed | tiers)
    options.place = file.place


def left_of(file: EventFile) -> dict[str, Any]:
    """Return the file's values without those in whose place others were typed."""
    gone = {name for typed in _INSTEAD if typed in file.typed for name in _INSTEAD[typed]}
    left = {}
    for dest, value in file.values.items():
        if dest in _OF_TIERS:
            left[dest] = [(tier, one) for tier, one in value if f"{dest} {tier}" not in file.typed]
        elif dest not in file.typed:
            left[dest] = value
    return {dest: value for dest, value in left.items() if dest not in gone}
