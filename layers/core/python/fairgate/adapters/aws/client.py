"""Call AWS from a function: explicit time-outs, a few tries, translated outages."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairgate.errors import DependencyUnavailableError
from fairgate.settings import aws_access

if TYPE_CHECKING:
    from fairgate.adapters.aws.json_protocol import AwsJson

Call = Callable[..., dict[str, Any]]

CONNECT_TIMEOUT_S = 1
READ_TIMEOUT_S = 2

# Worth another try; what remains after the tries is an outage for the caller.
_TRANSIENT = frozenset(
    {
        "InternalFailure",
        "InternalServiceError",
        "RequestThrottled",
        "ServiceUnavailable",
        "ThrottlingException",
    }
)


_ATTEMPTS_MAX = 3
_BACKOFF_S = 0.05  # doubled each time, full jitter
_LIGHT = {"secretsmanager": ("secretsmanager", "1.1"), "sqs": ("AmazonSQS", "1.0")}


def aws_calls(service: str, *, sleep: Callable[[float], None] = time.sleep) -> Call:
    """Return ``call("SendMessage", QueueUrl=…)`` of ``sqs`` or ``secretsmanager``.

    Signed here where the environment names the keys, otherwise by botocore's client; with the same
    errors and the same number of tries. docs/adr/0014.
    """
    access = aws_access(service)
    if access is None:
        sdk = aws_client(service)
        return lambda operation, **request: dict(getattr(sdk, _snake(operation))(**request))
    from fairgate.adapters.aws.json_protocol import AwsJson

    target, version = _LIGHT[service]
    client = AwsJson(
        access,
        service,
        target,
        version=version,
        connect_timeout_s=CONNECT_TIMEOUT_S,
        read_timeout_s=READ_TIMEOUT_S,
    )
    return lambda operation, **request: _tried(client, operation, request, sleep)


def _tried(
    client: AwsJson, operation: str, request: dict[str, Any], sleep: Callable[[float], None]
) -> dict[str, Any]:
    from botocore.exceptions import ClientError, HTTPClientError

    for attempt in range(1, _ATTEMPTS_MAX):
        try:
            return client.call(operation, request)
        except HTTPClientError:
            pass
        except ClientError as error:
            if error.response["Error"]["Code"] not in _TRANSIENT:
                raise
        # Jitter keeps retries apart; nothing secret hangs on it.
        sleep(random.uniform(0, _BACKOFF_S * 2**attempt))  # noqa: S311
    return client.call(operation, request)


def _snake(operation: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()


def aws_client(service: str, *, attempts_max: int = _ATTEMPTS_MAX, **config: Any) -> Any:
    """Make a botocore client: half the import time of boto3."""
    from botocore.config import Config
    from botocore.session import get_session

    settings = Config(
        connect_timeout=CONNECT_TIMEOUT_S,
        read_timeout=READ_TIMEOUT_S,
        retries={"total_max_attempts": attempts_max},
        **config,
    )
    return get_session().create_client(service, config=settings)


@contextmanager
def unavailable_as(detail: str) -> Iterator[None]:
    """Raise DependencyUnavailableError for outages; other errors of AWS propagate."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except BotoCoreError as error:  # connection errors and time-outs
        raise DependencyUnavailableError(detail) from error
    except ClientError as error:
        if error.response["Error"]["Code"] not in _TRANSIENT:
            raise
        raise DependencyUnavailableError(detail) from error
