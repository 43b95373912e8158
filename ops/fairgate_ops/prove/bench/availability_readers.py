"""Threads of one process that ask for one section at the same moment, through the real reader.

``python -m fairgate_ops.prove.bench.availability_readers`` in the environment of the
functions: it says ``ready``, waits for a line, asks, and prints where the answers came from.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from fairgate import bootstrap
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate_ops.run.local.processes import die_with_parent

if TYPE_CHECKING:
    from collections.abc import Sequence

# A function has one thread and its cache a time-out of its own; hundreds of threads of one
# process on a shared core are slower than that, and it is not they who are measured.
PATIENCE_S = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--event", required=True)
    parser.add_argument("--section", required=True)
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args(arguments)
    die_with_parent()
    made = bootstrap.container()
    cache = ValkeyAvailability(made.settings.valkey_url, timeout_s=PATIENCE_S)
    reader = AvailabilityReader(
        cache,
        made.table,
        made.catalog,
        made.clock,
        wait=lambda seconds: threading.Event().wait(PATIENCE_S * seconds),
    )
    standing = threading.Barrier(options.threads + 1)

    def ask(_number: int) -> tuple[str, float]:
        standing.wait()
        start = time.monotonic()
        source = reader.section(options.event, options.section).source
        return source, (time.monotonic() - start) * 1000

    with ThreadPoolExecutor(options.threads) as pool:
        answers = [pool.submit(ask, number) for number in range(options.threads)]
        print("ready", flush=True)
        sys.stdin.readline()
        standing.wait()
        told = [answer.result() for answer in answers]
    document = {"sources": Counter(s for s, _ in told), "slowest_ms": max(ms for _, ms in told)}
    print(json.dumps(document), flush=True)
    cache.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
