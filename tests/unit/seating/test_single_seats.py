"""Which seats a choice would leave alone in a row."""

from __future__ import annotations

import pytest

from fairgate.domain.seating.section_seats import SectionSeats
from fairgate.domain.seating.single_seats import left_alone


def row(seats: str) -> SectionSeats:
    """Seats one unit apart; "w" is a wheelchair space."""
    kinds = ["accessible" if seat == "w" else "standard" for seat in seats]
    entries = [
        {"id": str(n), "x": float(n), "y": 0.0, "tier": "t", "kind": kind}
        for n, kind in enumerate(kinds)
    ]
    return SectionSeats.from_layout({"section": "s", "blocks": [{"rows": [{"seats": entries}]}]})


@pytest.mark.parametrize(
    ("seats", "alone"),  # x: chosen, #: taken, .: free
    [
        ("xx......", []),
        (".xx.....", ["0"]),
        ("..xx....", []),
        (".xx.", ["0", "3"]),
        (".xx#", []),  # in a gap of three, two leave one alone wherever they are
        ("..x#", []),
        (".x.x....", ["0", "2"]),
        ("#.xx..xx.#", ["1", "8"]),
        ("#.#.xx..", ["3"]),  # the single seat that was there before is not named
        ("w.xx...", ["1"]),  # nobody without need is offered the space beside it
        ("xxxxxx", []),
    ],
)
def test_a_choice_leaves_these_seats_alone(seats: str, alone: list[str]) -> None:
    statuses = "".join("2" if seat == "#" else "0" for seat in seats)
    chosen = [str(n) for n, seat in enumerate(seats) if seat == "x"]
    assert left_alone(row(seats), statuses, chosen) == alone
