"""What a race's callers were told, and whether all of it can be true at once.

Every answer carries the moments of its call and its return by one clock. A hold definitely lasts
from its answer to the call that releases it, and perhaps from its call to the release's answer.
No two holds of a seat may definitely last at the same moment; and for each refusal there must be
a moment within its call at which whole holds may have had every seat that it names, and no other
seat that was asked for.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from fairgate.ports.record import PK
from fairgate.service.audit.law import Violation
from fairgate.service.audit.snapshot import Item, Snapshot

Outcome = Literal["held", "seats-taken", "limit-exceeded", "unknown", "released", "broken"]
FOREVER = math.inf


@dataclass(frozen=True)
class Answer:
    """One call of a hold or a release. ``unknown``: a 503, which may have happened or not."""

    session: str
    kind: Literal["hold", "release"]
    seats: tuple[str, ...]  # asked for, or given back
    began_ns: int
    ended_ns: int
    outcome: Outcome
    hold: str = ""
    named: tuple[str, ...] = ()  # by seats-taken
    held: int = 0  # by limit-exceeded: how many the session had
    detail: str = ""


@dataclass(frozen=True)
class Held:
    """One hold's life: it may last within the outer bounds, and does within the inner ones."""

    session: str
    hold: str  # "" when its answer never came
    seats: tuple[str, ...]
    may_from: float
    does_from: float
    does_to: float
    may_to: float

    def may(self, at: float) -> bool:
        return self.may_from <= at <= self.may_to

    def does(self, at: float) -> bool:
        return self.does_from < at < self.does_to


@dataclass(frozen=True)
class History:
    answers: Sequence[Answer]
    hold_limit: int

    @cached_property
    def holds(self) -> list[Held]:
        releases = {a.hold: a for a in self.answers if a.kind == "release"}
        return [
            _life(answer, releases.get(answer.hold))
            for answer in self.answers
            if answer.kind == "hold" and answer.outcome in ("held", "unknown")
        ]

    def violations(self) -> Iterator[Violation]:
        """Everything that contradicts itself, the tables left aside."""
        for answer in self.answers:
            if answer.outcome == "broken":
                yield Violation("unexplained-answer", answer.session, answer.detail)
        yield from self._double_holds()
        yield from self._limits()
        yield from self._refusals()

    def _double_holds(self) -> Iterator[Violation]:
        for seat, holds in self._by_seat.items():
            last: Held | None = None
            for held in sorted(holds, key=lambda h: h.does_from):
                if held.does_from >= held.does_to:
                    continue
                if last is not None and held.does_from < last.does_to:
                    what = f"held by {last.session} and by {held.session} at once"
                    yield Violation("double-hold", seat, what)
                if last is None or held.does_to > last.does_to:
                    last = held

    def _limits(self) -> Iterator[Violation]:
        for session, holds in self._by_session.items():
            for held in holds:
                count = sum(len(h.seats) for h in holds if h is held or h.does(held.does_from))
                if held.hold and count > self.hold_limit:
                    what = f"{count} seats at once, limit {self.hold_limit}"
                    yield Violation("over-limit", session, what)

    def _refusals(self) -> Iterator[Violation]:
        for answer in self.answers:
            if answer.outcome == "seats-taken" and not self._taken(answer):
                what = f"asked for {answer.seats}, named {answer.named}"
                yield Violation("refusal-unexplained", answer.session, what)
            elif answer.outcome == "limit-exceeded" and not self._limited(answer):
                what = f"said to have {answer.held} when it asked for {len(answer.seats)}"
                yield Violation("limit-unexplained", answer.session, what)

    def _taken(self, answer: Answer) -> bool:
        if not answer.named or not set(answer.named) <= set(answer.seats):
            return False
        gone, free = set(answer.named), set(answer.seats) - set(answer.named)
        near = {h for seat in answer.seats for h in self._around(self._by_seat[seat], answer)}
        # A hold is there as a whole or not at all: one that has a free seat was not there.
        there = [h for h in near if free.isdisjoint(h.seats)]
        others = [h for h in near if not free.isdisjoint(h.seats)]
        return any(
            gone <= {seat for h in there if h.may(at) for seat in h.seats}
            and not any(h.does(at) for h in others)
            for at in _moments(answer, near)
        )

    def _limited(self, answer: Answer) -> bool:
        if answer.held + len(answer.seats) <= self.hold_limit:
            return False
        holds = self._around(self._by_session[answer.session], answer)
        return any(
            sum(len(h.seats) for h in holds if h.does(at))
            <= answer.held
            <= sum(len(h.seats) for h in holds if h.may(at))
            for at in _moments(answer, holds)
        )

    @cached_property
    def _by_seat(self) -> defaultdict[str, list[Held]]:
        found: defaultdict[str, list[Held]] = defaultdict(list)
        for held in self.holds:
            for seat in held.seats:
                found[seat].append(held)
        return found

    @cached_property
    def _by_session(self) -> defaultdict[str, list[Held]]:
        found: defaultdict[str, list[Held]] = defaultdict(list)
        for held in self.holds:
            found[held.session].append(held)
        return found

    @staticmethod
    def _around(holds: Iterable[Held], answer: Answer) -> list[Held]:
        return [h for h in holds if h.may_from <= answer.ended_ns and h.may_to >= answer.began_ns]


def _life(held: Answer, release: Answer | None) -> Held:
    does_from: float = held.ended_ns if held.outcome == "held" else FOREVER
    does_to, may_to = FOREVER, FOREVER
    if release is not None:
        does_to = release.began_ns
        may_to = release.ended_ns if release.outcome == "released" else FOREVER
    return Held(held.session, held.hold, held.seats, held.began_ns, does_from, does_to, may_to)


def _moments(answer: Answer, holds: Iterable[Held]) -> Iterator[float]:
    """Every moment of the call at which something differs, and those between them."""
    edges = {float(answer.began_ns), float(answer.ended_ns)}
    for held in holds:
        bounds = (held.may_from, held.does_from, held.does_to, held.may_to)
        edges.update(edge for edge in bounds if answer.began_ns <= edge <= answer.ended_ns)
    ordered = sorted(edges)
    yield from ordered
    yield from ((a + b) / 2 for a, b in itertools.pairwise(ordered))


# --- the tables afterwards


@dataclass
class Books:
    """The tables' reservations and locked seats, to be compared with what callers were told."""

    snapshot: Snapshot
    kept: defaultdict[tuple[str, str], dict[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        self.kept = defaultdict(dict)  # (session, hold) → seat → live or released
        for item in self.snapshot.reservations:
            self.kept[item[PK], item["holdId"]][item["place"]] = item["state"]

    def violations(self, history: History) -> Iterator[Violation]:
        """Every answer that the tables contradict, and whatever nobody was told of."""
        told = {(held.session, held.hold): held for held in history.holds if held.hold}
        lost: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
        for held in history.holds:
            if not held.hold:
                lost[held.session].append(held.seats)
        for key, held in told.items():
            yield from self._as_told(held, self.kept.get(key, {}))
        for (session, hold), seats in self.kept.items():
            if (session, hold) in told:
                continue
            if sorted(seats) in [sorted(asked) for asked in lost[session]]:
                continue  # it committed, and its answer was lost
            yield Violation("partial-hold", hold, f"{sorted(seats)}, of which nobody was told")
        yield from self._seats(history)

    def _as_told(self, held: Held, kept: dict[str, str]) -> Iterator[Violation]:
        if set(kept) != set(held.seats):
            what = f"{held.seats} were held, {sorted(kept)} are reserved"
            yield Violation("partial-hold", held.hold, what)
        wanted = {"live"} if held.does_to == FOREVER else {"released"}
        if held.does_to != FOREVER and held.may_to == FOREVER:
            wanted = {"live", "released"}  # the release's answer was lost
        marks = set(kept.values())
        if len(marks) > 1 or not marks <= wanted:
            yield Violation("partial-release", held.hold, f"marked {sorted(marks)}")

    def _seats(self, history: History) -> Iterator[Violation]:
        """Every seat that a hold has at the end is locked for the session that was told so."""
        locked = {str(s["seatId"]): s for s in self.snapshot.seats if _is_locked(s)}
        for held in history.holds:
            if held.hold and held.may_to == held.does_to == FOREVER:
                for seat in held.seats:
                    owner = locked.get(seat, {}).get("sessionId", "nobody")
                    if owner != held.session:
                        what = f"{held.session} was told it has it, the table says {owner}"
                        yield Violation("seat-of-another", seat, what)


def _is_locked(seat: Item) -> bool:
    return bool(seat["availability"] == "locked")
