"""What `make grant-controls` keeps between its runs, and the table that it ends with."""

from __future__ import annotations

from typing import cast

import pytest

from emulator import grants
from emulator.grant_record import Record, Right, Verdict, table, wrong
from emulator.grants import UNNOTICED
from emulator.parts import PARTS
from fairgate_lab.emulator.system import EmulatedSystem
from infra.functions import BY_NAME

READ = Right("tickets", "dynamodb:GetItem", "reservations")
LIST = Right("tickets", "s3:ListBucket", "s3")
NOTICED = Verdict(READ, "AssertionError 500", 2, 3.0)
UNASKED = Verdict(LIST, "", 0, 0.0)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "build" / "grants.json"


def test_what_is_finished_is_there_in_the_next_run(file):
    Record(file).keep("tickets", [NOTICED, UNASKED])
    assert Record(file).finished() == {"tickets": [NOTICED, UNASKED]}


def test_a_function_whose_rights_changed_is_not_finished(file, monkeypatch):
    Record(file).keep("tickets", [NOTICED])
    monkeypatch.setitem(BY_NAME, "tickets", BY_NAME["sweeper"])
    assert Record(file).finished() == {}


def test_what_is_kept_of_others_stays(file):
    first, second = Record(file), Record(file)  # two runs at a time, each with functions of its own
    first.keep("tickets", [NOTICED])
    second.keep("desk", [])
    assert set(Record(file).finished()) == {"tickets", "desk"}


def test_a_file_that_was_cut_off_counts_for_nothing(file):
    file.parent.mkdir()
    file.write_text('{"tickets": {"of": "')
    assert Record(file).finished() == {}


def test_table_says_of_each_right_what_failed_without_it():
    lines = table({"tickets": [NOTICED, UNASKED]}, {str(LIST): "a reason"})
    assert [line.split() for line in lines] == [
        ["tickets", "dynamodb:GetItem", "reservations", "AssertionError", "500"],
        ["tickets", "s3:ListBucket", "s3", "nothing:", "a", "reason"],
    ]


@pytest.mark.parametrize(
    ("verdict", "reasons", "problem"),
    [
        (NOTICED, {}, ""),
        (UNASKED, {str(LIST): "a reason"}, ""),
        (UNASKED, {}, "nobody asked for it: use it in parts.py, give a reason, or take it away"),
        (NOTICED, {str(READ): "a reason"}, "it is noticed: its reason goes"),
        (
            Verdict(READ, "OSError", 0, 1.0),
            {},
            "the part failed, but not for want of the right",
        ),
        (Verdict(READ, "", 1, 1.0), {}, "refused 1 times, and nothing failed"),
    ],
)
def test_a_right_is_wrong_unless_it_is_missed_or_excused(verdict, reasons, problem):
    found = wrong({"tickets": [verdict]}, reasons)
    assert found == ({str(verdict.right): problem} if problem else {})


def test_a_reason_for_a_right_that_nobody_has_is_wrong():
    found = wrong({"tickets": [NOTICED]}, {"tickets sqs:SendMessage Mails": "a reason"})
    assert found == {"tickets sqs:SendMessage Mails": "a reason for a right that nobody has"}


def test_a_reason_of_a_function_that_has_not_run_is_not_judged():
    assert wrong({"tickets": [NOTICED]}, {"desk sqs:SendMessage Mails": "a reason"}) == {}


def test_every_reason_names_a_function():
    assert {right.split()[0] for right in UNNOTICED} <= set(BY_NAME)


def test_what_is_finished_needs_no_deployment(file, capsys, monkeypatch):
    monkeypatch.setattr(grants, "UNNOTICED", {str(LIST): "a reason"})
    monkeypatch.setattr(grants, "EmulatedSystem", None)  # a start fails
    Record(file).keep("tickets", [NOTICED, UNASKED])
    assert grants.main(["--only", "tickets", "--record", str(file)]) == 0
    assert "nothing: a reason" in capsys.readouterr().out


def test_a_part_that_fails_with_every_right_is_said_and_not_finished(file, capsys, monkeypatch):
    def fails(_system: object) -> None:
        raise AssertionError("no ticket")

    class System:
        def decisions(self) -> list[object]:
            return []

    monkeypatch.setitem(PARTS, "tickets", fails)
    monkeypatch.setattr(grants, "_policy", lambda *_: {})
    monkeypatch.setattr(grants, "_put_policy", lambda *_: None)
    record, system = Record(file), cast("EmulatedSystem", System())
    grants._keep(record, system, "tickets", [READ])
    assert grants._told(record, ["tickets"]) == 1
    said = capsys.readouterr().out
    assert "tickets fails with all of its rights: AssertionError no ticket" in said
    assert "WRONG tickets: not finished." in said
