"""Decide whether one seat that did one thing at a time explains a seat's history.

Each seat is a register: free, locked by a session until a time, sold to one, or kept by a house
block. An operation took effect at one moment between its call and its answer; one without an answer
at any later moment, or never. The search tries the orders that this leaves (Wing and Gong, 1993),
and remembers where it has been (Lowe, 2017). A search that passes its bound is given up and says
so: "undecided" proves nothing, and a run with too many of them fails. Clocks may be off by the skew
of the processes, so time conditions hold within it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fairgate_lab.simulate.sale.history import NEVER, Kind, Operation

Verdict = Literal["linearizable", "impossible", "undecided"]

STATES_MAX = 200_000  # of one seat's search: some 30 s; half need 2 states, 99 % up to 27
# Of the histories that a run judges, this share may be undecided. Measured in seeds 0–299: 2 of
# 1,500 without a cache (0.13 %), 1 with; each had some fifty expiries that nobody heard of.
UNDECIDED_SHARE_MAX = 0.005

# "That is done already": by another, or by this very call, whose first answer was lost.
_PERHAPS_ITS_OWN = {("settle", "duplicate"), ("release", "not-found")}


@dataclass(frozen=True)
class Seat:
    """The register. ``done`` remembers what has been done once and may be answered again."""

    state: Literal["free", "locked", "sold", "blocked"] = "free"
    owner: str = ""
    key: str = ""
    until: tuple[int, int] = (0, 0)  # bounds, where the caller never heard
    due_ms: int = 0  # from when on any caller may give it back
    done: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Sold:
    """What an order is for, from the table: the API does not list an order's seats."""

    session: str
    seats: tuple[str, ...]


def concerning(
    operations: Iterable[Operation], seat: str, orders: dict[str, Sold], *, late: bool = False
) -> list[Operation]:
    """The operations that may have touched this seat, with all that is known of them.

    ``late``: a request that was given up may still commit, after another attempt of the same call
    was refused. So what was refused may have its effect later all the same.
    """
    found: list[Operation] = []
    for operation in operations:
        known = operation
        if operation.order:
            order = orders.get(operation.order)
            if order is None:
                continue
            seats = order.seats if known.seats is None else known.seats  # one place of it, perhaps
            known = replace(operation, session=order.session, seats=seats)
        touches = known.seats is None or seat in known.seats
        if known.outcome != "refused":
            found += [known] if touches else []
            continue
        its_own = (known.kind, known.said) in _PERHAPS_ITS_OWN
        if (its_own and touches) or (known.kind == "hold" and seat in known.gone):
            found.append(known)
        if late and touches:
            found.append(replace(known, outcome="unknown", end=NEVER, end_ms=NEVER, said="late"))
    return found


def optional(operation: Operation) -> bool:
    """Whether it may have had no effect at all."""
    return operation.outcome == "unknown" or (operation.kind, operation.said) in _PERHAPS_ITS_OWN


def undecided_max(judged: int) -> int:
    """Return how many of these histories may be undecided: the stated share, at least one."""
    return max(1, int(judged * UNDECIDED_SHARE_MAX))


def explain(
    operations: Sequence[Operation], skew_ms: int, *, states_max: int = STATES_MAX
) -> Verdict:
    """Search an order of the operations that explains every answer.

    Returns:
        ``linearizable`` with such an order, ``impossible`` when there is none, ``undecided`` when
        ``states_max`` states did not tell.
    """
    told_apart = _told_apart(operations)
    definite = sum(1 << n for n, operation in enumerate(told_apart) if not optional(operation))
    marks = frozenset(_mark(o) for o in told_apart if not optional(o))
    seen: set[tuple[int, Seat]] = set()
    stack: list[tuple[int, Seat]] = [(definite, Seat())]
    while stack:
        left, seat = stack.pop()
        if not left:
            return "linearizable"
        if (left, seat) not in seen:
            seen.add((left, seat))
            stack += [
                (rest, replace(after, done=after.done & marks) if after.done - marks else after)
                for rest, after in _next(told_apart, definite, left, seat, skew_ms)
            ]
        if len(seen) > states_max:
            return "undecided"
    return "impossible"


def _told_apart(operations: Sequence[Operation]) -> list[Operation]:
    """Leave out what may have done only the same as another call that may have done nothing.

    Of equal ones the earliest may do whatever a later one may; an expiry, the later the more.
    """
    kept: list[Operation] = []
    seen: set[tuple[Kind, str, str, str]] = set()
    for operation in operations:
        name = (operation.kind, operation.session, operation.key, operation.order)
        if not optional(operation) or operation.kind == "expire" or name not in seen:
            kept.append(operation)
        if optional(operation):
            seen.add(name)
    return kept


def _mark(operation: Operation) -> str:
    """What an operation leaves in ``done``, for the next one that asks for the same."""
    if operation.kind == "checkout":
        return f"c{operation.session}"
    return f"x{operation.order}" if operation.kind == "cancel" else operation.key


def _next(
    operations: Sequence[Operation], definite: int, left: int, seat: Seat, skew_ms: int
) -> Iterator[tuple[int, Seat]]:
    """Which definite ones are left and what the seat is, after each that may have come first.

    What may have had an effect or none is not used up by it, and only what a definite call asks
    for again is remembered as done: to tell the many that nobody heard of apart made searches long.
    """
    last = min(o.end for n, o in enumerate(operations) if left & 1 << n)
    latest: dict[str, Operation] = {}  # of the expiries of a session: it may do what others may
    for number, operation in enumerate(operations):
        bit = definite & 1 << number
        if operation.begin > last or (bit and not left & bit):
            continue
        if operation.kind == "expire":
            other = latest.setdefault(operation.session, operation)
            if operation.heard_ms > other.heard_ms:
                latest[operation.session] = operation
            continue
        for after in _EFFECTS[operation.kind](operation, seat, skew_ms):
            if bit or after != seat:
                yield left & ~bit, after
    for operation in latest.values():
        for after in _expire(operation, seat, skew_ms):
            yield left, after


# What the seat may be after an operation; nothing when it cannot have happened here.


def _release(operation: Operation, seat: Seat, _skew_ms: int) -> Iterator[Seat]:
    mine = _locked_by(seat, operation.session) and seat.key == operation.key
    yield _freed(seat) if mine else seat


def _end(operation: Operation, seat: Seat, _skew_ms: int) -> Iterator[Seat]:
    yield _freed(seat) if _locked_by(seat, operation.session) else seat


def _expire(operation: Operation, seat: Seat, skew_ms: int) -> Iterator[Seat]:
    due = seat.due_ms <= operation.heard_ms + skew_ms
    held = seat.state in ("locked", "blocked")
    if due and held and operation.session in ("", seat.owner):
        yield _freed(seat)


def _block(operation: Operation, seat: Seat, _skew_ms: int) -> Iterator[Seat]:
    if seat.state == "free":
        yield Seat("blocked", operation.session, due_ms=operation.due_ms, done=seat.done)
    elif (seat.state, seat.owner) == ("blocked", operation.session):
        yield replace(seat, due_ms=min(seat.due_ms, operation.due_ms))


def _free(operation: Operation, seat: Seat, _skew_ms: int) -> Iterator[Seat]:
    if (seat.state, seat.owner) == ("blocked", operation.session):
        yield _freed(seat)


def _settle(operation: Operation, seat: Seat, _skew_ms: int) -> Iterator[Seat]:
    if _locked_by(seat, operation.session):
        yield replace(seat, state="sold")


def _cancel(operation: Operation, seat: Seat, _skew_ms: int) -> Iterator[Seat]:
    mark = _mark(operation)
    if mark in seat.done:
        yield seat
    elif (seat.state, seat.owner) == ("sold", operation.session):
        yield replace(_freed(seat), done=seat.done | {mark})


def _read(operation: Operation, seat: Seat, _skew_ms: int) -> Iterator[Seat]:
    if (seat.state, seat.owner) == (operation.said, operation.session):
        yield seat


def _hold(operation: Operation, seat: Seat, skew_ms: int) -> Iterator[Seat]:
    if operation.outcome == "refused":
        latest = seat.until[1] > operation.begin_ms - skew_ms
        if seat.state in ("sold", "blocked") or (seat.state == "locked" and latest):
            yield seat
        return
    if operation.key in seat.done:
        yield seat
        return
    bound = operation.end_ms + skew_ms
    if seat.state == "free" or (seat.state == "locked" and seat.until[0] <= bound):
        done = seat.done | {operation.key}
        until = _until(operation)
        yield Seat("locked", operation.session, operation.key, until, until[0], done)


def _checkout(operation: Operation, seat: Seat, skew_ms: int) -> Iterator[Seat]:
    mark = _mark(operation)
    if mark in seat.done:
        yield seat
    elif _locked_by(seat, operation.session) and seat.until[1] > operation.begin_ms - skew_ms:
        until = _until(operation)
        due_ms = operation.due_ms or until[0]
        yield replace(seat, until=until, due_ms=due_ms, done=seat.done | {mark})


def _until(operation: Operation) -> tuple[int, int]:
    """A lock's end, as heard; otherwise any time after the call."""
    if operation.until_ms:
        return operation.until_ms, operation.until_ms
    return operation.begin_ms, NEVER


def _locked_by(seat: Seat, session: str) -> bool:
    return seat.state == "locked" and seat.owner == session


def _freed(seat: Seat) -> Seat:
    return Seat(done=seat.done)


_EFFECTS: Mapping[Kind, Callable[[Operation, Seat, int], Iterator[Seat]]] = {
    "hold": _hold,
    "release": _release,
    "end": _end,
    "expire": _expire,
    "checkout": _checkout,
    "settle": _settle,
    "cancel": _cancel,
    "read": _read,
    "block": _block,
    "free": _free,
}
