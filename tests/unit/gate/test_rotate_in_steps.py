"""A rotation in steps: logged everywhere before a key changes, and never switched too soon."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from fairgate.errors import WrongStateError
from fairgate.service.gate.operator_acts import OperatorActs
from fairgate.service.gate.rotate_in_steps import KeySteps


class Acts:
    """Notes what is logged, and when it was done."""

    def __init__(self, happened, *, dry_run=False):
        self.gates = SimpleNamespace(dry_run=dry_run)
        self._happened = happened

    def do(self, event, act, _detail, do, *, not_done):  # noqa: ARG002 as the real one has it
        self._happened.append(f"{event}: {act}")
        return do()

    do_in_each = OperatorActs.do_in_each


def steps(happened, *, dry_run=False, due=("add", "switch"), **failing):
    left = list(due)

    def make(name):
        def do():
            happened.append(name)
            if name in failing:
                raise failing[name]
            left[:1] = []

        return do

    return KeySteps(
        cast("OperatorActs", Acts(happened, dry_run=dry_run)),
        "auth keys",
        lambda: ["final", "gala"],
        lambda: left[0] if left else None,
        {name: make(name) for name in ("add", "switch", "retire")},
        lambda: happened.append("wait"),
    )


def test_a_key_is_added_waited_for_and_switched_each_after_every_log():
    happened: list[str] = []
    assert steps(happened).rotate() == ["add", "switch"]
    assert happened == [
        *("gala: auth keys add", "final: auth keys add", "add", "wait"),
        *("gala: auth keys switch", "final: auth keys switch", "switch"),
    ]


def test_all_steps_are_made_in_one_run_when_they_are_due():
    happened: list[str] = []
    assert steps(happened, due=("retire", "add", "switch", "retire")).rotate() == [
        *("retire", "add", "switch")
    ]
    done = [word for word in happened if ":" not in word]
    assert done == ["retire", "add", "wait", "switch"]


def test_a_rotation_that_broke_off_goes_on_without_another_wait():
    happened: list[str] = []
    assert steps(happened, due=("switch",)).rotate() == ["switch"]
    assert "wait" not in happened


def test_nothing_is_done_or_logged_when_nothing_is_due():
    happened: list[str] = []
    assert steps(happened, due=()).rotate() == []
    assert happened == []


def test_one_step_alone_waits_for_nothing():
    happened: list[str] = []
    assert steps(happened).rotate("retire") == ["retire"]
    assert happened[-1] == "retire"
    assert "wait" not in happened


def test_a_dry_run_makes_the_first_step_alone():
    happened: list[str] = []
    assert steps(happened, dry_run=True).rotate() == ["add"]
    assert "switch" not in happened


def test_nothing_is_switched_when_the_key_could_not_be_added():
    happened: list[str] = []
    with pytest.raises(WrongStateError):
        steps(happened, add=WrongStateError("no")).rotate()
    assert happened[-1] == "add"
