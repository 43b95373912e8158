"""Concurrent misses of one section, and the refills that they cost, counted at the table."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.http import paths
from fairgate_ops.prove.bench.availability_table import CountingTable
from fairgate_ops.prove.bench.availability_world import EVENT
from fairgate_ops.run.local.environment import python_module
from fairgate_ops.run.local.processes import (
    Child,
    StartError,
    accepts,
    free_port,
    start_child,
    wait_until,
)
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate_ops.prove.bench.availability_world import ObservedSystem

READERS = 4  # processes
HOST_WORKERS = 16
ANSWER_S = 60.0
ANSWER_BYTES_MAX = 65_536


@dataclass(frozen=True)
class Misses:
    """Everybody asks for one section that the cache does not have, at the same moment."""

    how: str
    callers: int
    refills: int  # queries of the section at the table
    answers: Mapping[str, int]  # by where they came from
    slowest_ms: float


def misses(system: ObservedSystem, callers: int) -> list[Misses]:
    """By threads of several processes, then over HTTP through the real handlers.

    Raises:
        StartError: a process did not start or gave no answer.
    """
    section = system.venue.sections[0].id
    with CountingTable(system.ports.dynamodb) as table:
        env = {
            **system.env,
            "AWS_ENDPOINT_URL": table.endpoint,
            "AWS_ENDPOINT_URL_DYNAMODB": table.endpoint,
        }
        found = [_in_processes(system, table, env, section, callers)]
        with _host(system, env) as port:
            found.append(_over_http(system, table, port, section, callers))
    return found


def _in_processes(
    system: ObservedSystem,
    table: CountingTable,
    env: Mapping[str, str],
    section: str,
    callers: int,
) -> Misses:
    threads = callers // READERS
    command = python_module(
        "fairgate_ops.prove.bench.availability_readers",
        *("--event", EVENT, "--section", section, "--threads", str(threads)),
    )
    answers: Counter[str] = Counter()
    slowest_ms = 0.0
    with ExitStack() as stack:
        readers = [
            stack.enter_context(
                subprocess.Popen(
                    command,
                    env=dict(env),
                    cwd=ROOT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for _ in range(READERS)
        ]
        for reader in readers:
            _line(reader)  # its threads stand ready
        _forget(system, table, section)
        for reader in readers:
            if reader.stdin is not None:
                reader.stdin.write("go\n")
                reader.stdin.flush()
        for reader in readers:
            told = json.loads(_line(reader))
            answers.update(told["sources"])
            slowest_ms = max(slowest_ms, told["slowest_ms"])
    how = f"{READERS} processes of {threads} threads"
    return Misses(how, answers.total(), _refills(table, section), dict(answers), slowest_ms)


def _over_http(
    system: ObservedSystem, table: CountingTable, port: int, section: str, callers: int
) -> Misses:
    """All requests are sent before the first answer is read."""
    path = paths.SECTION_SEATS.format(event=EVENT, section=section)
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    _forget(system, table, section)
    with ExitStack() as stack:
        start = time.monotonic()
        callers_ = []
        for _ in range(callers):
            caller = stack.enter_context(socket.create_connection(("127.0.0.1", port), ANSWER_S))
            caller.sendall(request)
            callers_.append(caller)
        answers: Counter[str] = Counter()
        for caller in callers_:
            head = _answer(caller).lower()
            if not head.startswith(b"http/1.1 200 "):
                answers["failed"] += 1
            else:
                answers["cache" if b"x-fairgate-source: cache" in head else "table"] += 1
        slowest_ms = (time.monotonic() - start) * 1000
    how = f"HTTP, {HOST_WORKERS} execution environments"
    return Misses(how, callers, _refills(table, section), dict(answers), slowest_ms)


@contextmanager
def _host(system: ObservedSystem, env: Mapping[str, str]) -> Iterator[int]:
    """A second API host whose table counts; its port."""
    port = free_port()
    command = python_module(
        "fairgate_ops.run.local.api_host",
        *("--port", str(port), "--functions", str(ROOT / "functions")),
        *("--workers", str(HOST_WORKERS)),
    )
    host: Child = start_child("api-counted", command, logs_dir=system.place.logs, env=env, cwd=ROOT)
    try:
        wait_until(lambda: accepts(port), "the counted API host", child=host)
        yield port
    finally:
        host.stop()


def _forget(system: ObservedSystem, table: CountingTable, section: str) -> None:
    """Take the section out of the cache, as an eviction would, and count from zero."""
    from valkey import Valkey

    client = Valkey.from_url(system.config["valkey_url"])
    client.delete(f"vector:{{{EVENT}}}:{section}", f"seatmap:{{{EVENT}}}:{section}")
    client.connection_pool.disconnect()
    table.queries.clear()


def _refills(table: CountingTable, section: str) -> int:
    return table.queries[f"{EVENT}#{section}"]


def _line(process: subprocess.Popen[str]) -> str:
    line = process.stdout.readline() if process.stdout is not None else ""
    if not line:
        raise StartError(f"a reader ended with {process.wait()} and said nothing")
    return line


def _answer(connection: socket.socket) -> bytes:
    """All of it: the API host closes after an answer."""
    received = b""
    while chunk := connection.recv(ANSWER_BYTES_MAX):
        received += chunk
    return received
