"""The secret with everybody's keys, in memory: written only by a writer that has read it."""

from __future__ import annotations

import json
from typing import Any

from fairgate.domain.shared.jws import b64url


class SecretDocument:
    """One key for sign-ins, and whatever else the test says."""

    def __init__(self, **more: Any) -> None:
        auth = {"auth": {"1": b64url(b"a" * 32)}, "auth_kid": "1"}
        self.text = json.dumps(auth | more)

    def read(self) -> str:
        return self.text

    def write(self, before: str, after: str) -> None:
        assert before == self.text
        self.text = after

    @property
    def value(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.text)
        return value
