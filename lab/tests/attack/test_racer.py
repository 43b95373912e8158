"""A twin asks again under its key while the system is busy, as a buyer's page does."""

from __future__ import annotations

import pytest

from fairgate.errors import DependencyUnavailableError, SeatsTakenError
from fairgate_lab.attack.racer import TWIN_ASKS_MAX, TWIN_SPREAD_S, ask_again


class Busy:
    """Answers that it is busy so many times, then what it was asked."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.asked = 0

    def __call__(self) -> str:
        self.asked += 1
        self.left -= 1
        if self.left >= 0:
            raise DependencyUnavailableError("busy", retry_after_s=2)
        return "hld_1"


def test_a_twin_asks_again_when_it_was_told_to_while_the_system_is_busy() -> None:
    pauses: list[float] = []
    assert ask_again(Busy(2), pauses.append) == "hld_1"
    assert len(pauses) == 2
    assert all(2 <= pause < 2 + TWIN_SPREAD_S for pause in pauses)


def test_a_twin_asks_a_bounded_number_of_times() -> None:
    busy = Busy(10**6)
    with pytest.raises(DependencyUnavailableError):
        ask_again(busy, lambda _s: None)
    assert busy.asked == TWIN_ASKS_MAX
    assert ask_again(Busy(TWIN_ASKS_MAX - 1), lambda _s: None) == "hld_1"


def test_a_twin_asks_once_when_the_answer_is_final() -> None:
    asked = []

    def taken() -> None:
        asked.append(1)
        raise SeatsTakenError(["a"])

    with pytest.raises(SeatsTakenError):
        ask_again(taken, lambda _s: pytest.fail("it waited"))
    assert asked == [1]
