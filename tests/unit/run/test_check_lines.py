"""What `make check` prints of a broken law."""

from __future__ import annotations

from fairgate.service.audit.law import Violation
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.audit.tally import tally
from fairgate_ops.operate.laws.checked import Report


def test_a_broken_law_is_printed_with_what_broke_it_and_its_first_step() -> None:
    found = [Violation("tally", f"demo {name}", "1 counted, 2 there") for name in ("paid", "made")]
    text = "\n".join(Report(Snapshot(""), found).lines())
    assert f"tally, 2 times: {tally.means}" in text
    assert f"First step: {tally.first_step}" in text
    assert all(str(one) in text for one in found)
    assert "laws hold" not in text
