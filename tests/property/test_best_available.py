from __future__ import annotations

import itertools
import math

from hypothesis import given, settings
from hypothesis import strategies as st

from fairgate.domain.best_available import SectionSeats, find_best
from fairgate.errors import NoSeatsFoundError

KINDS = ("standard", "standard", "standard", "accessible", "companion")


@st.composite
def sections(draw):
    """A section's document with its statuses; aisles, kinds and tiers at random."""
    rows = []
    for row in range(draw(st.integers(1, 5))):
        x, seats = 0.0, []
        for seat in range(draw(st.integers(1, 12))):
            x += draw(st.sampled_from((20.0, 20.0, 20.0, 90.0)))
            kind, tier = draw(st.sampled_from(KINDS)), draw(st.sampled_from("ab"))
            entry = {"id": f"{row}-{seat}", "x": x, "y": row * 25.0, "kind": kind, "tier": tier}
            seats.append(entry)
        rows.append({"seats": seats})
    cut = draw(st.integers(0, len(rows)))
    blocks = [{"rows": part} for part in (rows[:cut], rows[cut:]) if part]
    count = sum(len(row["seats"]) for row in rows)
    statuses = draw(st.lists(st.sampled_from("00012"), min_size=count, max_size=count))
    return {"section": "S", "blocks": blocks}, "".join(statuses)


def _facts(document, statuses):
    """Seat id → (row, position, seat, status), rows numbered within the section."""
    seats = [
        (row_number, position, seat)
        for row_number, row in enumerate(row for b in document["blocks"] for row in b["rows"])
        for position, seat in enumerate(row["seats"])
    ]
    return {
        seat["id"]: (row, position, seat, status)
        for (row, position, seat), status in zip(seats, statuses, strict=True)
    }


@settings(max_examples=300, deadline=None)
@given(
    sections(),
    st.integers(1, 8),
    st.sampled_from((None, "a")),
    st.booleans(),
    st.integers(0, 100),
    st.sets(st.sampled_from(("0-0", "0-3", "1-1", "2-2")), max_size=3),
)
def test_offered_seats_are_free_wanted_and_together(
    section, quantity, tier, accessible, choose, exclude
):
    document, statuses = section
    facts = _facts(document, statuses)
    try:
        found = find_best(
            [SectionSeats.from_layout(document)],
            {"S": statuses},
            quantity=quantity,
            tier=tier,
            accessible=accessible,
            choose=choose,
            exclude=exclude,
        )
    except NoSeatsFoundError:
        assert not _exists_in_one_row(document, facts, quantity, tier, accessible, exclude)
        return
    assert len(set(found)) == len(found) == quantity
    assert exclude.isdisjoint(found)
    chosen = [facts[seat] for seat in found]
    assert all(status == "0" for *_, status in chosen)
    assert all(tier in (None, seat["tier"]) for _, _, seat, _ in chosen)
    kinds = {seat["kind"] for _, _, seat, _ in chosen}
    assert "accessible" in kinds if accessible else kinds == {"standard"}
    parts = [list(part) for _, part in itertools.groupby(chosen, key=lambda fact: fact[0])]
    numbers = [part[0][0] for part in parts]
    assert numbers == list(range(numbers[0], numbers[0] + len(parts)))
    assert len(parts) == 1 or min(map(len, parts)) >= 2
    for part in parts:
        positions = [position for _, position, _, _ in part]
        assert positions == list(range(positions[0], positions[0] + len(part)))
        row = _rows(document)[part[0][0]]
        assert not any(p in _aisles(row) for p in positions[1:])


def _rows(document):
    return [row["seats"] for block in document["blocks"] for row in block["rows"]]


def _aisles(seats):
    gaps = [math.dist((a["x"], a["y"]), (b["x"], b["y"])) for a, b in itertools.pairwise(seats)]
    median = sorted(gaps)[len(gaps) // 2] if gaps else 0.0
    return {position for position, gap in enumerate(gaps, 1) if gap > 1.8 * median}


def _exists_in_one_row(document, facts, quantity, tier, accessible, exclude):
    """Whether some window of one row would have done: written as plainly as can be."""
    for seats in _rows(document):
        for first in range(len(seats) - quantity + 1):
            window = seats[first : first + quantity]
            free = all(facts[s["id"]][3] == "0" and s["id"] not in exclude for s in window)
            wanted = all(tier in (None, s["tier"]) for s in window)
            kinds = {s["kind"] for s in window}
            kind = "accessible" in kinds if accessible else kinds == {"standard"}
            together = not any(p in _aisles(seats) for p in range(first + 1, first + quantity))
            if free and wanted and kind and together:
                return True
    return False
