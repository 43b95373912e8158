"""The names in an answer's shape: of a model, and as docs/api.md writes them."""

from __future__ import annotations

import re
from typing import Any

import msgspec

# ``Hold``, ``"seat"``, ``<id>``, ``hold_limit``, ``quantity?`` and what groups them.
_TOKEN = re.compile(r'"[^"]*"|<\w+>|\w+\??|[{}\[\]:,|+]')


def conforms(body: Any, model: Any) -> bool:
    """Whether a JSON value is exactly what one of the model's answers is: no name more or less.

    Raises msgspec.ValidationError for a name that is missing and a value of another type.
    """
    read = msgspec.convert(body, model)
    return bool(msgspec.to_builtins(read) == body)


def fits(body: Any, model: Any) -> bool:
    """As ``conforms``; False for a value that is none of the model's at all."""
    try:
        return conforms(body, model)
    except msgspec.ValidationError:
        return False


def names_of(model: Any, known: dict[str, type]) -> set[str]:
    """``tiers.id``, ``quantity?`` (may be absent). Stops at models that have a name of their own.

    Lists and maps add nothing to a name.
    """
    return _names(msgspec.inspect.type_info(model), {k.__name__ for k in known.values()}, top=True)


def _names(kind: Any, known: set[str], *, top: bool = False) -> set[str]:
    if isinstance(kind, msgspec.inspect.StructType):
        if kind.cls.__name__ in known and not top:
            return set()
        found = {kind.tag_field} if kind.tag_field else set()
        for field in kind.fields:
            name = field.encode_name + ("" if field.required else "?")
            inner = _names(field.type, known)
            found |= {name} | {f"{name}.{deeper}" for deeper in inner}
        return found
    if isinstance(kind, msgspec.inspect.UnionType):
        return {name for part in kind.types for name in _names(part, known, top=top)}
    if isinstance(kind, msgspec.inspect.ListType):
        return _names(kind.item_type, known)
    if isinstance(kind, msgspec.inspect.DictType):
        return _names(kind.value_type, known)
    return set()


def documented(text: str) -> set[str]:
    """The names in ``{event, tiers: [{id, name}], order?: Order} | {…}``, in ``[seat, status]``."""
    if text.startswith("["):
        return set(re.findall(r"\w+", text))
    found: set[str] = set()
    path: list[str] = []
    last, is_name = "", True
    for token in _TOKEN.findall(text):
        if token == "{":
            path.append(last)
            last, is_name = "", True
        elif token == "}":
            last, is_name = path.pop() if path else "", False
        elif token == ",":
            last, is_name = "", True
        elif token == ":":
            is_name = False
        elif path and is_name and re.fullmatch(r"\w+\??", token):
            last, is_name = token, False
            found.add(".".join([p for p in path if p] + [token]))
    return found
