"""What the benchmarks' worlds share: servers, an event on sale, open sessions, Lambda events."""

from __future__ import annotations

import json
import random
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fairgate.adapters.system import SystemClock
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.service.catalog.create_event import GateRules
from fairgate.service.catalog.event_request import NewEvent
from fairgate.service.catalog.event_rows import seat_records
from fairgate.service.shared.keys import session_key
from fairgate.service.shared.records.sessions import Session
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.worlds.bulk_writer import DynamoWriter
from fairgate_lab.worlds.event_creator import event_creator
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.run.local.api_events import Request, RouteTable, event_of
from fairgate_ops.run.local.demo_event import prices
from fairgate_ops.run.local.environment import Place, Ports, operator_config
from fairgate_ops.run.local.ministack import Ministack
from fairgate_ops.run.local.resources import create_tables
from fairgate_ops.run.local.valkey_server import ValkeyServer
from fairgate_ops.shared.progress import progress
from fairgate_ops.shared.secret_file import write_secret_files
from infra.routes import ROUTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fairgate.domain.seating.venue import Venue
    from fairgate.domain.shared.credential import Credential


@dataclass(frozen=True)
class Servers:
    """A database engine, a real Valkey, and a place for layouts."""

    client: Callable[[], Any]
    endpoint: str
    port: int  # the engine's
    valkey_url: str
    valkey_port: int
    layouts: MemoryLayouts = field(default_factory=MemoryLayouts)

    def put_on_sale(self, event: str, venue: Venue, sold: frozenset[str]) -> str:
        """Put a venue on sale of which these seats are sold; return its layout's hash."""
        clock = SystemClock()
        now = rfc3339(clock.now_ms())
        request = NewEvent(event, now, "EUR", prices(venue), draw_commitment="", name=event)
        taken = (seat for seat in seat_records(event, venue, now) if seat.seat_id in sold)
        with progress("Loading seats", venue.seat_count()) as step:
            creator = event_creator(self.client, NAMES, self.layouts, written=step)
            made = creator.create(request, venue, GateRules(clock.now_ms() // 1000))
        DynamoWriter(self.client, NAMES).put_many(
            replace(seat, availability="reserved", version=1) for seat in taken
        )
        return made.layout


@contextmanager
def servers(folder: Path) -> Iterator[Servers]:
    """Start ministack and Valkey of their own. Raises StartError."""
    with ValkeyServer(folder) as valkey, Ministack(folder) as engine:
        create_tables(engine.endpoint)
        with closing(engine.client("dynamodb")) as client:
            yield Servers(lambda: client, engine.endpoint, engine.port, valkey.url, valkey.port)


def run_file(folder: Path, *, database: int, cache: int = 0) -> Path:
    """Write what the ``fairgate`` command reads to reach servers at these ports."""
    place = Place(folder)
    write_secret_files(place.secrets)
    config = operator_config(Ports(0, 0, database, cache, 0, 0, 0), place, {})
    place.config.write_text(json.dumps(config), "utf-8")
    return place.config


def lambda_event(request: Request) -> dict[str, Any]:
    """Make the event that API Gateway hands to the function for this request."""
    route, parameters = RouteTable(ROUTES).match(request.method, request.path)
    return event_of(request, route, parameters, "0198c1f2-request")


def get_event(target: str, **headers: str) -> dict[str, Any]:
    """Make the event of a viewer's GET."""
    return lambda_event(Request("GET", target, headers, (), b"", "127.0.0.1"))


def open_session(credential: Credential) -> Session:
    """Make an open session, as the sessions function writes it."""
    return Session(
        *session_key(credential.session),
        user_id=credential.user,
        event_id=credential.event,
        state="reservation",
        expires_at=credential.expires_at,
        res_count=0,
        live_bucket=live_bucket(credential.expires_at, credential.session),
        opened_at=credential.expires_at,
        token_id=credential.session,
        admission={},
    )


def sold_blocks(venue: Venue, share: float, seed: int) -> list[str]:
    """Draw about this share of the seats, in random blocks of one to six beside each other."""
    chance = random.Random(seed)  # noqa: S311 a drawing that repeats
    rows = [row for section in venue.sections for _, row in section.rows()]
    sold: set[str] = set()
    wanted = round(venue.seat_count() * share)
    while len(sold) < wanted:
        row = chance.choice(rows)
        first = chance.randrange(len(row.seats))
        sold.update(seat.id for seat in row.seats[first : first + chance.randint(1, 6)])
    return sorted(sold)
