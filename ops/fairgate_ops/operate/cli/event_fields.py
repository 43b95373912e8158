"""The fields of an event's file: the options of ``event create``, read by what reads the options.

A field is called as its option without ``--``. An option that is given for each tier is a table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from fairgate_ops.operate.cli import event_options
from fairgate_ops.operate.cli.kinds import (
    DURATION,
    RATE,
    integer,
    number,
    part,
    rate_bp,
    seconds,
    tau_s,
    whole_s,
)
from fairgate_ops.operate.cli.money import AMOUNT, amount

# What is done once, and is no setting: it can only be typed.
TYPED_ONLY = {"publish": "publish", "sale_starts_in": "sale-starts-in"}


NUMBER_MAX = 10**18


class Number(str):
    """A number with a point as it is written, so that no digit of an amount is lost."""

    __slots__ = ()


class Kind(NamedTuple):
    """How a value is written: in words, in the JSON Schema, and as what TOML reads it."""

    wanted: str
    schema: Mapping[str, Any]
    types: tuple[type, ...]


def _measure(wanted: str, pattern: str) -> Kind:
    schema = {"type": ["string", "number"], "pattern": f"^(?:{pattern})$"}
    return Kind(wanted, schema, (str, int))


_TEXT = Kind("a text in quotes", {"type": "string"}, (str,))
_TIME = Kind('a time in quotes, like "2030-06-01T20:00"', {"type": "string"}, (str, datetime))
_SWITCH = Kind("true or false", {"type": "boolean"}, (bool,))
_AMOUNT = _measure('an amount, like "45.00"', AMOUNT.pattern)
_RATE = _measure('a rate in quotes, like "19%"', RATE.pattern)
_DURATION = _measure('a duration, like "10min" or 600', DURATION.pattern)
_NUMBER = Kind("a number without quotes", {"type": "number"}, (int, Number))
_KINDS: Mapping[object, Kind] = {
    amount: _AMOUNT,
    event_options.tier_price: _AMOUNT,
    rate_bp: _RATE,
    event_options.tier_rate: _RATE,
    seconds: _DURATION,
    whole_s: _DURATION,
    tau_s: _DURATION,
    part: _measure('places or percent, like 200 or "10%"', "[0-9]{1,7}%?"),
    integer: Kind("a whole number without quotes", {"type": "integer"}, (int, Number)),
    event_options.translations: Kind(
        "a table of languages: [translations.de]",
        {"type": "object", "additionalProperties": {"type": "object"}},
        (dict,),
    ),
    number: _NUMBER,
    float: _NUMBER,
}
_NAMES = {bool: "true or false", Number: "a number", str: "a text", int: "a number"}


class Field(NamedTuple):
    """A field of the file, and the option that it stands for."""

    name: str
    action: argparse.Action

    @property
    def dest(self) -> str:
        return self.action.dest

    @property
    def of_tiers(self) -> bool:
        return self._repeats and "=" in str(self.action.metavar)

    @property
    def is_list(self) -> bool:
        return self.action.nargs == "*" or (self._repeats and not self.of_tiers)

    @property
    def _repeats(self) -> bool:
        return isinstance(self.action, argparse._AppendAction)  # noqa: SLF001 argparse names it nowhere else

    @property
    def is_time(self) -> bool:
        return self.action.metavar == "TIME"

    @property
    def kind(self) -> Kind:
        if self.action.nargs == 0:
            return _SWITCH
        if self.action.choices is not None:
            listed = list(self.action.choices)
            return Kind(" or ".join(map(json.dumps, listed)), {"enum": listed}, (str,))
        reads = getattr(self.action.type, "func", self.action.type)  # of what bounds it
        return _TIME if self.is_time else _KINDS.get(reads, _TEXT)

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema."""
        schema = dict(self.kind.schema)
        if self.of_tiers:
            schema = {"type": "object", "additionalProperties": schema}
        elif self.is_list:
            schema = {"type": "array", "items": schema}
        elif isinstance(count := self.action.nargs, int) and count:
            schema = {"type": "array", "items": schema, "minItems": count, "maxItems": count}
        text = (self.action.help or "").replace("%%", "%")
        return {"description": text, **schema} if text else schema

    def read(self, value: object) -> Iterator[tuple[str, Any]]:
        """Read what TOML read: each part of it with its tier; else one with "".

        A part that is wrong is an ArgumentTypeError that says why.
        """
        count = self.action.nargs
        if self.of_tiers:
            if not isinstance(value, Mapping):
                what = f"must be a table: [{self.name}], below it a line for each tier: floor = …"
                yield "", argparse.ArgumentTypeError(what)
                return
            yield from ((tier, self._part(one, f"{tier}=")) for tier, one in value.items())
        elif isinstance(count, int) and count:
            if not isinstance(value, list) or len(value) != count:
                what = f"must be {count} in brackets, like {self.name} = [2, 60]"
                yield "", argparse.ArgumentTypeError(what)
                return
            parts = [self._part(one) for one in value]
            wrong = [one for one in parts if isinstance(one, argparse.ArgumentTypeError)]
            yield "", wrong[0] if wrong else parts
        else:
            yield "", self._part(value)

    def _part(self, value: object, before: str = "") -> Any:
        """Read one value as the parser reads the option's."""
        kind = self.kind
        if type(value) not in kind.types and not (type(value) is Number and int in kind.types):
            is_what = _NAMES.get(type(value), "something else")
            return argparse.ArgumentTypeError(f"must be {kind.wanted}, not {is_what}")
        if kind is _SWITCH:
            return value
        if type(value) is int and abs(value) >= NUMBER_MAX:
            return argparse.ArgumentTypeError("has too many digits")
        text = value.isoformat() if isinstance(value, datetime) else str(value)
        if isinstance(value, dict):
            text = json.dumps(value, default=str)
        if self.is_time:
            text = text.replace("+00:00", "Z")
        reads = self.action.type
        try:
            found = reads(before + text) if callable(reads) else text
        except argparse.ArgumentTypeError as error:
            return error
        except (TypeError, ValueError):
            found = None
        if found is None or (self.action.choices is not None and found not in self.action.choices):
            return argparse.ArgumentTypeError(f"{text!r} is not {kind.wanted}")
        return found


@cache
def fields() -> Mapping[str, Field]:
    """Return the fields by their names, in the order of the command's help."""
    parser = argparse.ArgumentParser(add_help=False)
    event_options.add_options(parser)
    found = {}
    for action in parser._actions:  # noqa: SLF001 argparse has no other way to walk a parser
        if action.dest not in TYPED_ONLY:
            name = next(iter(action.option_strings), "").removeprefix("--")
            found[name or action.dest] = Field(name or action.dest, action)
    return found


def defaults() -> dict[str, Any]:
    """Return what ``event create`` takes where nothing is typed."""
    parser = argparse.ArgumentParser(add_help=False)
    event_options.add_options(parser)
    pairs = ((action.dest, action.default) for action in parser._actions)  # noqa: SLF001 the same
    return {dest: value for dest, value in pairs if value != argparse.SUPPRESS}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An event of Fairgate",
        "description": "What `fairgate event create --from` reads. To create an event, these are"
        " needed, here or typed: event, venue, name, sale-starts-at. `make reference` writes this.",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: field.schema() for name, field in fields().items()},
    }
