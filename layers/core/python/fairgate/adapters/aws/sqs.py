"""Queue expiries, one delayed message a session, and mails, one message an order."""

from __future__ import annotations

import json
from functools import cached_property

from fairgate.adapters.aws.client import Call, aws_calls, unavailable_as

_DELAY_MAX_S = 900  # SQS, SendMessage DelaySeconds


class SqsExpiryQueue:
    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _call(self) -> Call:
        return aws_calls("sqs")

    def remind(self, session: str, delay_s: int) -> None:
        """Send the message. Raises DependencyUnavailableError; expiry is correct without it."""
        with unavailable_as("The expiry queue is unavailable. Please try again."):
            self._call(
                "SendMessage",
                QueueUrl=self._url,
                MessageBody=json.dumps({"session": session}),
                DelaySeconds=max(0, min(delay_s, _DELAY_MAX_S)),
            )


class SqsMailQueue:
    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _call(self) -> Call:
        return aws_calls("sqs")

    def mail(self, order: str) -> None:
        """Send the message. Raises DependencyUnavailableError: nobody else asks for the mail."""
        with unavailable_as("The mail queue is unavailable. Please try again."):
            self._call("SendMessage", QueueUrl=self._url, MessageBody=json.dumps({"mail": order}))
