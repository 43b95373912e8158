"""Write CSV that a spreadsheet opens right: letters, numbers, amounts, and no formula."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.amount_text import amount_text
from fairgate.domain.shared.labels import harmless

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TextIO

# Excel reads a file as UTF-8 only if it begins with this.
BYTE_ORDER_MARK = "\ufeff"
# What starts with these would be a formula, in some locales in full width, too. Where lists have
# semicolons, as in German, a cell also starts behind one, and a row behind each line's end.
# Source: OWASP, "CSV Injection".
_SIGNS = r"=+\-@\uff1d\uff0b\uff0d\uff20"
_FORMULA = re.compile(rf"^(?=[\t\r\n])|(?:^|(?<=[;\t\r\n]))(?=[\s\"]*[{_SIGNS}])")
_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+)?")


def csv_writer(file: TextIO) -> Any:
    """Begin a CSV file; returns a ``csv.writer``."""
    file.write(BYTE_ORDER_MARK)
    return csv.writer(file, lineterminator="\n")


def cells_of(document: Mapping[str, Any], columns: Iterable[str]) -> list[str | int]:
    """Return a cell for each column, none of them a formula.

    The column ``total`` is the field ``total_minor`` with the decimals of the ``currency``.
    """
    currency = str(document["currency"])
    return [
        decimal_text(document[f"{column}_minor"], currency)
        if f"{column}_minor" in document
        else no_formula(document[column])
        for column in columns
    ]


def decimal_text(minor: int, currency: str) -> str:
    """Return ``-1234.50`` for −123,450 cents: a number for every program."""
    return amount_text(minor, currency).replace(",", "")


def no_formula(cell: str | int) -> str | int:
    """Quote in a text what a spreadsheet would reckon with; numbers stay numbers."""
    if not isinstance(cell, str):
        return cell
    return harmless(cell if _NUMBER.fullmatch(cell) else _FORMULA.sub("'", cell))
