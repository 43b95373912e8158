"""A DynamoDB that says yes to everything at once: what is left is what the caller itself spends."""

from __future__ import annotations

import multiprocessing
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_ANSWER = (
    b"HTTP/1.1 200 OK\r\nserver: Server\r\ndate: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
    b"content-type: application/x-amz-json-1.0\r\ncontent-length: 2\r\nconnection: keep-alive\r\n"
    b"x-amzn-requestid: 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEF\r\n"
    b"x-amz-crc32: 2745614147\r\n\r\n{}"
)
_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Stub:
    """A process of its own, so that its CPU is nobody else's."""

    endpoint: str
    _count: Any

    @property
    def requests(self) -> int:
        """How many it has answered."""
        return int(self._count.value)


@contextmanager
def stub() -> Iterator[Stub]:
    context = multiprocessing.get_context("forkserver")
    count = context.Value("Q", 0)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        process = context.Process(target=_serve, args=(listener, count), daemon=True)
        process.start()
        try:
            yield Stub(f"http://127.0.0.1:{listener.getsockname()[1]}", count)
        finally:
            process.kill()
            process.join()
            process.close()


def _serve(listener: socket.socket, count: Any) -> None:
    poll = select.epoll()
    poll.register(listener, select.EPOLLIN)
    open_: dict[int, tuple[socket.socket, bytearray]] = {}
    while True:
        for number, _ in poll.poll():
            if number == listener.fileno():
                made, _ = listener.accept()
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                open_[made.fileno()] = (made, bytearray())
                poll.register(made, select.EPOLLIN)
                continue
            connection, data = open_[number]
            received = connection.recv(65_536)
            if not received:
                poll.unregister(connection)
                connection.close()
                del open_[number]
                continue
            data += received
            while size := _whole(data):
                del data[:size]
                count.value += 1
                connection.sendall(_ANSWER)


def _whole(data: bytearray) -> int:
    """Count the bytes that the first request has; 0 when it is not all there yet."""
    head = data.find(_END)
    if head < 0:
        return 0
    _, _, rest = bytes(data[:head]).lower().partition(b"\r\ncontent-length:")
    size = head + len(_END) + int(rest.split(b"\r\n", 1)[0] or b"0")
    return size if len(data) >= size else 0
