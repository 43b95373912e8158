"""Rows are written while a check holds, and what the table is too busy for is asked for again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from fairgate.adapters.dynamodb.guarded_writer import ROUNDS_MAX, GuardedWriter
from fairgate.errors import DependencyUnavailableError, TableUnavailableError
from fairgate.ports.table import Action, Check, TransactionRefusedError
from fairgate.service.catalog.creation_run import CreationRun
from fairgate.service.catalog.event_rows import seat_records
from fairgate.service.shared.keys import seat_key
from fairgate_ops.operate.importers.demo import demo_venue
from tests.support.world import EVENT, NAMES, World

RUN = CreationRun("gala", "ours")


class BusyTable:
    """A table that is too busy for the first calls."""

    def __init__(self, busy: int) -> None:
        self.busy, self.written = busy, 0

    def transact(self, actions: Sequence[Action], _token: str | None = None) -> None:
        if self.busy:
            self.busy -= 1
            raise TableUnavailableError("busy")
        self.written += len(actions)


class SilentClient:
    """A client whose first scans get no answer."""

    def __init__(self, silent: int) -> None:
        self.silent = silent

    def scan(self, **_request: object) -> dict[str, object]:
        if self.silent:
            self.silent -= 1
            raise ReadTimeoutError(endpoint_url="dynamodb")
        return {"Items": []}


def writer(table: object, world: World, check: Check = RUN.is_ours) -> GuardedWriter:
    return GuardedWriter(
        table,  # type: ignore[arg-type]
        lambda: world.client,
        NAMES,
        check,
        sleep=lambda _s: None,
    )


def test_a_busy_table_is_asked_again_and_at_last_given_up(world: World) -> None:
    seats = list(seat_records("gala", demo_venue(80), "now"))
    busy = BusyTable(ROUNDS_MAX - 1)
    writer(busy, world).put_many(seats)
    assert busy.written == len(seats) + 1
    with pytest.raises(DependencyUnavailableError, match="run the command again"):
        writer(BusyTable(ROUNDS_MAX), world).put_many(seats)


def test_a_scan_without_an_answer_is_made_again_and_at_last_given_up() -> None:
    def removed(silent: int) -> int:
        client = SilentClient(silent)
        table: Any = BusyTable(0)
        return GuardedWriter(
            table, lambda: client, NAMES, RUN.is_ours, sleep=lambda _s: None
        ).remove_others("gala", [])

    assert removed(ROUNDS_MAX - 1) == 0
    with pytest.raises(DependencyUnavailableError, match="run the command again"):
        removed(ROUNDS_MAX)


def test_nothing_is_written_or_removed_once_another_run_has_begun(world: World) -> None:
    RUN.begin(world.table, None, "ann@desk", 0)
    seats = list(seat_records("gala", demo_venue(80), "now"))
    writer(world.table, world).put_many(seats)
    theirs = CreationRun("gala", "theirs")
    with pytest.raises(TransactionRefusedError):
        writer(world.table, world, theirs.is_ours).put_many(seats)
    with pytest.raises(TransactionRefusedError):
        writer(world.table, world, theirs.is_ours).remove_others("gala", [])
    assert world.item("seats", seats[0].key) is not None
    assert writer(world.table, world).remove_others("gala", [seat.key for seat in seats[1:]]) == 1
    assert world.item("seats", seats[0].key) is None
    assert world.item("seats", seat_key("gala", seats[1].seat_id)) is not None


def test_a_damaged_seat_of_another_event_stops_no_removal(world: World) -> None:
    RUN.begin(world.table, None, "ann@desk", 0)
    world.spoil("seats", seat_key(EVENT, world.seat_ids[0]), rowId={"SS": ["1"]})
    (left, *_) = seat_records("gala", demo_venue(80), "now")
    world.put(left)
    assert writer(world.table, world).remove_others("gala", set()) == 1
    assert world.item("seats", left.key) is None
