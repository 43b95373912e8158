"""Locust's workers send the simulated buyers, and a wrong answer to one makes the run fail."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairgate.http import paths
from fairgate_ops.run.crowd import distributed
from fairgate_ops.run.crowd.distributed import Load, Sent, locust_python, send
from fairgate_ops.run.crowd.load_target import LoadTarget, RefusedTargetError
from fairgate_ops.run.local.processes import Child
from tests.support.buyers_site import Said, buyers_site

SECONDS = 12  # on a busy machine the workers need some to begin with


@pytest.fixture
def locust() -> None:
    if locust_python() is None:
        pytest.skip("Locust is not installed: `make test` and `make load` do it (.venv-load)")


def sent_to(base_url: str, logs_dir: Path, seconds: float = SECONDS) -> Sent:
    target = LoadTarget(base_url)
    load = Load(target, "demo", buyers=4, seconds=seconds, workers=2, think_s=0.2, seed=3)
    return send(load, logs_dir)


def test_buyers_of_two_workers_are_counted_and_none_is_cut_off(
    locust: None, tmp_path: Path
) -> None:
    with buyers_site() as base_url:
        sent = sent_to(base_url, tmp_path)
    assert sent.passed, "\n".join(sent.lines())
    assert sent.ends["ticket ticketed"] >= 4
    assert not any(end.startswith("broken") for end in sent.ends)


def test_the_run_fails_when_a_buyer_is_wrongly_answered(locust: None, tmp_path: Path) -> None:
    wrong = {("GET", paths.TICKET_SVG): Said(500, {"code": "internal-error"})}
    with buyers_site(wrong) as base_url:
        sent = sent_to(base_url, tmp_path)
    assert not sent.passed
    assert sent.ends["broken internal-error"] >= 1
    assert "load-master ended with 1" in sent.faults


def test_nothing_is_started_when_the_target_may_sell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributed, "start_child", _must_not_start)
    sells = {("GET", "/config.json"): Said(200, {"identity": None})}
    with buyers_site(sells) as base_url, pytest.raises(RefusedTargetError):
        sent_to(base_url, tmp_path)


def _must_not_start(*_arguments: object, **_options: object) -> Child:
    raise AssertionError("something was started")


class _Ended:
    """A process that is over."""

    pid = 0

    def __init__(self, code: int) -> None:
        self.returncode = code


def _ended(code: int) -> Any:
    """Return it for what only asks whether it runs."""
    return _Ended(code)


def _judged(tmp_path: Path, ends: Mapping[str, int], *codes: int) -> Sent:
    rows = [f'{{"method":"buyer","name":"{end}","num_requests":{n}}}' for end, n in ends.items()]
    figures = tmp_path / "figures.json"
    figures.write_text(f"[{','.join(rows)}]")
    log = Path(os.devnull)
    master, *workers = [Child(f"p{n}", _ended(code), log) for n, code in enumerate(codes)]
    return distributed.judged(master, workers, figures)


def test_the_run_fails_when_a_worker_is_lost_or_nobody_buys(tmp_path: Path) -> None:
    well = {"ticket ticketed": 3, "refusal nothing-left": 1}
    assert _judged(tmp_path, well, 0, 0, 0).passed
    assert "p2 ended with -9" in _judged(tmp_path, well, 0, 0, -9).faults
    assert "nobody came to a ticket" in _judged(tmp_path, {"refusal x": 9}, 0, 0).faults
    assert "1 broken network" in _judged(tmp_path, {**well, "broken network": 1}, 0, 0).faults
    (tmp_path / "figures.json").unlink()
    assert not distributed.judged(
        Child("p", _ended(0), Path(os.devnull)),
        [],
        tmp_path / "figures.json",
    ).passed
