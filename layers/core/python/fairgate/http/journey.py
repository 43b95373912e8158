"""Go a buyer's way through the public API, from joining to giving the seats back."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fairgate.deadline import require_left
from fairgate.domain.gate.proof_of_work import solve
from fairgate.errors import DependencyUnavailableError
from fairgate.http import paths

if TYPE_CHECKING:
    from fairgate.ports.world import Clock

# (address, body, headers, method) → (status, body); raises OSError, HTTPException or ValueError.
Call = Callable[[str, bytes | None, Mapping[str, str], str], tuple[int, bytes]]
Answer = tuple[int, Mapping[str, Any]]
_NO_ANSWER = (OSError, http.client.HTTPException, ValueError, DependencyUnavailableError)
_RETRY_S = 1.0  # between two requests for admission, where the answer names no moment
_LEAVING_S = 5.0  # of the time, so that the next journey finds the account free
_WAITS = (HTTPStatus.ACCEPTED, HTTPStatus.TOO_MANY_REQUESTS)


class JourneyFailedError(Exception):
    """A step did not end as it does for a buyer whom nothing hinders.

    Attributes:
        step: look, join, admission, hold, release or leave.
        why: status and code of the answer, or what there was instead of one.
    """

    def __init__(self, step: str, why: str) -> None:
        super().__init__(f"{step}: {why}")
        self.step, self.why = step, why


class Journey:
    """One buyer at one event.

    Attributes:
        answering_ms: how long all answers took together, without the wait in the queue.
    """

    def __init__(
        self,
        call: Call,
        public_url: str,
        event: str,
        *,
        clock: Clock,
        pause: Callable[[float], object],
    ) -> None:
        self._call, self._public_url, self._event = call, public_url, event
        self._clock, self._pause = clock, pause
        self._headers: dict[str, str] = {}
        self._session = ""
        self.answering_ms = 0

    def go(self, token: str) -> None:
        """Join, wait, hold one place, give it back and leave.

        Args:
            token: the sign-in of an account that nobody else uses.

        Raises:
            JourneyFailedError: a step failed. The session is given back where that can be done.
            DependencyUnavailableError: the wait would not leave the time to give back.
        """
        self._headers = {paths.HEADER_AUTHORIZATION: f"Bearer {token}"}
        self._leave_former()
        self._wait(self._ask("join", "POST", paths.QUEUE, HTTPStatus.OK))
        try:
            one = {"quantity": 1}
            held = self._ask("hold", "POST", paths.BEST_AVAILABLE, HTTPStatus.CREATED, one)
            self._ask("release", "DELETE", paths.HOLD, HTTPStatus.NO_CONTENT, hold=held["hold"])
        except JourneyFailedError:
            with suppress(JourneyFailedError):  # the first failure is the one that is told
                self._leave()
            raise
        self._leave()

    def _leave_former(self) -> None:
        """Give back what a journey left that did not come to its end."""
        status, body = self._answer("look", "GET", paths.LIVE_SESSION)
        if status == HTTPStatus.OK:
            self._enter(body)
            self._leave()
        elif status != HTTPStatus.NOT_FOUND:
            raise _failed("look", status, body)

    def _wait(self, joined: Mapping[str, Any]) -> None:
        """Ask for admission at the moments that the answers name, until there is a session."""
        challenge = joined["challenge"]
        self._headers[paths.HEADER_SOLUTION] = solve(challenge["ch"], challenge["pow"])
        ahead_s = joined["now"] - self._clock.now_ms() / 1000  # of our clock, the edge's
        token, moment = joined["token"], joined["boff"]
        while True:
            pause_s = max(0.0, moment - ahead_s - self._clock.now_ms() / 1000)
            require_left(pause_s + _LEAVING_S)
            self._pause(pause_s)
            self._headers[paths.HEADER_TOKEN] = token
            status, body = self._answer("admission", "POST", paths.ADMISSION)
            if status == HTTPStatus.CREATED:
                self._enter(body)
                return
            if body.get("live_session"):  # an answer before this one was lost
                self._enter(self._ask("look", "GET", paths.LIVE_SESSION, HTTPStatus.OK))
                return
            if status not in _WAITS and not _is_not_yet(body):
                raise _failed("admission", status, body)
            now_s = self._clock.now_ms() / 1000 + ahead_s
            token, moment = body.get("token", token), body.get("boff", now_s + _RETRY_S)

    def _enter(self, body: Mapping[str, Any]) -> None:
        self._session = body["session"]
        self._headers[paths.HEADER_SESSION] = body["credential"]

    def _leave(self) -> None:
        self._ask("leave", "DELETE", paths.SESSION, HTTPStatus.NO_CONTENT)

    def _ask(
        self,
        step: str,
        method: str,
        path: str,
        expected: HTTPStatus,
        body: Mapping[str, Any] | None = None,
        **ids: str,
    ) -> Mapping[str, Any]:
        status, answered = self._answer(step, method, path, body, **ids)
        if status != expected:
            raise _failed(step, status, answered)
        return answered

    def _answer(
        self,
        step: str,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        **ids: str,
    ) -> Answer:
        path = path.format(event=self._event, session=self._session, **ids)
        sent = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, "content-type": "application/json"}
        began = self._clock.now_ms()
        try:
            status, text = self._call(self._public_url + path, sent, headers, method)
            answered = json.loads(text) if text else {}
        except _NO_ANSWER as error:
            raise JourneyFailedError(step, f"no answer: {type(error).__name__}") from error
        finally:
            self.answering_ms += self._clock.now_ms() - began
        return status, answered if isinstance(answered, dict) else {}


def _is_not_yet(body: Mapping[str, Any]) -> bool:
    """Say whether the origin, whose clock or rules differ from the edge's, asks to come again."""
    return body.get("code") == "not-admitted" and "retry_after" in body


def _failed(step: str, status: int, body: Mapping[str, Any]) -> JourneyFailedError:
    return JourneyFailedError(step, f"{status} {body.get('code', '')}".rstrip())
