"""Write CSV that a spreadsheet opens right: its letters, its numbers, and no formula."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.labels import harmless

if TYPE_CHECKING:
    from typing import TextIO

# Excel reads a file as UTF-8 only if it begins with this.
BYTE_ORDER_MARK = "\ufeff"
# A cell that starts with these would be a formula. Source: OWASP, "CSV Injection".
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+)?")


def csv_writer(file: TextIO) -> Any:
    """Begin a CSV file; returns a ``csv.writer``."""
    file.write(BYTE_ORDER_MARK)
    return csv.writer(file, lineterminator="\n")


def no_formula(cell: str | int) -> str | int:
    """Quote a text that a spreadsheet would reckon with; numbers stay numbers."""
    if not isinstance(cell, str):
        return cell
    text = harmless(cell)
    return f"'{text}" if cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell) else text
