"""Write how each order of a cancelled event stands, line by line, and add it up."""

from __future__ import annotations

import io
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from fairgate.domain.shared.session import LIVE_STATES
from fairgate.errors import MalformedInputError
from fairgate.ports.record import DamagedItemError
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Session
from fairgate_ops.operate.cancel_event.books import COLUMNS, Totals, row_of
from fairgate_ops.shared.spreadsheet import cells_of, csv_writer
from fairgate_ops.shared.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fairgate.ports.record import Key
    from fairgate_ops.operate.cancel_event.books import Row
    from fairgate_ops.operate.cancel_event.give_all_back import AllGiver

    Write = Callable[[Row], None]


@contextmanager
def report_to(path: Path | None) -> Iterator[Write]:
    """Take rows for a file: ``.csv`` for spreadsheets, else a JSON object a line.

    It appears under its name once it is whole; only its owner may read it, as it has addresses.

    Raises MalformedInputError: it cannot be written there. Where there is no room for a row, once
    the block is done, so that what gives money back and adds it up does not break off.
    """
    if path is None:
        yield lambda _row: None
        return
    refused: list[MalformedInputError] = []
    with whole_file(path, mode=0o600) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        write = _as_csv(text) if path.suffix == ".csv" else _as_lines(text)

        def write_while_possible(row: Row) -> None:
            try:
                if not refused:
                    write(row)
            except MalformedInputError as error:
                refused.append(error)

        yield write_while_possible
        if refused:
            raise refused[0]
        text.flush()


def reckoned(
    giver: AllGiver,
    found: Iterator[Order | Session | Key],
    write: Write = lambda _row: None,
    step: Callable[[], object] = lambda: None,
) -> tuple[Totals, list[Row]]:
    """Write a row an order, and return their sums and the rows that need a person.

    Cost: a query an order that is no longer pending.
    """
    totals, people = Totals(), []
    for one in found:
        step()
        if isinstance(one, Session):
            totals.open_sessions += one.state in LIVE_STATES
        elif isinstance(one, Order):
            try:
                row = row_of(one, () if one.state == "pending" else giver.refunds(one))
            except DamagedItemError:
                totals.damaged.append(one.order_id)
                continue
            totals.add(row)
            write(row)
            if row.for_a_person:
                people.append(row)
        else:
            totals.damaged.append(f"{one.pk} {one.sk}")
    return totals, people


def _as_lines(file: TextIO) -> Write:
    def write(row: Row) -> None:
        file.write(json.dumps(row.as_json(), ensure_ascii=False) + "\n")

    return write


def _as_csv(file: TextIO) -> Write:
    writer = csv_writer(file)
    columns = [name.removesuffix("_minor") for name in (*COLUMNS, "for_a_person")]
    writer.writerow(columns)

    def write(row: Row) -> None:
        texts = {"refunds": " ".join(row.refunds), "for_a_person": row.for_a_person}
        writer.writerow(cells_of(row.as_json() | texts, columns))

    return write
