"""Declare the availability cache. It advises; the table decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

# How far back the change logs reach: longer than the age of any cached read, and longer than the
# longest pause between two reads of a page (``service/availability/reading_pace.py``).
WINDOW_MS = 90_000
IDS_A_MS = 1_000  # of the logs


class SeatStatus(Struct, frozen=True):
    """One seat as the availability cache knows it."""

    index: int  # position in the section's layout order
    availability: Literal["available", "locked", "reserved", "blocked"]
    expires_ms: int  # 0 when not locked
    version: int


class ShardStatus(Struct, frozen=True):
    """One counter of a general-admission area as the availability cache knows it."""

    area: str
    shard: int
    remaining: int
    version: int


class Claim(Struct, frozen=True):
    """A claim: units of an event that one caller wants at once, as ``(section, unit)``.

    ``beside`` prevents that two claims of the same moment leave a single seat between them: in
    each ``(section, near, far)``, ``near`` is a free neighbour of the units and ``far`` the free
    seat after it, or ``""`` if there is none. The claim is refused if ``near`` would be left alone:
    unclaimed, with ``far`` claimed or ``""``. So a ``near`` with ``""`` requires that another
    caller has claimed that seat.
    """

    units: tuple[tuple[str, str], ...]
    beside: tuple[tuple[str, str, str], ...] = ()


class Claimed(Struct, frozen=True):
    """The result of a request to claim."""

    choice: int | None  # position of the claim that was made; None: none was possible
    in_the_way: tuple[str, ...] = ()  # then: units of the first choice that others have claimed


class Window(Struct, frozen=True):
    """The part of a change log that an answer holds: every entry with since < id ≤ until."""

    since: int
    until: int

    def quiet_ms(self, ids: Sequence[int]) -> int:
        """Say how long nothing has happened: as far as the window knows, given its entries."""
        return max(0, self.until - max(self.since, *ids, 0)) // IDS_A_MS


class Position(Struct, frozen=True):
    """A position in a change log. ``id``: all up to it shows in whatever is read afterwards."""

    id: int
    quiet_ms: int  # since the last change; at most the log's window


class SeatChanges(Struct, frozen=True):
    window: Window
    seats: Sequence[tuple[int, int, int]]  # id, seat index, status code: the newest of each seat


class PlaceChanges(Struct, frozen=True):
    """The places of an event that changed, each with the id of its newest change."""

    window: Window
    sections: Mapping[str, int]
    areas: Mapping[str, int]


class AvailabilityCache(Protocol):
    """Caches availability; advisory. Every method raises CacheUnavailableError, and nothing else.

    ``now_ms`` decides which locks have expired: their seats read as available.
    """

    def apply(self, event: str, section: str, changes: Sequence[SeatStatus]) -> int:
        """Apply changes of the feed; return how many were newer and were applied.

        One atomic step for the seats, their vector, the section's count and the change logs.
        """
        ...

    def section(self, event: str, section: str) -> Sequence[SeatStatus] | None:
        """Read every seat in layout order. None: not cached."""
        ...

    def life(self, event: str, section: str = "") -> str:
        """Name the generation of a section's data, or of the areas'; it ends when all is lost.

        Ask before reading the table, and pass the name on to ``fill``: if the cache lost everything
        in between, it may have lost a newer change as well.
        """
        ...

    def fill(self, event: str, section: str, seats: Sequence[SeatStatus], life: str = "") -> bool:
        """Fill a section from the table; newer changes that arrived in between are kept.

        Return False if that generation has ended: the section is not filled.
        """
        ...

    def forget(self, event: str, section: str) -> None:
        """Forget a section and its changes."""
        ...

    def codes(self, event: str, sections: Sequence[str], now_ms: int) -> list[bytes | None]:
        """Read one status code a seat for each section; ``None``: not cached.

        The codes: ``domain/seating/status_vector.py``.
        """
        ...

    def counts(self, event: str, sections: Sequence[str], now_ms: int) -> dict[str, int]:
        """Count available seats of the sections that are cached; the others are left out."""
        ...

    def apply_shards(self, event: str, shards: Sequence[ShardStatus]) -> int:
        """Apply the newer ones atomically; return how many were applied."""
        ...

    def fill_area(
        self, event: str, area: str, shards: Sequence[ShardStatus], life: str = ""
    ) -> bool:
        """Make an area whole as ``fill`` does a section, with all its counters."""
        ...

    def forget_area(self, event: str, area: str) -> None: ...

    def shards(self, event: str) -> list[ShardStatus]:
        """Read the counters of every area that has been filled, in no particular order."""
        ...

    def places(self, event: str) -> bytes | None:
        """Return what ``keep_places`` kept in the last minute: what exists, and when it is sold."""
        ...

    def keep_places(self, event: str, document: bytes) -> None: ...

    def position(self, event: str, section: str = "") -> Position:
        """Read the position of the section's change log, or the event's."""
        ...

    def seat_changes(self, event: str, section: str, reach_ms: int = WINDOW_MS) -> SeatChanges:
        """List what happened to a section's seats in the last ``reach_ms``."""
        ...

    def place_changes(self, event: str, reach_ms: int = WINDOW_MS) -> PlaceChanges:
        """List which sections and areas changed in the last ``reach_ms``."""
        ...

    def begin_refill(self, event: str, place: str) -> bool:
        """Return True for one caller, until ``end_refill`` or two seconds have passed."""
        ...

    def end_refill(self, event: str, place: str) -> None: ...

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        """Claim every unit of the first of ``choices`` that nobody else has claimed, atomically.

        A claim is a hint among callers, never a hold. It ends after ``ttl_ms`` by the cache's own
        clock. Claims of the same ``token`` do not block it, and are prolonged.
        """
        ...

    def claimed(self, event: str, sections: Sequence[str]) -> set[str]:
        """List units of these sections that anyone has claimed at this moment."""
        ...

    def unclaim(self, event: str, units: Sequence[tuple[str, str]], token: str) -> None:
        """Give up those of the ``(section, unit)`` that ``token`` has claimed."""
        ...

    def end_claims(self, event: str, section: str, units: Sequence[str]) -> None:
        """End all claims on these units of a section."""
        ...


class CacheUnavailableError(Exception):
    """Reports that the cache does not answer; callers read the table instead."""


class CacheScriptError(CacheUnavailableError):
    """Reports that the cache rejects our request: a defect that a person must correct."""
