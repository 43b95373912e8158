"""How long a forecast of the largest sale takes (``make bench-forecast``), and its memory."""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import Epoch
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_ops.operate.forecast.assumptions import BUYERS_MAX, default_assumptions
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.outcome import forecast
from fairgate_ops.operate.forecast.setting import Sale

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fairgate_lab.bench.kit.benchmark import Options

_TAU_S = 600.0
_KB_A_MB = 1024
# What is sold, and to whom: all at once under the controller, too fast by hand, and never all.
SALES = {
    "the controller, 100,000 places": ("auto", 20_000, _TAU_S, 100_000),
    "by hand, far too fast": ("manual", 20_000, 20.0, 100_000),
    "by hand, without a target, never sold out": ("manual", 0, _TAU_S, None),
    "the controller, for all of the time": ("auto", 20_000, _TAU_S, None),
}


def sale_of(name: str) -> Sale:
    """Return one of SALES."""
    control, live_max, tau_s, places = SALES[name]
    start_s = SALE_START_S
    return Sale(
        sale_start_s=start_s,
        epochs=(Epoch(start_s - 7200.0, 0.0, 0.0), Epoch(float(start_s), 0.0, 1 / tau_s)),
        control="auto" if control == "auto" else "manual",
        curve=1.0,
        live_max=live_max,
        session_s=600,
        checkout_s=420,
        session_mean_s=0,
        backoff_s=(2, 60),
        sample=0.01,
        places=places,
    )


def measure(options: Options, _folder: Path) -> Iterator[Part]:
    """Simulate each sale once."""
    rows, slowest = [], 0.0
    for name in SALES:
        began, worked = time.perf_counter(), time.process_time()
        forecast(sale_of(name), default_assumptions(), options.buyers).figures()
        took, cpu = time.perf_counter() - began, time.process_time() - worked
        slowest = max(slowest, cpu)
        rows.append((name, f"{cpu:.1f}", f"{took:.1f}"))
    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KB_A_MB
    most_mb = usage / _KB_A_MB if sys.platform == "darwin" else usage
    yield Part(
        f"{options.buyers:,} buyers; {most_mb:,.0f} MB at most.",
        ("sale", "CPU, s", "elapsed, s"),
        rows,
        goals={
            f"a forecast takes more than {options.goal_s:.0f} s of CPU": slowest <= options.goal_s,
            f"it needs more than {options.goal_mb} MB": most_mb <= options.goal_mb,
        },
    )


BENCHMARK = Benchmark(
    about="How long a forecast of the largest sale takes, and its memory.",
    measure=measure,
    options={
        "buyers": Option(BUYERS_MAX),
        "goal_s": Option(60.0),
        "goal_mb": Option(500),
    },
    goal="each takes at most --goal-s of CPU, and --goal-mb of memory",
)
