"""Try calls again within a budget that the process shares, to spare a service that is down.

Each further try costs tokens, and each success gives some back. If a service fails for everybody,
the budget is soon spent, and each request asks once. Single failures are tried again.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from fairgate.deadline import TRY_S_MIN, left_s

# What a try costs and a success gives back are the SDK's own. Its 500 tokens are for a client of
# many threads; an execution environment has one request at a time.
# Source: AWS SDKs Reference Guide, "Retry behavior"; botocore/retries/standard.py and quota.py.
TOKENS_MAX = 100
NO_ANSWER_COST = 14  # a time-out, a broken connection, a server's error
THROTTLED_COST = 5
FREE = 0  # the service works: another writer changed the same item at the same moment
FIRST_TRY_GAIN = 1

T = TypeVar("T")


class RetryBudget:
    """Counts the tokens of one service. Safe for threads.

    Args:
        for_silence: so many tokens are kept for calls without an answer. Throttling usually
            concerns one partition, and must not use up the tries of all others.
    """

    def __init__(self, tokens_max: int = TOKENS_MAX, *, for_silence: int = 0) -> None:
        self._max = self._left = tokens_max
        self._for_silence = for_silence
        self._lock = threading.Lock()

    def spend(self, cost: int) -> bool:
        """Take tokens for another try; False where too few are left."""
        spared = self._for_silence if cost == THROTTLED_COST else 0
        with self._lock:
            if cost > self._left - spared:
                return False
            self._left -= cost
            return True

    def earn(self, gain: int) -> None:
        if self._left < self._max:
            with self._lock:
                self._left = min(self._max, self._left + gain)


@cache
def budget_of(service: str) -> RetryBudget:  # noqa: ARG001 one for each
    """Return the process's budget of a service; each service has its own."""
    return RetryBudget(for_silence=TOKENS_MAX // 2)


class OutOfTriesError(Exception):
    """Reports that the last try failed too; its cause has the error."""


class Retrier:
    """Tries a call again, with full jitter between the tries.

    Args:
        backoff_s: doubled with each try.
    """

    def __init__(
        self,
        budget: RetryBudget,
        *,
        attempts_max: int,
        backoff_s: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._budget = budget
        self._attempts_max, self._backoff_s, self._sleep = attempts_max, backoff_s, sleep

    def run(self, attempt: Callable[[], T], cost_of: Callable[[Exception], int | None]) -> T:
        """Return what an attempt returns.

        Args:
            cost_of: returns the tokens for another try after this error; None: it is final.

        Raises:
            OutOfTriesError: attempts, tokens or the request's time are used up.
            Exception: whatever is final.
        """
        last_cost = FIRST_TRY_GAIN
        for number in range(1, self._attempts_max + 1):
            try:
                answer = attempt()
            except Exception as error:
                cost = cost_of(error)
                if cost is None:
                    raise
                # Jitter keeps retries apart; nothing secret hangs on it.
                pause_s = random.uniform(0, self._backoff_s * 2**number)  # noqa: S311
                if (
                    number == self._attempts_max
                    or left_s() < pause_s + TRY_S_MIN
                    or not self._budget.spend(cost)
                ):
                    raise OutOfTriesError(str(error)) from error
                self._sleep(pause_s)
                last_cost = cost
            else:
                self._budget.earn(last_cost)
                return answer
        raise AssertionError("a call has at least one attempt")
