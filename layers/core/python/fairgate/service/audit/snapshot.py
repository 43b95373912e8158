"""Hold a snapshot of tables, provider and cache for the laws."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.shared.session import LIVE_STATES
from fairgate.ports.record import PK

if TYPE_CHECKING:
    from fairgate.ports.availability import SeatStatus

Item = Mapping[str, Any]


class Snapshot(Struct, frozen=True, dict=True):
    """Items by their kind (``shape_of``; "": unknown), as plain Python values.

    Attributes:
        now: RFC 3339; later than the clock of any process.
        payments: the provider's captures, refunds and disputes; None: it was not asked.
        cache: by event and section; a section that was never read is not in it.
        unreadable: reads every item by its model, and lists (table, problem).
    """

    now: str
    kinds: Mapping[str, Sequence[Item]] = {}
    payments: Sequence[Item] | None = None
    cache: Mapping[tuple[str, str], Sequence[SeatStatus]] = {}
    unreadable: Callable[[], Iterable[tuple[str, str]]] = tuple

    def of(self, kind: str) -> Sequence[Item]:
        return self.kinds.get(kind, ())

    @property
    def seats(self) -> Sequence[Item]:
        return self.of("seat")

    @property
    def events(self) -> Sequence[Item]:
        return self.of("event")

    @property
    def sessions(self) -> Sequence[Item]:
        return self.of("session")

    @property
    def reservations(self) -> Sequence[Item]:
        return self.of("reservation")

    @property
    def orders(self) -> Sequence[Item]:
        return self.of("order")

    @cached_property
    def live_sessions(self) -> Mapping[str, Item]:
        """Return the sessions that have not ended or expired, by their partition key."""
        return {
            session[PK]: session
            for session in self.sessions
            if session["state"] in LIVE_STATES and session["expiresAt"] > self.now
        }

    def provider(self, kind: str) -> Sequence[Item]:
        """Return the provider's lines of a kind: ``capture``, ``refund`` or ``dispute``."""
        return [line for line in self.payments or () if line["kind"] == kind]


def grouped(items: Iterable[Item], name: str) -> Mapping[str, Sequence[Item]]:
    """Group items by one of their attributes; "": they lack it."""
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[item.get(name, "")].append(item)
    return groups
