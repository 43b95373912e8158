"""TLS to the cache: a proxy that wakes up has the time to connect, not the time to read."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.ports.availability import CacheUnavailableError
from tests.support.certificates import self_signed

READ_S, HANDSHAKE_S = 0.2, 2.0
GIVEN_UP_S = 10


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Of a server that takes its time to shake hands, and then answers one question with nil."""
    certificate = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(GIVEN_UP_S)  # a test that fails before it calls must end as well

        def serve() -> None:
            with suppress(OSError):  # the caller has had enough
                caller, _ = listener.accept()
                caller.settimeout(GIVEN_UP_S)
                time.sleep(HANDSHAKE_S)  # what the test is about
                with caller, context.wrap_socket(caller, server_side=True) as secure:
                    secure.recv(1_024)
                    secure.sendall(b"$-1\r\n")
                    secure.recv(1_024)

        thread = threading.Thread(target=serve)
        thread.start()
        port = listener.getsockname()[1]
        yield f"valkeys://127.0.0.1:{port}?ssl_ca_certs={certificate}"
        thread.join()


def test_shaking_hands_may_take_longer_than_reading(url: str) -> None:
    cache = ValkeyAvailability(url, timeout_s=READ_S, connect_s=10)
    assert cache.places("show") is None
    (made,) = cache._client().client.connection_pool._connections
    assert made._sock.gettimeout() == READ_S
    cache.close()


def test_and_no_longer_than_connecting_may(url: str) -> None:
    cache = ValkeyAvailability(url, timeout_s=READ_S, connect_s=READ_S)
    with pytest.raises(CacheUnavailableError):
        cache.places("show")
    cache.close()
