"""A decision of the gate in njs, beside its own hash operations run bare in the same process."""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairgate_lab.bench.gate.cases import Cases, make_cases
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.measure import BenchError, Range, ratio
from fairgate_ops.shared.paths import ROOT

SCRIPTS = ROOT / "edge" / "local" / "bench"
_IMPORT = re.compile(r"""import crypto from\s?["']crypto["'];""")
_SHAPE = re.compile(r"=\s*/(\^.+?\$)/\s*[;,]")
_SECTION = re.compile(r"^([^.]+)\.(.+): ([0-9.]+)ms$", re.MULTILINE)
BATCH = 20  # decisions of one section: about a millisecond
RATIO_TARGET = 2.5  # decision over its own hashes
_KB = 1024
_RUN_S_MAX = 60
# njs frees nothing before its virtual machine ends. The script touches memory before it measures,
# and this keeps it, so that the kernel's price for fresh pages is in neither time.
_HEAP = {"MALLOC_MMAP_THRESHOLD_": str(2**30), "MALLOC_TRIM_THRESHOLD_": str(2**31)}


@dataclass(frozen=True)
class NjsFigures:
    """One answer of the gate. Times in µs, memory in bytes."""

    answer: str
    decision_us: float
    bare_us: float
    times: Range  # a decision over its bare operations; the processes' medians
    hashes: str
    reads: int
    first_bytes: int
    loaded_bytes: int  # before the first decision
    steps_us: dict[str, float]  # each alone, without the gate's code between them

    def row(self) -> Sequence[object]:
        """Show a decision beside its bare operations."""
        us = (f"{self.bare_us:.1f}", f"{self.decision_us:.1f}", self.times.shown(2))
        return (self.answer, self.hashes, *us, self.reads, f"{self.first_bytes / _KB:.0f}")


def missing_engine() -> str | None:
    """Say why njs cannot run here, or None."""
    return None if shutil.which("njs") else "njs is not installed (Debian: njs)"


def measure(gate: str, *, processes: int, rounds: int) -> tuple[Part, list[NjsFigures]]:
    """Run each answer's decisions and bare operations by turns.

    Args:
        gate: the built gate's source.
        processes: fresh engines; the figures are medians of their medians.
        rounds: sections of each kind in one process.

    Returns: their table, and its figures.

    Raises:
        BenchError: njs refused the gate, or the gate did not answer as it must.
    """
    with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as name:
        folder = Path(name)
        cases = make_cases(int(time.time()))
        operations = _recorded(folder, gate, cases)
        loaded_bytes = _loaded_bytes(folder, gate)
        given = _given(cases, rounds, operations, _shapes(gate))
        runs = [_run(folder, gate, given) for _ in range(max(1, processes))]
    figures = [_figures(answer, operations[answer], runs, loaded_bytes) for answer in cases.events]
    done = subprocess.run(["njs", "-v"], capture_output=True, text=True, check=True)
    title = (
        f"njs {(done.stdout or done.stderr).strip()}: one decision beside its own hash operations, "
        f"{len(runs)} processes. Target: at most {RATIO_TARGET} times."
    )
    below = (
        f"Gate {len(gate.encode()):,} of 10,240 bytes; value {len(cases.value.encode())} of "
        f"1,024; engine and gate before the first decision {loaded_bytes / _KB:,.0f} KB of 2,048.\n"
    )
    head = ("answer", "its operations", "bare, µs", "decision, µs", "times (range)")
    rows = [figure.row() for figure in figures]
    return Part(title, (*head, "reads", "memory, KB"), rows, below), figures


def steps(figure: NjsFigures) -> Part:
    """Show where a decision's time goes: what its steps cost alone, and what is left."""
    together = figure.bare_us + sum(figure.steps_us.values())
    parts = {
        figure.hashes: figure.bare_us,
        **figure.steps_us,
        "together": together,
        "all else that the gate does": figure.decision_us - together,
    }
    rows = [(name, f"{us:.1f}", f"{us / figure.bare_us:.1f}") for name, us in parts.items()]
    title = f"Where the time of '{figure.answer}' goes: each step alone, on the same data."
    return Part(title, ("step", "µs", "times the hashes"), rows)


Sections = dict[tuple[str, str], list[float]]
Run = tuple[dict[str, Any], Sections]


def _recorded(folder: Path, gate: str, cases: Cases) -> dict[str, list[dict[str, Any]]]:
    """Record the hash operations of one decision, as the gate itself asked for them."""
    if _IMPORT.search(gate) is None:
        raise BenchError("The gate does not import the runtime's crypto module as expected.")
    recorder = (SCRIPTS / "record.js").read_text("utf-8")
    listening = 'import native from "crypto";\n' + recorder + _IMPORT.sub("", gate, count=1)
    results, _ = _run(folder, listening, _given(cases, 0, None))
    _check_answers(results)
    recorded: dict[str, list[dict[str, Any]]] = results["recorded"]
    return recorded


def _loaded_bytes(folder: Path, gate: str) -> int:
    """Read what the engine holds with the gate in it, before any decision."""
    script = folder / "loaded.js"
    script.write_text(gate + "console.log(njs.memoryStats.size);\n", "utf-8")
    command = ["njs", "-q", "-p", f"{folder / 'modules'}/", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_RUN_S_MAX)
    if not done.stdout.strip().isdigit():
        raise BenchError(f"njs did not load the gate:\n{done.stdout[-2000:]}{done.stderr}")
    return int(done.stdout)


def _shapes(gate: str) -> list[str]:
    """Find the regular expression of both tokens' claims that the gate is built with."""
    shapes = _SHAPE.findall(gate)
    if len(shapes) != 1:
        raise BenchError(f"The gate has {len(shapes)} patterns; one is measured.")
    return shapes


def _given(
    cases: Cases, rounds: int, operations: object, shapes: Sequence[str] = ()
) -> dict[str, object]:
    return {
        "shapes": list(shapes),
        "value": cases.value,
        "events": cases.events,
        "operations": operations,
        "rounds": rounds,
        "batch": BATCH,
    }


def _run(folder: Path, gate: str, given: dict[str, object]) -> Run:
    parts = [(SCRIPTS / name).read_text("utf-8") for name in ("steps.js", "run.js")]
    return run_engine(folder, "import fs from 'fs';\n" + gate + "".join(parts), given)


def run_engine(folder: Path, source: str, given: dict[str, object]) -> Run:
    """Run a script in a fresh engine; its results, and its sections' µs for each of a batch.

    Raises:
        BenchError: njs refused the script, or it failed.
    """
    modules = folder / "modules"
    modules.mkdir(exist_ok=True)
    shutil.copy(SCRIPTS / "store.js", modules / "cloudfront")
    shutil.copy(SCRIPTS / "sample.js", modules / "sample")
    script, given_file, results_file = (
        folder / name for name in ("run.js", "given.json", "results.json")
    )
    script.write_text(source, "utf-8")
    given_file.write_text(json.dumps(given), "utf-8")
    results_file.unlink(missing_ok=True)
    command = ["njs", "-q", "-p", f"{modules}/", str(script), str(given_file), str(results_file)]
    environment = {"PATH": os.defpath, **_HEAP}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, timeout=_RUN_S_MAX
    )
    if done.returncode != 0 or not results_file.exists():
        raise BenchError(f"njs did not run the gate:\n{done.stdout[-2000:]}{done.stderr}")
    results: dict[str, Any] = json.loads(results_file.read_text("utf-8"))
    if "error" in results:
        raise BenchError(f"The gate's benchmark failed in njs: {results['error']}")
    sections: Sections = {}
    for answer, kind, ms in _SECTION.findall(done.stdout):
        sections.setdefault((answer, kind), []).append(float(ms) * 1000 / BATCH)
    return results, sections


def _check_answers(results: dict[str, Any]) -> None:
    not_yet, admitted = results["answers"]["not yet"], results["answers"]["admitted"]
    if not_yet.get("statusCode") != 202:  # noqa: PLR2004 docs/gate.md
        raise BenchError(f"The gate should have said 'not yet': {not_yet}")
    word = admitted.get("headers", {}).get("x-fairgate-edge", {}).get("value", "")
    if ".admit." not in word:
        raise BenchError(f"The gate should have admitted: {admitted}")


def _figures(
    answer: str, operations: list[dict[str, Any]], runs: list[Run], loaded_bytes: int
) -> NjsFigures:
    sections = [sections for _, sections in runs]
    results = runs[0][0]
    hmacs = sum(1 for operation in operations if operation["key"] is not None)
    return NjsFigures(
        answer=answer,
        decision_us=_middle(answer, "decision", sections),
        bare_us=_middle(answer, "bare", sections),
        # Each section beside the bare one that followed it: a machine's speed changes in between.
        times=Range.of(
            ratio(each[answer, "decision"], each[answer, "bare"]).median for each in sections
        ),
        hashes=f"{hmacs} HMAC, {len(operations) - hmacs} SHA-256",
        reads=results["reads"][answer],
        first_bytes=results["memory"][answer]["first"],
        loaded_bytes=loaded_bytes,
        steps_us={
            kind: _middle(answer, kind, sections)
            for name, kind in sections[0]
            if name == answer and kind not in ("decision", "bare")
        },
    )


def _middle(answer: str, kind: str, runs: list[Sections]) -> float:
    return statistics.median(statistics.median(sections[answer, kind]) for sections in runs)
