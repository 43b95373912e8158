"""The CPU that a hold costs its function, beside the bare signed call to the database.

Everything runs by turns in one process against a stub that says yes at once; counted is this
process's own CPU.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from aws_lambda_powertools.utilities.typing import LambdaContext

from fairgate.adapters.aws.client import CONNECT_TIMEOUT_S, READ_TIMEOUT_S
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.light import LightDynamo
from fairgate.adapters.system import SystemClock, SystemIds
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate_ops.prove.bench.hold_stub import Stub, stub
from fairgate_ops.prove.bench.hold_world import HoldsFunction, HoldWorld, hold_world
from fairgate_ops.run.load.open_sale import NAMES, light_client
from fairgate_ops.run.local.environment import REGION
from fairgate_ops.run.local.valkey_server import ValkeyServer, valkey_server_binary

PLAIN = "boto3, plain call"
UNVALIDATED = "botocore, no parameter validation"
LIGHT = "signed here (what the functions use)"
ROUTING = "Powertools: routing an empty answer"
SERVICE = "hold_seats over it"
BARE_HANDLER = "the function, no cache"
HANDLER = "the function, claiming in the cache"
KEYED = "the function, with an Idempotency-Key"
BEFORE = "the function over botocore, no cache"
CREATED = 201


class HoldBenchError(Exception):
    """Something did not answer as it must, so nothing is measured."""


@dataclass(frozen=True)
class Cost:
    """CPU in µs a call, the median of the rounds; ``times`` the plain call of the same round."""

    name: str
    cpu_us: float
    times: float
    low: float
    high: float
    trips: float  # requests that reached the database, a call


@dataclass(frozen=True)
class CpuReport:
    costs: tuple[Cost, ...]
    rounds: int
    calls: int
    actions: int
    left_out: str  # why there is no row with the cache, or ""

    def of(self, name: str) -> Cost:
        return next(cost for cost in self.costs if cost.name == name)


def measure(folder: Path, *, rounds: int, calls: int) -> CpuReport:
    """``calls`` of each kind a round, by turns.

    Raises:
        HoldBenchError: an answer was not what it must be, or a hold took another number of trips.
    """
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(stub())
        left_out = "" if valkey_server_binary() else "no Valkey server is installed"
        valkey = None if left_out else stack.enter_context(ValkeyServer(folder))
        light = light_client(database.endpoint)
        stack.callback(light.close)
        world = hold_world(folder, light, valkey.url if valkey else "")
        works, actions = _works(database, world, light, with_cache=valkey is not None)
        sink = stack.enter_context(Path(os.devnull).open("w"))
        stack.enter_context(contextlib.redirect_stdout(sink))  # the metrics' lines
        seen, trips = _rounds(works, database, rounds, calls)
    ratios = {
        name: [value / plain for value, plain in zip(values, seen[PLAIN], strict=True)]
        for name, values in seen.items()
    }
    costs = tuple(
        Cost(
            name,
            statistics.median(seen[name]),
            statistics.median(ratios[name]),
            min(ratios[name]),
            max(ratios[name]),
            trips[name],
        )
        for name in works
    )
    return CpuReport(costs, rounds, calls, actions, left_out)


def _works(
    database: Stub, world: HoldWorld, light: LightDynamo, *, with_cache: bool
) -> tuple[dict[str, Callable[[], object]], int]:
    request = captured(world.credential, world.units)
    plain = _boto3(database.endpoint)
    lean = _botocore(database.endpoint)
    holder = SeatHolder(world.container.table, world.container.clock, world.container.ids)
    function = HoldsFunction()
    bare, over_botocore = world.bare(light), world.bare(lean)
    empty, context = _empty_app(), cast("LambdaContext", function.context)
    works: dict[str, Callable[[], object]] = {
        PLAIN: lambda: plain.transact_write_items(**request),
        UNVALIDATED: lambda: lean.transact_write_items(**request),
        LIGHT: lambda: light.transact_write_items(**request),
        ROUTING: lambda: empty.resolve(world.event, context),
        SERVICE: lambda: holder.hold(world.credential, world.units),
        BEFORE: lambda: _held(function, over_botocore, world.event),
        BARE_HANDLER: lambda: _held(function, bare, world.event),
    }
    if with_cache:
        works[HANDLER] = lambda: _held(function, world.container, world.event)
        works[KEYED] = lambda: _held(function, world.container, world.event_with_key)
    return works, len(request["TransactItems"])


def _rounds(
    works: Mapping[str, Callable[[], object]], database: Stub, rounds: int, calls: int
) -> tuple[dict[str, list[float]], dict[str, float]]:
    seen: dict[str, list[float]] = {name: [] for name in works}
    asked = dict.fromkeys(works, 0)
    for number in range(-1, rounds):  # the first warms up
        for name, work in works.items():
            before = database.requests
            begun = time.process_time_ns()
            for _ in range(calls):
                work()
            used = time.process_time_ns() - begun
            if number >= 0:
                seen[name].append(used / 1000 / calls)
                asked[name] += database.requests - before
    trips = {name: count / rounds / calls for name, count in asked.items()}
    for name, count in trips.items():
        if count != (0 if name == ROUTING else 1):
            raise HoldBenchError(f"{name} took {count} trips to the database")
    return seen, trips


def _held(function: HoldsFunction, container: Any, event: dict[str, Any]) -> None:
    function.use(container)
    answer = function(event)
    if answer["statusCode"] != CREATED:
        raise HoldBenchError(f"The function answered {answer['statusCode']}: {answer['body']}")


def captured(credential: Credential, units: Sequence[Unit]) -> dict[str, Any]:
    """The TransactWriteItems request of a hold, as the adapter makes it."""
    kept = _Kept()
    table = DynamoTable(lambda: kept, NAMES)
    SeatHolder(table, SystemClock(), SystemIds()).hold(credential, units)
    return kept.request


class _Kept:
    """A client that keeps the request."""

    request: dict[str, Any]

    def transact_write_items(self, **request: Any) -> dict[str, Any]:
        self.request = json.loads(json.dumps(request))
        return {}


def _boto3(endpoint: str) -> Any:
    """As anybody would make it."""
    import boto3

    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106 a stub on loopback checks none
    )


def _botocore(endpoint: str) -> Any:
    """As ``aws_client`` makes it."""
    from botocore.config import Config
    from botocore.session import Session

    config = Config(
        connect_timeout=CONNECT_TIMEOUT_S,
        read_timeout=READ_TIMEOUT_S,
        retries={"total_max_attempts": 1},
        parameter_validation=False,
    )
    return Session().create_client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106 a stub on loopback checks none
        config=config,
    )


def _empty_app() -> APIGatewayHttpResolver:
    app = APIGatewayHttpResolver()

    @app.post("/api/sessions/<session>/holds")
    def hold(session: str) -> dict[str, str]:
        return {"session": session}

    return app
