"""Run a benchmark by its name: `python -m fairgate_lab.bench NAME [options]`, `make bench-NAME`."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_lab.bench.kit.benchmark import Benchmark

# Where each is declared; only the one that runs is imported.
TABLE = {
    "audit": "audit.benchmark",
    "availability": "availability.benchmark",
    "availability-cost": "availability.cost",
    "best": "best_available.benchmark",
    "cold": "cold",
    "forecast": "forecast",
    "gate": "gate.benchmark",
    "help": "help",
    "hold": "hold.benchmark",
    "imports": "imports",
    "inventory": "inventory",
    "landing": "availability.landing",
    "map": "seat_map.benchmark",
    "orders": "orders.benchmark",
    "pages": "pages",
    "rebuild": "rebuild.benchmark",
    "reconcile": "reconcile",
    "tickets": "tickets",
}


def named(name: str) -> Benchmark:
    """Import the benchmark of this name."""
    benchmark: Benchmark = import_module(f"fairgate_lab.bench.{TABLE[name]}").BENCHMARK
    return benchmark


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark that the first word names with the options after it."""
    parser = argparse.ArgumentParser(prog="python -m fairgate_lab.bench", add_help=False)
    parser.add_argument("name", choices=TABLE, metavar="NAME", help=", ".join(TABLE))
    found, words = parser.parse_known_args(arguments)
    return named(found.name).run(words)


if __name__ == "__main__":
    sys.exit(main())
