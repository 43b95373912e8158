"""Lies on the path of processes that speak to the emulator; Python runs it when it starts.

They find nothing but this machine, whatever they were told: AWS is not here. And botocore puts the
account before the host of a KeyValueStore's endpoint, where ``<account>.127.0.0.1`` is no name that
resolves.
"""

import re
import socket
from typing import Any

_WITH_ACCOUNT = re.compile(r"\d{12}\.(127\.0\.0\.1|localhost)")
_HERE = {None, "", "127.0.0.1", "::1", "localhost"}
_resolve = socket.getaddrinfo


def _loopback(host: Any, *rest: Any, **named: Any) -> Any:
    """Resolve names of this machine. Raises socket.gaierror: it is another's."""
    named_here = host.decode() if isinstance(host, bytes) else host
    if isinstance(named_here, str) and _WITH_ACCOUNT.fullmatch(named_here):
        named_here = "127.0.0.1"
    if named_here not in _HERE:
        text = f"{named_here} is not on this machine; this shell speaks to the emulator alone"
        raise socket.gaierror(socket.EAI_NONAME, text)
    return _resolve(named_here, *rest, **named)


socket.getaddrinfo = _loopback
