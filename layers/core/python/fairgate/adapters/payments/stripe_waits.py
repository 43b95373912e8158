"""Bound each of Stripe's requests by what is left of ours.

The library fixes its time-outs when a client is made, and pauses before it tries again. So it gets
a session that asks before each request, and that says so when there is no time for another one.
"""

from __future__ import annotations

from typing import Any

from fairgate.deadline import TRY_S_MIN, left_s, out_of_time, take

CONNECT_S, READ_S = 2.0, 6.0
# Source: stripe-python, HTTPClient.INITIAL_DELAY: the pause before the first further try.
PAUSE_S = 0.5


class BoundedSession:
    """Does what the library asks of a ``requests.Session``."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def request(self, method: str, url: str, **named: Any) -> Any:
        """Send one request; what the library names as its time-out is passed over.

        Raises:
            DependencyUnavailableError: nothing is left, or nothing for another try. The library
                wraps it as an error that it does not try again.
        """
        connect_s = take(CONNECT_S, waits=2)
        read_s = take(connect_s + READ_S) - connect_s
        try:
            return self._session.request(method, url, **{**named, "timeout": (connect_s, read_s)})
        except OSError as error:  # every error of requests is one
            if left_s() < PAUSE_S + 2 * TRY_S_MIN:
                raise out_of_time() from error
            raise

    def close(self) -> None:
        self._session.close()


def bounded_session() -> Any:
    """Make the session. Loads ``requests``, which only Stripe's users carry."""
    import requests

    return BoundedSession(requests.Session())
