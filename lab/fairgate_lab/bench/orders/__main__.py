"""What looking for orders costs where an event has very many (``make bench-orders``).

"My orders" as `GET /api/orders` reads it, and `fairgate orders list` and `books ledger` by the
event's index, over a real engine on this machine: calls, read units and time. Then the command
itself, in a process of its own: when its first line is said, when the last, and how much memory it
held.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.domain.shared.ids import EventId
from fairgate.ports.table import Table
from fairgate.service.orders.list_event_orders import event_orders
from fairgate.service.orders.list_orders import PAGE_ORDERS, list_orders
from fairgate.service.orders.read_ledger import read_ledger
from fairgate_lab.attack.race import ENGINES, missing_engine
from fairgate_lab.bench.kit.report import machine, table, versions
from fairgate_lab.bench.orders.units import MeteredClient
from fairgate_lab.bench.orders.world import (
    OFTEN,
    OFTEN_ORDERS,
    PENDING_EVERY,
    email_of,
    records,
)
from fairgate_lab.worlds.bulk_writer import DynamoWriter
from fairgate_lab.worlds.open_sale import EVENT, NAMES, light_client, put_on_sale
from fairgate_ops.operate.cli.ledger_shape import WithPayouts
from fairgate_ops.run.local.environment import (
    Place,
    Ports,
    base_environment,
    operator_config,
    python_module,
)
from fairgate_ops.run.local.ministack import local_client
from fairgate_ops.shared.progress import progress
from fairgate_ops.shared.secret_file import new_secrets

Way = Callable[[Table], tuple[int, float | None]]  # orders found, when the first were, s


@dataclass(frozen=True)
class Cost:
    """What one way asked of the table, and how long it took."""

    way: str
    orders: int
    calls: int
    by_rule: float
    by_engine: float
    first_s: float | None  # None: they come together
    took_s: float


@dataclass(frozen=True)
class Told:
    """How the command itself went."""

    first_s: float
    took_s: float
    most_mb: float
    lines: int


def my_orders(table: Table, user: str, page: int = 0) -> tuple[int, None]:
    """A buyer's page, asked for by the last of the page before it."""
    found = list_orders(table, user)
    for _ in range(page):
        found = list_orders(table, user, found.after)
    return len(found.orders), None


def of_event(table: Table, **wanted: Any) -> tuple[int, float]:
    begun_s = time.perf_counter()
    count, first_s = 0, 0.0
    for some in event_orders(table, EVENT, **wanted):
        first_s = first_s or time.perf_counter() - begun_s
        count += len(some.records)
    return count, first_s or time.perf_counter() - begun_s


def ledger(table: Table) -> tuple[int, float]:
    begun_s = time.perf_counter()
    count, first_s = 0, 0.0
    for some in WithPayouts().read(table, read_ledger(table, EVENT)):
        first_s = first_s or time.perf_counter() - begun_s
        count += len(some.records)
    return count, first_s


def ways(orders: int) -> dict[str, Way]:
    """Each with a name for people."""
    return {
        "my orders, of a buyer with one": partial(my_orders, user=f"buyer-{orders - 1:08d}"),
        f"my orders, the newest {PAGE_ORDERS} of {OFTEN_ORDERS}": partial(my_orders, user=OFTEN),
        "`orders list`": of_event,
        "`orders list --state expired`": partial(of_event, state="expired"),
        "`orders list --email`": partial(of_event, email=email_of(orders - 1)),
        "`books ledger`": ledger,
    }


def measure(client: Any, orders: int) -> list[Cost]:
    """Go each way once over an engine that has so many orders."""
    costs = []
    for name, way in ways(orders).items():
        metered = MeteredClient(client)
        begun_s = time.perf_counter()
        found, first_s = way(DynamoTable(partial(_same, metered), NAMES))
        took_s = time.perf_counter() - begun_s
        figures = (metered.calls, metered.by_rule, metered.by_engine)
        costs.append(Cost(name, found, *figures, first_s, took_s))
    return costs


def _same(client: Any) -> Any:
    return client


def told(run_file: Path, *words: str) -> Told:
    """Run the command, and read what it says as it says it."""
    command = python_module("fairgate_ops.operate.cli.main", *words)
    begun_s = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--run-file", str(run_file)],
        env=base_environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    lines, first_s, most_mb = 0, 0.0, 0.0
    for line in process.stdout or ():
        lines += "ord_" in line
        if lines and not first_s:
            first_s = time.perf_counter() - begun_s
        if lines % 100 == 1:
            most_mb = max(most_mb, _held_mb(process.pid))
    if status := process.wait():
        raise RuntimeError(f"the command ended with {status}")
    return Told(first_s, time.perf_counter() - begun_s, most_mb, lines)


def _held_mb(pid: int) -> float:
    """Read the most that a process has held so far: proc(5), VmHWM. 0 once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return 0.0
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def shown(costs: Sequence[Cost], orders: int, engine: str) -> str:
    return table(
        f"An event of {orders:,} orders, on {engine}",
        (
            "looking for",
            "orders",
            "calls",
            "read units by AWS's rule",
            f"counted by {engine}",
            "the first after, s",
            "all after, s",
        ),
        (
            (
                cost.way,
                f"{cost.orders:,}",
                f"{cost.calls:,}",
                f"{cost.by_rule:,.1f}",
                f"{cost.by_engine:,.1f}" if cost.by_engine else "not counted",
                "together" if cost.first_s is None else f"{cost.first_s:.2f}",
                f"{cost.took_s:.3f}",
            )
            for cost in costs
        ),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_lab.bench.orders", description=__doc__
    )
    parser.add_argument("--orders", type=int, default=50_000)
    parser.add_argument("--engine", choices=ENGINES, default="ministack")
    options = parser.parse_args(arguments)
    if why := missing_engine(options.engine):
        print(why, file=sys.stderr)
        return 1
    print(f"{machine()}, {versions()}\n", flush=True)
    _, server = ENGINES[options.engine]
    with (
        tempfile.TemporaryDirectory(prefix="fairgate-orders-") as folder,
        server(Path(folder)) as running,
    ):
        put_on_sale(running.endpoint, seats=100)
        with progress(
            "Loading orders, sessions and the ledger",
            5 * options.orders - 3 * (options.orders // PENDING_EVERY),
        ) as step:
            _load(running.endpoint, options.orders, step)
        client = light_client(running.endpoint)
        print(shown(measure(client, options.orders), options.orders, options.engine), flush=True)
        client.close()
        _tell(_run_file(Path(folder), running.port))
    return 0


def _load(endpoint: str, orders: int, written: Callable[[int], None]) -> None:
    client = local_client("dynamodb", endpoint)
    writer = DynamoWriter(lambda: client, NAMES, written=written)
    writer.put_many(records(EventId(EVENT), orders))
    client.close()


def _tell(run_file: Path) -> None:
    orders, entries = ("orders", "list", EVENT), ("books", "ledger", EVENT)
    for words in ((*orders, "--csv"), (*orders, "--json"), (*entries, "--csv")):
        run = told(run_file, *words)
        print(
            f"`{' '.join(words)}`: {run.lines:,} lines, the first after"
            f" {run.first_s:.2f} s, all after {run.took_s:.1f} s, {run.most_mb:.0f} MB",
            flush=True,
        )
    one = told(run_file, *orders, "--csv", "--email", email_of(0))
    print(f"The orders of one address: {one.took_s:.1f} s, {one.most_mb:.0f} MB")


def _run_file(folder: Path, port: int) -> Path:
    place = Place(folder)
    place.secrets.write_text(json.dumps(new_secrets()), "utf-8")
    config = operator_config(Ports(0, 0, port, 0, 0, 0, 0), place, {})
    place.config.write_text(json.dumps(config), "utf-8")
    return place.config


if __name__ == "__main__":
    sys.exit(main())
