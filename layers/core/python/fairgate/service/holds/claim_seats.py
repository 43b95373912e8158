"""Claim seats in the cache before the table is asked, so that callers avoid each other's seats.

A claim costs a millisecond and decides nothing: the transaction does. After a hold the claim ends
by itself, because for a second or two the map does not show the hold yet. After a failed hold the
claims are given up at once, except on seats that are gone. If the cache fails, the hold goes on
without a claim, and no request asks the cache again for a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from fairgate import metrics
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.errors import FairgateError, SeatsTakenError, SingleSeatError
from fairgate.ports.availability import AvailabilityCache, CacheUnavailableError, Claim, Claimed
from fairgate.ports.world import Clock
from fairgate.service.holds.hold_seats import SeatHolder, SeatsHeld, asked_of
from fairgate.service.shared.cache_breaker import CacheBreaker

CLAIM_MS = 3_000  # longer than the age of a map (1–2 s); a false refusal ends after it

T = TypeVar("T")


class Claims:
    """Makes the claims of one process; safe for threads. None: the cache is gone."""

    def __init__(self, cache: AvailabilityCache, clock: Clock, *, claim_ms: int = CLAIM_MS) -> None:
        self._cache = cache
        self._breaker = CacheBreaker(clock)
        self._claim_ms = claim_ms
        self._skipped = 0

    def fallbacks(self) -> dict[str, int]:
        """Return how often the cache failed since the last call, by metric."""
        skipped, self._skipped = self._skipped, 0
        counts = {
            metrics.CLAIMS_SKIPPED: skipped,
            metrics.CACHE_SCRIPT_DEFECTS: self._breaker.defects(),
        }
        return {name: count for name, count in counts.items() if count}

    def claim(self, event: str, choices: Sequence[Claim], token: str) -> Claimed | None:
        """Claim the first of the choices that nobody else has claimed. Cost: one round trip."""
        return self._ask(lambda: self._cache.claim(event, choices, token, self._claim_ms))

    def claimed(self, event: str, sections: Sequence[str]) -> set[str]:
        """Return the units claimed now; empty also if the cache is gone. Cost: one round trip."""
        return self._ask(lambda: self._cache.claimed(event, sections)) or set()

    def give_up(self, event: str, units: Iterable[tuple[str, str]], token: str) -> None:
        if mine := list(units):
            self._ask(lambda: self._cache.unclaim(event, mine, token))

    def _ask(self, question: Callable[[], T]) -> T | None:
        try:
            return self._breaker.ask(question)
        except CacheUnavailableError:
            self._skipped += 1
            return None


class ClaimingHolder:
    """Holds hand-picked places; refuses claimed seats before the table is asked.

    Cost: SeatHolder's, and one round trip to the cache. A refused request with an Idempotency-Key
    costs one read, of the key's record, because it may have been answered before.
    """

    def __init__(self, claims: Claims, holder: SeatHolder) -> None:
        self._claims = claims
        self._holder = holder

    def hold(
        self,
        credential: Credential,
        units: Sequence[Unit],
        *,
        shards: Mapping[str, int] | None = None,
        idempotency_key: str = "",
        alone: Sequence[str] = (),
    ) -> SeatsHeld:
        """Hold as SeatHolder does, unless that leaves seats ``alone`` that should not be.

        Raises SeatsTakenError also for seats that others claim; SingleSeatError.
        """

        def made_before() -> SeatsHeld | None:
            return self._holder.made_before(
                credential, idempotency_key, route="hold", payload=asked_of(units)
            )

        if (alone or self._holder.is_over(credential)) and (before := made_before()) is not None:
            return before
        if alone:
            raise SingleSeatError(alone)
        seats = tuple((unit.section, unit.place) for unit in units if unit.kind == "seat")
        claimed = None
        if 0 < len(seats) <= credential.hold_limit:
            claimed = self._claims.claim(credential.event, [Claim(seats)], credential.session)
        if claimed is not None and claimed.choice is None:
            if (before := made_before()) is not None:
                return before
            raise SeatsTakenError(claimed.in_the_way, for_now=True)
        try:
            return self._holder.hold(
                credential, units, shards=shards, idempotency_key=idempotency_key
            )
        except FairgateError as error:
            if claimed is not None:
                give_up_failed(self._claims, credential, seats, error)
            raise


def give_up_failed(
    claims: Claims, credential: Credential, units: Iterable[tuple[str, str]], error: FairgateError
) -> None:
    """Give up the claims of a failed hold, except on seats that are gone."""
    gone = error.seats if isinstance(error, SeatsTakenError) else ()
    claims.give_up(
        credential.event, [unit for unit in units if unit[1] not in gone], credential.session
    )
