"""Processes against real engines: no seat twice, no hold in part, every answer explained.

Half as many processes at the short length; the long form: `make race PROCESSES=64 SECONDS=60`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fairgate_lab.attack.race import ENGINES, Twins, missing_engine, race_on, twins_on
from fairgate_lab.attack.race_history import Answer, History
from fairgate_lab.attack.racer import Plan, Without
from tests.support.lengths import at_length

# What costs is that each process makes a client of its own.
SHORT = at_length(
    Plan(processes=8, seconds=1.5, contested=12), Plan(processes=16, seconds=1.5, contested=24)
)
TWINS = at_length(12, 32)
HARD = Plan(processes=8, seconds=1.0, contested=12, sharing=1)


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if reason := missing_engine(name):
        pytest.skip(reason)
    return name


@pytest.fixture
def any_engine() -> str:
    for name in ("dynoxide", "ministack"):
        if missing_engine(name) is None:
            return name
    pytest.skip("neither engine is installed: make setup")


def test_no_seat_has_two_holds_when_processes_race(engine: str, tmp_path: Path) -> None:
    result = race_on(engine, SHORT, tmp_path)
    assert result.violations == []
    outcomes = {answer.outcome for answer in result.history.answers}
    assert {"held", "seats-taken", "released"} <= outcomes
    assert "no seat held twice" in "\n".join(result.lines())


def test_one_key_makes_one_hold_when_many_processes_send_it(engine: str, tmp_path: Path) -> None:
    (seen,) = twins_on(engine, TWINS, tmp_path, rounds=1)
    assert len(seen.answers) == TWINS
    assert seen.passed, seen


@pytest.mark.parametrize(
    ("without", "law"), [("seat-guard", "double-hold"), ("all-or-none", "locked-without-hold")]
)
def test_the_judge_notices_when_a_guard_is_away(
    any_engine: str, tmp_path: Path, without: Without, law: str
) -> None:
    result = race_on(any_engine, replace(HARD, without=without), tmp_path)
    assert law in {violation.law for violation in result.violations}
    assert "BROKEN" in "\n".join(result.lines())


def test_twins_have_not_passed_when_answers_or_effects_differ() -> None:
    one, other = ("hld_1", "a"), ("hld_2", "a")
    assert Twins([one, one], 4).passed
    assert not Twins([one, other], 4).passed
    assert not Twins([one, one], 8).passed


# --- the judge, on histories that are written down


def held(session: str, seats: str, began: int, ended: int, hold: str = "") -> Answer:
    return Answer(session, "hold", tuple(seats), began, ended, "held", hold=hold or session)


def gone(session: str, seats: str, named: str, began: int, ended: int) -> Answer:
    return Answer(session, "hold", tuple(seats), began, ended, "seats-taken", named=tuple(named))


def full(session: str, seats: str, had: int, began: int, ended: int) -> Answer:
    return Answer(session, "hold", tuple(seats), began, ended, "limit-exceeded", held=had)


def released(session: str, seats: str, began: int, ended: int, outcome: str = "released") -> Answer:
    told = {"released": "released", "unknown": "unknown"}[outcome]
    return Answer(session, "release", tuple(seats), began, ended, told, hold=session)  # type: ignore[arg-type]


def laws(*answers: Answer, limit: int = 3) -> list[str]:
    return sorted({violation.law for violation in History(answers, limit).violations()})


def test_a_seat_may_pass_on_when_its_release_was_asked_before_the_next_answer() -> None:
    first, back = held("A", "x", 0, 10), released("A", "x", 20, 40)
    assert laws(first, back, held("B", "x", 15, 30)) == []
    assert laws(first, back, held("B", "x", 5, 15)) == ["double-hold"]


def test_two_holds_are_found_when_a_short_one_lies_within_a_long_one() -> None:
    short, back = held("B", "x", 20, 30), released("B", "x", 40, 50)
    assert laws(held("A", "x", 0, 10), short, back) == ["double-hold"]
    later = held("C", "x", 60, 70)
    assert laws(held("A", "x", 0, 10), later) == ["double-hold"]


@pytest.mark.parametrize(
    ("answer", "explained"),
    [
        (gone("B", "xy", "x", 20, 30), True),
        (gone("B", "xy", "y", 20, 30), False),  # y was free
        (gone("B", "xy", "xy", 20, 30), False),
        (gone("B", "xz", "x", 20, 30), False),  # z was held, too
        (gone("B", "xz", "z", 5, 30), False),
        (gone("B", "xz", "xz", 5, 30), True),
        (gone("B", "xy", "x", 0, 1), True),  # A's call was under way
        (gone("B", "xy", "", 20, 30), False),
        (gone("B", "y", "x", 20, 30), False),  # x was not asked for
        (gone("B", "x", "x", 100, 110), False),  # it had been given back
        (gone("B", "x", "x", 45, 60), True),  # it was just being given back
    ],
)
def test_a_refusal_is_explained_when_one_moment_fits_all_its_seats(
    answer: Answer, explained: bool
) -> None:
    history = (held("A", "xz", 0, 10), released("A", "xz", 40, 50), answer)
    assert laws(*history) == ([] if explained else ["refusal-unexplained"])


def test_two_seats_must_have_been_gone_at_the_same_moment() -> None:
    history = (
        *(held("A", "x", 0, 10), released("A", "x", 20, 30)),
        held("B", "y", 40, 50),
    )
    assert laws(*history, gone("C", "xy", "x", 15, 60)) == []
    assert laws(*history, gone("C", "xy", "y", 15, 60)) == []
    assert laws(*history, gone("C", "xy", "xy", 15, 60)) == ["refusal-unexplained"]


def test_a_limit_is_explained_when_the_session_had_as_many_as_it_says() -> None:
    had = held("A", "xy", 0, 10)
    assert laws(had, full("A", "zw", 2, 20, 30)) == []
    assert laws(had, full("A", "zw", 1, 20, 30)) == ["limit-unexplained"]
    assert laws(had, full("A", "z", 2, 20, 30)) == ["limit-unexplained"]  # three are allowed
    assert laws(had, full("A", "zw", 3, 20, 30)) == ["limit-unexplained"]


def test_a_session_over_its_limit_is_found() -> None:
    first, second = held("A", "xy", 0, 10, "h1"), held("A", "zw", 20, 30, "h2")
    assert laws(first, second) == ["over-limit"]
    assert laws(first, second, limit=4) == []


def test_whatever_a_lost_answer_may_have_done_is_allowed() -> None:
    lost = Answer("A", "hold", ("x",), 0, 10, "unknown")
    assert laws(lost, held("B", "x", 20, 30)) == []
    assert laws(lost, gone("B", "x", "x", 20, 30)) == []
    kept = (held("A", "x", 0, 10), released("A", "x", 20, 30, "unknown"))
    assert laws(*kept, gone("B", "x", "x", 50, 60)) == []
    assert laws(*kept, held("B", "x", 50, 60)) == []


def test_an_error_of_another_kind_is_never_explained() -> None:
    assert laws(Answer("A", "hold", ("x",), 0, 1, "broken")) == ["unexplained-answer"]
