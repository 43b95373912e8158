"""The local worker, which also notes when each paid order came into its queue and out of it.

A line of JSON in ``tickets.log`` beside the other logs, in epoch ms: SQS stamps a message when it
is sent; the handler is called when it is taken.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from fairgate_ops.run.local import worker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_ops.run.local.api_host import Handler
    from fairgate_ops.run.local.local_config import LocalConfig
    from fairgate_ops.run.local.pump import Pump

LOG = "tickets.log"


def connect(config: LocalConfig, part: str, handlers: Mapping[str, Handler]) -> list[Pump]:
    """Make the worker's own pumps, noting what the ticketer takes."""
    if part != "tickets":
        return worker.pumps(config, part, handlers)
    out = (Path(config["logs_dir"]) / LOG).open("a", buffering=1)
    return worker.pumps(config, part, {"ticketer": noting(handlers["ticketer"], out)})


def noting(ticketer: Handler, out: TextIO) -> Handler:
    """Make a handler that notes its messages before it does its work."""

    def noted(event: dict[str, Any], context: object) -> Any:
        taken_ms = time.time_ns() / 1e6
        for message in event["Records"]:
            image = json.loads(message["body"]).get("dynamodb", {}).get("NewImage", {})
            if "orderId" in image:
                queued_ms = float(message["attributes"]["SentTimestamp"])
                note = {"order": image["orderId"]["S"], "queued": queued_ms, "taken": taken_ms}
                out.write(json.dumps(note) + "\n")
        return ticketer(event, context)

    return noted


if __name__ == "__main__":
    sys.exit(worker.main(connect=connect))
