"""What a decision of the gate costs (``make bench-gate``).

Two measurements, each a ratio taken in one run: the decision in njs beside its own hash
operations, and the decision through nginx beside an empty function. What a machine lacks is said
and left out.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from fairgate_ops.prove.bench import gate_nginx, gate_njs
from fairgate_ops.prove.bench.gate_njs import GateBenchError
from fairgate_ops.shared.paths import ROOT

RATIO_TARGET = 2.5  # decision over its own hashes
ADDED_TARGET = 3.0  # what a decision adds over an empty function
_KB = 1024


def built_gate(target: Path) -> Path:
    """The gate as it is deployed, built anew.

    Raises:
        GateBenchError: the build refused.
    """
    command = ["node", str(ROOT / "edge" / "gate" / "build.mjs"), str(target)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    except FileNotFoundError as error:
        raise GateBenchError("Node.js is not installed; it builds the gate.") from error
    if done.returncode != 0:
        raise GateBenchError(f"The gate was not built: {done.stderr.strip()}")
    return target


def machine() -> str:
    """Processor, cores and system, for the line under a table."""
    cpus = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    names = [line.split(":", 1)[1].strip() for line in cpus.splitlines() if "model name" in line]
    name = names[0] if names else platform.machine()
    return f"{len(names) or 1} × {name}, {platform.system()} {platform.machine()}"


def njs_table(report: gate_njs.NjsReport) -> str:
    rows = [
        f"| {figure.answer} | {figure.hashes} | {figure.bare_us:.1f} | {figure.decision_us:.1f} "
        f"| {figure.ratio:.2f} ({figure.ratio_low:.2f}–{figure.ratio_high:.2f}) | {figure.reads} "
        f"| {figure.first_bytes / _KB:.0f} |"
        for figure in report.figures
    ]
    return "\n".join(
        (
            (
                f"{report.engine}: one decision beside its own hash operations, {report.processes} "
                f"processes. Target: at most {RATIO_TARGET} times."
            ),
            "",
            (
                "| answer | its operations | bare, µs | decision, µs | times (range) "
                "| reads | memory, KB |"
            ),
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
            (
                f"Gate {report.gate_bytes:,} of 10,240 bytes; value {report.value_bytes} of 1,024; "
                f"engine and gate before the first decision {report.loaded_bytes / _KB:,.0f} KB "
                "of 2,048."
            ),
        )
    )


def steps_table(figure: gate_njs.NjsFigures) -> str:
    """Where a decision's time goes: what its steps cost alone, and what is left."""
    parts = {figure.hashes: figure.bare_us, **figure.steps_us}
    rows = [f"| {name} | {us:.1f} | {us / figure.bare_us:.1f} |" for name, us in parts.items()]
    rest = figure.decision_us - figure.floor_us
    rows += [
        f"| together | {figure.floor_us:.1f} | {figure.floor_us / figure.bare_us:.1f} |",
        f"| all else that the gate does | {rest:.1f} | {rest / figure.bare_us:.1f} |",
    ]
    return "\n".join(
        (
            f"Where the time of '{figure.answer}' goes: each step alone, on the same data.",
            "",
            "| step | µs | times the hashes |",
            "|---|---|---|",
            *rows,
        )
    )


def nginx_table(report: gate_nginx.NginxReport) -> str:
    rows = [
        f"| {figure.name} | {figure.cpu_us:.0f} ({figure.low_us:.0f}–{figure.high_us:.0f}) "
        f"| {figure.per_s:,.0f} |"
        for figure in report.figures
    ]
    middle, least, most = report.added
    heading = (
        f"{report.version}: a fresh virtual machine per request, CPU of nginx's workers, "
        f"{report.requests:,} requests each.\n"
        f"A decision adds {middle:.1f} ({least:.1f}–{most:.1f}) times what the empty function "
        f"costs. Target: at most {ADDED_TARGET:.0f}."
    )
    head = "| function | CPU of a request, µs (range) | requests/s of one core |"
    return "\n".join((heading, "", head, "|---|---|---|", *rows))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.prove.bench.gate",
        description="What a decision of the gate costs.",
    )
    parser.add_argument("--gate", type=Path, help="a built gate; default: builds it anew")
    parser.add_argument("--processes", type=int, default=7, help="fresh njs engines")
    parser.add_argument("--sections", type=int, default=50, help="of 20 decisions, each engine")
    parser.add_argument("--rounds", type=int, default=15, help="through nginx")
    parser.add_argument("--requests", type=int, default=800, help="of each function, each round")
    chosen = parser.parse_args(arguments)
    try:
        gate = chosen.gate or built_gate(ROOT / "build" / "gate.js")
        print(f"{machine()}\n", flush=True)
        if reason := gate_njs.missing_engine():
            print(f"Left out: {reason}")
        else:
            print("njs …", file=sys.stderr, flush=True)
            source = gate.read_text("utf-8")
            report = gate_njs.measure(source, processes=chosen.processes, rounds=chosen.sections)
            print(njs_table(report), "\n", flush=True)
            print(steps_table(report.figures[0]), "\n", flush=True)
        if reason := gate_nginx.missing_nginx():
            print(f"Left out: {reason}")
        else:
            print("nginx …", file=sys.stderr, flush=True)
            print(
                nginx_table(
                    gate_nginx.measure(gate, rounds=chosen.rounds, requests=chosen.requests)
                )
            )
    except (GateBenchError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
