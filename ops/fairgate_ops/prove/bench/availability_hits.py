"""Requests on open connections to nginx, and the processor time that its workers need for them."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from fairgate_ops.prove.bench.availability_viewers import CHUNKS_END, LENGTH
from fairgate_ops.run.local.processes import StartError

if TYPE_CHECKING:
    from collections.abc import Callable

CONNECTIONS = 8
ANSWER_BYTES_MAX = 65_536
ANSWER_S = 10.0


def hits(
    port: int, path: str, encoding: str, requests: int, spent_ns: Callable[[], int]
) -> tuple[float, float]:
    """µs of CPU by ``spent_ns``, and ms elapsed, of each of the requests.

    Raises:
        StartError: an answer was not 200.
    """
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: {encoding}\r\n\r\n".encode()
    rounds = requests // CONNECTIONS
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), ANSWER_S))
            for _ in range(CONNECTIONS)
        ]
        before_ns, start = spent_ns(), time.monotonic()
        for _ in range(rounds):
            for connection in connections:
                connection.sendall(head)
            for connection in connections:
                answer = _whole(connection)
                if not answer.startswith(b"HTTP/1.1 200 "):
                    raise StartError(f"{path} answered {answer[:60]!r}")
        took_s, used_ns = time.monotonic() - start, spent_ns() - before_ns
    done = rounds * CONNECTIONS
    return used_ns / 1000 / done, took_s * 1000 / done


def _whole(connection: socket.socket) -> bytes:
    received = b""
    while True:
        chunk = connection.recv(ANSWER_BYTES_MAX)
        if not chunk:
            raise StartError("nginx closed a connection without an answer")
        received += chunk
        head, mark, body = received.partition(b"\r\n\r\n")
        if not mark:
            continue
        length = LENGTH.search(head + b"\r\n")
        if len(body) >= int(length[1]) if length else body.endswith(CHUNKS_END):
            return received
