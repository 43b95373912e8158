"""A few buyers from two of Locust's workers on the running system, then the laws."""

from __future__ import annotations

import pytest

from fairgate_ops.run.crowd.distributed import Load, load_and_check, locust_python
from fairgate_ops.run.crowd.load_target import LoadTarget
from fairgate_ops.run.local.local_config import LocalConfig


def test_no_law_is_broken_when_two_workers_send_buyers(system, tmp_path, capsys):
    if locust_python() is None:
        pytest.skip("Locust is not installed: `make test` and `make load` do it (.venv-load)")
    target = LoadTarget(system.base_url)
    load = Load(target, system.event, buyers=6, seconds=12, workers=2, think_s=0.2, seed=11)
    status = load_and_check(load, LocalConfig.read(system.run_dir), tmp_path)
    said = capsys.readouterr().out
    assert status == 0, said
    assert "ticket ticketed" in said
    assert "laws hold" in said
