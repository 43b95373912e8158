"""The comparison's benchmark counts what it says; it bounds the reads of a sale's hour."""

from __future__ import annotations

from pathlib import Path

from fairgate_lab.bench.reconcile import BENCHMARK


def test_reads_are_two_batches_a_hundred_captures() -> None:
    (part,) = BENCHMARK.measure(BENCHMARK.read(["--captures", "200"]), Path())
    before, after = part.rows
    # Two batches more read what the event has sold.
    assert before[1:3] == (f"{(2 * 200 + 2) * 5:,}", "10.05")
    assert after[1:3] == (f"{(2 * 2 + 2) * 5}", "0.15")
    assert int(str(after[3])) < int(str(before[3])) / 2
