"""A scripted day on the running system: every act, the laws, the figures, and two operators."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.shared.times import epoch_ms
from fairgate.service.watch.figures import PARTS
from fairgate_ops.run.rehearse.day.__main__ import SCRIPTS, rehearse
from fairgate_ops.run.rehearse.day.script import FAULTS, read_script
from tests.support.running import Running
from tests.support.waiting import wait_until

A_LOOK_MS = 2_000  # between the looks of a rehearsal


@pytest.mark.usefixtures("forked")
def test_a_day_of_trouble_goes_well(system: Running, tmp_path: Path) -> None:
    script = read_script(SCRIPTS / "short.toml")
    record = tmp_path / "figures.jsonl"
    verdict = rehearse(system.system, script, record)
    text = "\n".join(verdict.lines())
    assert verdict.complaints == [], text
    assert len(verdict.acts) == len(script.acts)
    assert set(FAULTS) < {act.do for act in verdict.acts}
    assert any(outcome.kind == "ticket" for outcome in verdict.outcomes), text
    parts = {name.partition(".")[0] for name in verdict.compared}
    assert {*PARTS, "queues", "tasks", "sign_in_keys", "cache"} <= parts
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    assert verdict.looks >= max(1, _makings(lines) - 2)  # before the first no table had been read
    assert len(lines) >= 10
    phases = {line.get("phase") for line in lines}
    expected = {"paused", "admitting"}
    if epoch_ms(lines[0]["watch"]["at"]) < lines[0]["gate"]["ds"] * 1000 - A_LOOK_MS:
        expected.add("before the sale")  # a busy machine may look for the first time after them
    assert expected <= phases, phases
    assert max(line.get("live", 0) for line in lines) <= script.sale.live_max


def test_two_operators_at_once_leave_one_truth(system: Running) -> None:
    """Five commands in the same moment: each is done or refused, and the log has them all."""
    before = len(_log(system))
    with ThreadPoolExecutor(5) as pool:
        done = list(
            pool.map(
                lambda tau: system.ran("tau", "set", system.event, str(tau), "--yes", "--json"),
                range(2, 7),
            )
        )
    assert all(one.returncode == 0 or one.stderr.startswith("Not done: ") for one in done), done
    set_to = [tau for tau, one in zip(range(2, 7), done, strict=True) if one.returncode == 0]
    entries = _log(system)[before:]
    logged = [e["detail"]["tau_s"] for e in entries if e["phase"] == "done"]
    assert sorted(logged) == sorted(set_to)
    assert json.loads(system.fairgate("event", "log", system.event, "--json"))["wrong"] == []
    paced = ("tau", "set", system.event, "1", "--yes")  # the five changes may still be to come
    wait_until(lambda: system.ran(*paced).returncode == 0, "the pace", within_s=60, every_s=1)


def _makings(lines: list[dict[str, Any]]) -> int:
    """Count how often the recorded figures were made: every ten seconds, or as a machine can."""
    seen = [event for line in lines for event in line.get("watch", {"events": []})["events"]]
    return len({event["figures"]["made_at"] for event in seen} - {None})


def _log(system: Running) -> list[dict[str, Any]]:
    document = json.loads(system.fairgate("event", "log", system.event, "--json"))
    entries: list[dict[str, Any]] = document["entries"]
    return entries
