"""The comparison's benchmark counts what it says; it bounds the reads of a sale's hour."""

from __future__ import annotations

from fairgate_lab.bench import reconcile as bench


def test_reads_are_two_batches_a_hundred_captures() -> None:
    before, after = bench.measure(200)
    assert (before.captures, after.captures) == (200, 200)
    orders = 2  # batches that read what the event has sold
    assert (before.reads, after.reads) == (2 * 200 + orders, 2 * 2 + orders)
    assert after.queries < before.queries / 2
    assert f"| {after.way} | 30 | 0.15 |" in bench.shown([before, after], 5.0)
