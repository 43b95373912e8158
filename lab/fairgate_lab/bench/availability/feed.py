"""The local worker, which also notes when each change of a seat passes each part of the feed.

A line in ``feed.log`` beside the other logs: the part (``read`` from the stream, ``received`` from
the queue, ``applied`` to the cache), epoch ms, the event, the seat.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from fairgate_ops.run.local import worker

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairgate_ops.run.local.api_host import Handler
    from fairgate_ops.run.local.local_config import LocalConfig
    from fairgate_ops.run.local.pump import Pump

LOG = "feed.log"
PARTS = ("read", "received", "applied")


def note(out: TextIO, part: str, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a line for each seat that has come to this part of the feed."""
    now_ms = time.time_ns() / 1e6
    lines = []
    for record in records:
        image = record["dynamodb"].get("NewImage", {})
        if "seatId" in image:
            seat, event = image["seatId"]["S"], image["eventId"]["S"]
            lines.append(f"{part} {now_ms:.1f} {event} {seat}\n")
    out.write("".join(lines))


def connect(config: LocalConfig, part: str, handlers: Mapping[str, Handler]) -> list[Pump]:
    """Make the worker's own pumps, noting on either side of the queue and after the cache."""
    if part != "feeds":
        return worker.pumps(config, part, handlers)
    # Written line by line: the threads' lines do not mix, and a reader has them at once.
    out = (Path(config["logs_dir"]) / LOG).open("a", buffering=1)
    invalidate = handlers["invalidator"]

    def read(record: Mapping[str, Any]) -> bool:
        note(out, "read", [record])
        return True

    def noted(event: dict[str, Any], context: object) -> object:
        records = [json.loads(message["body"]) for message in event["Records"]]
        note(out, "received", records)
        answer = invalidate(event, context)
        note(out, "applied", records)
        return answer

    return worker.pumps(config, part, {**handlers, "invalidator": noted}, seats=read)


if __name__ == "__main__":
    sys.exit(worker.main(connect=connect))
