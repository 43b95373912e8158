"""What an audit of a million admissions costs: `python -m fairgate_lab.bench.audit`.

A sale is made by the rules from a fixed seed, one admission in it is forged, and the real command
is run on the files. Then the same with one forgery of every kind.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from fairgate_lab.bench.audit.made_sale import forge_each, forge_one, write_sale
from fairgate_lab.bench.kit.report import machine, versions

LIMIT_S = 60.0
ADMISSIONS_MIN = 2_000


def audited(log: Path, config: Path) -> tuple[dict[str, Any], float, float]:
    """Run the command; its answer, and its seconds by the clock and of the processors."""
    command = [sys.executable, "-m", "fairgate_ops.operate.cli.main", "audit", "--json"]
    files = ["--log", str(log), "--config", str(config)]
    used, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([*command, *files], stdout=subprocess.PIPE, text=True, check=False)
    took_s = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    return json.loads(done.stdout), took_s, cpu_s


def show(title: str, answer: dict[str, Any], wanted: dict[str, int], took: str) -> bool:
    """Print one run; tell whether it found what was forged, and nothing else."""
    right: bool = answer["counts"] == wanted
    print(f"{title}: {answer['admissions']:,} admissions, {answer['orders']:,} orders: {took}")
    for kind in sorted(wanted.keys() | answer["counts"].keys()):
        print(f"    {kind:<20} forged {wanted.get(kind, 0)}  found {answer['counts'].get(kind, 0)}")
    for finding in answer["findings"][:1]:
        print(f"    first: line {finding['line']}, {finding['user']}: {finding['what']}")
    return right


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--admissions", type=int, default=1_000_000)
    options = parser.parse_args()
    if options.admissions < ADMISSIONS_MIN:
        parser.error(f"--admissions: at least {ADMISSIONS_MIN:,}; fewer have too little to forge")
    usable = len(os.sched_getaffinity(0))
    print(f"{machine()}, {usable} usable, {versions('numpy')}")
    right = True
    for title, forge in (("one forged", forge_one), ("one of every kind", forge_each)):
        with tempfile.TemporaryDirectory() as folder:
            log, config, wanted = write_sale(Path(folder), options.admissions, forge)
            size_mb = log.stat().st_size / 1e6
            answer, took_s, cpu_s = audited(log, config)
        took = f"{size_mb:.0f} MB, {took_s:.1f} s by the clock, {cpu_s:.1f} s of processors"
        right = show(title, answer, wanted, took) and right
        print(f"    limit {LIMIT_S:.0f} s: {'held' if took_s <= LIMIT_S else 'NOT HELD'}")
    print("Found exactly what was forged." if right else "FOUND SOMETHING ELSE.")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
