"""A forecast is made by a job, kept for the event, and shown to those who watch."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Update
from fairgate.service.shared.keys import forecast_key
from fairgate_ops.operate.forecast.assumptions import meanings, read_assumptions, shown
from fairgate_ops.operate.forecast.kept import POINTS_MAX
from tests.support import jobs
from tests.support.world import EVENT, World
from tests.unit.operate.test_operator_api import do

ASSUMED = {"hours": 0.5, "before_s": 60, "tickets": "[0.5, 0.5]"}


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.serve(world, monkeypatch)


def forecast(world: World, role: str = "organiser", **arguments: Any) -> dict[str, Any]:
    """Have one made; return the job as it ended."""
    asked = {"event": EVENT, "buyers": [50], "assume": ASSUMED, **arguments}
    status, answer = do(world, "simulate", asked, role)
    assert status == 200, answer
    name = answer["result"]["job"]["id"]
    jobs.deliver(world)
    job: dict[str, Any] = do(world, "job show", {"job": name}, role)[1]["result"]["job"]
    return job


def kept(world: World) -> Any:
    return do(world, "forecast show", {"event": EVENT}, "box-office")[1]["result"]["forecast"]


def test_a_forecast_that_is_kept_is_shown_with_who_made_it_of_what(world: World) -> None:
    assert kept(world) is None
    job = forecast(world, keep=True)
    assert (job["state"], job["problem"]) == ("done", None), job
    found = kept(world)
    assert (found["made_at"], found["by"]) == (rfc3339(world.clock.ms), "sign-in olga")
    assert found["assumptions"]["tickets"] == [0.5, 0.5]
    assert (found["run"]["buyers"], found["run"]["simulated_s"] > POINTS_MAX) == (50, True)
    lengths = {len(column) for column in found["run"]["curve"].values()}
    assert len(lengths) == 1
    assert 1 < lengths.pop() <= POINTS_MAX
    assert found["run"]["cost"]["dollars"] > 0


def test_the_last_one_is_kept_and_no_other_is(world: World) -> None:
    forecast(world, keep=True)
    forecast(world, buyers=[70])
    assert kept(world)["run"]["buyers"] == 50
    forecast(world, buyers=[70], keep=True)
    assert kept(world)["run"]["buyers"] == 70


def test_plots_are_a_file_of_the_job_and_one_forecast_alone_is_kept(world: World) -> None:
    [file] = forecast(world, plot=True)["files"]
    assert file["name"] == f"{EVENT}-forecast.html"
    refused = forecast(world, buyers=[50, 70], keep=True)
    assert (refused["state"], kept(world)) == ("failed", None)
    assert "name buyers once" in refused["problem"]["detail"]


def test_what_cannot_be_assumed_is_named(world: World) -> None:
    job = forecast(world, assume={"byers": 5, "choose_s": "soon", "hours": "1\nleaves = 1"})
    assert job["state"] == "failed"
    wrong = {one["where"] for one in job["problem"]["errors"]}
    assert wrong == {"byers", "choose_s", "hours"}


def test_a_damaged_forecast_is_none(world: World) -> None:
    body = {"document": "{", "ttl": 1}
    world.table.update(Update("reservations", *forecast_key(EVENT), set=body))
    assert kept(world) is None


def test_every_assumption_is_shown_with_its_meaning(world: World) -> None:
    shows = do(world, "forecast show", {"event": EVENT}, "viewer")[1]["result"]["assumes"]
    assert {one["name"]: one["value"] for one in shows} == shown(read_assumptions())
    assert set(meanings()) == {one["name"] for one in shows}
    assert all(one["about"] for one in shows)
