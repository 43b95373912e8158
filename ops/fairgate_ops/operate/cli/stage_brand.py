"""Give a new event the stage's brand, where neither its options nor its file say anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.service.catalog.stage_brand import read_brand, taken_of

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.importers.assembly import Reading
    from fairgate_ops.operate.target import Target

_WHERE = "the stage's brand"


def take_brand(options: argparse.Namespace, target: Target, how: Reading) -> None:
    """Put it among the options, and note what was taken. Raises MalformedInputError."""
    text = target.brand()
    if not text:
        return
    given = [one.name for one in FACTS if hasattr(options, one.name)]
    taken = taken_of(read_brand(text), given)
    typed = {one.option: one.name for one in FACTS if one.name in taken}
    before = getattr(options, "place", str)

    def place(option: str) -> str:
        return f"{_WHERE}, {option.removeprefix('--')}" if option in typed else before(option)

    vars(options).update(taken, place=place)
    if typed:
        how.notes.append(f"of {_WHERE}: {', '.join(typed)}")
