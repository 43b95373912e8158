"""Show reports at a terminal, with tables and colours. ``NO_COLOR`` is honoured.

Imported only where something is shown to a terminal: Rich takes longer than a command's help.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import JustifyMethod

WHOLE_CHARS_MAX = 36  # times, ids and figures up to this length are not broken; sentences are


class Terminal:
    """Standard output, or standard error."""

    def __init__(self, *, stderr: bool = False) -> None:
        self._console = Console(stderr=stderr, highlight=False)

    def line(self, text: str, style: str = "") -> None:
        """Print a line unbroken, so that it can be copied whole."""
        self._console.print(Text(text, style=style), soft_wrap=True)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Print the rows under their columns; nothing where there are none."""
        if not rows:
            return
        table = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False)
        for column, cells in zip(columns, zip(*rows, strict=True), strict=True):
            numbers = all(cell.replace(",", "").isdecimal() for cell in cells)
            whole = all(len(cell) <= WHOLE_CHARS_MAX and " " not in cell for cell in cells)
            justify: JustifyMethod = "right" if numbers else "left"
            table.add_column(column, justify=justify, overflow="fold", no_wrap=whole)
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        self._console.print(table)
