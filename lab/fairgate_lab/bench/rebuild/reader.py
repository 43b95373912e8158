"""One reader while the cache is being filled: calls the seat-map handler until its input ends.

A process of its own, as a Lambda environment is. Prints ``ready``, and at the end what it got.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from fairgate import bootstrap
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.http import paths
from fairgate.settings import from_environment
from fairgate_lab.bench.kit.world import get_event
from fairgate_lab.bench.rebuild.world import EVENT, Hall
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.run.local.ministack import local_client
from fairgate_ops.run.local.processes import die_with_parent
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.run.local.api_host import Handler

# Of a hundred reads; the others ask for one section.
COUNTS_READS, VECTOR_READS = 4, 2
READS_A_SECOND = 25
OK = 200


class Reader:
    """What one process asks of the handler, and what it got."""

    def __init__(self, hall: Hall, handler: Handler) -> None:
        self.hall, self.handler = hall, handler
        self.statuses: Counter[int] = Counter()
        self.sources: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.took_ms: list[float] = []

    def read_until(self, stop: threading.Event, seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311 the same reads each time
        sections = self.hall.sections()
        while not stop.wait(1 / READS_A_SECOND):
            kind, section = chance.randrange(100), chance.choice(sections)
            path = paths.SECTION_SEATS.format(event=EVENT, section=section)
            if kind < COUNTS_READS:
                path = paths.AVAILABILITY.format(event=EVENT)
            elif kind < COUNTS_READS + VECTOR_READS:
                path = paths.STATUS_VECTOR.format(event=EVENT)
            self._read(path, section)

    def _read(self, path: str, section: str) -> None:
        began_s = time.monotonic()
        answer = self.handler(get_event(path), None)
        self.took_ms.append(1000 * (time.monotonic() - began_s))
        self.statuses[answer["statusCode"]] += 1
        headers = answer.get("headers", {})
        self.sources[headers.get(paths.HEADER_SOURCE, "refused")] += 1
        if answer["statusCode"] == OK and not self._right(path, section, answer):
            self.wrong.append(path)

    def _right(self, path: str, section: str, answer: dict[str, Any]) -> bool:
        hall = self.hall
        if path.endswith("/status.bin"):
            packed = base64.b64decode(answer["body"])
            return len(packed) == sum(-(-hall.seats_of(s) // 4) for s in hall.sections())
        body = json.loads(answer["body"])
        if path.endswith("/availability"):
            totals = {s: figures["total"] for s, figures in body["sections"].items()}
            return totals == {s: hall.seats_of(s) for s in hall.sections()}
        return bool(body["statuses"] == hall.statuses(section))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--run-file", type=Path, required=True)
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args(arguments)
    die_with_parent()
    config = json.loads(options.run_file.read_text("utf-8"))
    client = local_client("dynamodb", config["dynamodb_endpoint"])
    container = Container(
        from_environment({}),
        table=DynamoTable(lambda: client, NAMES),
        cache=ValkeyAvailability(config["valkey_url"]),
    )
    reader = Reader(Hall(options.seats), load_handlers(ROOT / "functions", ["seatmap"])["seatmap"])
    stop = threading.Event()
    threading.Thread(target=_await_end, args=(stop,), daemon=True).start()
    print("ready", flush=True)
    # What the handler itself prints, figures and warnings, is not this process's answer.
    answer, sys.stdout = sys.stdout, sys.stderr
    with patch.object(bootstrap, "container", lambda: container):
        reader.read_until(stop, options.seed)
    figures = {name: getattr(reader, name) for name in ("statuses", "sources", "wrong", "took_ms")}
    answer.write(json.dumps(figures) + "\n")
    return 0


def _await_end(stop: threading.Event) -> None:
    sys.stdin.read()
    stop.set()


if __name__ == "__main__":
    sys.exit(main())
