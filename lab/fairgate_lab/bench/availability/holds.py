"""Holds at a steady pace through the real transaction, each reported when it has committed.

``python -m fairgate_lab.bench.availability.holds`` in the environment of the functions; its
standard input has one ``<session's number> <seat> <section>`` a line. It writes the table itself:
on two cores the HTTP side of a hold would be what is measured.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from fairgate import bootstrap
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate_ops.run.local.processes import die_with_parent

if TYPE_CHECKING:
    from collections.abc import Sequence

SESSION_S = 600
HOLD_LIMIT = 10
THREADS = 8


def credential(event: str, number: int, until: str) -> Credential:
    """Make the credential of one of the benchmark's sessions."""
    session, user = SessionId(f"ses_{number:032x}"), UserId(f"viewer-{number}")
    return Credential(session, EventId(event), user, until, HOLD_LIMIT, "0" * 64)


def expiry() -> str:
    return rfc3339(time.time_ns() // 1_000_000 + SESSION_S * 1_000)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--event", required=True)
    parser.add_argument("--until", required=True, help="the sessions' expiry")
    parser.add_argument("--rate", type=float, required=True, help="holds a second")
    options = parser.parse_args(arguments)
    die_with_parent()
    wanted = [line.split() for line in sys.stdin.read().splitlines()]
    container = bootstrap.container()
    holder = SeatHolder(container.table, container.clock, container.ids)
    pause = threading.Event()
    start = time.monotonic()

    def hold(number: int) -> tuple[str, float] | None:
        session, seat, section = wanted[number]
        pause.wait(max(0.0, start + number / options.rate - time.monotonic()))
        unit = Unit("seat", seat, section, "tier", seat)
        try:
            holder.hold(credential(options.event, int(session), options.until), [unit])
        except FairgateError as error:
            print(f"{seat}: {error}", file=sys.stderr)
            return None
        return seat, time.time_ns() / 1e6

    with ThreadPoolExecutor(THREADS) as pool:
        committed = [one for one in pool.map(hold, range(len(wanted))) if one]
    print(json.dumps({"seconds": time.monotonic() - start, "committed": dict(committed)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
