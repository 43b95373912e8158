"""Callers with addresses of their own, on one machine."""

from __future__ import annotations

import aiohttp

from fairgate_ops.run.crowd.buyer import NETWORK_S

_A_NETWORK = 250


def client_from(number: int, connections_max: int = 1) -> aiohttp.ClientSession:
    """Make an HTTP client that calls from the loopback address of this number.

    All of 127.0.0.0/8 is this machine (Linux), so no caller is limited for what another does.
    """
    network, place = divmod(number, _A_NETWORK)
    local = (f"127.1.{network}.{place + 1}", 0)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=connections_max, local_addr=local),
        timeout=aiohttp.ClientTimeout(total=NETWORK_S),
        cookie_jar=aiohttp.DummyCookieJar(),
    )
