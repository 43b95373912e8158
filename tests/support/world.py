"""A small world for the services: moto's tables, a clock that stands still, a tiny venue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import from_item
from fairgate.adapters.dynamodb.schema import GSI1, TABLES, create_table_request
from fairgate.adapters.tickets.ed25519 import signer
from fairgate.bootstrap import Container
from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate, gate_key
from fairgate.domain.shared.credential import Credential, sign_credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK, Record, TableName
from fairgate.ports.table import Put, Update
from fairgate.service.shared.due import session_due
from fairgate.service.shared.keys import (
    area_key,
    event_key,
    gate_value_key,
    live_key,
    seat_key,
    section_index,
    session_key,
    user_status_key,
)
from fairgate.service.shared.records.catalog import AreaFacts, BlockFacts, Event, SectionFacts, Tier
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate.service.shared.records.seats import AreaShard, SeatRecord
from fairgate.service.shared.records.sessions import Session, UserStatus
from fairgate.settings import from_environment
from fairgate_lab.engine import clock
from fairgate_lab.engine.cache import NoCache
from fairgate_lab.engine.clock import MemoryClock, MemoryIds
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.engine.outside import (
    MemoryEdgeConfig,
    MemoryJobFiles,
    MemoryJobQueue,
    MemoryMailQueue,
    MemoryReminders,
)
from fairgate_lab.engine.payments import MemoryPayments
from fairgate_lab.engine.secrets import MemorySecrets
from tests.support.moto_direct import DirectClient

EVENT = "show"
LAYOUT = "0" * 32
START_MS = clock.START_MS
ACTIONS_MAX = 100  # of a transaction
NAMES: dict[TableName, str] = {
    "seats": "t-seats",
    "reservations": "t-reservations",
    "catalog": "t-catalog",
}


def gate(**changes: Any) -> GateConfig:
    """An open gate without proof of work in which everyone is admitted."""
    start_s = START_MS / 1000
    values: dict[str, Any] = {
        "state": "open",
        "mode": "a",
        "curve": 1.0,
        "draw_key": b"d" * 32,
        "token_keys": {"1": b"k" * 32},
        "token_kid": "1",
        "auth_keys": {"1": b"a" * 32},
        "edge_key": b"g" * 32,
        "pow_bits": 0,
        "epochs": (Epoch(start_s - 3600, 0.0, 1.0),),
        "backoff_min_s": 1,
        "backoff_max_s": 30,
        "token_ttl_s": 600,
        "sample_queue": 0.0,
        "sample_admission": 0.0,
        "open_until_s": 0,
        "sale_start_s": round(start_s) - 60,
    }
    return GateConfig(**(values | changes))


def event_on_sale(**changes: Any) -> Event:
    """The event of these tests, without seats and areas."""
    event = Event(
        *event_key(EVENT),
        name="The Show",
        venue_name="The Hall",
        state="open",
        sale_starts_at=rfc3339(START_MS),
        currency="EUR",
        layout=LAYOUT,
        hold_limit=10,
        user_limit=10,
        sessions_limit=3,
        live_max=0,
        session_s=600,
        checkout_s=300,
        tiers=[Tier(id="t", name="Standard", color="#369", price_minor=5_000)],
        areas={},
        sections=[],
        draw_commitment="",
        epochs_log=[],
        gate_behind=0,
        created_at=rfc3339(START_MS),
        version=1,
    )
    return msgspec.structs.replace(event, **changes)


class ValuesInBoth(dict[str, str]):
    """Writes what a test puts into the edges' store into the catalogue, too, as writers do."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def __setitem__(self, key: str, value: str) -> None:
        super().__setitem__(key, value)
        where = gate_value_key(key.removeprefix(gate_key("")))
        before = self._world.table.find(GateValueRecord, where)
        if before is None or before.value != value:
            version = 1 if before is None else before.version + 1
            at_ms = self._world.clock.ms
            record = GateValueRecord(
                *where, value=value, at_ms=at_ms, version=version, heard=version
            )
            self._world.put(record)


class World:
    """Everything the services need; ``seats`` seats in one section ``s`` and one area ``floor``."""

    def __init__(
        self, client: Any, *, seats: int = 12, capacity: int = 10, shards: int = 1, **event: Any
    ) -> None:
        self.client = client
        self.clock = MemoryClock()
        self.ids = MemoryIds()
        self.table = DynamoTable(lambda: client, NAMES, sleep=lambda _s: None)
        self.payments = MemoryPayments()
        self.reminders = MemoryReminders()
        self.mail_queue = MemoryMailQueue()
        self.job_queue, self.job_files = MemoryJobQueue(), MemoryJobFiles()
        self.edge_config = MemoryEdgeConfig(ValuesInBoth(self))
        self.layouts = MemoryLayouts()
        self.secrets = MemorySecrets()
        self.sign = signer(lambda: self.secrets.current.ticket)
        self.seat_ids = [f"s-1-{n}" for n in range(1, seats + 1)]
        self.event = self._event(capacity, shards, event)
        fill = partial(self._fill, capacity, shards)
        if isinstance(client, DirectClient):
            client.seed(repr((seats, capacity, shards, event)), fill)
        else:
            fill()
        self.edge_config.values[gate_key(EVENT)] = dump_gate(gate())
        self.container = Container(
            from_environment({}),
            clock=self.clock,
            ids=self.ids,
            table=self.table,
            secrets=self.secrets,
            cache=NoCache(),
            edge_config=self.edge_config,
            expiry_queue=self.reminders,
            mail_queue=self.mail_queue,
            job_queue=self.job_queue,
            job_files=self.job_files,
            layouts=self.layouts,
            payments=self.payments,
        )

    def session(self, user: str = "ann", *, seconds: int = 600, limit: int = 10) -> Credential:
        """An open session written directly, with its user's status and live counter."""
        session = SessionId("ses_" + self.ids.hex32())
        expires_at = rfc3339(self.clock.ms + seconds * 1000)
        bucket = live_bucket(expires_at, session, self.event.live_counters)
        head = Session(
            *session_key(session),
            user_id=UserId(user),
            event_id=EventId(EVENT),
            state="reservation",
            expires_at=expires_at,
            res_count=0,
            live_bucket=bucket,
            opened_at=rfc3339(self.clock.ms),
            token_id=session,
            admission={},
        )
        key = user_status_key(user, EVENT)
        status = msgspec.structs.replace(
            self.table.find(UserStatus, key) or UserStatus(*key),
            live_session=session,
            live_until=expires_at,
            sessions_used=1,
        )
        self.put(head)
        self.put(status)
        self.table.update(Update("reservations", *live_key(EVENT, bucket), add={"live": 1}))
        self.table.transact([session_due(EventId(EVENT), session, expires_at, self.clock.ms)])
        return Credential(session, EventId(EVENT), UserId(user), expires_at, limit, LAYOUT)

    def signed(self, credential: Credential) -> str:
        return sign_credential(credential, "1", self.secrets.current.session["1"])

    def seat(self, seat: str) -> dict[str, Any]:
        found = self.item("seats", seat_key(EVENT, seat))
        assert found is not None
        return found

    def item(self, table: TableName, key: tuple[str, str]) -> dict[str, Any] | None:
        """What the table has under a key, past the port: for assertions about the item itself."""
        request = {PK: {"S": key[0]}, SK: {"S": key[1]}}
        answer = self.client.get_item(TableName=NAMES[table], Key=request, ConsistentRead=True)
        return from_item(answer["Item"]) if "Item" in answer else None

    def spoil(self, table: TableName, key: tuple[str, str], **typed: dict[str, Any] | None) -> None:
        """Give attributes of an item values as DynamoDB has them, of any type; None takes it."""
        request = {PK: {"S": key[0]}, SK: {"S": key[1]}}
        stored = self.client.get_item(TableName=NAMES[table], Key=request, ConsistentRead=True)
        changed = {**stored["Item"], **typed}
        item = {name: value for name, value in changed.items() if value is not None}
        self.client.put_item(TableName=NAMES[table], Item=item)

    def items(
        self,
        table: TableName,
        pk: str,
        sk_prefix: str = "",
        *,
        sk_from: str = "",
        index: bool = False,
    ) -> list[dict[str, Any]]:
        """A partition's items, past the port, as ``Table.query`` chooses them."""
        hash_name, range_name = (GSI1PK, GSI1SK) if index else (PK, SK)
        request: dict[str, Any] = {"IndexName": GSI1} if index else {"ConsistentRead": True}
        answer = self.client.query(
            TableName=NAMES[table],
            KeyConditionExpression=f"{hash_name} = :pk",
            ExpressionAttributeValues={":pk": {"S": pk}},
            **request,
        )
        assert "LastEvaluatedKey" not in answer
        found = [from_item(item) for item in answer["Items"]]
        return [
            item
            for item in found
            if item[range_name].startswith(sk_prefix) and item[range_name] >= sk_from
        ]

    def remaining(self, area: str = "floor") -> int:
        return sum(self.shards(area))

    def shards(self, area: str = "floor") -> list[int]:
        """What remains in each of the area's counters."""
        keys = [area_key(EVENT, area, n) for n in range(self.event.areas[area].shards)]
        found = [self.table.find(AreaShard, key) for key in keys]
        return [shard.remaining for shard in found if shard is not None]

    def put(self, record: Record) -> None:
        self.table.transact([Put.of(record, condition="")])

    def put_item(self, table: TableName, item: Mapping[str, Any]) -> None:
        """An item as it is, whether or not it is a record's."""
        self.table.transact([Put(table, item, condition="")])

    def _event(self, capacity: int, shards: int, changes: dict[str, Any]) -> Event:
        index_json = {
            "sections": [{"id": "s", "name": "Stalls"}],
            "tiers": ["t"],
            "seats": {s: [0, 0, "1", s.rpartition("-")[2]] for s in self.seat_ids},
            "areas": {"floor": {"tier": "t", "name": "Floor"}},
        }
        self.layouts.write(LAYOUT, "index.json", json.dumps(index_json).encode())
        seats = len(self.seat_ids)
        blocks = [BlockFacts(id="b", seats=seats)]
        event = event_on_sale(
            areas={"floor": AreaFacts(capacity=capacity, shards=shards, tier="t")},
            sections=[SectionFacts(id="s", name="Stalls", seats=seats, blocks=blocks)],
        )
        return msgspec.structs.replace(event, **changes)

    def _fill(self, capacity: int, shards: int) -> None:
        """Make the tables, with the event, its seats, its area and the value of its gate."""
        for schema in TABLES:
            self.client.create_table(**create_table_request(schema, NAMES[schema.name]))
        rows: list[Record] = [self._seat(index, seat) for index, seat in enumerate(self.seat_ids)]
        for shard in range(shards):
            room = capacity // shards + (shard < capacity % shards)
            rows.append(
                AreaShard(
                    *area_key(EVENT, "floor", shard),
                    event_id=EventId(EVENT),
                    area_id="floor",
                    shard=shard,
                    capacity=room,
                    remaining=room,
                    version=0,
                    updated_at=rfc3339(START_MS),
                    price_tier="t",
                )
            )
        self._put_all([*rows, self.event])
        self.edge_config.values[gate_key(EVENT)] = dump_gate(gate())

    def _put_all(self, records: list[Record]) -> None:
        """As ``put`` does, as many at a time as a transaction takes."""
        for start in range(0, len(records), ACTIONS_MAX):
            some = records[start : start + ACTIONS_MAX]
            self.table.transact([Put.of(record, condition="") for record in some])

    def _seat(self, index: int, seat: str) -> SeatRecord:
        number = seat.rpartition("-")[2]
        return SeatRecord(
            *seat_key(EVENT, seat),
            gsi1_pk=section_index(EVENT, "s"),
            gsi1_sk=f"b#1#{int(number):05d}",
            event_id=EventId(EVENT),
            section_id="s",
            block_id="b",
            row_id="1",
            seat_number=number,
            seat_id=seat,
            availability="available",
            expires_at="",
            session_id="",
            version=0,
            updated_at=rfc3339(START_MS),
            price_tier="t",
            seat_index=index,
            kind="standard",
        )


def stored(world: World) -> list[Any]:
    """Return every item of the tables, to compare before and after."""
    return [world.client.scan(TableName=name)["Items"] for name in NAMES.values()]
