"""A condition is taken apart into the clauses that can be lost alone."""

from __future__ import annotations

import pytest

from fairgate_lab.simulate.sale import guards


@pytest.mark.parametrize(
    ("condition", "clauses"),
    [
        ("#a = :a", ["#a = :a"]),
        ("#a = :a AND #b > :b", ["#a = :a", "#b > :b"]),
        ("(#a = :a OR #b = :b) AND #c = :c", ["#a = :a OR #b = :b", "#c = :c"]),
        (
            "#a = :a OR (#b = :b AND #c = :c)",
            ["#a = :a OR (#b = :b AND #c = :c)", "#b = :b", "#c = :c"],
        ),
        ("(#a = :a) AND (#b = :b)", ["#a = :a", "#b = :b"]),
    ],
)
def test_a_condition_is_taken_apart_into_what_can_be_lost_alone(
    condition: str, clauses: list[str]
) -> None:
    assert guards.clauses_of(condition) == clauses
