"""Write lists of an event as files for spreadsheets: what a job does, and `--csv` says."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from fairgate_ops.operate.cli import books, books_balance, order_list
from fairgate_ops.operate.cli.record_stream import RecordStream
from fairgate_ops.operate.cli.report import Report, Spoken

_ALL = {"email": None, "state": None, "find": None, "since": None}  # options of the lists


def run_orders(options: argparse.Namespace) -> Report:
    return _written(options, order_list.run_list)


def run_ledger(options: argparse.Namespace) -> Report:
    return _written(options, books.run_ledger)


def run_movements(options: argparse.Namespace) -> Report:
    """Of the whole account."""
    return _written(options, books_balance.run_movements)


def _written(options: argparse.Namespace, run: Callable[[argparse.Namespace], Spoken]) -> Report:
    """Write all of a list, as it is read, into ``options.to``."""
    found = run(argparse.Namespace(**{**_ALL, **vars(options)}))
    if not isinstance(found, RecordStream):
        raise TypeError("This is no list of records.")
    return Report({}, ["The file can be made."]) if options.dry_run else found.write(options.to)
