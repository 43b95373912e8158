"""Compare the history's last point and the counts of sections with the tables, while they rest."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.record import decode_json
from fairgate.service.shared.keys import figures_memory_key, history_key
from fairgate.service.watch.history import COLUMNS, Kept
from fairgate.service.watch.sections import SeatCounts
from fairgate_ops.run.rehearse.day.compare import Compared, compare, seat_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate.ports.record import Key
    from fairgate_ops.run.rehearse.day.reading import Reading

_WITH_OTHERS = {"room.admitted_per_s"}  # what it is compared by is not in the history


def compare_kept(event: Mapping[str, Any], before: Reading, after: Reading) -> Iterator[Compared]:
    """Compare what is kept beside the figures.

    Args:
        event: the figures, as ``watch --json`` has them; made after ``before``.
    """
    yield from _history(event, before, after)
    yield from _sections(before, after)


def _history(event: Mapping[str, Any], before: Reading, after: Reading) -> Iterator[Compared]:
    kept = _document(after, history_key(after.event), Kept)
    made_ms = epoch_ms(event["figures"]["made_at"])
    rows = [row for row in kept.rows if (row[0] or 0) <= after.began_ms]
    last, *values = rows[-1] if rows else [0]
    age_s, newest_s = (made_ms - (last or 0)) / 1000, (made_ms - after.began_ms) / 1000
    yield Compared("history.age_s", age_s, newest_s, kept.step_s)
    if not rows or (last or 0) < before.ended_ms:
        return  # the steps are long, and this point was made before the tables rested
    parts = {name: {**event[name], "at": rfc3339(int(last or 0))} for name, _ in COLUMNS}
    for (name, column), value in zip(COLUMNS, values, strict=True):
        parts[name][column] = value
    wanted = {f"{name}.{column}" for name, column in COLUMNS} - _WITH_OTHERS
    for one in compare({**event, **parts}, before, after):
        if one.name in wanted:
            yield Compared(f"history.{one.name}", one.shown, one.least, one.most)


def _sections(before: Reading, after: Reading) -> Iterator[Compared]:
    """Compare what was counted since the tables rest: in a large venue not all sections."""
    counts = _document(after, figures_memory_key(after.event), SeatCounts)
    read = {name: one for name, one in counts.sections.items() if one.at_ms >= before.ended_ms}
    true: Counter[tuple[str, str]] = Counter()
    for seat in after.seats.values():
        one = read.get(seat["sectionId"])
        if one is not None:
            true[seat["sectionId"], seat_state(seat, rfc3339(one.at_ms))] += 1
    for state in ("sold", "held", "free", "blocked"):
        shown = {name: getattr(one, state) for name, one in read.items()}
        known = {name: true[name, state] for name in read}
        yield Compared(f"sections.{state}", shown, known, known)
    left: Counter[tuple[str, str]] = Counter()
    for shard in after.shards.values():
        left[shard["areaId"], "free"] += shard["remaining"]
        left[shard["areaId"], "blocked"] += shard.get("blocked", 0)
        left[shard["areaId"], "taken"] += (
            shard["capacity"] - shard["remaining"] - shard.get("blocked", 0)
        )
    for state in ("taken", "free", "blocked"):
        shown = {name: getattr(area, state) for name, area in counts.areas.items()}
        known = {name: left[name, state] for name in counts.areas}
        yield Compared(f"areas.{state}", shown, known, known)


def _document(reading: Reading, key: Key, kind: type[Any]) -> Any:
    item = reading.item("reservations", key)
    return kind() if item is None else decode_json(item["document"], kind)
