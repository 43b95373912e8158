"""Check texts that an organiser writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.reading import Problems, Reader

if TYPE_CHECKING:
    from collections.abc import Mapping


def text_problem(
    given: Mapping[str, object], name: str, chars_max: int, *, printed: bool = True
) -> list[tuple[str, str]]:
    """Return what is wrong with a text of one line."""
    problems = Problems()
    Reader(given, "", problems).text(name, chars_max=chars_max, printed=printed)
    return problems.shown


def lines_problem(given: Mapping[str, object], name: str, chars_max: int) -> list[tuple[str, str]]:
    """Return what is wrong with a text of several lines."""
    text = str(given[name])
    lines = [line for line in text.split("\n") if line]
    odd = any(text_problem({"": line}, "", chars_max, printed=False) for line in lines)
    if odd or len(text) > chars_max:
        what = f"must be printable lines of at most {chars_max} characters together"
        return [(name, f"{what}, without space around a line")]
    return []
