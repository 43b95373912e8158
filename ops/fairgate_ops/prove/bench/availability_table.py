"""A database endpoint that counts: every request passes through, the queries of an index noted."""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections import Counter
from typing import TYPE_CHECKING

from fairgate_ops.run.local.processes import free_port

if TYPE_CHECKING:
    from typing import Self

_HEAD_BYTES_MAX = 65_536
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
_QUERY = re.compile(rb"\r\nx-amz-target: *\w+\.Query\r\n", re.IGNORECASE)
_KEY = re.compile(rb'"S": ?"([^"]+)"')


class CountingTable:
    """Stands before an engine on 127.0.0.1; ``queries`` counts by partition key."""

    def __init__(self, engine_port: int) -> None:
        self.port = free_port()
        self.queries: Counter[str] = Counter()
        self._engine_port = engine_port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="counting table", daemon=True)
        self._listening = threading.Event()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self._listening.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        start = asyncio.start_server(
            self._serve, "127.0.0.1", self.port, limit=_HEAD_BYTES_MAX, backlog=1_024
        )
        self._loop.run_until_complete(start)
        self._loop.call_soon(self._listening.set)
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, requests = await asyncio.open_connection("127.0.0.1", self._engine_port)
        back = asyncio.create_task(_copy(answers, writer))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = _LENGTH.search(head)
                body = await reader.readexactly(int(length[1]) if length else 0)
                if _QUERY.search(head) and (key := _KEY.search(body)):
                    self.queries[key[1].decode()] += 1
                requests.write(head + body)
                await requests.drain()
        requests.close()
        await back


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(_HEAD_BYTES_MAX):
            writer.write(chunk)
            await writer.drain()
    writer.close()
