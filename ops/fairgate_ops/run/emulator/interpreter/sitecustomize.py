"""Lies on the path of processes that speak to the emulator; Python runs it when it starts.

botocore puts the account before the host of a KeyValueStore's endpoint, and ``<account>.127.0.0.1``
is no name that resolves.
"""

import re
import socket
from typing import Any

_WITH_ACCOUNT = re.compile(r"\d{12}\.(127\.0\.0\.1|localhost)")
_resolve = socket.getaddrinfo


def _loopback(host: Any, *rest: Any, **named: Any) -> Any:
    if isinstance(host, str) and _WITH_ACCOUNT.fullmatch(host):
        host = "127.0.0.1"
    return _resolve(host, *rest, **named)


socket.getaddrinfo = _loopback
