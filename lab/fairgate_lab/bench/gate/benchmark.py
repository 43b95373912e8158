"""What a decision of the gate costs (``make bench-gate``).

Three measurements, each a ratio taken in one run: the decision in njs beside its own hash
operations, each kind of request beside one HMAC and AWS's sample `kvs-jwt-verify`, and the decision
through nginx beside an empty function. What a machine lacks is said and left out.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from fairgate_lab.bench.gate import beside, nginx, njs
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_ops.run.local.nginx import edge_available
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fairgate_lab.bench.kit.benchmark import Options


def built_gate(target: Path) -> Path:
    """Build the gate as it is deployed. Raises BenchError if the build refuses."""
    command = ["node", str(ROOT / "edge" / "gate" / "build.mjs"), str(target)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    except FileNotFoundError as error:
        raise BenchError("Node.js is not installed; it builds the gate.") from error
    if done.returncode != 0:
        raise BenchError(f"The gate was not built: {done.stderr.strip()}")
    return target


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Measure in njs, then through nginx."""
    gate = options.gate or built_gate(folder / "gate.js")
    if reason := njs.missing_engine():
        yield Part(f"Left out: {reason}")
    else:
        source = gate.read_text("utf-8")
        turns = {"processes": options.processes, "rounds": options.sections}
        decisions, figures = njs.measure(source, **turns)
        yield decisions
        yield njs.steps(figures[0])
        yield beside.measure(source, **turns)[0]
    if reason := edge_available():
        yield Part(f"Left out: {reason}")
    else:
        yield nginx.measure(gate, rounds=options.rounds, requests=options.requests)


BENCHMARK = Benchmark(
    about="What a decision of the gate costs.",
    measure=measure,
    options={
        "gate": Option(None, "a built gate; default: builds it"),
        "processes": Option(7, "fresh njs engines"),
        "sections": Option(50, "of 20 decisions, each engine"),
        "rounds": Option(15, "through nginx"),
        "requests": Option(800, "of each function, each round"),
    },
)
