"""Read the change logs of the availability cache, as its scripts answer them.

The ids of a log's entries are one number that grows: "<ms>-<n>" → ms × 1000 + n, below 2^53.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairgate.adapters.valkey.scripts import LOG_ENTRIES_MAX
from fairgate.ports.availability import IDS_A_MS, WINDOW_MS, Position, Window

Entry = tuple[int, bytes, str]  # id, kind, what


def position_of(answer: Sequence[Any]) -> Position:
    """Read the answer of the script POSITION."""
    seconds, micros, last = answer
    at_ms = _ms(seconds, micros)
    quiet_ms = at_ms - _id(last) // IDS_A_MS if last else WINDOW_MS
    return Position(_last_id_before(at_ms), min(quiet_ms, WINDOW_MS))


def window_of(answer: Sequence[Any], reach_ms: int) -> tuple[Window, list[Entry]]:
    """Read the answer of the script CHANGES: from which id the log is complete, and its entries."""
    seconds, micros, lost, raw = answer
    at_ms = _ms(seconds, micros)
    entries = [(_id(id_), fields[0], fields[1].decode()) for id_, fields in raw]
    since = max(_last_id_before(at_ms - reach_ms), int(lost))
    until = max(_last_id_before(at_ms), entries[-1][0] if entries else 0)
    if len(entries) >= LOG_ENTRIES_MAX:
        since = max(since, entries[0][0])  # the log was cut at its length
    return Window(since, max(since, until)), [entry for entry in entries if entry[0] > since]


def newest_of_seats(entries: Sequence[Entry]) -> tuple[tuple[int, int, int], ...]:
    """Read id, seat index, status code: the newest of each seat."""
    newest: dict[int, tuple[int, int, int]] = {}
    for id_, _, pairs in entries:
        for pair in pairs.split(","):
            index, code = map(int, pair.split(":"))
            newest[index] = (id_, index, code)
    return tuple(sorted(newest.values()))


def newest_of_places(entries: Sequence[Entry]) -> tuple[dict[str, int], dict[str, int]]:
    """Read sections and areas, each with the id of its newest change."""
    newest = {(kind == b"a", place): id_ for id_, kind, place in entries}
    return (
        {place: id_ for (is_area, place), id_ in newest.items() if not is_area},
        {place: id_ for (is_area, place), id_ in newest.items() if is_area},
    )


def _id(entry: bytes) -> int:
    ms, _, number = entry.partition(b"-")
    return int(ms) * IDS_A_MS + min(int(number), IDS_A_MS - 1)


def _last_id_before(ms: int) -> int:
    """Return the last id before ``ms``: every entry that is still to come has a later one."""
    return ms * IDS_A_MS - 1


def _ms(seconds: bytes, micros: bytes) -> int:
    return int(seconds) * 1000 + int(micros) // 1000
