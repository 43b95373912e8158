"""Compare what `fairgate watch` shows beside the events with what there is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from fairgate_ops.run.rehearse.day.compare import Compared

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate_ops.run.rehearse.day.reading import Reading

    Counts = Mapping[str, Mapping[str, int]]  # of a queue, by its name


def compare_around(
    document: Mapping[str, Any], reading: Reading, queues: tuple[Counts, Counts], signing: str
) -> Iterator[Compared]:
    """Compare what stands beside the events, while no buyer moves.

    Args:
        queues: how many messages wait and were given up, before and after the document was made: a
            message that nobody could read is given up minutes later.
        signing: the name of the key that signs sign-ins.
    """
    yield from _queues(document["queues"]["queues"], *queues)
    for name, part, true in (
        ("tasks.open", document["tasks"]["open"], reading.open_tasks),
        ("sign_in_keys.signing", document["sign_in_keys"]["signing"], signing),
        ("alarms", document["alarms"]["alarms"], None),  # AWS alone has them
    ):
        yield Compared(name, part, true, true)
    for event in document["events"]:
        if event["event"] == reading.event:
            yield Compared("name", event["name"], *(reading.sale["name"],) * 2)
            yield Compared("cache.source", event["cache"]["source"], "cache", "cache")


def _queues(shown: Counts, before: Counts, after: Counts) -> Iterator[Compared]:
    unknown = math.nan  # which is no figure's equal, whatever is shown in its place
    for name in sorted({*shown, *before, *after}):
        for figure in ("waiting", "given_up"):
            seen, *true = (one.get(name, {}).get(figure, unknown) for one in (shown, before, after))
            yield Compared(f"queues.{name}.{figure}", seen, min(true), max(true))
