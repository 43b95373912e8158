"""How a function makes an AWS client: botocore, explicit time-outs, translated outages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fairgate.errors import DependencyUnavailableError

CONNECT_TIMEOUT_S = 1
READ_TIMEOUT_S = 2

# Retried by the SDK already; what remains is an outage for the caller.
_TRANSIENT = frozenset(
    {
        "InternalServiceError",
        "RequestThrottled",
        "ServiceUnavailable",
        "ThrottlingException",
    }
)


def aws_client(service: str, *, attempts_max: int = 3, **config: Any) -> Any:
    """A botocore client: half the import time of boto3."""
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
    """Raises DependencyUnavailableError for outages; other errors of AWS propagate."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except BotoCoreError as error:  # connection errors and time-outs
        raise DependencyUnavailableError(detail) from error
    except ClientError as error:
        if error.response["Error"]["Code"] not in _TRANSIENT:
            raise
        raise DependencyUnavailableError(detail) from error
