"""Small halls for best available, drawn in letters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fairgate.domain.seating.best_available import propose
from fairgate.domain.seating.section_search import Proposal, SectionSearch
from fairgate.domain.seating.section_seats import Point, SectionSeats

KINDS = {"a": "accessible", "c": "companion"}


def document(
    *rows: str, name: str = "S", gaps: Sequence[int] = (), top: float = 0
) -> dict[str, Any]:
    """One block. ``.`` standard, ``a`` accessible, ``c`` companion, ``t`` of tier "second", a digit
    a table for so many. Seats are 20 apart, rows 25, named by row and position, such as ``0-3``
    (in a section other than S with its name before it); ``gaps`` are positions after an aisle.
    """
    prefix = "" if name == "S" else name
    return {
        "section": name,
        "blocks": [
            {
                "rows": [
                    {
                        "seats": [
                            _seat(f"{prefix}{row}-{seat}", letter)
                            | {"x": seat * 20.0 + 50.0 * sum(seat >= gap for gap in gaps)}
                            | {"y": top + row * 25.0}
                            for seat, letter in enumerate(letters)
                        ]
                    }
                    for row, letters in enumerate(rows)
                ]
            }
        ],
    }


def _seat(seat: str, letter: str) -> dict[str, Any]:
    whole = {"unit": "table", "capacity": int(letter)} if letter.isdigit() else {}
    tier = "second" if letter == "t" else "t"
    return {"id": seat, "tier": tier, "kind": KINDS.get(letter, "standard"), **whole}


def hall(
    sections: Sequence[SectionSeats], statuses: Mapping[str, str], taken: Collection[str] = ()
) -> SectionSearch:
    """Every section at hand; those with too few units free are passed over, as in a service."""
    known = {section.section: section for section in sections}

    def read(section: str, at_least: int) -> tuple[SectionSeats, str] | None:
        found = statuses.get(section, "")
        return (known[section], found) if found.count("0") >= at_least else None

    return SectionSearch({s.section: s.nearest for s in sections}, read, frozenset(taken))


def section(*rows: str, focal: Point | None = None, **more: Any) -> SectionSeats:
    return SectionSeats.from_layout(document(*rows, **more), focal)


def first(proposals: Sequence[Proposal]) -> list[str] | None:
    return sorted(proposals[0].ids()) if proposals else None


__all__ = ["document", "first", "hall", "propose", "section"]
