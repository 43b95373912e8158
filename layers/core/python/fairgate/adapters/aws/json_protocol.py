"""Speak AWS's JSON protocol over open connections: the part of the SDK that functions need.

A signed call costs a fifth of boto3's CPU and a tenth of its import (``make bench-hold``). It uses
the keys in Lambda's environment, which stay the same. If keys come from elsewhere (a profile, a
container, SnapStart), or AWS calls them expired, ``aws_client`` finds them instead. Errors are
botocore's, so that callers translate one kind.
"""

from __future__ import annotations

import http.client
import select
import ssl
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

import msgspec

from fairgate.adapters.aws.sigv4 import authorization
from fairgate.deadline import take
from fairgate.version import user_agent

if TYPE_CHECKING:
    from fairgate.settings import AwsAccess

_OK = 200
_SERVER_ERROR = 500
# The SDK may find newer keys than the environment names.
# Source: each service's API reference, "Common errors".
EXPIRED = frozenset({"ExpiredToken", "ExpiredTokenException"})
Instead = Callable[[str, Mapping[str, Any]], dict[str, Any]]
_IDLE_MAX = 16  # connections kept open; threads beyond that open and close their own


class AwsJson:
    """Calls one service. Safe for threads: each call has a connection to itself.

    Args:
        target: the prefix of ``x-amz-target``, with its version.
        version: of the JSON protocol, as in ``application/x-amz-json-1.0``.
        now_s: the clock that signs; AWS refuses one that is five minutes off.
        instead: makes the caller that finds its own keys, once these are expired.
    """

    def __init__(
        self,
        access: AwsAccess,
        service: str,
        target: str,
        *,
        version: str = "1.0",
        connect_timeout_s: float,
        read_timeout_s: float,
        now_s: Callable[[], float] = time.time,
        instead: Callable[[], Instead] | None = None,
    ) -> None:
        url = urlsplit(access.endpoint)
        self._access, self._service, self._target = access, service, target
        self._host, self._port, self._tls = url.hostname or "", url.port, url.scheme == "https"
        self._connect_timeout_s, self._read_timeout_s = connect_timeout_s, read_timeout_s
        self._now_s = now_s
        self._make_instead = instead
        self._instead: Instead | None = None
        self._fixed = {"content-type": f"application/x-amz-json-{version}", "host": url.netloc}
        if access.session_token:
            self._fixed["x-amz-security-token"] = access.session_token
        self._idle: deque[http.client.HTTPConnection] = deque()

    def call(self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer's document. Cost: one round trip; it never tries again by itself.

        Each wait ends at the request's deadline or after the time-out.

        Raises:
            DependencyUnavailableError: nothing of the request's time is left.
            botocore.exceptions.ClientError: the service refused; ``response`` says why.
            botocore.exceptions.HTTPClientError: no answer, or one that was damaged.
        """
        if self._instead is not None:
            return self._instead(operation, request)
        body = msgspec.json.encode(request)
        headers = self._signed(operation, body)
        try:
            connection = self._connection()
            try:
                connection.sock.settimeout(take(self._read_timeout_s))
                connection.request("POST", "/", body, headers)
                answer = connection.getresponse()
                # The socket is the answer's own once the service wants it closed.
                if connection.sock is not None:
                    connection.sock.settimeout(take(self._read_timeout_s))
                text = answer.read()
            except BaseException:  # an interrupt, too: the next call would read this one's answer
                connection.close()
                raise
        except (OSError, http.client.HTTPException) as error:
            _unreachable(error)
        if len(self._idle) < _IDLE_MAX:
            self._idle.append(connection)
        else:
            connection.close()
        checksum = answer.getheader("x-amz-crc32")
        if checksum is not None and int(checksum) != zlib.crc32(text):
            _unreachable(ValueError("the answer's checksum is wrong"))
        if answer.status != _OK:
            refusal = _refusal(answer.status, text, answer.getheader("x-amzn-requestid", ""))
            if self._make_instead is not None and refusal["Error"]["Code"] in EXPIRED:
                self._instead = self._make_instead()
                return self._instead(operation, request)
            _refuse(operation, refusal)
        document: dict[str, Any] = msgspec.json.decode(text) if text else {}
        return document

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _signed(self, operation: str, body: bytes) -> dict[str, str]:
        headers = {
            **self._fixed,
            "x-amz-date": time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(self._now_s())),
            "x-amz-target": f"{self._target}.{operation}",
        }
        headers["authorization"] = authorization(
            headers,
            body,
            key_id=self._access.key_id,
            secret_key=self._access.secret_key,
            region=self._access.region,
            service=self._service,
        )
        headers["accept-encoding"] = "identity"
        headers["user-agent"] = user_agent()
        return headers

    def _connection(self) -> http.client.HTTPConnection:
        """Return one that is still open, or a new one."""
        while True:
            try:
                idle = self._idle.pop()
            except IndexError:
                break
            if not _dropped(idle):
                return idle
            idle.close()
        timeout_s = take(self._connect_timeout_s, waits=2)  # to connect, to shake hands
        made = (
            http.client.HTTPSConnection(self._host, self._port, timeout=timeout_s, context=_tls())
            if self._tls
            else http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)
        )
        made.connect()
        return made


def _dropped(connection: http.client.HTTPConnection) -> bool:
    """Say whether the other side closed it: an idle connection has nothing to read."""
    if connection.sock is None:
        return True
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return bool(poll.poll(0))


@cache
def _tls() -> ssl.SSLContext:
    """Verify certificates and names; reading the system's store takes 20 ms, once."""
    return ssl.create_default_context()


def _refuse(operation: str, refusal: Any) -> NoReturn:
    from botocore.exceptions import ClientError

    raise ClientError(refusal, operation)


def _refusal(status: int, text: bytes, request_id: str) -> dict[str, Any]:
    """Read why the service refused, in the shape that botocore gives it."""
    try:
        document = msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError:
        document = {}  # a load balancer's page
    code = str(document.get("__type", "")).rpartition("#")[2]
    if not code:
        code = "ServiceUnavailable" if status >= _SERVER_ERROR else str(status)
    message = document.get("message", document.get("Message", ""))
    return {
        **document,
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": status, "RequestId": request_id},
    }


def _unreachable(error: Exception) -> NoReturn:
    from botocore.exceptions import HTTPClientError

    raise HTTPClientError(error=error) from error
