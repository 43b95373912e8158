"""An act under an Idempotency-Key is done once, however often its request comes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate.errors import DependencyUnavailableError
from fairgate.service.operators import act_answers
from fairgate.service.operators.act_answers import BUSY_S, ActAnswers
from fairgate.service.shared.idempotency import KEPT_S
from fairgate.service.shared.keys import act_answer_key
from fairgate.service.shared.records.operators import ActAnswer
from fairgate_lab.engine.table import InterleavedTable
from fairgate_ops.operate.api import once, perform
from fairgate_ops.operate.cli.report import Report
from functions.operator import handler as operator
from tests.support.world import EVENT, World
from tests.unit.operate.test_operator_api import do

HIDE = ("event hide", {"event": EVENT})


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)


@pytest.fixture
def no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every act be one that must not be done twice."""
    monkeypatch.setattr(once, "SETTINGS", frozenset())


class Died(BaseException):
    """The function ends in the middle of the act."""


class Counted:
    """An act that counts how often it is done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, meanwhile: Any = None) -> None:
        self.count, self.meanwhile = 0, meanwhile
        monkeypatch.setitem(perform._RUN, "event hide", self)

    def __call__(self, _options: object) -> Report:
        self.count += 1
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        return Report({"count": self.count}, [f"Done {self.count}."])


def answers(world: World, table: Any = None) -> ActAnswers:
    return ActAnswers(table or world.table, world.clock, world.ids, "olga")


def test_a_repeated_request_gets_the_first_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide = Counted(monkeypatch)
    first, second = (do(world, *HIDE, key="k") for _ in range(2))
    assert (first[0], first, hide.count) == (200, second, 1)
    assert do(world, *HIDE, key="other")[1]["result"] == {"count": 2}


def test_of_two_at_once_one_is_done_and_the_other_is_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    hide = Counted(monkeypatch, lambda: seen.append(do(world, *HIDE, key="k")))
    assert do(world, *HIDE, key="k")[0] == 200
    [(status, told)] = seen
    assert (status, told["reason"], told["retry_after"], hide.count) == (409, "under-way", 2, 1)


def test_two_that_begin_at_the_same_moment_are_one(world: World) -> None:
    seen: list[bool] = []
    table = InterleavedTable(world.table, lambda: seen.append(answers(world).begin("k", "p")[1]))
    seen.append(answers(world, table).begin("k", "p")[1])
    assert seen == [True, False]


def test_another_body_under_the_same_key_is_refused(world: World) -> None:
    assert do(world, *HIDE, key="k")[0] == 200
    status, told = do(world, "event show-again", {"event": EVENT}, key="k")
    assert (status, told["code"]) == (422, "idempotency-mismatch")
    assert do(world, *HIDE, key="k", confirm="yes")[0] == 422


def test_who_may_not_is_refused_although_the_answer_is_kept(world: World) -> None:
    assert do(world, *HIDE, key="k")[0] == 200
    assert do(world, *HIDE, "viewer", key="k")[0] == 403


def test_the_key_of_a_refused_act_is_free_again(world: World) -> None:
    assert do(world, "event open", {"event": EVENT, "at": "soon"}, key="x")[0] == 400
    assert do(world, "event pause", {"event": EVENT}, key="x")[0] == 200


@pytest.mark.usefixtures("no_setting")
def test_an_act_that_broke_off_is_not_done_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> None:
        raise Died

    hide = Counted(monkeypatch, die)
    with pytest.raises(Died):
        do(world, *HIDE, key="k")
    assert do(world, *HIDE, key="k")[1]["reason"] == "under-way"
    world.clock.ms += (BUSY_S + 1) * 1000
    status, told = do(world, *HIDE, key="k")
    assert (status, told["reason"], hide.count) == (409, "unknown-outcome", 1)
    assert "Look in the event's log" in told["detail"]
    assert do(world, *HIDE, key="new")[1]["result"] == {"count": 2}


def test_a_setting_that_broke_off_is_set_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> None:
        raise Died

    hide = Counted(monkeypatch, die)
    with pytest.raises(Died):
        do(world, *HIDE, key="k")
    world.clock.ms += (BUSY_S + 1) * 1000
    again = [do(world, *HIDE, key="k")[1]["result"] for _ in range(2)]
    assert (again, hide.count) == ([{"count": 2}, {"count": 2}], 2)


def test_of_two_that_take_over_one_does_it(world: World) -> None:
    left, _ours = answers(world).begin("k", "p")
    table = InterleavedTable(world.table, lambda: answers(world).take_over(left))
    assert answers(world, table).take_over(left) is None


@pytest.mark.usefixtures("no_setting")
def test_what_must_not_be_done_twice_needs_a_key(world: World) -> None:
    status, told = do(world, *HIDE, key="")
    assert (status, told["code"]) == (400, "malformed-input")
    assert "Idempotency-Key" in told["detail"]
    assert do(world, *HIDE, key="", dry_run=True)[0] == 200
    assert do(world, "event show", {"event": EVENT}, key="")[0] == 200


@pytest.mark.parametrize(
    ("name", "value"),
    [("SECRET", {"event hide"}), ("OF_BUYERS", ("event",)), ("KEPT_CHARS_MAX", 20)],
)
def test_no_answer_is_kept_that_is_secret_of_a_buyer_or_long(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    Counted(monkeypatch)
    monkeypatch.setattr(once, name, value)
    assert do(world, *HIDE, key="a")[1]["said"][0].startswith("Done ")
    kept = world.table.find(ActAnswer, act_answer_key("olga", "a"))
    assert kept
    assert "Done" not in json.loads(kept.answer)["said"][0]
    assert do(world, *HIDE, key="a")[1]["result"] == {"kept": False}


def test_a_key_is_free_after_a_day_and_forgotten_no_sooner(world: World) -> None:
    assert do(world, *HIDE, key="k")[0] == 200
    kept = world.table.find(ActAnswer, act_answer_key("olga", "k"))
    assert kept
    assert kept.ttl > world.clock.ms // 1000 + KEPT_S
    world.clock.ms += KEPT_S * 1000 - 1
    assert answers(world).begin("k", kept.payload)[1] is False
    world.clock.ms += 1
    assert answers(world).begin("k", "another")[1] is True


def test_a_dry_run_and_a_look_leave_the_key_alone(world: World) -> None:
    assert do(world, *HIDE, key="k", dry_run=True)[0] == 200
    assert do(world, "event show", {"event": EVENT}, key="k")[0] == 200
    assert do(world, *HIDE, key="k")[1]["dry_run"] is False


def test_the_records_are_the_operators_own(world: World) -> None:
    assert answers(world).begin("k", "p")[1]
    other = ActAnswers(world.table, world.clock, world.ids, "otto")
    assert other.begin("k", "another")[1]
    assert act_answers.BUSY_S > 28  # the function's time


@pytest.mark.usefixtures("no_setting")
def test_what_a_dependency_interrupted_is_not_done_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise DependencyUnavailableError("The provider does not answer.")

    hide = Counted(monkeypatch, interrupt)
    assert do(world, *HIDE, key="k")[0] == 503
    status, told = do(world, *HIDE, key="k")
    assert (status, told["reason"], hide.count) == (409, "unknown-outcome", 1)


def test_what_is_done_is_answered_although_the_answer_is_not_kept(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_what: object) -> None:
        raise DependencyUnavailableError("The table is away.")

    monkeypatch.setattr(ActAnswers, "answer", away)
    assert do(world, *HIDE, key="k")[0] == 200
