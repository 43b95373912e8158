"""Hundreds ask for the best available at one moment: everybody reads the same map, then all go.

Nobody goes on before everybody has read the map and the claims: the worst case of a map that is a
second old. Held against the greedy best: the same parties one after another, each seeing what the
one before took.
"""

from __future__ import annotations

import random
import statistics
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from fairgate.adapters.system import SystemClock, SystemIds
from fairgate.domain.seating.adjacent_seats import Wish
from fairgate.domain.seating.best_available import propose
from fairgate.domain.seating.section_search import SectionSearch
from fairgate.domain.seating.section_seats import SectionSeats
from fairgate.errors import FairgateError
from fairgate.ports.availability import Claim, Claimed
from fairgate.service.holds.choose_places import chosen_places
from fairgate.service.holds.claim_seats import ClaimingHolder, Claims
from fairgate.service.holds.hold_best import BestHolder, BestRequest
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.section_search import overview, prepared
from fairgate_lab.bench.best_available.world import Stage
from fairgate_lab.engine.cache import NoCache

Mode = Literal["claims", "no claims", "cache gone"]
MODES: tuple[Mode, ...] = ("claims", "no claims", "cache gone")

HEAD = (
    *("", "held", "first try", "transactions", "claim calls"),
    *("quality given up", "single seats left", "avoidable"),
)
CLAIM_MS = 60_000  # this machine takes seconds for what hundreds of functions do in one
FIRST_TRIES_MIN = 0.95
GIVEN_UP_MAX = 0.05
TOGETHER_S = 120.0  # until everybody has read


class _Together(Claims):
    """Claims that let nobody go on before everybody has read the map and the claims."""

    def __init__(self, cache: Any, callers: int) -> None:
        super().__init__(cache, SystemClock(), claim_ms=CLAIM_MS)
        self._barrier = threading.Barrier(callers, timeout=TOGETHER_S)
        self._here = threading.local()
        self._lock = threading.Lock()
        self.calls: Counter[str] = Counter()
        self.order: list[tuple[str, ...]] = []  # what was claimed, in order

    def claimed(self, event: str, sections: Sequence[str]) -> set[str]:
        seats = super().claimed(event, sections)
        if not getattr(self._here, "read", False):
            self._here.read = True
            self._barrier.wait()
        return seats

    def claim(self, event: str, choices: Sequence[Claim], token: str) -> Claimed | None:
        with self._lock:  # noted in the order in which the server took them, one after another
            answer = super().claim(event, choices, token)
            self.calls[token] += 1
            if answer is not None and answer.choice is not None:
                self.order.append(tuple(unit for _, unit in choices[answer.choice].units))
        return answer


@dataclass(frozen=True)
class Crowd:
    """What became of a crowd."""

    mode: Mode
    callers: int
    held: int
    first_try: int  # held by their first transaction
    transactions: int
    claim_calls: int
    distance: float  # mean over the parties
    greedy: float
    singles: int  # single seats that were not there before
    avoidable: int  # of those, left although another choice in the gap would not have

    @property
    def given_up(self) -> float:
        """Quality given up against the greedy best, as a share."""
        return self.distance / self.greedy - 1

    def row(self) -> Sequence[object]:
        """Make its row under HEAD."""
        # The mean of the best seats alone says nothing.
        given_up = f"{self.given_up:.2%}" if self.held == self.callers else "–"
        first_try = f"{self.first_try / self.callers:.1%}"
        asked = (first_try, self.transactions, self.claim_calls)
        return (self.mode, self.held, *asked, given_up, self.singles, self.avoidable)


def parties(callers: int, seed: int) -> list[int]:
    """Draw parties of two to four, as many of each."""
    chance = random.Random(seed)  # noqa: S311 a drawing that repeats
    return [chance.choice((2, 3, 4)) for _ in range(callers)]


def crowd(stage: Stage, mode: Mode, sizes: Sequence[int]) -> Crowd:
    """Seat everybody at once, each by a request of the real use-case."""
    cache: Any = NoCache() if mode == "cache gone" else stage.cache
    claims = _Together(stage.cache if mode == "claims" else NoCache(), len(sizes))
    holder = SeatHolder(stage.table, SystemClock(), SystemIds())
    best = BestHolder(stage.layouts, stage.reader(cache), holder, stage.catalog, claims)
    hall = _sections(stage)  # also warms what a warm function has

    def ask(number: int) -> list[str]:
        try:
            held = best.hold(stage.session(number), BestRequest(sizes[number]))
        except FairgateError:
            return []
        return [unit.place for unit in held.units]

    with ThreadPoolExecutor(len(sizes)) as pool:
        answers = list(pool.map(ask, range(len(sizes))))
    held = [answer for answer in answers if answer]
    tries = stage.table.tries
    seated = [
        answer and tries[stage.session(number).session] == 1
        for number, answer in enumerate(answers)
    ]
    order = [list(units) for units in claims.order] or stage.table.committed
    seated_parties = {tuple(sorted(answer)) for answer in held}
    singles, avoidable = orphans(
        hall.values(),
        stage.sold,
        [seats for seats in order if tuple(sorted(seats)) in seated_parties],
    )
    return Crowd(
        mode,
        len(sizes),
        len(held),
        sum(map(bool, seated)),
        sum(tries.values()),
        claims.calls.total(),
        statistics.fmean(_distance(hall, answer) for answer in held),
        greedy(hall, stage.sold, sizes),
        singles,
        avoidable,
    )


def _sections(stage: Stage) -> dict[str, SectionSeats]:
    shown = overview(stage.layouts, stage.layout)["sections"]
    return {
        s["id"]: prepared(
            stage.layouts, stage.layout, s["id"], (s["focalPoint"][0], s["focalPoint"][1])
        )
        for s in shown
    }


def greedy(
    sections: Mapping[str, SectionSeats], sold: Iterable[str], sizes: Sequence[int]
) -> float:
    """Find the mean distance when the parties come one after another and each takes the best."""
    taken = set(sold)
    nearest = {name: section.nearest for name, section in sections.items()}
    distances = []
    for size in sizes:
        search = SectionSearch(
            nearest, lambda name, _: (sections[name], "0" * sections[name].seats), taken
        )
        (best,) = propose(search, Wish(size))
        distances.append(best.distance)
        taken.update(best.ids())
    return statistics.fmean(distances)


def _distance(sections: Mapping[str, SectionSeats], seats: Sequence[str]) -> float:
    distances = []
    for section in sections.values():
        for seat in seats:
            if seat in section.places:
                number, position = section.places[seat]
                distances.append(section.benches[number].distance(position, position + 1))
    return statistics.fmean(distances)


def orphans(
    sections: Iterable[SectionSeats], sold: Iterable[str], order: Sequence[Sequence[str]]
) -> tuple[int, int]:
    """Count the single seats left, and of them those that another choice would have spared.

    Parties are taken in their order; an orphan is unavoidable in a gap of one seat more.
    """
    places = {
        seat: (section.section, number, position, section)
        for section in sections
        for seat, (number, position) in section.places.items()
    }
    free = {
        (name, number): section.benches[number].standard
        for name, number, _, section in places.values()
    }
    for seat in sold:
        if seat in places:
            name, number, position, _ = places[seat]
            free[name, number] &= ~(1 << position)
    singles = avoidable = 0
    for seats in order:
        parts: dict[tuple[str, int], list[int]] = {}
        for seat in seats:
            name, number, position, _ = places[seat]
            parts.setdefault((name, number), []).append(position)
        for bench, positions in parts.items():
            left, needless = _left_beside(free[bench], min(positions), max(positions) + 1)
            singles, avoidable = singles + left, avoidable + needless
            for position in positions:
                free[bench] &= ~(1 << position)
    return singles, avoidable


def _left_beside(free: int, first: int, end: int) -> tuple[int, int]:
    before = after = 0
    while first - before > 0 and free >> (first - before - 1) & 1:
        before += 1
    while free >> (end + after) & 1:
        after += 1
    left = (before == 1) + (after == 1)
    return left, 0 if before + after == 1 else left


def promises(crowds: Iterable[Crowd]) -> dict[str, bool]:
    """Tell which promises the mode with claims keeps."""
    (claims,) = (one for one in crowds if one.mode == "claims")
    return {
        "everybody is seated": claims.held == claims.callers,
        "by their first transaction": claims.first_try >= FIRST_TRIES_MIN * claims.callers,
        "near the best seats": claims.given_up <= GIVEN_UP_MAX,
        "no single seat is left without need": claims.avoidable == 0,
    }


def clicks(stage: Stage, seat: str, callers: int, *, claims: bool) -> tuple[int, int]:
    """Let everybody hold the same seat by hand at one moment.

    Returns: the transactions that reach the table, and how many hold the seat.
    """
    holder = SeatHolder(stage.table, SystemClock(), SystemIds())
    claiming = Claims(stage.cache if claims else NoCache(), SystemClock(), claim_ms=CLAIM_MS)
    careful = ClaimingHolder(claiming, holder)
    together = threading.Barrier(callers, timeout=TOGETHER_S)
    before = sum(stage.table.tries.values())

    def click(number: int) -> bool:
        credential = stage.session(number)
        places = chosen_places(stage.layouts, stage.catalog, credential, seats=[seat], areas={})
        together.wait()
        try:
            careful.hold(credential, places.units)
        except FairgateError:
            return False
        return True

    with ThreadPoolExecutor(callers) as pool:
        held = sum(pool.map(click, range(callers)))
    return sum(stage.table.tries.values()) - before, held
