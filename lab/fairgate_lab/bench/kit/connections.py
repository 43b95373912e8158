"""Ask nginx over a few open connections, and count the CPU that its workers need for it."""

from __future__ import annotations

import re
import socket
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from fairgate_lab.bench.kit.measure import BenchError, workers_ns

if TYPE_CHECKING:
    from collections.abc import Sequence

CONNECTIONS = 8
ANSWER_BYTES_MAX = 65_536
ANSWER_S = 10.0
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE)
_CHUNKS_END = b"0\r\n\r\n"


def ask(
    port: int, master: int, request: bytes, requests: int, wanted: bytes
) -> tuple[float, float]:
    """Send the request so many times; µs of CPU of nginx's workers, and ms elapsed, for each.

    Args:
        master: nginx's process, whose children the workers are.
        wanted: what must stand in every answer.

    Raises:
        BenchError: it does not, or nginx closed a connection.
    """
    rounds = requests // CONNECTIONS
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), ANSWER_S))
            for _ in range(CONNECTIONS)
        ]
        before_ns, began_s = workers_ns(master), time.monotonic()
        for _ in range(rounds):
            _round(connections, request, wanted)
        took_s, used_ns = time.monotonic() - began_s, workers_ns(master) - before_ns
    return used_ns / 1000 / (rounds * CONNECTIONS), took_s * 1000 / (rounds * CONNECTIONS)


def _round(connections: Sequence[socket.socket], request: bytes, wanted: bytes) -> None:
    for connection in connections:
        connection.sendall(request)
    for connection in connections:
        answer = b""
        while not whole(answer):
            chunk = connection.recv(ANSWER_BYTES_MAX)
            if not chunk:
                raise BenchError("nginx closed a connection without an answer.")
            answer += chunk
        if wanted not in answer:
            raise BenchError(f"An unexpected answer: {answer[:300]!r}")


def whole(answer: bytes) -> bool:
    """Tell whether all of an answer is there, by its length or the end of its chunks."""
    head, mark, body = answer.partition(b"\r\n\r\n")
    if not mark:
        return False
    length = _LENGTH.search(head + b"\r\n")
    return len(body) >= int(length[1]) if length else body.endswith(_CHUNKS_END)
