"""The benchmark of cold starts judges by its own run. Its times are for people, not for tests."""

from __future__ import annotations

from fairgate_lab.bench import cold
from fairgate_lab.bench.imports import BOTO3, Seen
from fairgate_ops.shared.paths import ROOT


def seen(boto3: float, holds: float) -> Seen:
    figures = {cold.EMPTY: 1.0, BOTO3: boto3, "holds": holds}
    figures["holds, without bytecode"] = 2 * holds
    return {
        way: [{"ms": 2 * cpu + n, "cpu_ms": cpu} for n in range(3)] for way, cpu in figures.items()
    }


def test_a_function_is_over_its_budget_when_it_starts_slower_than_boto3_alone() -> None:
    for cpu_ms, met in ((101.0, False), (99.0, True)):
        part = cold.shown(seen(100.0, cpu_ms), ["holds"], 3)
        assert part.goals == {"holds starts slower than boto3 alone": met}


def test_each_function_is_shown_beside_boto3_and_without_bytecode() -> None:
    part = cold.shown(seen(100.0, 50.0), ["holds"], 3)
    assert part.rows[-1] == (
        *("holds", "50 (50–50)", "101 (100–102)", "100 (100–100)", "0.50 (0.50–0.50)"),
    )


def test_the_runtimes_packages_come_with_their_hashes() -> None:
    lock = cold.runtime_lock((ROOT / "requirements/dev.txt").read_text())
    names = {line.split("==")[0] for line in lock.splitlines() if "==" in line}
    assert {"boto3", "botocore", "urllib3"} <= names
    assert "moto" not in names
    assert lock.count("--hash=sha256:") >= len(names)
