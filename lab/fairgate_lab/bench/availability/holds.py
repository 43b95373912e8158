"""Holds at a steady pace through the real transaction, each reported when it has committed.

A process of its own writes the table itself, in the environment of the functions: on two cores the
HTTP side of a hold would be what is measured.
"""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from fairgate import bootstrap
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError
from fairgate.service.holds.hold_seats import SeatHolder

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


def hold(event: str, until: str, rate: float, seats: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Hold each of ``seats`` (session's number, seat, section), ``rate`` a second.

    Args:
        until: the sessions' expiry.

    Returns:
        ``seconds`` that it took, and the epoch ms at which each seat was ``committed``.
    """
    container = bootstrap.container()
    holder = SeatHolder(container.table, container.clock, container.ids)
    pause = threading.Event()
    start = time.monotonic()

    def one(number: int) -> tuple[str, float] | None:
        session, seat, section = seats[number]
        pause.wait(max(0.0, start + number / rate - time.monotonic()))
        unit = Unit("seat", seat, section, "tier", seat)
        try:
            holder.hold(credential(event, session, until), [unit])
        except FairgateError as error:
            print(f"{seat}: {error}", file=sys.stderr)
            return None
        return seat, time.time_ns() / 1e6

    with ThreadPoolExecutor(THREADS) as pool:
        committed = [held for held in pool.map(one, range(len(seats))) if held]
    return {"seconds": time.monotonic() - start, "committed": dict(committed)}
