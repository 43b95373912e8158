"""``fairgate simulate`` takes the event as it is, says what it assumed, and changes nothing."""

from __future__ import annotations

import json

import pytest

from fairgate_ops.operate.cli import main
from tests.unit.operate.test_cli import chart, create, said, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures
SHORT = "hours = 0.2\n"


@pytest.fixture
def brief(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SHORT)
    return str(path)


def simulate(*words):
    return main.main(["simulate", "final", *words])


def test_the_forecast_is_of_the_event_as_it_is(system, chart, brief, capsys):
    create(chart, "--control", "auto", "--live-max", "5", "--fee-order", "2", "--sample", "1")
    capsys.readouterr()
    assert simulate("--assumptions", brief, "--buyers", "100", "--buyers", "1000", "--json") == 0
    document = said(capsys)
    sale, runs = document["sale"], document["runs"]
    assert (sale["tau_s"], sale["live_max"], sale["control"]) == (600, 5, "auto")
    assert [one["buyers"] for one in runs] == [100, 1000]
    assert {one["places"] for one in runs} == {sale["places"]}
    assert runs[1]["sold"] <= sale["places"]
    fees = runs[1]["orders"] * 200
    assert runs[1]["takings_minor"] == [runs[1]["sold"] * 4500 + fees] * 2
    assert document["assumptions"]["hours"] == 0.2
    assert "Modelled" in document["modelled"]
    assert max(len(column) for column in runs[0]["curve"].values()) <= 600


def test_house_seats_are_not_sold(system, chart, brief, capsys):
    create(chart)
    assert main.main(["seats", "block", "final", "--area", "floor=10", "--reason", "x"]) == 0
    capsys.readouterr()
    simulate("--assumptions", brief, "--buyers", "10", "--json")
    assert said(capsys)["sale"]["places"] == 28


def test_people_read_a_column_for_each_crowd_and_every_assumption(system, chart, brief, capsys):
    create(chart)
    capsys.readouterr()
    assert simulate("--assumptions", brief, "--buyers", "10", "--buyers", "2000") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Modelled")
    head = next(line for line in lines if line.startswith("for buyers"))
    assert head.split() == ["for", "buyers", "10", "2,000"]
    assert any(line.startswith("all is sold after") for line in lines)
    assert "  choose_s = 120.0" in lines
    assert "  hours = 0.2" in lines


@pytest.mark.parametrize("ending", ["svg", "html"])
def test_plots_are_one_file_that_needs_nothing_else(system, chart, brief, capsys, tmp_path, ending):
    create(chart, "--name", "<Final> & more")
    file = tmp_path / f"plot.{ending}"
    words = ["--assumptions", brief, "--buyers", "50", "--buyers", "0", "--plot", str(file)]
    assert simulate(*words, "--dry-run") == 0
    assert not file.exists()
    assert simulate(*words) == 0
    text = file.read_text("utf-8")
    drawn = text[text.index("<svg") : text.index("</svg>") + len("</svg>")]
    assert drawn.count("<g") == drawn.count("</g>") > 8
    assert "Modelled" in drawn
    assert "&lt;Final&gt; &amp; more" in drawn
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")
    assert "nan" not in drawn


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--plot", "plot.png"], "ends in .svg or .html"),
        (["--assumptions", "none.toml"], "cannot be read"),
        (["--buyers=1"] * 9, "at most 8 numbers"),
    ],
)
def test_what_is_wrong_is_refused_before_anything_is_simulated(system, chart, capsys, words, told):
    create(chart)
    assert simulate(*words) == 1
    assert told in capsys.readouterr().err


def test_an_unknown_assumption_is_named(system, chart, capsys, tmp_path):
    create(chart)
    (tmp_path / "mine.toml").write_text("byers = 5\nchoose_s = -1\n")
    capsys.readouterr()
    assert simulate("--assumptions", str(tmp_path / "mine.toml"), "--json") == 1
    errors = json.loads(capsys.readouterr().out)["error"]["errors"]
    assert {one["where"] for one in errors} == {"byers", "choose_s"}


@pytest.mark.parametrize("crowd", ["-1", "10000001", "many"])
def test_a_crowd_that_cannot_be_is_wrong_usage(system, chart, capsys, crowd):
    create(chart)
    with pytest.raises(SystemExit) as ended:
        simulate(f"--buyers={crowd}")
    assert ended.value.code == 2


def test_a_closed_event_has_no_sale_to_simulate(system, chart, brief, capsys):
    create(chart)
    main.main(["event", "close", "final", "--yes"])
    capsys.readouterr()
    assert simulate("--assumptions", brief) == 1
    assert "is closed: there is no sale to simulate" in capsys.readouterr().err


def test_a_paused_event_goes_on_at_its_pace(system, chart, brief, capsys):
    create(chart)
    main.main(["event", "pause", "final"])
    capsys.readouterr()
    assert simulate("--assumptions", brief, "--buyers", "10", "--json") == 0
    assert said(capsys)["sale"]["tau_s"] == 600


def test_a_pace_planned_for_later_is_taken_at_its_time(system, chart, brief, capsys):
    create(chart)
    main.main(["tau", "plan", "final", "100", "--at", "2027-01-15T08:05:00Z"])
    capsys.readouterr()
    simulate("--assumptions", brief, "--buyers", "1000", "--json")
    taus = said(capsys)["runs"][0]["curve"]["tau_s"]
    assert taus[0] == 600
    assert 100 in taus
