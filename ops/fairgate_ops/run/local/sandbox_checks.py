"""What the sandbox provider takes of a form or a call, beyond its shape."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from fairgate_ops.run.local.loopback_server import LOCAL_PATH, RefusedError
from fairgate_ops.run.local.sandbox_pages import origin

LATE_MAX_S = 3_600


def check_return_url(url: str, public_url: str) -> None:
    """A path of this site, its own origin, or loopback: never an open redirect."""
    if LOCAL_PATH.fullmatch(url):
        return
    try:
        address = urlsplit(url)
        host = address.hostname or ""
        fits = (
            address.scheme in ("http", "https")
            and url.isprintable()
            and not re.search(r"[\s\\@]", url)
            and (origin(url) == origin(public_url) or _is_loopback(host))
        )
    except ValueError:
        fits = False
    if not fits:
        raise RefusedError(400, "return_url must be of the same origin, or loopback.")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def delay_s(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", text) or float(text) > LATE_MAX_S:
        raise RefusedError(400, f"delay_s is a number of seconds, at most {LATE_MAX_S}.")
    return float(text)
