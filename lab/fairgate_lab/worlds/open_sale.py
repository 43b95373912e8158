"""A sale on a bare database engine, with sessions opened by the real service."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from msgspec.structs import replace

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.light import LightDynamo
from fairgate.adapters.system import SystemClock, SystemIds
from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.orders.order import Unit
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.credential import Credential, verify_credential
from fairgate.domain.shared.ids import UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.outside import Layouts
from fairgate.ports.record import TableName
from fairgate.ports.world import SignInKeys
from fairgate.service.catalog.create_event import GateRules
from fairgate.service.catalog.event_request import NewEvent
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.holds.seat_index import seat_index
from fairgate.service.sessions.judge_admission import AdmissionRequest
from fairgate.service.sessions.open_session import SessionOpener
from fairgate.service.shared.records.catalog import Event
from fairgate.settings import AwsAccess
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.engine.outside import MemoryReminders
from fairgate_lab.engine.secrets import MemorySecrets
from fairgate_lab.worlds.event_creator import event_creator
from fairgate_lab.worlds.open_gate import open_gate
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import prices
from fairgate_ops.run.local.environment import REGION, TABLES
from fairgate_ops.run.local.resources import create_tables

EVENT = "race"
SESSION_S = 3_600
KEYS = MemorySecrets().sign_in()
NAMES: dict[TableName, str] = {
    "seats": TABLES["seats"],
    "reservations": TABLES["reservations"],
    "catalog": TABLES["catalog"],
}


@dataclass(frozen=True)
class OpenSale:
    """One event on sale on the engine at ``endpoint``."""

    endpoint: str
    event: Event
    layouts: Layouts
    seats: Sequence[str]  # in layout order
    keys: SignInKeys = KEYS

    def units(self) -> Sequence[Unit]:
        """Every seat, as a hold names it, in layout order."""
        return seat_index(self.layouts, self.event.layout).seats(self.seats)

    def sessions(self, count: int) -> list[Credential]:
        """Sessions of as many users, each opened by the real service for a redeemed token."""
        with table_at(self.endpoint) as table:
            opener = SessionOpener(table, SystemClock(), SystemIds(), MemoryReminders())
            return [self._session(opener, f"racer-{number}") for number in range(count)]

    def _session(self, opener: SessionOpener, user: str) -> Credential:
        now_ms = SystemClock().now_ms()
        now_s = now_ms // 1000
        epochs = (Epoch(now_s - 7_200.0, 0.0, 1.0),)
        rules = replace(open_gate(now_s * 1000), epochs=epochs, sale_start_s=now_s - 3_600)
        waiting = issue_waiting_token(
            rules,
            self.event.id,
            user,
            request_id=user,
            ip="127.0.0.1",
            now_ms=now_ms - 3_600_000,
        )
        waiting = replace(waiting, boff=now_s - 1, exp=now_s + 600)
        opened = opener.open(
            self.event,
            rules,
            AdmissionRequest(
                UserId(user),
                encode_waiting_token(waiting, rules),
                proof_of_work.solve(waiting.ch, waiting.pow_bits),
            ),
            self.keys,
        )
        return verify_credential(opened.credential, self.keys.session, now_ms)


def put_on_sale(
    endpoint: str,
    *,
    seats: int,
    hold_limit: int = 10,
    layouts: Layouts | None = None,
    written: Callable[[int], None] = lambda _count: None,
) -> OpenSale:
    """Tables on a fresh engine, and a demonstration venue of ``seats`` seats on sale in them."""
    create_tables(endpoint)
    client = light_client(endpoint)
    kept = MemoryLayouts() if layouts is None else layouts
    venue = demo_venue(seats)
    sale_start_s = SystemClock().now_ms() // 1000
    request = NewEvent(
        EVENT,
        rfc3339(sale_start_s * 1000),
        "EUR",
        prices(venue),
        draw_commitment="",  # made with the draw key
        name="Race",
        hold_limit=hold_limit,
        user_limit=max(10, hold_limit),
        session_s=SESSION_S,
        live_max=1_000_000,
    )
    creator = event_creator(lambda: client, NAMES, kept, written=written)
    creator.create(request, venue, GateRules(sale_start_s))
    event = CatalogReader(creator.table, SystemClock()).event(EVENT)
    client.close()
    return OpenSale(endpoint, event, kept, _seats(venue))


def _seats(venue: Venue) -> list[str]:
    return [seat.id for section in venue.sections for seat in section.seats()]


def light_client(endpoint: str) -> LightDynamo:
    """The functions' own client, for an engine on this machine."""
    return LightDynamo(AwsAccess(endpoint, REGION, "local", "local"))


@contextmanager
def table_at(endpoint: str) -> Iterator[DynamoTable]:
    """The functions' own adapter, for an engine on this machine."""
    client = light_client(endpoint)
    yield DynamoTable(lambda: client, NAMES)
    client.close()
