"""The expiry queue: one delayed message a session, at its expiry."""

from __future__ import annotations

import json
from typing import Any

_DELAY_MAX_S = 900  # SQS, SendMessage DelaySeconds


class SqsExpiryQueue:
    def __init__(self, url: str) -> None:
        self._url = url
        self._client: Any = None

    def remind(self, session: str, delay_s: int) -> None:
        if self._client is None:
            from botocore.config import Config
            from botocore.session import get_session

            config = Config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 3})
            self._client = get_session().create_client("sqs", config=config)
        self._client.send_message(
            QueueUrl=self._url,
            MessageBody=json.dumps({"session": session}),
            DelaySeconds=max(0, min(delay_s, _DELAY_MAX_S)),
        )
