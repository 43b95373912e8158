"""What looking for orders costs where an event has very many (``make bench-orders``).

"My orders" as `GET /api/orders` reads it, and `fairgate orders list` and `books ledger` by the
event's index, over a real engine on this machine: calls, read units and time. Then the command
itself, in a process of its own: when its first line is said, when the last, and how much memory it
held.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.domain.shared.ids import EventId
from fairgate.ports.table import Table
from fairgate.service.ledger.read_ledger import read_ledger
from fairgate.service.orders.list_event_orders import event_orders
from fairgate.service.orders.list_orders import PAGE_ORDERS, list_orders
from fairgate_lab.attack.race import ENGINES, missing_engine
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Options, Part
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_lab.bench.kit.orders import OFTEN, OFTEN_ORDERS, PENDING_EVERY, email_of, records
from fairgate_lab.bench.kit.world import run_file
from fairgate_lab.bench.orders.units import MeteredClient
from fairgate_lab.worlds.bulk_writer import DynamoWriter
from fairgate_lab.worlds.open_sale import EVENT, NAMES, light_client, put_on_sale
from fairgate_ops.operate.cli.ledger_shape import WithPayouts
from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.ministack import local_client
from fairgate_ops.shared.progress import progress

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


def my_orders(table: Table, user: str) -> tuple[int, None]:
    """Read the first page of a buyer's orders."""
    return len(list_orders(table, user).orders), None


def one_by_one(read: Callable[[Table], Iterable[Any]], table: Table) -> tuple[int, float]:
    """Count the records of all pages; how many, and the seconds until the first came."""
    begun_s = time.perf_counter()
    count, first_s = 0, 0.0
    for some in read(table):
        first_s = first_s or time.perf_counter() - begun_s
        count += len(some.records)
    return count, first_s or time.perf_counter() - begun_s


def ways(orders: int) -> dict[str, Way]:
    """Name each way for people."""

    def of_event(**wanted: Any) -> Way:
        return partial(one_by_one, lambda table: event_orders(table, EVENT, **wanted))

    def ledger(table: Table) -> Iterable[Any]:
        return WithPayouts().read(table, read_ledger(table, EVENT))

    return {
        "my orders, of a buyer with one": partial(my_orders, user=f"buyer-{orders - 1:08d}"),
        f"my orders, the newest {PAGE_ORDERS} of {OFTEN_ORDERS}": partial(my_orders, user=OFTEN),
        "`orders list`": of_event(),
        "`orders list --state expired`": of_event(state="expired"),
        "`orders list --email`": of_event(email=email_of(orders - 1)),
        "`orders list --find`, a word of one order": of_event(words=[email_of(orders - 1)]),
        "`books ledger`": partial(one_by_one, ledger),
    }


def costs(client: Any, orders: int) -> Iterator[Cost]:
    """Go each way once over an engine that has so many orders."""
    for name, way in ways(orders).items():
        metered = MeteredClient(client)
        begun_s = time.perf_counter()
        found, first_s = way(_table_of(metered))
        took_s = time.perf_counter() - begun_s
        units = (metered.by_rule, metered.by_engine)
        yield Cost(name, found, metered.calls, *units, first_s, took_s)


def _table_of(client: Any) -> Table:
    return DynamoTable(lambda: client, NAMES)


def shown(found: Iterable[Cost], orders: int, engine: str) -> Part:
    """Show what each way cost."""
    head = ("looking for", "orders", "calls", "read units by AWS's rule", f"counted by {engine}")
    rows = [
        (
            cost.way,
            f"{cost.orders:,}",
            f"{cost.calls:,}",
            f"{cost.by_rule:,.1f}",
            f"{cost.by_engine:,.1f}" if cost.by_engine else "not counted",
            "together" if cost.first_s is None else f"{cost.first_s:.2f}",
            f"{cost.took_s:.3f}",
        )
        for cost in found
    ]
    title = f"An event of {orders:,} orders, on {engine}"
    return Part(title, (*head, "the first after, s", "all after, s"), rows)


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Load the orders into the engine, go each way, and run the command."""
    _, server = ENGINES[options.engine]
    with server(folder) as running:
        put_on_sale(running.endpoint, seats=100)
        _load(running.endpoint, options.orders)
        with closing(light_client(running.endpoint)) as client:
            yield shown(costs(client, options.orders), options.orders, options.engine)
        config = run_file(folder, database=running.port)
        orders, entries = ("orders", "list", EVENT), ("books", "ledger", EVENT)
        address = (*orders, "--csv", "--email", email_of(0))
        for words in ((*orders, "--csv"), (*orders, "--json"), (*entries, "--csv"), address):
            yield Part(f"`{' '.join(words)}`: {_told(config, *words)}")


def _load(endpoint: str, orders: int) -> None:
    total = 5 * orders - 3 * (orders // PENDING_EVERY)
    with (
        closing(local_client("dynamodb", endpoint)) as client,
        progress("Loading orders, sessions and the ledger", total) as step,
    ):
        writer = DynamoWriter(lambda: client, NAMES, written=step)
        writer.put_many(records(EventId(EVENT), orders))


def _told(config: Path, *words: str) -> str:
    """Run the command, and read what it says as it says it."""
    command = python_module("fairgate_ops.operate.cli.main", *words, "--run-file", str(config))
    begun_s = time.perf_counter()
    process = subprocess.Popen(command, env=base_environment(), stdout=subprocess.PIPE, text=True)
    lines, first_s, most_mb = 0, 0.0, 0.0
    for line in process.stdout or ():
        lines += "ord_" in line
        if lines and not first_s:
            first_s = time.perf_counter() - begun_s
        if lines % 100 == 1:
            most_mb = max(most_mb, _held_mb(process.pid))
    if status := process.wait():
        raise BenchError(f"the command ended with {status}")
    took_s = time.perf_counter() - begun_s
    return (
        f"{lines:,} lines, the first after {first_s:.2f} s, all after {took_s:.1f} s, "
        f"{most_mb:.0f} MB"
    )


def _held_mb(pid: int) -> float:
    """Read the most that a process has held so far: proc(5), VmHWM. 0 once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return 0.0
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


BENCHMARK = Benchmark(
    about="What looking for orders costs where an event has very many.",
    measure=measure,
    options={"orders": Option(50_000), "engine": Option("ministack", choices=[*ENGINES])},
    missing=lambda options: missing_engine(options.engine),
)
