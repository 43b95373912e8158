"""One account moves the estimate of the crowd by one, and a wrong estimate empties the hall."""

from __future__ import annotations

import pytest

from fairgate_lab.simulate.gate.inflated import SAMPLE, admitted, inflated


@pytest.fixture(scope="module")
def found():
    return inflated(10_000, 1, requests=400)


def test_one_account_moves_the_estimate_by_one_however_often_it_asks(found):
    assert found["counted_more"]["in the sample"]["most"] == 1.0
    assert found["counted_more"]["not in the sample"]["most"] == 0.0
    assert found["estimate_moves_in_the_mean"] == 1.0


def test_an_account_that_asks_for_hundreds_of_places_is_still_counted_once(found):
    assert found["counted_more"]["in the sample"]["at_the_end"] == 1.0


def test_the_sample_stands_for_the_crowd(found):
    spread = (10_000 * SAMPLE) ** 0.5 / SAMPLE
    assert abs(found["estimate"] - found["accounts"]) < 4 * spread


def test_every_request_moved_the_estimate_when_requests_were_counted(found):
    spread = (400 * SAMPLE) ** 0.5 / SAMPLE
    assert abs(found["estimate_moved_before"] - 400) < 4 * spread


def test_an_estimate_a_hundred_times_too_large_cuts_admissions_to_a_fifth():
    right, inflated_ = (admitted(20_000, 1.0, 1, by, minutes=20) for by in (1.0, 100.0))
    assert right > 100
    assert inflated_ < 0.25 * right
