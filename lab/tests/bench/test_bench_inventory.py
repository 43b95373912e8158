"""The auditor's benchmark finds its double sale; it bounds what a round reads."""

from __future__ import annotations

from pathlib import Path

from fairgate_lab.bench.inventory import BENCHMARK


def test_a_round_reads_each_seat_and_order_once() -> None:
    (part,) = BENCHMARK.measure(BENCHMARK.read(["--seats", "2000"]), Path())
    calls, units = (int(str(figure).replace(",", "")) for figure in part.rows[0][:2])
    # 2,000 seats and 1,111 orders by hundreds, the lists of both, and the minutes of the sessions.
    assert 20 + 12 < calls < 20 + 12 + 120
    assert 2_000 + 1_111 < units < 2_000 + 1_111 + 500
