"""The script of a rehearsed day is read whole or refused with everything that is wrong."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fairgate.errors import MalformedInputError, NotFoundError
from fairgate.service.audit.snapshot import Snapshot
from fairgate_ops.operate.cli.main import parser
from fairgate_ops.operate.laws.checked import Report
from fairgate_ops.run.crowd.buyer import Outcome
from fairgate_ops.run.rehearse.day.__main__ import SCRIPTS
from fairgate_ops.run.rehearse.day.acts import Done
from fairgate_ops.run.rehearse.day.predict import Predicted
from fairgate_ops.run.rehearse.day.script import FAULTS, Expected, parse_script, read_script
from fairgate_ops.run.rehearse.day.verdict import Verdict, wrong_figures

SHIPPED = sorted(SCRIPTS.glob("*.toml"))
ACT = Done("event pause EVENT", 6.0, 6.1, 7.5)
WELL = Verdict(
    Report(Snapshot(now=""), []), [ACT], [Outcome("ann", "ticket", "t")], [{"at_s": 1, "live": 3}]
)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_ships_can_be_read_and_its_commands_typed(path):
    script = read_script(path)
    assert [act.at_min for act in script.acts] == sorted(act.at_min for act in script.acts)
    for act in script.acts:
        if act.do not in FAULTS:
            words = act.do.replace("'a rehearsal'", "x").replace("'half an hour in'", "x").split()
            parser(words).parse_args(words)


def test_the_short_day_and_the_hour_have_every_fault():
    for path in (SCRIPTS / "short.toml", SCRIPTS / "hour.toml"):
        assert set(FAULTS) <= {act.do for act in read_script(path).acts}, path
    assert read_script(SCRIPTS / "hour.toml").crowd.buyers == 500
    assert read_script(SCRIPTS / "short.toml").minutes <= 1


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"minuets": 3}, "minuets"),
        ({"minutes": 0}, "minutes"),
        ({"minutes": "one"}, "minutes"),
        ({"sale": {"tau": 3}}, "sale.tau"),
        ({"sale": {"tau_s": "fast"}}, "sale.tau_s"),
        ({"sale": 3}, "sale"),
        ({"crowd": {"buyers": 0}}, "crowd.buyers"),
        ({"crowd": {"arrival_s": -1}}, "crowd.arrival_s"),
        ({"act": [{"do": "cache-gone"}]}, "act 1.at_min"),
        ({"act": [{"at_min": 5, "do": "cache-gone"}]}, "act 1.at_min"),
        ({"act": [{"at_min": 0, "do": "rm -rf /"}]}, "act 1.do"),
        ({"act": {}}, "act"),
        ({"sale": {"control": "by hand"}}, "sale.control"),
        ({"expect": [{"from_min": 2, "to_min": 1, "live": 5}]}, "expect 1.to_min"),
        ({"expect": [{"from_min": 2, "to_min": 3}]}, "expect 1.live"),
        ({"crowd": {"leaves": 1}}, "crowd.leaves"),
    ],
)
def test_each_wrong_field_is_named(document: dict[str, Any], where: str):
    with pytest.raises(MalformedInputError) as refused:
        parse_script(document)
    listed = cast("list[dict[str, str]]", refused.value.fields["errors"])
    assert where in {entry["where"] for entry in listed}


def test_a_file_that_is_none_is_refused(tmp_path):
    with pytest.raises(NotFoundError):
        read_script(tmp_path / "none.toml")
    (tmp_path / "x.toml").write_text("= 3")
    with pytest.raises(MalformedInputError):
        read_script(tmp_path / "x.toml")


def test_a_day_that_went_well_has_no_complaint():
    assert WELL.complaints == []
    assert list(WELL.lines())[-1] == "The day went well."


@pytest.mark.parametrize(
    ("worse", "text"),
    [
        ({"acts": [replace(ACT, failure="refused")]}, "failed: refused"),
        ({"acts": [replace(ACT, begun_s=9.0)]}, "began 3.0 s late"),
        ({"outcomes": [Outcome("ann", "broken", "500", "x")]}, "ann lost their way"),
        ({"expected": [Expected(0, 1, 50)]}, "3.0 shopped in the mean, 50 within 10%"),
        ({"expected": [Expected(1, 2, 3)]}, "nobody looked"),
        ({"expected": [Expected(1, 2)]}, "nobody looked"),
        (
            {"expected": [Expected(0, 1, 3)], "predicted": [Predicted((8.0, 6.0))], "live_max": 20},
            "the simulator shows 7.0 (6.0 to 8.0 in 2 runs)",
        ),
        ({"recorded": []}, "0 of 0 looks failed"),
        ({"recorded": [{"at_s": 1, "live": 1}, {"error": "x"}]}, "1 of 2 looks failed"),
        ({"wrong_figures": ["live is shown as 3, and is 2"]}, "live is shown"),
        ({"report": Report(Snapshot(now=""), cast("Any", ["sold-twice"]))}, "sold-twice"),
    ],
)
def test_what_went_wrong_is_said(worse, text):
    (complaint,) = replace(WELL, **worse).complaints
    assert text in complaint


def test_a_day_as_simulated_has_no_complaint():
    predicted = [Predicted((5.5, 4.5))]  # the day's 3.0 is less than 2 below
    day = replace(WELL, expected=[Expected(0, 1)], predicted=predicted, live_max=20)
    assert day.complaints == []
    assert "the simulator shows 5.0" in "\n".join(day.lines())


def test_figures_are_compared_with_the_tables():
    session = {"eventId": "day", "state": "reservation", "expiresAt": "2030"}
    kinds: dict[str, list[dict[str, Any]]] = {
        "session": [session, session | {"expiresAt": "2026"}, session | {"state": "paid"}],
        "event": [{"SK": "day", "liveMax": 12}],
        "seat": [{"eventId": "day"}, {"eventId": "other"}],
    }
    snapshot = Snapshot("2027", kinds)
    report = cast("Report", SimpleNamespace(snapshot=snapshot))
    shown = {"live": 1, "live_max": 12, "seats": 1, "at_edges": True}
    assert wrong_figures(shown, report, "day") == []
    for name in shown:
        assert [name] == [c.split()[0] for c in wrong_figures(shown | {name: 7}, report, "day")]
