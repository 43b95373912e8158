"""The gate through nginx with a fresh virtual machine per request, beside an empty function.

Measured is the CPU that nginx's workers use, as the kernel counts it, so neither the speed of the
load generator nor other processes on the machine are in the figures.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from fairgate_lab.bench.gate.cases import Cases, make_cases
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.connections import ask
from fairgate_lab.bench.kit.measure import BenchError, Range, alternating, ratios
from fairgate_lab.bench.kit.report import nginx_version
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.run.local.nginx import EdgePlan, nginx_command, prepare_edge
from fairgate_ops.run.local.processes import (
    StartError,
    accepts,
    free_port,
    start_child,
    wait_until,
)
from fairgate_ops.shared.paths import ROOT

SCRIPTS = ROOT / "edge" / "local" / "bench"
ADDED_TARGET = 3.0  # what a decision adds over an empty function
_START_S = 15.0
BARE, EMPTY, DECISION = "bare njs", "empty function", "decision, not yet"
_WANTED = {BARE: b" 200 ", EMPTY: b" 200 ", DECISION: b'"state":"waiting"'}


def measure(gate: Path, *, rounds: int, requests: int) -> Part:
    """Ask each function by turns, ``requests`` times a round.

    Raises:
        BenchError: nginx did not start, or a function did not answer as it must.
    """
    cases = make_cases(int(time.time()))
    request = _request(cases)
    sources = {BARE: SCRIPTS / "bare.js", EMPTY: SCRIPTS / "empty.js", DECISION: gate}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fairgate-bench-")))
        store = f"const VALUE = {json.dumps(cases.value)};\n{(SCRIPTS / 'value.js').read_text()}"
        edges = {
            name: stack.enter_context(_edge(folder / str(number), source, store))
            for number, (name, source) in enumerate(sources.items())
        }
        ways = {
            name: partial(_cpu_us, *edge, request, requests, _WANTED[name])
            for name, edge in edges.items()
        }
        seen = alternating(ways, rounds)
    added = Range.of(times - 1 for times in ratios(seen[DECISION], seen[EMPTY]))
    title = (
        f"{nginx_version()}: a fresh virtual machine per request, CPU of nginx's workers, "
        f"{rounds * requests:,} requests each.\nA decision adds {added.shown()} times what the "
        f"empty function costs. Target: at most {ADDED_TARGET:.0f}."
    )
    ranges = {name: Range.of(values) for name, values in seen.items()}
    rows = [(name, us.shown(0), f"{1e6 / us.median:,.0f}") for name, us in ranges.items()]
    return Part(title, ("function", "CPU of a request, µs (range)", "requests/s of a core"), rows)


def _cpu_us(port: int, master: int, request: bytes, requests: int, wanted: bytes) -> float:
    used_us, _elapsed_ms = ask(port, master, request, requests, wanted)
    return used_us


@contextmanager
def _edge(folder: Path, source: Path, store: str) -> Iterator[tuple[int, int]]:
    """Start the local edge with this function and this store in it; its port and its process."""
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
        raise BenchError(f"nginx did not start: {error}") from error
    try:
        wait_until(lambda: accepts(port), "nginx", child=child, within_s=_START_S)
        yield port, child.process.pid
    except StartError as error:
        raise BenchError(str(error)) from error
    finally:
        child.stop()


def _request(cases: Cases) -> bytes:
    asked = cases.events["not yet"]["request"]
    headers = {name: entry["value"] for name, entry in asked["headers"].items()}
    lines = [f"{asked['method']} {asked['uri']} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in (headers | {"content-length": "0"}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
