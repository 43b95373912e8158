"""Convert plain Python values ↔ DynamoDB's typed JSON, without boto3 and without Decimal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def to_typed(value: Any) -> dict[str, Any]:
    """Convert a value. Raises TypeError for what the tables never hold."""
    match value:
        case str():
            return {"S": value}
        case bool():
            return {"BOOL": value}
        case int() | float():
            return {"N": repr(value)}
        case None:
            return {"NULL": True}
        case list() | tuple():
            return {"L": [to_typed(v) for v in value]}
        case Mapping():
            return {"M": to_item(value)}
        case _:
            raise TypeError(f"no DynamoDB type for {type(value).__name__}")


def from_typed(typed: Mapping[str, Any]) -> Any:
    ((kind, value),) = typed.items()
    match kind:
        case "S" | "BOOL":
            return value
        case "N":
            return _number(value)
        case "NULL":
            return None
        case "L":
            return [from_typed(v) for v in value]
        case "M":
            return from_item(value)
        case _:
            raise TypeError(f"the tables hold no DynamoDB type {kind}")


def to_item(item: Mapping[str, Any], mark: str = "") -> dict[str, Any]:
    """Convert each value; ``mark`` goes before its name."""
    # Most attributes are text: asked here, that spares a call for each.
    return {
        mark + name: {"S": value} if type(value) is str else to_typed(value)
        for name, value in item.items()
    }


def from_item(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: from_typed(value) for name, value in item.items()}


def read_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an item whatever it holds: an attribute of a type that the tables never hold stays as
    it is. A record that lists it refuses it as damaged; the other items of a page are still read.
    """
    try:
        return from_item(item)
    except TypeError:
        return {name: _known(typed) for name, typed in item.items()}


def _known(typed: Mapping[str, Any]) -> Any:
    try:
        return from_typed(typed)
    except TypeError:
        return typed


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
