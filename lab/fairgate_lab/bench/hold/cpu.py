"""The CPU that a hold costs its function, beside the bare signed call to the database.

Everything runs by turns in one process against a stub that says yes at once; counted is this
process's own CPU.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from aws_lambda_powertools.utilities.typing import LambdaContext

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.system import SystemClock, SystemIds
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate_lab.bench.hold.stub import Stub, stub
from fairgate_lab.bench.hold.world import SEATS, HoldsFunction, HoldWorld
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.measure import BenchError, Range, alternating, cpu_us, ratio
from fairgate_lab.worlds.open_sale import NAMES, light_client
from fairgate_ops.run.local.environment import REGION
from fairgate_ops.run.local.valkey_server import ValkeyServer, valkey_server_binary

RATIO_TARGET = 1.5  # the function over the plain boto3 call
PLAIN = "boto3, plain call"
LIGHT = "signed here (what the functions use)"
ROUTING = "Powertools: routing an empty answer"
SERVICE = "hold_seats over it"
BARE_HANDLER = "the function, no cache"
HANDLER = "the function, claiming in the cache"
KEYED = "the function, with an Idempotency-Key"


@dataclass(frozen=True)
class Cost:
    """CPU in µs a call, the median of the rounds; ``times`` the plain call of the same round."""

    name: str
    cpu_us: float
    times: Range
    trips: float  # requests that reached the database, a call


@dataclass(frozen=True)
class CpuReport:
    """What each way costs, and how it was measured."""

    costs: tuple[Cost, ...]
    rounds: int
    calls: int
    actions: int
    left_out: str  # why there is no row with the cache, or ""

    def part(self) -> Part:
        """Show it."""
        title = (
            f"One hold of {SEATS} seats is one TransactWriteItems of {self.actions} actions. CPU "
            f"of this process against a stub that answers at once, {self.rounds} rounds of "
            f"{self.calls} calls by turns, medians. Target: the function at most {RATIO_TARGET} "
            "times the plain boto3 call."
        )
        rows = [
            (cost.name, f"{cost.cpu_us:,.0f}", cost.times.shown(2), f"{cost.trips:.0f}")
            for cost in self.costs
        ]
        head = ("", "CPU, µs", "times boto3 (range)", "trips to the database")
        reason = self.left_out and f"Left out: claiming in the cache: {self.left_out}\n"
        return Part(title, head, rows, reason)


def measure(folder: Path, *, rounds: int, calls: int) -> CpuReport:
    """Do ``calls`` of each kind a round, by turns.

    Raises:
        BenchError: an answer was not what it must be, or a hold took another number of trips.
    """
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(stub())
        left_out = "" if valkey_server_binary() else "no Valkey server is installed"
        valkey = None if left_out else stack.enter_context(ValkeyServer(folder))
        light = stack.enter_context(contextlib.closing(light_client(database.endpoint)))
        world = HoldWorld.made(folder, light, valkey.url if valkey else "")
        request = captured(world.credential, world.units)
        calls_of = _works(database.endpoint, world, request, light)
        if valkey is None:
            del calls_of[HANDLER], calls_of[KEYED]
        sink = stack.enter_context(Path(os.devnull).open("w"))
        stack.enter_context(contextlib.redirect_stdout(sink))  # the metrics' lines
        costs = _costs(calls_of, database, rounds, calls)
    return CpuReport(costs, rounds, calls, len(request["TransactItems"]), left_out)


def _works(
    endpoint: str, world: HoldWorld, request: dict[str, Any], light: Any
) -> dict[str, Callable[[], object]]:
    plain, function = _boto3(endpoint), HoldsFunction()
    container, bare = world.container, world.without_cache()
    holder = SeatHolder(container.table, container.clock, container.ids)
    units, event = world.units, world.event()
    with_key = world.event("0198c1f2-benchmark")
    empty, context = _empty_app(), cast("LambdaContext", function.context)
    return {
        PLAIN: lambda: plain.transact_write_items(**request),
        LIGHT: lambda: light.transact_write_items(**request),
        ROUTING: lambda: empty.resolve(event, context),
        SERVICE: lambda: holder.hold(world.credential, units),
        BARE_HANDLER: lambda: function.hold(bare, event),
        HANDLER: lambda: function.hold(container, event),
        KEYED: lambda: function.hold(container, with_key),
    }


def _costs(
    works: Mapping[str, Callable[[], object]], database: Stub, rounds: int, calls: int
) -> tuple[Cost, ...]:
    def counted(work: Callable[[], object]) -> tuple[float, float]:
        before = database.requests
        return cpu_us(work, calls), (database.requests - before) / calls

    ways = {name: lambda work=work: counted(work) for name, work in works.items()}
    seen = alternating(ways, rounds)
    used = {name: [us for us, _ in pairs] for name, pairs in seen.items()}
    costs = []
    for name, pairs in seen.items():
        trips = sum(count for _, count in pairs) / rounds
        if trips != (0 if name == ROUTING else 1):
            raise BenchError(f"{name} took {trips} trips to the database")
        median_us = Range.of(used[name]).median
        costs.append(Cost(name, median_us, ratio(used[name], used[PLAIN]), trips))
    return tuple(costs)


def captured(credential: Credential, units: Sequence[Unit]) -> dict[str, Any]:
    """Catch the TransactWriteItems request of a hold, as the adapter makes it."""
    client = _Recorder()
    SeatHolder(DynamoTable(lambda: client, NAMES), SystemClock(), SystemIds()).hold(
        credential, units
    )
    return client.request


class _Recorder:
    """A client that keeps the request."""

    request: dict[str, Any]

    def transact_write_items(self, **request: Any) -> dict[str, Any]:
        self.request = json.loads(json.dumps(request))
        return {}


def _boto3(endpoint: str) -> Any:
    """Make the client as anybody would."""
    import boto3

    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106 a stub on loopback checks none
    )


def _empty_app() -> APIGatewayHttpResolver:
    app = APIGatewayHttpResolver()

    @app.post("/api/sessions/<session>/holds")
    def hold(session: str) -> dict[str, str]:
        return {"session": session}

    return app
