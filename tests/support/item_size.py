"""How long an item is, as DynamoDB counts. Source: Developer Guide, item sizes and formats."""

from __future__ import annotations

from typing import Any

READ_UNIT_BYTES = 4096  # read strongly; Developer Guide, read and write operations
WRITE_UNIT_BYTES = 1024


def size_of(typed: dict[str, Any]) -> int:
    """Count an item, or a map in it, with its names. A number is taken a byte too long at most."""
    return sum(len(name.encode()) + _size(value) for name, value in typed.items())


def _size(value: dict[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "N":
            return len(content.lstrip("-").replace(".", "")) // 2 + 2
        case "M":
            return 3 + len(content) + size_of(content)
        case "L":
            return 3 + len(content) + sum(_size(entry) for entry in content)
        case _:
            return 1
