"""Many viewers of one path: open connections that ask again and again, out of step.

The benchmark starts several processes of them, because one process of Python cannot play ten
thousand viewers.
"""

from __future__ import annotations

import asyncio
import random
import resource
import time
from collections import Counter
from typing import Any

from fairgate_lab.bench.kit.connections import whole

_AT_ONCE = 200  # connections being opened
_SAMPLE = 10  # every so many answers, one is timed


class Audience:
    """What all viewers of a process share: the request, the pace, the tally."""

    def __init__(self, port: int, path: str, every_s: float) -> None:
        self.port, self.every_s = port, every_s
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Accept-Encoding: gzip\r\nAccept: */*\r\n\r\n"
        ).encode()
        self.answered = self.late = self.lost = self.bytes = 0
        self.statuses: Counter[str] = Counter()
        self.times_ms: list[float] = []
        self.over = False


class Viewer(asyncio.Protocol):
    """One open connection. It asks every ``every_s`` and never twice before it has an answer."""

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self._loop = asyncio.get_running_loop()
        self._received = b""
        self._sent_s = 0.0
        self._waiting = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        first_s = random.random() * self._audience.every_s  # noqa: S311 out of step, no secret
        self._loop.call_later(first_s, self._ask)

    def connection_lost(self, _exc: Exception | None) -> None:
        if not self._audience.over:
            self._audience.lost += 1

    def _ask(self) -> None:
        audience = self._audience
        if audience.over or self._transport.is_closing():
            return
        self._loop.call_later(audience.every_s, self._ask)
        if self._waiting:
            audience.late += 1
            return
        self._waiting, self._sent_s = True, self._loop.time()
        self._transport.write(audience.request)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not whole(self._received):
            return
        audience = self._audience
        audience.answered += 1
        audience.bytes += len(self._received)
        audience.statuses[self._received[9:12].decode()] += 1
        if audience.answered % _SAMPLE == 0:
            audience.times_ms.append((self._loop.time() - self._sent_s) * 1000)
        self._received, self._waiting = b"", False


async def watch(audience: Audience, viewers: int, seconds: float) -> dict[str, Any]:
    """Open ``viewers`` connections, then count for ``seconds``."""
    loop = asyncio.get_running_loop()
    slots = asyncio.Semaphore(_AT_ONCE)

    async def come() -> asyncio.Transport:
        async with slots:
            transport, _ = await loop.create_connection(
                lambda: Viewer(audience), "127.0.0.1", audience.port
            )
            return transport

    connections = await asyncio.gather(*(come() for _ in range(viewers)))
    await asyncio.sleep(audience.every_s)  # all have asked once
    before = {name: getattr(audience, name) for name in ("answered", "late", "bytes")}
    statuses = Counter(audience.statuses)
    audience.times_ms.clear()
    from_ms = time.time_ns() / 1e6
    await asyncio.sleep(seconds)
    to_ms = time.time_ns() / 1e6
    counted = {name: getattr(audience, name) - value for name, value in before.items()}
    audience.over = True
    for connection in connections:
        connection.abort()
    await asyncio.sleep(0)  # each protocol learns of its end
    return {
        **counted,
        "viewers": viewers,
        "lost": audience.lost,
        "from_ms": from_ms,
        "to_ms": to_ms,
        "statuses": dict(audience.statuses - statuses),
        "times_ms": [round(ms, 2) for ms in audience.times_ms],
    }


def viewed(port: int, path: str, every_s: float, viewers: int, seconds: float) -> dict[str, Any]:
    """Watch in this process, with as many open connections as it may have."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return asyncio.run(watch(Audience(port, path, every_s), viewers, seconds))
