"""What a hold costs here beside another checkout: fresh processes of both, by turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.measure import BenchError, Range, alternating, ratio
from fairgate_ops.shared.paths import ROOT

ROUNDS = 3  # of each process
LIMIT_S = 300.0
# Each checkout is measured by its own benchmark: the harness follows what it calls.
_PROBE = """
import json, pathlib, sys, tempfile
import fairgate_ops
if not pathlib.Path(fairgate_ops.__file__).is_relative_to(pathlib.Path.cwd()):
    sys.exit("it has no benchmarks")  # this environment's own would be measured instead
if pathlib.Path("lab").is_dir():
    from fairgate_lab.bench.hold.cpu import measure
else:  # a checkout from before 0.2.0
    from fairgate_ops.prove.bench.hold.cpu import measure

with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as folder:
    report = measure(pathlib.Path(folder), rounds=int(sys.argv[1]), calls=int(sys.argv[2]))
print(json.dumps({cost.name: cost.cpu_us for cost in report.costs}))
"""


def cpu_of(root: Path, calls: int) -> dict[str, float]:
    """Measure a checkout in a fresh process: what → µs of CPU a call.

    Raises:
        BenchError: it has no such benchmark, or that one could not measure.
    """
    path = [str(root / part) for part in ("layers/core/python", "ops", "lab", "")]
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, str(ROUNDS), str(calls)],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
    )
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise BenchError(f"{root} could not be measured: {said[-1] if said else 'no word'}")
    costs: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return costs


def compare(other: Path, processes: int, calls: int) -> Part:
    """Measure this checkout and another by turns; a table of what both have.

    Raises:
        BenchError: one of them could not be measured.
    """
    ways = {"before": partial(cpu_of, other, calls), "now": partial(cpu_of, ROOT, calls)}
    before, now = alternating(ways, processes).values()
    rows = []
    for name in (one for one in now[0] if one in before[0]):
        old, new = [one[name] for one in before], [one[name] for one in now]
        medians = (f"{Range.of(values).median:,.0f}" for values in (old, new))
        rows.append((name, *medians, ratio(new, old).shown(2)))
    title = f"From {other} to this checkout: medians of {processes} fresh processes of each."
    return Part(title, ("", "before, µs", "now, µs", "times (range)"), rows)
