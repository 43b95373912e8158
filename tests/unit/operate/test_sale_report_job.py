"""The report as a job: its answers come from where the logs are, for those who look."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairgate_ops.operate.sale_report import source
from fairgate_ops.operate.sale_report.answers import Answer
from infra.log_queries import questions
from tests.support import jobs
from tests.support.world import EVENT, World
from tests.unit.operate.test_jobs import asked, shown

REPORT = ("report", {"event": EVENT})
ROWS = [("2026-11-27 09:01", 3)]


class Logs:
    """Logs of which one table is not kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def answers(self, event: str, first_hour: str, last_hour: str) -> Mapping[str, Answer]:
        assert (str(self.folder), event) == ("logs", EVENT)
        assert first_hour <= last_hour
        return {
            one.name: Answer(one, ("minute", "asked"), ROWS, one.table != "admissions")
            for one in questions()
        }


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.serve(world, monkeypatch)
    monkeypatch.setattr(source, "_READERS", [Logs])
    settings = world.container.settings._replace(logs_dir="logs")
    monkeypatch.setattr(world.container, "settings", settings, raising=True)


def done(world: World, role: str = "viewer", **more: Any) -> dict[str, Any]:
    name = asked(world, REPORT, role=role, **more)
    assert jobs.deliver(world) == []
    return shown(world, name, role)


def test_a_viewer_gets_the_answers_and_all_rows_in_one_file(world: World) -> None:
    job = done(world)
    assert (job["state"], job["failed"]) == ("done", False), job
    assert set(job["result"]["answers"]) == {one.name for one in questions()}
    assert job["result"]["missing"] == ["waits_by_arrival"]
    assert "Without a log: waits_by_arrival." in job["said"]
    [file] = job["files"]
    assert (file["name"], bool(file["url"])) == (f"{EVENT}-report.zip", True)
    with zipfile.ZipFile(io.BytesIO(world.job_files.kept[job["id"], file["name"]])) as archive:
        assert len(archive.namelist()) == len(questions())
        assert archive.read("robots.csv").decode("utf-8-sig").startswith("minute,asked")


def test_a_dry_run_asks_no_logs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_READERS", [])
    job = done(world, dry_run=True)
    assert (job["state"], job["files"]) == ("done", [])


def test_without_logs_the_job_says_how_to_have_some(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_READERS", [])
    job = done(world)
    assert job["state"] == "failed"
    assert "access_logs" in job["problem"]["detail"]
