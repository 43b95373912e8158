"""The report of the running system's sale comes from the logs that its edge and API wrote."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from fairgate_ops.shared.log_names import EDGE_REQUESTS
from tests.e2e.shopper import Shopper, free_seats
from tests.support.running import Running
from tests.support.waiting import wait_until

pytest.importorskip("duckdb", reason="DuckDB is not installed (requirements/dev.txt)")


def test_the_report_counts_what_buyers_did(system: Running, tmp_path: Path) -> None:
    first = Shopper(system.base_url, system.event).walk_in()
    second = Shopper(system.base_url, system.event).walk_in()
    seat = free_seats(system.base_url, system.event, 1)[0]
    assert first.hold([seat]).status == 201
    assert second.hold([seat]).status == 409
    edge = system.run_dir / "logs" / EDGE_REQUESTS
    sessions = [one.session["session"] for one in (first, second)]
    wait_until(lambda: all(s in edge.read_text() for s in sessions), "nginx to write its lines")
    said = json.loads(system.fairgate("report", system.event, "--out", str(tmp_path), "--json"))
    assert said["missing"] == []
    came = _table(tmp_path, "arrivals_by_minute")
    assert sum(int(row["joined"]) for row in came) >= 2
    assert sum(int(row["came_in"]) for row in came) >= 2
    assert sum(int(row["buyers"]) for row in _table(tmp_path, "waits_by_arrival")) >= 2
    refused = {(row["asked_for"], row["status"]) for row in _table(tmp_path, "refusals")}
    assert ("POST /api/sessions/{id}/holds", "409") in refused
    routes = {row["route"] for row in _table(tmp_path, "answers_by_route")}
    assert "POST /api/sessions/{session}/holds" in routes
    assert "<svg" in (tmp_path / "report.html").read_text()


def _table(folder: Path, name: str) -> list[dict[str, str]]:
    text = (folder / f"{name}.csv").read_text("utf-8-sig")
    return list(csv.DictReader(text.splitlines()))
