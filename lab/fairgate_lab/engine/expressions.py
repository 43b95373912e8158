"""Evaluate DynamoDB's condition and update expressions over typed items, compiled once each.

The part of the language that a sale needs, and a refusal of the rest: nothing is guessed.
Names are aliases, but for the few that are known to be no reserved word.
``lab/tests/simulation/test_sale_engine.py`` compares it with moto's own evaluation.
Source: DynamoDB Developer Guide, "Condition and filter expressions, operators, and functions" and
"Update expressions".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from typing import Any

from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK

Typed = Mapping[str, Any]
Item = Mapping[str, Any]
Names = Mapping[str, str]
Values = Mapping[str, Typed]
Condition = Callable[[Item, Names, Values], bool]
Operand = Callable[[Item, Names, Values], Typed | None]

_TOKEN = re.compile(r"\s*(?:([#:]?[A-Za-z_]\w*)|(<>|<=|>=|[=<>(),+-]))")
_COMPARATORS = ("=", "<>", "<", "<=", ">", ">=")
_ORDERED = frozenset({"S", "N", "B"})
_TYPES = frozenset({"S", "SS", "N", "NS", "B", "BS", "BOOL", "NULL", "L", "M"})
_EXACT = Context(prec=300)  # numbers lie between 1e-130 and 1e126
_CLAUSES = ("SET", "REMOVE", "ADD")
_BARE = frozenset({PK, SK, GSI1PK, GSI1SK, "eventId"})  # none is a reserved word


class ExpressionError(ValueError):
    """Reports what DynamoDB would answer with ValidationException, or what is unknown here."""


@dataclass(frozen=True)
class Change:
    """An assignment of an update: what an attribute becomes, or that it goes."""

    name: str  # as written, perhaps an alias
    value: Operand | None  # None removes it


@lru_cache(maxsize=4096)
def condition(text: str) -> Condition:
    """Compile a ConditionExpression or KeyConditionExpression. Raises ExpressionError."""
    parser = _Parser(text)
    compiled = parser.either()
    parser.end()
    return compiled


@lru_cache(maxsize=4096)
def update(text: str) -> Sequence[Change]:
    """Compile an UpdateExpression. Raises ExpressionError."""
    parser = _Parser(text)
    changes: list[Change] = []
    seen: set[str] = set()
    while (word := parser.peek()) is not None:
        clause = word.upper()
        if clause not in _CLAUSES or clause in seen:
            raise ExpressionError(f"no clause {word!r} here: {text}")
        seen.add(clause)
        parser.next()
        changes += parser.changes(clause)
    if not changes:
        raise ExpressionError("an empty update expression")
    return changes


@lru_cache(maxsize=4096)
def placeholders(*texts: str) -> frozenset[str]:
    """List every ``#name`` and ``:value`` that the expressions use."""
    return frozenset(re.findall(r"[#:]\w+", " ".join(texts)))


def resolved(name: str, names: Names) -> str:
    if not name.startswith("#"):
        return name
    try:
        return names[name]
    except KeyError:
        raise ExpressionError(f"an expression attribute name is not defined: {name}") from None


def number(typed: Typed) -> int | Decimal:
    text = str(typed["N"])
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[str] = []
        position, text = 0, text.rstrip()
        while position < len(text):
            token = _TOKEN.match(text, position)
            if token is None:
                raise ExpressionError(f"cannot read {text[position:]!r} in {text!r}")
            self._tokens.append(token[1] or token[2])
            position = token.end()
        self._at = 0
        self._group = (-1, -1)  # the last parentheses: first token, and the one behind them

    def peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def next(self, wanted: str | None = None) -> str:
        token = self.peek()
        if token is None or (wanted is not None and token.upper() != wanted):
            raise ExpressionError(f"expected {wanted or 'more'}, found {token!r}: {self._text}")
        self._at += 1
        return token

    def end(self) -> None:
        if self.peek() is not None:
            raise ExpressionError(f"{self.peek()!r} is left over: {self._text}")

    def _word(self, *words: str) -> bool:
        token = self.peek()
        return token is not None and token.upper() in words

    # --- conditions, loosest binding first

    def either(self) -> Condition:
        parts = [self._both()]
        while self._word("OR"):
            self.next()
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else _any(parts)

    def _both(self) -> Condition:
        parts = [self._not()]
        while self._word("AND"):
            self.next()
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else _all(parts)

    def _not(self) -> Condition:
        if not self._word("NOT"):
            return self._atom()
        self.next()
        inner = self._not()
        return lambda item, names, values: not inner(item, names, values)

    def _atom(self) -> Condition:
        if self.peek() == "(":
            opened = self._at
            self.next()
            inner = self.either()
            if self._group == (opened + 1, self._at):
                raise ExpressionError(f"redundant parentheses: {self._text}")
            self.next(")")
            self._group = (opened, self._at)
            return inner
        following = self._tokens[self._at + 1] if self._at + 1 < len(self._tokens) else None
        if following == "(" and not self._word("SIZE"):
            return self._function(self.next())
        left = self._operand()
        if self._word("BETWEEN"):
            self.next()
            low = self._operand()
            self.next("AND")
            return _between(left, low, self._operand())
        comparator = self.next()
        if comparator not in _COMPARATORS:
            raise ExpressionError(f"{comparator!r} is no comparator: {self._text}")
        return _compared(left, comparator, self._operand())

    def _function(self, name: str) -> Condition:
        self.next("(")
        if name in ("attribute_exists", "attribute_not_exists"):
            path = self._name(self.next())
            self.next(")")
            wanted = name == "attribute_exists"
            return lambda item, names, _values: (resolved(path, names) in item) is wanted
        if name not in _FUNCTIONS:
            raise ExpressionError(f"the function {name} is not supported: {self._text}")
        left = self._operand()
        self.next(",")
        right = self._operand()
        self.next(")")
        return _FUNCTIONS[name](left, right)

    # --- updates

    def changes(self, clause: str) -> list[Change]:
        assignments = [self._change(clause)]
        while self.peek() == ",":
            self.next()
            assignments.append(self._change(clause))
        return assignments

    def _change(self, clause: str) -> Change:
        name = self._name(self.next())
        if clause == "REMOVE":
            return Change(name, None)
        if clause == "ADD":
            return Change(name, _added(_path(name), self._operand()))
        self.next("=")
        value = self._operand()
        while self.peek() in ("+", "-"):
            sign = 1 if self.next() == "+" else -1
            value = _sum(value, self._operand(), sign)
        return Change(name, value)

    def _operand(self) -> Operand:
        token = self.next()
        if self.peek() == "(":
            return self._value_function(token)
        if token.startswith(":"):
            return _value(token)
        return _path(self._name(token))

    def _name(self, token: str) -> str:
        """Take an alias: a bare name may be a word that DynamoDB reserves."""
        if not (token.startswith("#") or token in _BARE):
            raise ExpressionError(f"{token!r} is no alias of an attribute: {self._text}")
        return token

    def _value_function(self, name: str) -> Operand:
        self.next("(")
        first = self._operand()
        if name == "size":
            self.next(")")
            return _size(first)
        self.next(",")
        second = self._operand()
        self.next(")")
        if name == "if_not_exists":
            return lambda i, n, v: first(i, n, v) or second(i, n, v)
        if name == "list_append":
            return _appended(first, second)
        raise ExpressionError(f"the function {name} is not supported: {self._text}")


def _any(parts: Sequence[Condition]) -> Condition:
    return lambda item, names, values: any(part(item, names, values) for part in parts)


def _all(parts: Sequence[Condition]) -> Condition:
    return lambda item, names, values: all(part(item, names, values) for part in parts)


def _value(name: str) -> Operand:
    def read(_item: Item, _names: Names, values: Values) -> Typed:
        try:
            return values[name]
        except KeyError:
            raise ExpressionError(f"an expression attribute value is not defined: {name}") from None

    return read


def _path(name: str) -> Operand:
    return lambda item, names, _values: item.get(resolved(name, names))


def _kind(typed: Typed) -> str:
    return next(iter(typed))


def _ordered(comparator: str, left: Typed, right: Typed) -> bool:
    kind = _kind(left)
    if kind != _kind(right) or kind not in _ORDERED:
        return False
    a, b = (number(left), number(right)) if kind == "N" else (left[kind], right[kind])
    match comparator:
        case "<":
            return bool(a < b)
        case "<=":
            return bool(a <= b)
        case ">":
            return bool(a > b)
        case _:
            return bool(a >= b)


def equal(left: Typed | None, right: Typed | None) -> bool:
    if left is None or right is None:
        return False
    if "N" in left and "N" in right:
        return number(left) == number(right)
    return left == right


def _compared(left: Operand, comparator: str, right: Operand) -> Condition:
    def compare(item: Item, names: Names, values: Values) -> bool:
        a, b = left(item, names, values), right(item, names, values)
        if comparator == "=":
            return equal(a, b)
        if comparator == "<>":
            return not equal(a, b)
        return a is not None and b is not None and _ordered(comparator, a, b)

    return compare


def _between(subject: Operand, low: Operand, high: Operand) -> Condition:
    at_least, at_most = _compared(subject, ">=", low), _compared(subject, "<=", high)
    return _all([at_least, at_most])


def _begins(left: Operand, right: Operand) -> Condition:
    def begins(item: Item, names: Names, values: Values) -> bool:
        a, b = left(item, names, values), right(item, names, values)
        if b is not None and "S" not in b:
            raise ExpressionError("an operand of begins_with is not a string")
        return a is not None and b is not None and "S" in a and str(a["S"]).startswith(b["S"])

    return begins


def _contains(left: Operand, right: Operand) -> Condition:
    def contains(item: Item, names: Names, values: Values) -> bool:
        a, b = left(item, names, values), right(item, names, values)
        if a is None or b is None:
            return False
        if "S" in a:
            return "S" in b and b["S"] in a["S"]
        return "L" in a and any(equal(member, b) for member in a["L"])

    return contains


def _typed(left: Operand, right: Operand) -> Condition:
    def typed(item: Item, names: Names, values: Values) -> bool:
        a, b = left(item, names, values), right(item, names, values)
        if b is None or b.get("S") not in _TYPES:
            raise ExpressionError("attribute_type asks for a type by its name")
        return a is not None and _kind(a) == b["S"]

    return typed


_FUNCTIONS = {"attribute_type": _typed, "begins_with": _begins, "contains": _contains}


def _size(of: Operand) -> Operand:
    def size(item: Item, names: Names, values: Values) -> Typed | None:
        typed = of(item, names, values)
        if typed is None or _kind(typed) not in ("S", "L", "M"):
            return None
        return {"N": str(len(typed[_kind(typed)]))}

    return size


def _sum(left: Operand, right: Operand, sign: int) -> Operand:
    def add(item: Item, names: Names, values: Values) -> Typed:
        a, b = left(item, names, values), right(item, names, values)
        if a is None or b is None or "N" not in a or "N" not in b:
            raise ExpressionError("An operand in the update expression has an incorrect data type")
        return {"N": str(_total(number(a), number(b), sign))}

    return add


def _total(a: int | Decimal, b: int | Decimal, sign: int) -> int | Decimal:
    """Reckon exactly: Python's decimals round to 28 digits, and DynamoDB holds 38."""
    if isinstance(a, int) and isinstance(b, int):
        return a + sign * b
    return _EXACT.add(Decimal(a), _EXACT.multiply(sign, b))


def _added(path: Operand, amount: Operand) -> Operand:
    return _sum(lambda i, n, v: path(i, n, v) or {"N": "0"}, amount, 1)


def _appended(first: Operand, second: Operand) -> Operand:
    def append(item: Item, names: Names, values: Values) -> Typed:
        a, b = first(item, names, values), second(item, names, values)
        if a is None or b is None or "L" not in a or "L" not in b:
            raise ExpressionError("an operand of list_append is not a list")
        return {"L": [*a["L"], *b["L"]]}

    return append
