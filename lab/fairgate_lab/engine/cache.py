"""Keep claims in memory, with no other cache; or have no cache at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairgate.domain.shared.rate_limit import RateLimit, RateState
from fairgate.ports.availability import CacheUnavailableError, Claim, Claimed
from fairgate.ports.world import Clock


class NoCache:
    """Cannot be reached: whatever is asked raises CacheUnavailableError."""

    def __getattr__(self, name: str) -> Any:
        def gone(*_args: object, **_kwargs: object) -> Any:
            raise CacheUnavailableError(name)

        return gone


class NoLimits:
    """Limits nobody: for simulated sales, in which everybody does everything at once."""

    def take(self, *_bucket: str) -> None:
        return None

    def figures(self) -> dict[str, int]:
        return {}


class MemoryClaims(NoCache):
    """Keeps claims; every bucket is full; all else of the cache is gone: reads go to the table."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._claims: dict[tuple[str, str, str], tuple[int, str]] = {}
        self.calls: list[str] = []
        self.gone = False

    def take(
        self,
        event: str,  # noqa: ARG002 the port's: here every event's buckets are full
        buckets: Sequence[tuple[str, RateLimit]],
    ) -> list[RateState]:
        if self.gone:
            raise CacheUnavailableError("take")
        return [RateState(limit, taken=True, ahead_ms=limit.token_ms) for _, limit in buckets]

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        self._called("claim")
        for position, choice in enumerate(choices):
            taken = [u for s, u in choice.units if self._others(event, s, u, token)]
            alone = any(
                not self._others(event, s, near, token)
                and (not far or self._others(event, s, far, token))
                for s, near, far in choice.beside
            )
            if taken or alone:
                continue
            for section, unit in choice.units:
                self._claims[event, section, unit] = (self._clock.now_ms() + ttl_ms, token)
            return Claimed(position)
        first = choices[0].units
        return Claimed(None, tuple(u for s, u in first if self._others(event, s, u, token)))

    def claimed(self, event: str, sections: Sequence[str]) -> set[str]:
        self._called("claimed")
        now_ms = self._clock.now_ms()
        return {
            unit
            for (of, section, unit), (end, _) in self._claims.items()
            if of == event and section in sections and end > now_ms
        }

    def unclaim(self, event: str, units: Sequence[tuple[str, str]], token: str) -> None:
        self._called("unclaim")
        for section, unit in units:
            if self._claims.get((event, section, unit), (0, ""))[1] == token:
                del self._claims[event, section, unit]

    def end_claims(self, event: str, section: str, units: Sequence[str]) -> None:
        self._called("end_claims")
        for unit in units:
            self._claims.pop((event, section, unit), None)

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if self.gone:
            raise CacheUnavailableError(name)

    def _others(self, event: str, section: str, unit: str, token: str) -> bool:
        end, owner = self._claims.get((event, section, unit), (0, ""))
        return end > self._clock.now_ms() and owner != token
