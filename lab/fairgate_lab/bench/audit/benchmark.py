"""What an audit of a million admissions costs (``make bench-audit``).

A sale is made by the rules from a fixed seed, one admission in it is forged, and the real command
is run on the files. Then the same with one forgery of every kind.
"""

from __future__ import annotations

import json
import resource
import subprocess
import time
from typing import TYPE_CHECKING

from fairgate_lab.bench.audit.made_sale import forge_each, forge_one, write_sale
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_ops.run.local.environment import python_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fairgate_lab.bench.audit.made_sale import Line
    from fairgate_lab.bench.kit.benchmark import Options

LIMIT_S = 60.0
ADMISSIONS_MIN = 2_000


def audited(
    title: str, folder: Path, admissions: int, forge: Callable[[list[Line]], dict[str, int]]
) -> Part:
    """Make the sale and run the command on it; what was forged beside what was found."""
    log, config, wanted = write_sale(folder, admissions, forge)
    words = ("audit", "--json", "--log", str(log), "--config", str(config))
    command = python_module("fairgate_ops.operate.cli.main", *words)
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    took_s = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answer = json.loads(done.stdout)
    found = answer["counts"]
    first = "".join(
        f"First: line {one['line']}, {one['user']}: {one['what']}\n"
        for one in answer["findings"][:1]
    )
    return Part(
        f"{title}: {answer['admissions']:,} admissions, {answer['orders']:,} orders, "
        f"{log.stat().st_size / 1e6:.0f} MB: {took_s:.1f} s by the clock, {cpu_s:.1f} s of "
        "processors.",
        ("kind", "forged", "found"),
        [(kind, wanted.get(kind, 0), found.get(kind, 0)) for kind in sorted({*wanted, *found})],
        first,
        {
            "it finds exactly what was forged": found == wanted,
            f"at most {LIMIT_S:.0f} s": took_s <= LIMIT_S,
        },
    )


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Audit the sale with one forgery, then with one of every kind."""
    if options.admissions < ADMISSIONS_MIN:
        raise BenchError(f"--admissions: at least {ADMISSIONS_MIN:,}; fewer have too little")
    yield audited("One forged", folder, options.admissions, forge_one)
    yield audited("One of every kind", folder, options.admissions, forge_each)


BENCHMARK = Benchmark(
    about="What an audit of a million admissions costs.",
    measure=measure,
    options={"admissions": Option(1_000_000)},
    goal=f"it finds exactly what was forged, in at most {LIMIT_S:.0f} s",
    packages=("numpy",),
)
