"""Holds a second: through the local stack, on its database alone, and in two stand-ins.

Every process holds free seats that nobody else wants, four at a time, for the same seconds.
"""

from __future__ import annotations

import http.client
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fairgate.adapters.aws.secrets import parse_secrets
from fairgate.adapters.system import SystemClock, SystemIds
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.prove.bench import hold_postgres
from fairgate_ops.prove.bench.hold_cpu import CREATED, HoldBenchError
from fairgate_ops.prove.bench.hold_world import SEATS, hold_request
from fairgate_ops.run.load.at_once import Start, at_once
from fairgate_ops.run.load.open_sale import OpenSale, put_on_sale, sale_at, table_at
from fairgate_ops.run.load.race import ENGINES
from fairgate_ops.run.local import demo_event
from fairgate_ops.run.local.api_events import Request
from fairgate_ops.run.local.system import LocalSystem
from fairgate_ops.run.local.valkey_server import ValkeyServer

EVENT = "bench"
HOLD_LIMIT = 40
HOLDS_A_SESSION = HOLD_LIMIT // SEATS
HTTP_S = 30.0
LOCK_MS = 600_000
Kind = Literal["stack", "engine", "postgres", "valkey"]
STACK: Kind = "stack"
ENGINE: Kind = "engine"
POSTGRES: Kind = "postgres"
VALKEY: Kind = "valkey"


@dataclass(frozen=True)
class Rate:
    kind: Kind
    name: str
    holds: int
    seconds: float

    @property
    def per_s(self) -> float:
        return self.holds / self.seconds


def through_the_stack(folder: Path, *, processes: int, seconds: float, seats: int) -> Rate:
    """Over HTTP: nginx, the API host with the real function, the real cache, ministack.

    Raises:
        StartError: a part of the system did not start.
        HoldBenchError: a hold of free seats was not made.
    """
    with LocalSystem(folder, 0) as system:
        sale = demo_event.Sale(EVENT, "Bench", opens_in_s=1, hold_limit=HOLD_LIMIT, user_limit=40)
        demo_event.put_on_sale(system.place.config, sale, demo_venue(seats))
        secrets = parse_secrets(system.place.secrets.read_text("utf-8"))
        on = sale_at(system.config["dynamodb_endpoint"], EVENT, system.place.layouts, secrets)
        requests = [
            [hold_request(secrets, who, [unit.place for unit in units]) for who, units in share]
            for share in _shares(on, processes)
        ]
        address = system.base_url.removeprefix("http://")
        tasks = [(address, share, seconds) for share in requests]
        made = at_once(_ask, tasks, seconds=seconds)
    return _rate(STACK, "Fairgate, whole local stack", made)


def on_an_engine(name: str, folder: Path, *, processes: int, seconds: float, seats: int) -> Rate:
    """The service alone, straight to the database engine. Raises StartError."""
    _, server = ENGINES[name]
    with server(folder) as running:
        on = put_on_sale(running.endpoint, seats=seats, hold_limit=HOLD_LIMIT)
        tasks = [(running.endpoint, share, seconds) for share in _shares(on, processes)]
        made = at_once(_hold, tasks, seconds=seconds)
    return _rate(ENGINE, f"hold_seats on {name} alone", made)


def in_valkey(folder: Path, *, processes: int, seconds: float) -> Rate:
    """``SET NX`` per seat with an expiry, in one pipeline. Raises StartError."""
    with ValkeyServer(folder) as server:
        version = _version(server.url)
        made = at_once(_set_nx, [(server.url, n, seconds) for n in range(processes)])
    return _rate(VALKEY, f"Valkey {version}, SET NX per seat", made)


def in_postgres(*, processes: int, seconds: float) -> Rate:
    """In ``.venv-bench``. Raises StartError."""
    told = hold_postgres.run_apart(processes=processes, seconds=seconds)
    name = f"PostgreSQL {told['version']}, SELECT … FOR UPDATE"
    return Rate(POSTGRES, name, told["holds"], told["seconds"])


Share = list[tuple[Credential, list[Unit]]]


def _shares(sale: OpenSale, processes: int) -> list[Share]:
    """Each process's holds, in order: its own sessions, and seats that no other has."""
    units = sale.units()
    holds = [list(units[at : at + SEATS]) for at in range(0, len(units) - SEATS + 1, SEATS)]
    each = len(holds) // processes
    sessions = -(-each // HOLDS_A_SESSION)
    opened = iter(sale.sessions(sessions * processes))
    shares = []
    for number in range(processes):
        mine = [next(opened) for _ in range(sessions)]
        wanted = holds[number * each : (number + 1) * each]
        shares.append(list(zip(itertools.cycle(mine), wanted, strict=False)))
    return shares


Made = tuple[int, float]  # holds, and the seconds that they took


def _rate(kind: Kind, name: str, made: Sequence[Made]) -> Rate:
    return Rate(kind, name, sum(holds for holds, _ in made), max(seconds for _, seconds in made))


def _ask(start: Start, address: str, requests: Sequence[Request], seconds: float) -> Made:
    connection = http.client.HTTPConnection(address, timeout=HTTP_S)
    start()
    began = time.monotonic()
    made = 0
    for request in requests:
        if time.monotonic() - began >= seconds:
            break
        connection.request("POST", request.target, request.body, dict(request.headers))
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != CREATED:
            raise HoldBenchError(f"The stack answered {answer.status}: {text!r}")
        made += 1
    connection.close()
    return made, time.monotonic() - began


def _hold(start: Start, endpoint: str, share: Share, seconds: float) -> Made:
    with table_at(endpoint) as table:
        holder = SeatHolder(table, SystemClock(), SystemIds())
        start()
        began = time.monotonic()
        made = 0
        for credential, units in share:
            if time.monotonic() - began >= seconds:
                break
            holder.hold(credential, units)
            made += 1
        return made, time.monotonic() - began


def _version(url: str) -> str:
    from valkey import Valkey

    client: Any = Valkey.from_url(url)
    told = client.info("server")
    client.close()
    return str(told.get("valkey_version") or told.get("redis_version", "?"))


def _set_nx(start: Start, url: str, number: int, seconds: float) -> Made:
    from valkey import Valkey

    client: Any = Valkey.from_url(url)
    start()
    began = time.monotonic()
    made = 0
    while time.monotonic() - began < seconds:
        pipe: Any = client.pipeline(transaction=False)
        for seat in range(SEATS):
            pipe.set(f"seat:{number}:{made}:{seat}", f"session-{number}", nx=True, px=LOCK_MS)
        if not all(pipe.execute()):
            raise HoldBenchError("Valkey refused a free seat")
        made += 1
    client.close()
    return made, time.monotonic() - began
