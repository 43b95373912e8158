"""One reader while the cache is being filled: calls the seat-map handler until its input ends."""

from __future__ import annotations

import base64
import json
import random
import sys
import threading
import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from fairgate import bootstrap
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.http import paths
from fairgate.settings import from_environment
from fairgate_lab.bench.kit.world import get_event
from fairgate_lab.bench.rebuild.venue import EVENT, Hall
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.run.local.ministack import local_client
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from fairgate_ops.run.local.api_host import Handler

# Of a hundred reads; the others ask for one section.
COUNTS_READS, VECTOR_READS = 4, 2
READS_A_SECOND = 25
OK = 200


class Reader:
    """What one process asks of the handler, and what it got."""

    def __init__(self, hall: Hall, handler: Handler) -> None:
        self.statuses, self.handler = hall.statuses, handler
        self.answers: Counter[str] = Counter()
        self.sources: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.took_ms: list[float] = []

    def read_until(self, stop: threading.Event, seed: int) -> None:
        """Read at a steady pace until ``stop``."""
        chance = random.Random(seed)  # noqa: S311 the same reads each time
        sections = [*self.statuses]
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
        self.answers[str(answer["statusCode"])] += 1
        self.sources[answer.get("headers", {}).get(paths.HEADER_SOURCE, "refused")] += 1
        if answer["statusCode"] == OK and not self._right(path, section, answer):
            self.wrong.append(path)

    def _right(self, path: str, section: str, answer: dict[str, Any]) -> bool:
        sizes = {name: len(statuses) for name, statuses in self.statuses.items()}
        if path.endswith("/status.bin"):
            return len(base64.b64decode(answer["body"])) == sum(-(-n // 4) for n in sizes.values())
        body = json.loads(answer["body"])
        if path.endswith("/availability"):
            return {s: each["total"] for s, each in body["sections"].items()} == sizes
        return bool(body["statuses"] == self.statuses[section])


def read(seats: int, seed: int, endpoint: str, valkey_url: str) -> dict[str, Any]:
    """Write ``ready``, read until the standard input ends, and return what was answered."""
    client = local_client("dynamodb", endpoint)
    container = Container(
        from_environment({}),
        table=DynamoTable(lambda: client, NAMES),
        cache=ValkeyAvailability(valkey_url),
    )
    reader = Reader(Hall(seats), load_handlers(ROOT / "functions", ["seatmap"])["seatmap"])
    stop = threading.Event()
    threading.Thread(target=partial(_await_end, stop), daemon=True).start()
    print("ready", file=sys.__stdout__, flush=True)
    with patch.object(bootstrap, "container", lambda: container):
        reader.read_until(stop, seed)
    return {name: getattr(reader, name) for name in ("answers", "sources", "wrong", "took_ms")}


def _await_end(stop: threading.Event) -> None:
    sys.stdin.read()
    stop.set()
