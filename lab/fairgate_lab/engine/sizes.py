"""Size items as DynamoDB does, and refuse numbers that it does not hold.

Source: DynamoDB Developer Guide, "DynamoDB item sizes and formats" and "Quotas".
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from fairgate_lab.engine.refusals import invalid

ITEM_BYTES_MAX = 400 * 1024
TRANSACTION_BYTES_MAX = 4 * 1024**2
PAGE_BYTES_MAX = 1024**2
_DIGITS_MAX = 38
_MAGNITUDE_MIN, _MAGNITUDE_MAX = -130, 125
_FLAGS = ("BOOL", "NULL")


def item_bytes(item: Mapping[str, Mapping[str, Any]]) -> int:
    """Size an item in DynamoDB's typed JSON: its names and its values."""
    return sum(len(name.encode()) + _value_bytes(value) for name, value in item.items())


def written_bytes(item: Mapping[str, Mapping[str, Any]]) -> int:
    """Size an item that is to be written, and refuse it if it is too large."""
    size = item_bytes(item)
    if size > ITEM_BYTES_MAX:
        invalid("Item size has exceeded the maximum allowed size")
    return size


@lru_cache(maxsize=4096)
def number_bytes(text: str) -> int:
    """Size a number, and refuse what DynamoDB does not hold as one."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        invalid(f"The parameter cannot be converted to a numeric value: {text}")
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    fits = not digits or _MAGNITUDE_MIN <= number.adjusted() <= _MAGNITUDE_MAX
    if not (fits and number.is_finite() and len(digits) <= _DIGITS_MAX):
        invalid(f"DynamoDB does not hold such a number: {text}")
    return (len(digits) + 1) // 2 + 1


def _value_bytes(value: Mapping[str, Any]) -> int:
    ((kind, held),) = value.items()
    if kind == "S":
        return len(held.encode())
    if kind == "N":
        return number_bytes(held)
    if kind in _FLAGS:
        return 1
    if kind == "M":
        return 3 + len(held) + item_bytes(held)
    if kind == "L":
        return 3 + len(held) + sum(map(_value_bytes, held))
    return sum(map(len, held)) if kind in ("SS", "NS", "BS") else len(held)
