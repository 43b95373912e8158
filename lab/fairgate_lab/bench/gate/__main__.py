"""What a decision of the gate costs (``make bench-gate``).

Three measurements, each a ratio taken in one run: the decision in njs beside its own hash
operations, each kind of request beside one HMAC and AWS's sample `kvs-jwt-verify`, and the decision
through nginx beside an empty function. What a machine lacks is said and left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from fairgate_lab.bench.gate import beside, nginx, njs, report
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_lab.bench.kit.report import machine, starting
from fairgate_ops.run.local.nginx import edge_available
from fairgate_ops.shared.paths import ROOT


def built_gate(target: Path) -> Path:
    """Build the gate anew, as it is deployed. Raises BenchError where the build refuses."""
    command = ["node", str(ROOT / "edge" / "gate" / "build.mjs"), str(target)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    except FileNotFoundError as error:
        raise BenchError("Node.js is not installed; it builds the gate.") from error
    if done.returncode != 0:
        raise BenchError(f"The gate was not built: {done.stderr.strip()}")
    return target


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_lab.bench.gate",
        description="What a decision of the gate costs.",
    )
    parser.add_argument("--gate", type=Path, help="a built gate; default: builds it anew")
    parser.add_argument("--processes", type=int, default=7, help="fresh njs engines")
    parser.add_argument("--sections", type=int, default=50, help="of 20 decisions, each engine")
    parser.add_argument("--rounds", type=int, default=15, help="through nginx")
    parser.add_argument("--requests", type=int, default=800, help="of each function, each round")
    options = parser.parse_args(arguments)
    try:
        gate = options.gate or built_gate(ROOT / "build" / "gate.js")
        print(f"{machine()}\n", flush=True)
        if reason := njs.missing_engine():
            print(f"Left out: {reason}")
        else:
            starting("njs")
            source = gate.read_text("utf-8")
            decided = njs.measure(source, processes=options.processes, rounds=options.sections)
            print(report.decisions(decided))
            print(report.steps(decided.figures[0]), flush=True)
            starting("njs, beside the sample")
            asked_beside = beside.measure(
                source, processes=options.processes, rounds=options.sections
            )
            print(report.beside(asked_beside), flush=True)
        if reason := edge_available():
            print(f"Left out: {reason}")
        else:
            starting("nginx")
            asked = nginx.measure(gate, rounds=options.rounds, requests=options.requests)
            print(report.requests(asked))
    except (BenchError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
