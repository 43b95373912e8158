"""The gate through nginx with a fresh virtual machine per request, beside an empty function.

Measured is the CPU that nginx's workers use, as the kernel counts it, so neither the speed of the
load generator nor other processes on the machine are in the figures.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairgate_ops.prove.bench.gate_cases import Cases, make_cases
from fairgate_ops.prove.bench.gate_njs import GateBenchError
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.run.local.nginx import EdgePlan, edge_available, nginx_command, prepare_edge
from fairgate_ops.run.local.processes import (
    Child,
    StartError,
    accepts,
    free_port,
    start_child,
    wait_until,
)
from fairgate_ops.shared.paths import ROOT

SCRIPTS = ROOT / "edge" / "local" / "bench"
_CONNECTIONS = 8
_ANSWER_BYTES_MAX = 65_536
_START_S = 15.0
_LENGTH = re.compile(rb"\r\ncontent-length: ([0-9]+)\r\n", re.IGNORECASE)
BARE, EMPTY, DECISION = "bare njs", "empty function", "decision, not yet"


@dataclass(frozen=True)
class NginxFigures:
    """CPU of nginx's workers in µs a request; ``per_s`` of one core used by nothing else."""

    name: str
    cpu_us: float
    low_us: float
    high_us: float

    @property
    def per_s(self) -> float:
        return 1e6 / self.cpu_us


@dataclass(frozen=True)
class NginxReport:
    version: str
    requests: int
    figures: tuple[NginxFigures, ...]
    added: tuple[float, float, float]  # by a decision, in empty functions: median, least, most


def missing_nginx() -> str | None:
    """Why nginx cannot run the gate here, or None."""
    return edge_available()


def measure(gate: Path, *, rounds: int, requests: int) -> NginxReport:
    """Ask each function by turns, ``requests`` times a round.

    Raises:
        GateBenchError: nginx did not start, or a function did not answer as it must.
    """
    cases = make_cases(int(time.time()))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fairgate-bench-")))
        store = f"const VALUE = {json.dumps(cases.value)};\n{_script('value.js')}"
        edges = {
            name: stack.enter_context(_edge(folder / slug, source, store))
            for name, slug, source in (
                (BARE, "bare", SCRIPTS / "bare.js"),
                (EMPTY, "empty", SCRIPTS / "empty.js"),
                (DECISION, "decision", gate),
            )
        }
        wanted = {BARE: b" 200 ", EMPTY: b" 200 ", DECISION: b'"state":"waiting"'}
        request = _request(cases)
        seen: dict[str, list[float]] = {name: [] for name in edges}
        for round_no in range(-1, rounds):  # the first warms up
            for name, (port, child) in edges.items():
                used = _round(port, child, request, requests, wanted[name])
                if round_no >= 0:
                    seen[name].append(used)
    figures = tuple(
        NginxFigures(name, statistics.median(values), min(values), max(values))
        for name, values in seen.items()
    )
    pairs = zip(seen[DECISION], seen[EMPTY], strict=True)
    added = sorted(decision / empty - 1 for decision, empty in pairs)
    return NginxReport(
        version=_version(),
        requests=rounds * requests,
        figures=figures,
        added=(statistics.median(added), added[0], added[-1]),
    )


@contextmanager
def _edge(folder: Path, source: Path, store: str) -> Iterator[tuple[int, Child]]:
    """The local edge as `make up` starts it, with this function and this store's module in it."""
    port = free_port()
    plan = EdgePlan(
        port=port,
        api_upstream="127.0.0.1:9",  # nothing is sent on
        web_root=folder / "web",
        layouts_root=folder / "web",
        kvs_dir=folder / "kvs",
        gate_js=source,
        run_dir=folder / "run",
    )
    (folder / "web").mkdir(parents=True)
    try:
        prepare_edge(plan)
        (plan.run_dir / "njs" / "cloudfront").write_text(store, "utf-8")
        if source.name == "bare.js":
            shutil.copy(source, plan.run_dir / "njs" / "gate.js")
        child = start_child(
            "nginx",
            nginx_command(plan),
            logs_dir=folder,
            env=base_environment(),
            cwd=plan.run_dir,
        )
    except (StartError, ValueError) as error:
        raise GateBenchError(f"nginx did not start: {error}") from error
    try:
        wait_until(lambda: accepts(port), "nginx", child=child, within_s=_START_S)
        yield port, child
    except StartError as error:
        raise GateBenchError(str(error)) from error
    finally:
        child.stop()


def _request(cases: Cases) -> bytes:
    asked = cases.events["not yet"]["request"]
    headers = {name: entry["value"] for name, entry in asked["headers"].items()}
    lines = [f"{asked['method']} {asked['uri']} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in (headers | {"content-length": "0"}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _round(port: int, child: Child, request: bytes, requests: int, wanted: bytes) -> float:
    """µs of the workers' CPU for each of the requests, over a few open connections."""
    with ExitStack() as stack:
        sockets = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            for _ in range(_CONNECTIONS)
        ]
        before = _workers_ns(child)
        for _ in range(requests // _CONNECTIONS):
            for connection in sockets:
                connection.sendall(request)
            for connection in sockets:
                answer = _answer(connection)
                if wanted not in answer:
                    raise GateBenchError(f"An unexpected answer: {answer[:300]!r}")
        used = _workers_ns(child) - before
    return used / 1000 / (requests // _CONNECTIONS * _CONNECTIONS)


def _answer(connection: socket.socket) -> bytes:
    data = b""
    while True:
        more = connection.recv(_ANSWER_BYTES_MAX)
        if not more:
            raise GateBenchError("nginx closed a connection without an answer.")
        data += more
        head = data.find(b"\r\n\r\n")
        if head >= 0:
            length = _LENGTH.search(data, 0, head + 2)
            if length is None:
                raise GateBenchError(f"An answer without a length: {data[:300]!r}")
            if len(data) >= head + 4 + int(length[1]):
                return data


def _workers_ns(child: Child) -> int:
    """Nanoseconds on a CPU of all workers so far: proc(5), /proc/<pid>/schedstat."""
    master = child.process.pid
    workers = Path(f"/proc/{master}/task/{master}/children").read_text("ascii").split()
    if not workers:
        raise GateBenchError("nginx has no workers.")
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[0]) for pid in workers)


def _script(name: str) -> str:
    return (SCRIPTS / name).read_text("utf-8")


def _version() -> str:
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    done = subprocess.run([nginx, "-v"], capture_output=True, text=True, check=True)
    return done.stderr.strip().removeprefix("nginx version: ")
