"""A short rush on the running system: buyers against each other, then the laws."""

from __future__ import annotations

from fairgate_ops.run.load.rush import rush_on


def test_no_law_is_broken_when_thirty_buyers_rush(system):
    result = rush_on(system.system, system.event, buyers=30, seconds=10, seed=7)
    text = "\n".join(result.lines())
    assert result.passed, text
    assert len(result.outcomes) >= 30
    kinds = {outcome.kind for outcome in result.outcomes}
    assert kinds <= {"ticket", "refusal", "message"}
    assert "ticket" in kinds, text
    assert any(seat["availability"] == "reserved" for seat in result.report.snapshot.seats)
