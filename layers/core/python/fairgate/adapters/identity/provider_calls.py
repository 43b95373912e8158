"""Ask the identity provider one thing over HTTP: bounded in time and bytes, never redirected."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fairgate.deadline import take

if TYPE_CHECKING:
    from collections.abc import Mapping

CALL_S_MAX = 4.0  # from the first packet to the last byte; two calls fit into a request
ADDRESSES_MAX = 4  # of one name, that are tried
ANSWER_BYTES_MAX = 256 * 1024
RETRY_S = 2.0  # from the end of a try without an answer until the next one …
PAUSE_S_MAX = 30.0  # … and after many: a waiting request occupies a function
_SCHEMES = ("http", "https")  # http only if the setting says so, as on one machine


def pause_s(failures: int) -> float:
    """Return the pause after so many tries in a row without an answer, in seconds."""
    return min(PAUSE_S_MAX, RETRY_S * 2.0 ** min(failures - 1, 8))


def call_provider(
    url: str,
    form: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    method: str = "",
) -> tuple[int, bytes]:
    """Return status and body of a GET, or with a form of a POST, or of ``method``.

    A redirect is not followed, because the credentials are for this address only.

    Raises:
        OSError, http.client.HTTPException: no answer, or only a part of one, in time.
        ValueError: the address is not http or https, or the answer is too long.
        DependencyUnavailableError: no time is left to ask.

    Cost: at most CALL_S_MAX seconds, however slowly the bytes arrive.
    """
    address = urlsplit(url)
    if address.scheme not in _SCHEMES or not address.hostname:
        raise ValueError("the provider's address is not http or https")
    ends_at = time.monotonic() + take(CALL_S_MAX)
    connection = _connection(address.scheme, address.hostname, address.port)
    watchdog: threading.Timer | None = None
    try:
        sock = _reached(
            connection.host, connection.port, ends_at - (ends_at - time.monotonic()) / 2
        )
        connection.sock = sock
        left_s = max(0.001, ends_at - time.monotonic())
        sock.settimeout(left_s)
        if address.scheme == "https":
            sock = connection.sock = _trusted().wrap_socket(
                sock, server_hostname=connection.host, do_handshake_on_connect=False
            )
        # Each byte restarts a socket's own time-out; nothing restarts this one.
        watchdog = threading.Timer(left_s, partial(_cut, connection.sock))
        watchdog.start()
        target = address._replace(scheme="", netloc="", fragment="").geturl() or "/"
        method = method or ("GET" if form is None else "POST")
        connection.request(method, target, form, dict(headers or {}))
        with connection.getresponse() as answer:
            body = answer.read(ANSWER_BYTES_MAX + 1)
            missing = answer.length  # of what was announced; None where nothing was
    finally:
        if watchdog is not None:
            watchdog.cancel()
        connection.close()
    if time.monotonic() >= ends_at:  # what was cut off may look like an end
        raise TimeoutError("the provider's answer took too long")
    if len(body) > ANSWER_BYTES_MAX:
        raise ValueError("the provider's answer is too long")
    if missing:
        raise http.client.IncompleteRead(body, missing)
    return answer.status, body


def _connection(scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
    kind = http.client.HTTPConnection if scheme == "http" else http.client.HTTPSConnection
    return kind(host, port)


def _reached(host: str, port: int, ends_at: float) -> socket.socket:
    """Connect to the first address of this name that answers.

    Each address gets a share of the time that is left, in case one does not answer at all.
    Raises OSError.
    """
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[:ADDRESSES_MAX]
    last: OSError = TimeoutError("the provider's addresses do not answer")
    for number, (family, kind, protocol, _, address) in enumerate(addresses):
        left_s = ends_at - time.monotonic()
        if left_s <= 0:
            break
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(left_s / (len(addresses) - number))
            sock.connect(address)
            # As http.client does: a small request is sent at once.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            sock.close()
            last = error
        else:
            return sock
    raise last


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


def _cut(sock: socket.socket) -> None:
    """End the reads of another thread. TLS's own shutdown would wait for the other side."""
    try:
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:
        return  # it is closed already
