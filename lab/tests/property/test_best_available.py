"""Every step of the ladder against an oracle that tries everything, written plainly."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Collection
from dataclasses import dataclass

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from fairgate.domain.seating import best_available
from fairgate.domain.seating.adjacent_seats import GAP_COST, UNAVOIDABLE_COST, Wish
from fairgate.domain.seating.best_available import most_together, propose
from fairgate.domain.seating.section_seats import WIDE_ROW_GAPS, SectionSeats
from fairgate.domain.seating.split_parties import ROW_REACH, ROWS_MAX
from fairgate.ports.availability import Claim
from fairgate_lab.bench.best_available.crowd import orphans
from fairgate_lab.engine.cache import MemoryClaims
from fairgate_lab.engine.clock import MemoryClock
from tests.support.halls import hall, section
from tests.support.lengths import at_length

FOCAL = (60.0, -40.0)
KINDS = ("standard",) * 6 + ("accessible", "companion")


def section_of(chance, name, top, longest):
    """A section's document with its statuses; aisles, kinds, tiers, tables and free runs of up to
    ``longest`` at random.
    """
    rows, digits = [], ""
    for number in range(chance.randint(1, 4)):
        x, seats = chance.choice((0.0, 10.0)), []
        length = chance.randint(1, 10)
        for position in range(length):
            x += chance.choice((20.0,) * 9 + (90.0,))
            kind, tier = chance.choice(KINDS), chance.choice("aaab")
            entry = {"id": f"{name}{number}-{position}", "x": x, "y": top + number * 25.0}
            entry |= {"kind": kind, "tier": tier}
            if chance.randint(0, 12) == 0:
                entry |= {"unit": "table", "capacity": chance.randint(2, 6)}
            seats.append(entry)
        rows.append({"seats": seats})
        row = ""
        while len(row) < length:
            row += "0" * chance.randint(0, longest) + chance.choice("123")
        digits += row[:length]
    cut = chance.randint(0, len(rows))
    blocks = [{"rows": part} for part in (rows[:cut], rows[cut:]) if part]
    return {"section": name, "blocks": blocks}, digits


def venue_of(seed, longest):
    chance = random.Random(seed)  # noqa: S311 a seed that repeats the venue exactly
    found = [section_of(chance, "S", 0.0, longest)]
    if chance.random() < 0.5:
        found.append(section_of(chance, "T", 150.0, longest))
    return found


# Built by seed: drawing every seat on its own would take longer than trying everything out.
venues = st.builds(venue_of, st.integers(0, 2**40), st.sampled_from((2, 3, 4, 10)))
sparse = st.builds(venue_of, st.integers(0, 2**40), st.sampled_from((2, 3, 3, 5)))


wishes = st.builds(
    lambda quantity, tier, accessible: Wish(quantity, tier, min(quantity, accessible)),
    st.integers(1, 8),
    st.sampled_from((None, None, "a")),
    st.sampled_from((0, 0, 0, 1, 2)),
)
parties = st.builds(Wish, st.integers(4, 8), st.sampled_from((None, None, "a")), st.just(0))


def asked(venue, wish, count=1, taken=()):
    prepared = [SectionSeats.from_layout(document, FOCAL) for document, _ in venue]
    statuses = {document["section"]: digits for document, digits in venue}
    return propose(hall(prepared, statuses, taken), wish, count)


# --- the oracle


@dataclass(frozen=True)
class Row:
    section: str
    block: int
    seats: tuple[dict, ...]
    free: tuple[bool, ...]
    aisles: frozenset[int]
    spacing: float


@dataclass(frozen=True)
class Window:
    row: int  # of the venue
    ids: tuple[str, ...]
    orphans: int
    cost: float
    distance: float
    center: tuple[float, float]
    accessible: int
    companions: int


def rows_of(venue):
    rows = []
    for document, digits in venue:
        start = 0
        entries = [row["seats"] for block in document["blocks"] for row in block["rows"]]
        usual = statistics.median_low([g for seats in entries for g in _between(seats)] or [0.0])
        for block, entry in enumerate(document["blocks"]):
            for row in entry["rows"]:
                seats = row["seats"]
                free = [d == "0" for d in digits[start : start + len(seats)]]
                start += len(seats)
                rows.append(_row(document["section"], block, seats, free, usual))
    return rows


def _between(seats):
    """The gaps between two seats that are no tables; every one here is 20 or an aisle's 90."""
    pairs = [(a, b) for a, b in itertools.pairwise(seats) if "unit" not in a and "unit" not in b]
    return [b["x"] - a["x"] for a, b in pairs]


def _row(section, block, seats, free, usual):
    table = ["unit" in seat for seat in seats]
    gaps = [math.dist((a["x"], a["y"]), (b["x"], b["y"])) for a, b in itertools.pairwise(seats)]
    between = _between(seats)
    spacing = statistics.median_low(between or [usual])
    if spacing > usual and (len(between) < WIDE_ROW_GAPS or 20.0 in between):
        spacing = usual  # of seats that stand alone between aisles
    aisles = {i for i, gap in enumerate(gaps, 1) if gap > 1.8 * spacing}
    seated = tuple(f and not t for f, t in zip(free, table, strict=True))
    return Row(section, block, tuple(seats), seated, frozenset(aisles), spacing or 1.0)


def windows(rows, number, wish, size):
    """All choices of ``size`` seats together in this row, with what they leave behind."""
    row = rows[number]
    usable = [
        free and (wish.accessible > 0 or seat["kind"] == "standard")
        for free, seat in zip(row.free, row.seats, strict=True)
    ]
    for first in range(len(row.seats) - size + 1):
        here = range(first, first + size)
        seats = [row.seats[p] for p in here]
        if not all(usable[p] for p in here) or any(p in row.aisles for p in here if p > first):
            continue
        if any(wish.tier not in (None, seat["tier"]) for seat in seats):
            continue
        before = after = 0
        while (p := first - before - 1) >= 0 and usable[p] and p + 1 not in row.aisles:
            before += 1
        while (p := first + size + after) < len(usable) and usable[p] and p not in row.aisles:
            after += 1
        unavoidable = before + after == 1
        orphans = 0 if unavoidable else (before == 1) + (after == 1)
        extra = GAP_COST * ((before > 0) + (after > 0)) + UNAVOIDABLE_COST * unavoidable
        distance = sum(math.dist(FOCAL, (s["x"], s["y"])) for s in seats) / size
        center = (sum(s["x"] for s in seats) / size, sum(s["y"] for s in seats) / size)
        yield Window(
            number,
            tuple(s["id"] for s in seats),
            orphans,
            distance + extra * row.spacing,
            distance,
            center,
            sum(s["kind"] == "accessible" for s in seats),
            sum(s["kind"] == "companion" for s in seats),
        )


def one_row(venue, wish):
    """The step and the least (orphans, cost) of seats together, or None."""
    rows = rows_of(venue)
    found = [w for n in range(len(rows)) for w in windows(rows, n, wish, wish.quantity)]
    exactly = [w for w in found if w.accessible == wish.accessible]
    enough = [w for w in found if w.accessible >= wish.accessible]
    for choices in (exactly, enough):
        if choices:
            orphans, cost = min((w.orphans, w.cost) for w in choices)
            return ("row-orphans" if orphans else "row"), orphans, cost
    return None


def neighbouring(venue, wish):
    """(rows, counts orphans, cost of the best) over rows behind each other, or None."""
    rows = rows_of(venue)
    for length in range(2, ROWS_MAX + 1):
        found = []
        for start in range(len(rows) - length + 1):
            behind = rows[start : start + length]
            if len({(row.section, row.block) for row in behind}) > 1:
                continue
            options = [
                [
                    w
                    for size in range(2, wish.quantity - 1)
                    for w in windows(rows, start + step, wish, size)
                    if not (w.companions and not w.accessible)
                ]
                for step in range(length)
            ]
            for parts in itertools.product(*options):
                if sum(len(w.ids) for w in parts) == wish.quantity and _touching(rows, parts):
                    accessible = sum(w.accessible for w in parts)
                    if accessible >= wish.accessible:
                        found.append((any(w.orphans for w in parts), _cost(parts)))
        if found:
            return length, *min(found)
    return None


def _touching(rows, parts):
    for a, b in itertools.pairwise(parts):
        spacing = max(rows[a.row].spacing, rows[b.row].spacing)
        room = (len(a.ids) + len(b.ids)) / 2 + ROW_REACH
        if math.dist(a.center, b.center) > spacing * room:
            return False
    return True


def _cost(parts):
    seats = sum(len(w.ids) for w in parts)
    apart = sum(math.dist(a.center, b.center) for a, b in itertools.pairwise(parts))
    return sum(w.cost * len(w.ids) for w in parts) / seats + apart


def scattered(venue, wish):
    """Whether the party fits in parts of two or more anywhere at all."""
    rows, sums = rows_of(venue), {0}
    for number in range(len(rows)):
        longest = {}
        for size in range(2, wish.quantity + 1):
            for w in windows(rows, number, wish, size):
                longest[w.ids[0]] = size
        starts = set()  # the first seats of whole runs: those that no longer window contains
        for first in longest:
            others = (
                w for s in range(2, wish.quantity + 1) for w in windows(rows, number, wish, s)
            )
            if not any(first in w.ids[1:] for w in others):
                starts.add(first)
        for first in starts:
            room = _room(rows[number], first, wish)
            sums |= {s + part for s in sums for part in range(2, room + 1)}
    return wish.quantity in sums


def _room(row, first, wish):
    position = next(p for p, seat in enumerate(row.seats) if seat["id"] == first)
    room = 0
    while position < len(row.seats) and (room == 0 or position not in row.aisles):
        seat = row.seats[position]
        suits = wish.tier in (None, seat["tier"]) and seat["kind"] == "standard"
        if not (row.free[position] and suits):
            break
        room, position = room + 1, position + 1
    return room


# --- the laws


@settings(max_examples=at_length(1000, 8000), deadline=None)
@given(venues, wishes)
def test_one_row_gives_the_best_when_any_row_has_room(venue, wish):
    expected = one_row(venue, wish)
    found = asked(venue, wish)
    if expected is None:
        assert not found or found[0].step not in ("row", "row-orphans")
        return
    step, _, cost = expected
    assert found[0].step == step
    assert found[0].cost == pytest.approx(cost)
    check_seats(venue, wish, found[0])


@settings(max_examples=at_length(150, 1200), deadline=None)
@given(sparse, parties)
def test_rows_behind_each_other_give_the_best_when_no_row_has_room(venue, wish):
    assume(one_row(venue, wish) is None)
    expected = neighbouring(venue, wish)
    found = asked(venue, wish)
    if expected is None:
        assert not found or found[0].step != "rows"
        return
    length, _, cost = expected
    assert found[0].step == "rows"
    parts = check_seats(venue, wish, found[0])
    assert len(parts) == length
    assert found[0].cost == pytest.approx(cost)


@settings(max_examples=at_length(100, 800), deadline=None)
@given(sparse, parties, st.sampled_from((1, 2)))
def test_rows_behind_each_other_keep_a_wheelchair_beside_somebody(venue, party, accessible):
    wish = Wish(party.quantity, party.tier, accessible)
    assume(one_row(venue, wish) is None)
    expected = neighbouring(venue, wish)
    found = asked(venue, wish)
    assert bool(expected) == bool(found and found[0].step == "rows")
    if expected:
        check_seats(venue, wish, found[0])


@settings(max_examples=at_length(150, 1200), deadline=None)
@given(sparse, parties)
def test_scattered_places_are_found_when_there_are_any(venue, wish):
    assume(one_row(venue, wish) is None)
    assume(neighbouring(venue, wish) is None)
    found = asked(venue, wish)
    assert bool(found and found[0].step == "sections") == scattered(venue, wish)
    if scattered(venue, wish):
        check_seats(venue, wish, found[0])


@settings(max_examples=at_length(125, 1000), deadline=None)
@given(sparse, wishes)
def test_a_table_is_offered_to_the_party_that_fills_it_when_no_seats_are_left(venue, wish):
    assume(one_row(venue, wish) is None)
    assume(wish.quantity < 4 or neighbouring(venue, wish) is None)
    assume(wish.quantity < 4 or wish.accessible or not scattered(venue, wish))
    tables = []
    for document, digits in venue:
        seats = [s for b in document["blocks"] for r in b["rows"] for s in r["seats"]]
        for seat, digit in zip(seats, digits, strict=True):
            right = seat.get("capacity") == wish.quantity and wish.tier in (None, seat["tier"])
            if digit == "0" and right and (seat["kind"] != "standard") == (wish.accessible > 0):
                tables.append(math.dist(FOCAL, (seat["x"], seat["y"])))
    found = asked(venue, wish)
    assert bool(found) == bool(tables)
    if tables:
        assert (found[0].step, found[0].distance) == ("whole", pytest.approx(min(tables)))


@settings(max_examples=at_length(125, 1000), deadline=None)
@given(venues, wishes)
def test_a_list_is_what_a_queue_would_take_one_after_another(venue, wish):
    found = asked(venue, wish, count=4)
    taken: list[str] = []
    for proposal in found:
        assert set(taken).isdisjoint(proposal.ids())
        if proposal.step in ("row", "row-orphans"):
            alone = asked(venue, wish, taken=taken)[0]
            assert (alone.step, alone.cost) == (proposal.step, pytest.approx(proposal.cost))
        taken += proposal.ids()


@settings(max_examples=at_length(100, 800), deadline=None)
@given(venues, wishes)
def test_the_smaller_party_that_a_refusal_names_would_find_seats_together(venue, wish):
    assume(one_row(venue, wish) is None)
    prepared = [SectionSeats.from_layout(document, FOCAL) for document, _ in venue]
    most = most_together(hall(prepared, {d["section"]: s for d, s in venue}), wish)
    sizes = [
        size
        for size in range(max(1, wish.accessible), wish.quantity)
        if one_row(venue, Wish(size, wish.tier, wish.accessible))
    ]
    assert most == max(sizes, default=0)


def crowd_on_one_map(seed, *, beside=True):
    """Callers who all saw the same map and claim one after another; what they left needlessly."""
    chance = random.Random(seed)  # noqa: S311 a seed that repeats the crowd exactly
    drawn = section(*["." * 16] * 5, focal=(150.0, -40.0))
    statuses = "".join(chance.choice("00000002") for _ in range(80))
    claims, order = MemoryClaims(MemoryClock()), []
    for number in range(25):
        wish = Wish(chance.choice((2, 3, 4)))
        claimed: Collection[str] = ()
        for _ in range(4):
            found = propose(hall([drawn], {"S": statuses}, claimed), wish, 6)
            choices = [Claim(p.units, p.beside if beside else ()) for p in found]
            answer = claims.claim("e", choices, str(number), 1) if found else None
            if answer is None:
                break
            if answer.choice is not None:
                order += [found[answer.choice].ids()] if found[0].step == "row" else []
                break
            claimed = claims.claimed("e", ["S"])
    sold = {seat for seat in drawn.places if statuses[_at(drawn, seat)] != "0"}
    return orphans([drawn], sold, order)[1]


def _at(drawn, seat):
    number, position = drawn.places[seat]
    return drawn.benches[number].start + position


BETWEEN_OTHERS = (815, 1777, 1992)  # crowds in which a gap was longer than a list had counted on


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**40))
@example(BETWEEN_OTHERS[0])
@example(BETWEEN_OTHERS[1])
@example(BETWEEN_OTHERS[2])
def test_a_crowd_on_one_map_leaves_no_single_seat_that_was_avoidable(seed):
    assert crowd_on_one_map(seed) == 0


def test_a_crowd_leaves_single_seats_when_claims_do_not_look_beside_them():
    assert sum(crowd_on_one_map(seed, beside=False) for seed in range(40)) > 0


@pytest.mark.parametrize("seed", BETWEEN_OTHERS)
def test_a_crowd_leaves_single_seats_when_claims_do_not_look_at_the_ends_of_a_gap(
    seed, monkeypatch
):
    monkeypatch.setattr(best_available, "_ends", lambda *_: ())
    assert crowd_on_one_map(seed) > 0


def check_seats(venue, wish, proposal):
    """Free, wanted, together, nobody alone; the parts, row by row."""
    rows = rows_of(venue)
    place = {
        seat["id"]: (number, position)
        for number, row in enumerate(rows)
        for position, seat in enumerate(row.seats)
    }
    ids = proposal.ids()
    assert len(set(ids)) == len(ids) == wish.quantity
    parts: list[list[str]] = []
    for seat in ids:
        number, position = place[seat]
        last = place[parts[-1][-1]] if parts else None
        beside = last == (number, position - 1) and position not in rows[number].aisles
        if beside:
            parts[-1].append(seat)
        else:
            parts.append([seat])
        entry = rows[number].seats[position]
        assert rows[number].free[position]
        assert wish.tier in (None, entry["tier"])
        assert wish.accessible or entry["kind"] == "standard"
    assert len(parts) == 1 or min(map(len, parts)) >= 2
    kinds = [rows[place[s][0]].seats[place[s][1]]["kind"] for s in ids]
    assert kinds.count("accessible") >= wish.accessible
    return parts
