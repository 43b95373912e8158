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
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from fairgate import bootstrap
from fairgate.adapters.dynamodb.client import DynamoTable, table_names
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.http import paths
from fairgate.settings import from_environment
from fairgate_ops.prove.bench.rebuild_world import EVENT, Hall
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


@dataclass
class Reader:
    hall: Hall
    handler: Handler
    statuses: Counter[int] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

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
        answer = self.handler(_event(path), None)
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
    told = from_environment({})
    client = local_client("dynamodb", config["dynamodb_endpoint"])
    container = Container(
        told,
        table=DynamoTable(lambda: client, table_names(told)),
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
    found = {name: getattr(reader, name) for name in ("statuses", "sources", "wrong", "took_ms")}
    answer.write(json.dumps(found) + "\n")
    return 0


def _await_end(stop: threading.Event) -> None:
    sys.stdin.read()
    stop.set()


def _event(path: str) -> dict[str, Any]:
    http = {"method": "GET", "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1"}
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {},
        "requestContext": {"http": http, "requestId": "r", "stage": "$default"},
        "isBase64Encoded": False,
    }


if __name__ == "__main__":
    sys.exit(main())
