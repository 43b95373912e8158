"""Call AWS from a function: bounded waits, a few tries, translated outages."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from fairgate.adapters.aws.retries import (
    NO_ANSWER_COST,
    THROTTLED_COST,
    OutOfTriesError,
    Retrier,
    budget_of,
)
from fairgate.deadline import left_s, out_of_time
from fairgate.errors import DependencyUnavailableError
from fairgate.settings import aws_access
from fairgate.version import user_agent

if TYPE_CHECKING:
    from botocore.client import BaseClient

Call = Callable[..., dict[str, Any]]
T = TypeVar("T")
_log = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 1.0
READ_TIMEOUT_S = 2.0

# CloudWatch and STS say "Throttling".
_THROTTLED = frozenset({"RequestThrottled", "SlowDown", "Throttling", "ThrottlingException"})
_TOO_MANY = frozenset({"LimitExceededException", "TooManyRequestsException"})
_FAILED = frozenset(
    {
        # For long no more: keys are renewed, or found elsewhere (json_protocol.py).
        "ExpiredToken",
        "ExpiredTokenException",
        "InternalError",
        "InternalFailure",
        "InternalServerException",
        "InternalServiceError",
        "InternalServiceErrorException",
        "RequestTimeout",
        "ServiceUnavailable",
    }
)
_SERVER_ERROR = 500

_ATTEMPTS_MAX = 3
_BACKOFF_S = 0.05  # doubled each time, full jitter
_LIGHT = {"secretsmanager": ("secretsmanager", "1.1"), "sqs": ("AmazonSQS", "1.0")}


def aws_calls(service: str, *, sleep: Callable[[float], None] = time.sleep) -> Call:
    """Return ``call("SendMessage", QueueUrl=…)`` of ``sqs`` or ``secretsmanager``.

    It is signed here if the environment names the keys, otherwise by botocore's client; errors,
    tries and bounds are the same. docs/adr/0014.
    """
    access = aws_access(service)
    if access is None:
        sdk = SdkClient(service, sleep=sleep)
        return lambda operation, **request: sdk.call(_snake(operation), **request)
    from fairgate.adapters.aws.json_protocol import AwsJson

    target, version = _LIGHT[service]
    client = AwsJson(
        access,
        service,
        target,
        version=version,
        connect_timeout_s=CONNECT_TIMEOUT_S,
        read_timeout_s=READ_TIMEOUT_S,
        instead=lambda: by_sdk(service),
    )
    retrier = _retrier(service, sleep)
    return lambda operation, **request: tried(retrier, lambda: client.call(operation, request))


def by_sdk(service: str, **config: Any) -> Callable[[str, Mapping[str, Any]], dict[str, Any]]:
    """Return ``call("SendMessage", {"QueueUrl": …})`` by botocore's client; it tries once.

    Args:
        config: more of ``botocore.config.Config``.
    """
    sdk = SdkClient(service, **config)
    return lambda operation, request: dict(getattr(sdk.client(), _snake(operation))(**request))


def _snake(operation: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()


class SdkClient:
    """Calls one service by botocore, within what is left of the request.

    A botocore client has fixed time-outs. So there are several clients, each made when it is first
    needed: one with the usual time-outs, and others with shorter ones for the end of a request.

    Args:
        connect_s, read_s: the longest waits of one try.
        attempts_max: tries of a call; a client never tries by itself.
        make: another client than the service's own, from its ``botocore.config.Config``.
    """

    SHARES = (1.0, 0.5, 0.25, 0.125)

    def __init__(
        self,
        service: str,
        *,
        connect_s: float = CONNECT_TIMEOUT_S,
        read_s: float = READ_TIMEOUT_S,
        attempts_max: int = _ATTEMPTS_MAX,
        sleep: Callable[[float], None] = time.sleep,
        make: Callable[[Any], Any] | None = None,
        **config: Any,
    ) -> None:
        self._connect_s, self._read_s = connect_s, read_s
        self._retrier = _retrier(service, sleep, attempts_max)
        self._make = make or (lambda settings: _client(service, settings))
        self._config = config
        self._clients: dict[float, Any] = {}

    def call(self, operation: str, **request: Any) -> dict[str, Any]:
        """Return the answer. Raises botocore's error of the last try."""
        return self.run(lambda client: dict(getattr(client, operation)(**request)))

    def run(self, action: Callable[[Any], T]) -> T:
        """Return the result of ``action`` with a client, with the same tries as a call."""
        return tried(self._retrier, lambda: action(self.client()))

    def client(self) -> BaseClient:
        """Return the client whose waits fit into what is left.

        Raises:
            DependencyUnavailableError: none does.
        """
        most_s = self._connect_s + self._read_s
        left = left_s()
        share = next((s for s in self.SHARES if s * most_s <= left), None)
        if share is None:
            raise out_of_time()
        if share not in self._clients:
            self._clients[share] = self._make(self._settings(share))
        made: BaseClient = self._clients[share]
        return made

    def _settings(self, share: float) -> Any:
        from botocore.config import Config

        return Config(
            connect_timeout=share * self._connect_s,
            read_timeout=share * self._read_s,
            retries={"total_max_attempts": 1},
            user_agent_extra=user_agent(),
            **self._config,
        )


def _client(service: str, settings: Any) -> Any:
    """Make a botocore client: half the import time of boto3."""
    from botocore.session import get_session

    return get_session().create_client(service, config=settings)


def _retrier(
    service: str, sleep: Callable[[float], None], attempts_max: int = _ATTEMPTS_MAX
) -> Retrier:
    return Retrier(budget_of(service), attempts_max=attempts_max, backoff_s=_BACKOFF_S, sleep=sleep)


def tried(retrier: Retrier, attempt: Callable[[], T]) -> T:
    """Return what an attempt returns. Raises botocore's error of the last one."""
    try:
        return retrier.run(attempt, _cost_of)
    except OutOfTriesError as error:
        last = error.__cause__
        raise (last if isinstance(last, Exception) else error) from None


def _cost_of(error: Exception) -> int | None:
    """Return the cost of another try; None: the service refuses for good."""
    from botocore.exceptions import ClientError, HTTPClientError
    from botocore.exceptions import ConnectionError as UnreachableError

    if not isinstance(error, ClientError):
        return NO_ANSWER_COST if isinstance(error, HTTPClientError | UnreachableError) else None
    code = error.response["Error"]["Code"]
    if code in _THROTTLED | _TOO_MANY:
        return THROTTLED_COST
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return NO_ANSWER_COST if code in _FAILED or status >= _SERVER_ERROR else None


@contextmanager
def unavailable_as(detail: str, *, when_refused: bool = False) -> Iterator[None]:
    """Raise DependencyUnavailableError for outages; other errors of AWS propagate.

    Args:
        when_refused: refusals count as outages too, for calls that every sale needs: a missing
            permission, a disabled KMS key. The log has the reason.
    """
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except BotoCoreError as error:  # connection errors and time-outs
        raise DependencyUnavailableError(detail) from error
    except ClientError as error:
        if _cost_of(error) is None:
            if not when_refused:
                raise
            _log.error("%s is refused: %s", error.operation_name, error.response["Error"]["Code"])
        raise DependencyUnavailableError(detail) from error
