"""The demonstration's pace: what one machine serves, whatever the size of its crowd."""

from __future__ import annotations

import pytest

from fairgate_ops.run.local.up import ADMITTED_A_S, demonstration, options_of


@pytest.mark.parametrize(
    ("arguments", "tau_s"),
    [
        ([], 3.0),
        (["--crowd", "50"], 40.0),
        (["--crowd", "2000"], 200.0),
        (["--crowd", "2000", "--tau", "40"], 40.0),
    ],
)
def test_pace_follows_the_crowd_until_it_is_named(arguments: list[str], tau_s: float) -> None:
    assert demonstration(options_of(arguments)).tau_s == tau_s


@pytest.mark.parametrize("crowd", [1_000, 5_000, 100_000])
def test_no_large_crowd_is_let_in_faster_than_two_cores_serve(crowd: int) -> None:
    tau_s = demonstration(options_of(["--crowd", str(crowd)])).tau_s
    assert crowd / tau_s == pytest.approx(ADMITTED_A_S)
