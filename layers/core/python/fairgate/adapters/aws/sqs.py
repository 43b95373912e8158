"""Queue expiries, orders that want tickets, and orders that want their mail."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

from fairgate.adapters.aws.client import Call, aws_calls, unavailable_as
from fairgate.errors import DependencyUnavailableError
from fairgate.request_ids import handed_along

if TYPE_CHECKING:
    from collections.abc import Sequence

_DELAY_MAX_S = 900  # SQS, SendMessage DelaySeconds
_BATCH_MAX = 10  # SQS, SendMessageBatch


class _Queue:
    """A queue, and how SQS is called."""

    def __init__(self, url: str, call: Call | None = None) -> None:
        self._url = url
        self._given = call  # an operator's, of another region than the environment's

    @cached_property
    def _call(self) -> Call:
        return self._given or aws_calls("sqs")


class SqsExpiryQueue(_Queue):
    """Implements ports.ExpiryQueue."""

    def remind(self, session: str, delay_s: int) -> None:
        """Send the message. Raises DependencyUnavailableError; expiry is correct without it."""
        with unavailable_as("The expiry queue is unavailable. Please try again."):
            self._call(
                "SendMessage",
                QueueUrl=self._url,
                MessageBody=json.dumps({"session": session, **handed_along()}),
                DelaySeconds=max(0, min(delay_s, _DELAY_MAX_S)),
            )

    def remind_all(self, sessions: Sequence[str]) -> None:
        """Send their messages, ten a call. Raises DependencyUnavailableError: some were not taken.

        The caller has also recorded them as due, so a message that was not accepted is sent again.
        """
        text = "The expiry queue is unavailable. Please try again."
        bodies = [json.dumps({"session": session, "handed": True}) for session in sessions]
        _send_all(self._call, self._url, bodies, text)


class SqsTicketQueue(_Queue):
    """Implements ports.TicketQueue, with the queue that the stream's pipe fills."""

    def ask(self, order: str) -> None:
        """Send the message. Raises DependencyUnavailableError."""
        with unavailable_as("The tickets' queue is unavailable."):
            self._call(
                "SendMessage",
                QueueUrl=self._url,
                MessageBody=json.dumps({"order": order, **handed_along()}),
            )


class SqsJobQueue(_Queue):
    """Implements ports.JobQueue."""

    def send(self, job: str) -> None:
        away = "The queue of jobs is unavailable. Please try again."
        with unavailable_as(away, when_refused=True):
            self._call(
                "SendMessage",
                QueueUrl=self._url,
                MessageBody=json.dumps({"job": job, **handed_along()}),
            )


class SqsMailQueue(_Queue):
    """Implements ports.MailQueue and ports.LinkQueue: one queue of all mails."""

    def mail(self, order: str, *, again: bool = False) -> None:
        """Send the message. Raises DependencyUnavailableError: nobody else asks for the mail."""
        with unavailable_as("The mail queue is unavailable. Please try again."):
            self._call(
                "SendMessage",
                QueueUrl=self._url,
                MessageBody=json.dumps(
                    {"mail": order, **({"again": True} if again else {}), **handed_along()}
                ),
            )

    def find(self, mailbox: str, request: str) -> None:
        """Send the message, which holds no address. Raises DependencyUnavailableError."""
        with unavailable_as("The mail queue is unavailable. Please try again."):
            self._call(
                "SendMessage",
                QueueUrl=self._url,
                MessageBody=json.dumps({"find": mailbox, "request": request, **handed_along()}),
            )

    def mail_change(self, orders: Sequence[str], number: int) -> None:
        """Send their messages, ten a call. Raises DependencyUnavailableError: ask for all again."""
        bodies = [json.dumps({"mail": order, "change": number}) for order in orders]
        text = "The mail queue is unavailable. Please try again."
        _send_all(self._call, self._url, bodies, text)


def _send_all(call: Call, url: str, bodies: Sequence[str], text: str) -> None:
    """Send ten messages a call. Raises DependencyUnavailableError: some were not taken."""
    for start in range(0, len(bodies), _BATCH_MAX):
        entries = [
            {"Id": str(number), "MessageBody": body}
            for number, body in enumerate(bodies[start : start + _BATCH_MAX])
        ]
        with unavailable_as(text):
            answer = call("SendMessageBatch", QueueUrl=url, Entries=entries)
        if answer.get("Failed"):
            raise DependencyUnavailableError(text)
