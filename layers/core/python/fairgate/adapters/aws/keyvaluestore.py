"""Reach the CloudFront KeyValueStore's data plane as :class:`fairgate.ports.EdgeConfig`."""

from __future__ import annotations

import random
import re
import time
from typing import TYPE_CHECKING, Any, NoReturn

from fairgate.adapters.aws.client import SdkClient
from fairgate.errors import DependencyUnavailableError, VersionConflictError

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

CONNECT_S, READ_S = 2.0, 3.0
RETRY_AFTER_S = 5
BACKOFF_S = 0.05  # doubled each time, full jitter

# botocore puts the store's account in front of the host, which no endpoint of one's own answers to.
_ACCOUNT_PREFIX = re.compile(r"^(https?://)\d{12}\.")
_UNAVAILABLE = frozenset({"InternalServerException", "ThrottlingException", "ServiceUnavailable"})


class KeyValueStore:
    """Reads and writes one store under the ETag that covers all of its keys.

    The client is made at the first call. It signs with SigV4A, which needs ``awscrt``.

    Args:
        arn: of the store.
        endpoint: of a local store; "" is AWS. A local store never sees AWS credentials.
    """

    def __init__(self, arn: str, endpoint: str = "") -> None:
        self._arn = arn
        self._endpoint = endpoint
        self._sdk = SdkClient(
            "cloudfront-keyvaluestore", connect_s=CONNECT_S, read_s=READ_S, make=self._made
        )

    def _made(self, config: Any) -> Any:
        from botocore.session import get_session

        local: dict[str, Any] = {}
        if self._endpoint:
            local = {
                "endpoint_url": self._endpoint,
                "aws_access_key_id": "local",
                "aws_secret_access_key": "local",
            }
        # The store is global; the region only satisfies the client.
        client: Any = get_session().create_client(
            "cloudfront-keyvaluestore", region_name="us-east-1", config=config, **local
        )
        if self._endpoint:
            client.meta.events.register_first(
                "request-created.cloudfront-keyvaluestore", _strip_account
            )
        return client

    def read(self, key: str) -> tuple[str | None, str]:
        """Read the value (None: no such key) and the store's ETag.

        The ETag is read first: a change in between makes the following write fail, never pass.
        Cost: two round trips. Raises DependencyUnavailableError.
        """
        etag = self.etag()
        try:
            return str(self._call("get_key", Key=key)["Value"]), etag
        except _MissingKeyError:
            return None, etag

    def etag(self) -> str:
        """Read the store's ETag. Cost: one round trip. Raises DependencyUnavailableError."""
        return str(self._call("describe_key_value_store")["ETag"])

    def write(self, key: str, value: str, etag: str) -> str:
        """Write under the store's ETag; return the new one.

        Raises:
            VersionConflictError: the store has changed since, or this very write was answered
                late and tried again: read before trying again.
            DependencyUnavailableError: the write may or may not have happened.
        """
        answer = self._call("put_key", Key=key, Value=value, IfMatch=etag)
        return str(answer["ETag"])

    def _call(self, operation: str, **parameters: str) -> Any:
        from botocore.exceptions import (
            ClientError,
            ConnectionError,  # noqa: A004 botocore's name
            HTTPClientError,
        )

        try:
            return self._sdk.call(operation, KvsARN=self._arn, **parameters)
        except ClientError as error:
            _translate(error, operation)
        except (ConnectionError, HTTPClientError) as error:
            raise _unavailable() from error


class _MissingKeyError(Exception):
    pass


def _translate(error: ClientError, operation: str) -> NoReturn:
    """Translate known codes; unknown ones propagate as they are."""
    code = error.response["Error"]["Code"]
    message = error.response["Error"].get("Message", "")
    if code == "ResourceNotFoundException" and operation == "get_key":
        raise _MissingKeyError from error
    # The service answers a stale ETag in either way, whatever its reference says.
    if code == "ConflictException" or (
        code == "ValidationException" and "pre-condition failed" in message.lower()
    ):
        raise VersionConflictError("Somebody else changed the gate in between.") from error
    if code in _UNAVAILABLE or error.response["ResponseMetadata"]["HTTPStatusCode"] >= 500:  # noqa: PLR2004 server errors
        raise _unavailable() from error
    raise error


def wait_with_jitter(attempt: int) -> None:
    """Wait with jitter, so that writers who conflicted do not write at the same time again."""
    time.sleep(random.uniform(0, BACKOFF_S * 2**attempt))  # noqa: S311


def _unavailable() -> DependencyUnavailableError:
    return DependencyUnavailableError(
        "The KeyValueStore does not answer.", retry_after_s=RETRY_AFTER_S
    )


def _strip_account(request: Any, **_: Any) -> None:
    request.url = _ACCOUNT_PREFIX.sub(r"\1", request.url)
