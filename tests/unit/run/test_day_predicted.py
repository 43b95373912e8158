"""What the simulator predicts of a rehearsed day: its crowd, its minutes, its sessions' lengths."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairgate_ops.run.crowd.buyer import Outcome
from fairgate_ops.run.rehearse.day.__main__ import SCRIPTS
from fairgate_ops.run.rehearse.day.predict import RUNS, predict, session_lengths_s
from fairgate_ops.run.rehearse.day.script import Expected, read_script

SCRIPT = read_script(SCRIPTS / "controller.toml")
STAYS_S = 95.0
OUTCOMES = [Outcome("ann", "ticket", "ticketed", inside_s=STAYS_S)]


def means(outcomes=OUTCOMES, *, minutes=(4.0, 7.0), **crowd):
    changed = replace(SCRIPT, crowd=replace(SCRIPT.crowd, **crowd), expected=(Expected(*minutes),))
    (predicted,) = predict(changed, outcomes)
    assert len(predicted.means) == RUNS
    return predicted.means


def test_the_room_is_empty_until_the_crowd_comes_and_the_target_is_held_then():
    assert set(means(minutes=(0.0, 1.6))) == {0.0}
    assert min(means()) > 0.9 * SCRIPT.sale.live_max
    assert max(means()) <= SCRIPT.sale.live_max


def test_the_shop_is_not_left_half_empty_once_those_who_had_their_turn_at_once_are_through():
    """A late crowd meets the operator's pace, the plans brake, and have to let go in time."""
    found = means(minutes=(8.0, 11.0), leaves=0.0)
    assert sum(found) / RUNS > 0.75 * SCRIPT.sale.live_max


def test_nobody_is_inside_before_a_crowd_that_comes_later():
    assert set(means(minutes=(1.6, 4.0), comes_after_s=260.0)) == {0.0}


def test_a_crowd_that_leaves_is_not_let_in():
    stay, leave = (
        means(minutes=(7.0, 9.0), leaves=share, leaves_after_s=60.0) for share in (0.0, 0.97)
    )
    assert sum(leave) < 0.7 * sum(stay)


def test_shorter_sessions_empty_the_room_sooner():
    short = [replace(OUTCOMES[0], inside_s=20.0)]
    assert max(means(short, minutes=(10.0, 12.0))) < min(means(minutes=(4.0, 6.0)))


def test_who_walks_off_leaves_the_session_to_run_out():
    chose = replace(OUTCOMES[0], walked_off=True)
    paying = replace(chose, steps=[("checkout", 0.2)])
    nobody = Outcome("bob", "message", "left-the-queue")
    lengths = session_lengths_s(SCRIPT, [*OUTCOMES, chose, paying, nobody])
    assert lengths == [STAYS_S, SCRIPT.sale.session_s, STAYS_S + SCRIPT.sale.checkout_s]


@pytest.mark.parametrize("change", [{"outcomes": []}, {"expected": []}])
def test_nothing_is_predicted_of_nothing(change):
    script = replace(SCRIPT, expected=change.get("expected", SCRIPT.expected))
    assert predict(script, change.get("outcomes", OUTCOMES)) == []
