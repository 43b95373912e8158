"""Read the partitions of sessions, for the auditor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fairgate.ports.record import DamagedItemError, Key
from fairgate.service.shared.keys import ORDER, RESERVATION, SESSION
from fairgate.service.shared.readable import Readable
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Reservation, Session

if TYPE_CHECKING:
    from fairgate.ports.record import Record
    from fairgate.ports.table import Table

_KINDS: Mapping[str, type[Record]] = {SESSION: Session, RESERVATION: Reservation, ORDER: Order}


def read_sessions(table: Table, sessions: Iterable[str]) -> Readable[Record]:
    """Read sessions with their reservations and orders; one with a damaged item is left out.

    Cost: a query each. Raises DependencyUnavailableError.
    """
    read: list[Record] = []
    damaged: list[Key] = []
    for session in sessions:
        try:
            read += table.partition(_KINDS, session)
        except DamagedItemError:
            damaged.append(Key(session, SESSION))
    return Readable(read, damaged)
