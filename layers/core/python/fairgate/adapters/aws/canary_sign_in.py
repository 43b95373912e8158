"""Have the canary signed in by the function that renews sign-ins: it alone needs the keys."""

from __future__ import annotations

import json
from functools import cached_property

from fairgate.adapters.aws.client import SdkClient, unavailable_as
from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate.sign_in_canary import CALL

_READ_S = 6.0  # the function may have to start


class CanarySignIn:
    """Implements ports.CanaryAccount."""

    def __init__(self, function: str) -> None:
        self._function = function

    @cached_property
    def _client(self) -> SdkClient:
        return SdkClient("lambda", read_s=_READ_S)

    def token(self) -> str:
        """Return the token. Raises DependencyUnavailableError.

        Cost: one invocation.
        """
        with unavailable_as("sign-in: the function cannot be called", when_refused=True):
            answer = self._client.call(
                "invoke", FunctionName=self._function, Payload=json.dumps(CALL)
            )
        if "FunctionError" in answer:
            raise DependencyUnavailableError("sign-in: the function failed")
        return str(json.loads(answer["Payload"].read())["token"])
