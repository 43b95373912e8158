"""A short draw on the running system: every guest at their turn, as the gate's own stamps say.

Its seconds are this machine's, so the bound on them is left to `make draw`.
"""

from __future__ import annotations

from fairgate_lab.attack.draw import draw_on, lines, sale_of


def test_nobody_is_early_or_put_off_when_sixty_guests_join_before_sale_start(system):
    verdict = draw_on(system.system, sale_of(60, 8.0), 60)
    text = "\n".join(lines(verdict))
    assert len(verdict.seen) == 60
    assert (verdict.absent, verdict.early, verdict.passed_over) == ([], [], []), text
    assert all(one.sent_on_s for one in verdict.seen)
    assert verdict.gate_late_s[0] > -0.05
