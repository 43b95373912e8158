"""Write cells that a spreadsheet shows and does not reckon with."""

from __future__ import annotations

# A cell that starts with these would be a formula in a spreadsheet. Source: OWASP,
# "CSV Injection".
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def no_formula(cell: str | int) -> str | int:
    """Quote a text that a spreadsheet would reckon with; numbers are ours."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
