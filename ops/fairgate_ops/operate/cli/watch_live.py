"""Draw what is watched at a terminal, in place. Rich is imported here and nowhere before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NoReturn

from rich.columns import Columns
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fairgate_ops.operate.cli.watch_lines import Line, around_lines, event_lines, head_of
from fairgate_ops.operate.watch.screen import EVERY_S

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from fairgate_ops.operate.watch.screen import Watched

BESIDE = 150  # columns, from which on two events stand side by side
_STYLES = {"": "", "good": "green", "bad": "bold red", "warn": "yellow"}


def go_on(watched: Watched, options: argparse.Namespace) -> NoReturn:
    """Redraw each two seconds, until KeyboardInterrupt."""
    console = Console(highlight=False)
    with Live(console=console, auto_refresh=False, screen=console.is_terminal) as live:
        while True:
            live.update(drawn(watched.document(), options, console.width), refresh=True)
            time.sleep(EVERY_S)
            watched.ask()


def show_once(document: Mapping[str, Any], options: argparse.Namespace) -> None:
    console = Console(highlight=False)
    console.print(drawn(document, options, console.width))


def drawn(document: Mapping[str, Any], options: argparse.Namespace, width: int) -> RenderableType:
    """Lay the events out: one below the other, or two side by side where there is room."""
    events = document["events"]
    panels = [
        Panel(_rows(event_lines(event, document["at"], options)), title=Text(head_of(event)))
        for event in events
    ]
    around = Panel(_rows(around_lines(document, options)), title=Text(f"at {document['at']}"))
    if not events:
        none = Text("There is no event that is not closed: `fairgate event create`.")
        return Group(none, around)
    if width < BESIDE or len(panels) == 1:
        return Group(*panels, around)
    return Group(Columns(panels, width=(width - 1) // 2, padding=(0, 1)), around)


def _rows(lines: Sequence[Line]) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for line in lines:
        table.add_row(line.label, Text(line.text, style=_STYLES[line.tone]))
    return table
