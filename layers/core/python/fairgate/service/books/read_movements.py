"""Read the entered movements by day, payouts and their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.service.books.import_movements import DAY_MS, TOGETHER
from fairgate.service.shared.movement_keys import PAYOUTS, movements_of_day, payout_part_key
from fairgate.service.shared.readable import Readable, find_many_readable, read_readable
from fairgate.service.shared.records.movements import MovementRecord, PayoutPart, PayoutStep

if TYPE_CHECKING:
    from fairgate.ports.record import Key
    from fairgate.ports.table import Table


def read_movements(
    table: Table, since_ms: int, until_ms: int, after: str = ""
) -> Iterator[Readable[MovementRecord]]:
    """Read the movements of these days, the oldest day first, a hundred at a time.

    Args:
        after: begin behind this ``Readable.after``, which each part has.

    Cost: a query for each day and megabyte; keeps a day in memory.
    """
    behind = after.partition("#")[::2]
    if after:
        since_ms = max(since_ms, epoch_ms(behind[0]))
    for day_ms in range(since_ms // DAY_MS * DAY_MS, until_ms, DAY_MS):
        read = read_readable(table, MovementRecord, movements_of_day(rfc3339(day_ms)))
        inside = [
            one
            for one in sorted(read.records, key=lambda one: (one.at, one.movement_id))
            if rfc3339(since_ms) <= one.at < rfc3339(until_ms)
            and (one.at, one.movement_id) > behind
        ]
        damaged: Sequence[Key] = read.damaged
        next_day = rfc3339(day_ms + DAY_MS)
        for start in range(0, max(len(inside), len(damaged) and 1), TOGETHER):
            part = inside[start : start + TOGETHER]
            at, name = (part[-1].at, part[-1].movement_id) if part else (next_day, "")
            yield Readable(part, () if start else damaged, f"{at}#{name}")


def payouts_of(table: Table, movements: Iterable[str]) -> dict[str, str]:
    """Return the payout of each of up to a hundred movements, if it has one."""
    keys = sorted({payout_part_key(one) for one in movements})
    if not keys:
        return {}
    read = find_many_readable(table, PayoutPart, keys)
    return {one.movement_id: one.payout_id for one in read.records}


def read_payouts(table: Table) -> Readable[PayoutStep]:
    """Read every step of every payout, the oldest payout first."""
    read = read_readable(table, PayoutStep, PAYOUTS)
    steps = sorted(read.records, key=lambda one: (one.at, one.payout_id, one.noticed_at, one.step))
    return Readable(steps, read.damaged)
