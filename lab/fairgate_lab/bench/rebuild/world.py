"""A hall in a real table beside an empty cache."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from valkey import Valkey

from fairgate.adapters.system import SystemClock
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.shared.ids import EventId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.world import Clock
from fairgate.service.shared.keys import (
    area_key,
    event_key,
    seat_key,
    section_index,
)
from fairgate.service.shared.records.catalog import AreaFacts, BlockFacts, Event, SectionFacts
from fairgate.service.shared.records.seats import AreaShard, SeatRecord
from fairgate_lab.worlds.bulk_writer import DynamoWriter
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.run.local.environment import Place, Ports, operator_config
from fairgate_ops.run.local.ministack import Ministack, local_client
from fairgate_ops.run.local.resources import create_tables
from fairgate_ops.run.local.valkey_server import ValkeyServer
from fairgate_ops.shared.progress import progress
from fairgate_ops.shared.secret_file import new_secrets

EVENT = "hall"
SECTION_SEATS = 500
SHARDS, SHARD_PLACES = 4, 500


@dataclass(frozen=True)
class Hall:
    """Sections of 500 seats, every third of which is sold."""

    seats: int

    def sections(self) -> list[str]:
        return [f"s{number:03d}" for number in range(-(-self.seats // SECTION_SEATS))]

    def seats_of(self, section: str) -> int:
        return min(SECTION_SEATS, self.seats - int(section[1:]) * SECTION_SEATS)

    def statuses(self, section: str) -> str:
        return "".join("0" if n % 3 else "2" for n in range(self.seats_of(section)))


@dataclass(frozen=True)
class RebuildWorld:
    hall: Hall
    run_file: Path
    clock: Clock
    valkey: ValkeyAvailability
    valkey_url: str

    def empty_cache(self) -> None:
        with closing(Valkey.from_url(self.valkey_url)) as client:
            client.flushall()

    def cached(self) -> int:
        """Count the seats that the cache has now."""
        vectors = self.valkey.codes(EVENT, self.hall.sections(), self.clock.now_ms())
        return sum(len(codes) for codes in vectors if codes is not None)


@contextmanager
def rebuild_world(folder: Path, seats: int) -> Iterator[RebuildWorld]:
    """Start servers of its own: a table with so many seats, and nothing in the cache."""
    with Ministack(folder) as engine, ValkeyServer(folder) as valkey:
        client = local_client("dynamodb", engine.endpoint)
        cache = ValkeyAvailability(valkey.url, timeout_s=2)
        try:
            create_tables(engine.endpoint)
            ports = Ports(0, 0, engine.port, valkey.port, 0, 0, 0)
            place = Place(folder)
            place.secrets.write_text(json.dumps(new_secrets()), "utf-8")
            place.config.write_text(json.dumps(operator_config(ports, place, {})), "utf-8")
            world = RebuildWorld(Hall(seats), place.config, SystemClock(), cache, valkey.url)
            with progress("Loading seats", seats) as step:
                _load(world.hall, DynamoWriter(lambda: client, NAMES, written=step))
            yield world
        finally:
            cache.close()
            client.close()


def _load(hall: Hall, writer: DynamoWriter) -> None:
    sections = hall.sections()
    for section in sections:
        writer.put_many(_seat(section, n) for n in range(hall.seats_of(section)))
    writer.put_many(_shard(number) for number in range(SHARDS))
    writer.put_many([_event(hall)])


def _event(hall: Hall) -> Event:
    now = rfc3339(0)
    return Event(
        *event_key(EVENT),
        name="Hall",
        venue_name="Hall",
        state="open",
        sale_opens_at=now,
        currency="EUR",
        layout="0" * 32,
        hold_limit=10,
        user_limit=10,
        sessions_limit=1,
        live_max=0,
        session_s=600,
        checkout_s=420,
        tiers=[],
        areas={"floor": AreaFacts(capacity=SHARDS * SHARD_PLACES, shards=SHARDS, tier="t")},
        sections=[
            SectionFacts(id=s, name=s, seats=seats, blocks=[BlockFacts(id="b", seats=seats)])
            for s in hall.sections()
            for seats in [hall.seats_of(s)]
        ],
        draw_commitment="0" * 64,
        epochs_log=[],
        created_at=now,
        version=0,
    )


def _seat(section: str, index: int) -> SeatRecord:
    seat, row, number = f"{section}-{index}", f"{index // 25:02d}", f"{index % 25:05d}"
    return SeatRecord(
        *seat_key(EVENT, seat),
        gsi1_pk=section_index(EVENT, section),
        gsi1_sk=f"b#{row}#{number}",
        event_id=EventId(EVENT),
        section_id=section,
        block_id="b",
        row_id=row,
        seat_number=number,
        seat_id=seat,
        availability="available" if index % 3 else "reserved",
        expires_at="",
        session_id="",
        version=index % 3,
        updated_at=rfc3339(0),
        price_tier="t",
        seat_index=index,
        kind="standard",
    )


def _shard(number: int) -> AreaShard:
    return AreaShard(
        *area_key(EVENT, "floor", number),
        event_id=EventId(EVENT),
        area_id="floor",
        shard=number,
        capacity=SHARD_PLACES,
        remaining=SHARD_PLACES - number,
        version=number,
        updated_at=rfc3339(0),
        price_tier="t",
    )
