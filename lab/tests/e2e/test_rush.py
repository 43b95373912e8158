"""A short rush on the running system: buyers against each other, then the laws."""

from __future__ import annotations

from fairgate_lab.attack.rush import rush_on
from tests.support.lengths import at_length

BUYERS, SECONDS = at_length((20, 5), (30, 10))


def test_no_law_is_broken_when_many_buyers_rush(system):
    result = rush_on(system.system, system.event, buyers=BUYERS, seconds=SECONDS, seed=7)
    text = "\n".join(result.lines())
    assert result.passed, text
    assert len(result.outcomes) >= BUYERS
    kinds = {outcome.kind for outcome in result.outcomes}
    assert kinds <= {"ticket", "refusal", "message"}
    assert "ticket" in kinds, text
    assert any(seat["availability"] == "reserved" for seat in result.report.snapshot.seats)
