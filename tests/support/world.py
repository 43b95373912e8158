"""A small world for the services: moto's tables, a clock that stands still, a tiny venue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import TABLES, create_table_request
from fairgate.adapters.memory import clock
from fairgate.adapters.memory.cache import NoCache
from fairgate.adapters.memory.clock import MemoryClock, MemoryIds
from fairgate.adapters.memory.layouts import MemoryLayouts
from fairgate.adapters.memory.outside import MemoryEdgeConfig, MemoryReminders
from fairgate.adapters.memory.payments import MemoryPayments
from fairgate.adapters.memory.secrets import MemorySecrets
from fairgate.bootstrap import Container
from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate, gate_key
from fairgate.domain.shared.credential import Credential, sign_credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Put, TableName, Update
from fairgate.service.shared.due import session_due
from fairgate.service.shared.keys import (
    area_key,
    keyed,
    live_key,
    owned,
    seat_key,
    session_key,
    standing_key,
)
from fairgate.settings import from_environment

EVENT = "show"
LAYOUT = "0" * 32
START_MS = clock.START_MS
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
        "doors_s": round(start_s) - 60,
    }
    return GateConfig(**(values | changes))


class World:
    """Everything the services need; ``seats`` seats in one section ``s`` and one area ``floor``."""

    def __init__(
        self, client: Any, *, seats: int = 12, capacity: int = 10, shards: int = 1, **event: Any
    ) -> None:
        self.client = client
        for schema in TABLES:
            client.create_table(**create_table_request(schema, NAMES[schema.name]))
        self.clock = MemoryClock()
        self.ids = MemoryIds()
        self.table = DynamoTable(lambda: client, NAMES, sleep=lambda _s: None)
        self.payments = MemoryPayments()
        self.reminders = MemoryReminders()
        self.edge_config = MemoryEdgeConfig({gate_key(EVENT): dump_gate(gate())})
        self.layouts = MemoryLayouts()
        self.secrets = MemorySecrets()
        self.seat_ids = [f"s-1-{n}" for n in range(1, seats + 1)]
        self.event = self._publish(capacity, shards, event)
        self.container = Container(
            from_environment({}),
            clock=self.clock,
            ids=self.ids,
            table=self.table,
            secrets=self.secrets,
            cache=NoCache(),
            edge_config=self.edge_config,
            expiry_queue=self.reminders,
            layouts=self.layouts,
            payments=self.payments,
        )

    def session(self, user: str = "ann", *, seconds: int = 600, limit: int = 10) -> Credential:
        """An open session written directly, with its standing and live counter."""
        session = SessionId("ses_" + self.ids.hex32())
        expires_at = rfc3339(self.clock.ms + seconds * 1000)
        bucket = live_bucket(expires_at, session)
        head = {
            "userId": user,
            "eventId": EVENT,
            "state": "reservation",
            "expiresAt": expires_at,
            "resCount": 0,
            "liveBucket": bucket,
            "openedAt": rfc3339(self.clock.ms),
            "tokenId": session,
        }
        standing = {"liveSession": session, "liveUntil": expires_at, "sessionsUsed": 1}
        self.put("reservations", keyed(session_key(session)) | owned(user, EVENT, session) | head)
        self.put("reservations", keyed(standing_key(user, EVENT)) | standing)
        self.table.update(Update("reservations", *live_key(EVENT, bucket), add={"live": 1}))
        self.table.transact([session_due(EVENT, session, expires_at, self.clock.ms)])
        return Credential(session, EventId(EVENT), UserId(user), expires_at, limit, LAYOUT)

    def signed(self, credential: Credential) -> str:
        return sign_credential(credential, "1", self.secrets.kept.session["1"])

    def seat(self, seat: str) -> dict[str, Any]:
        found = self.table.get("seats", *seat_key(EVENT, seat))
        assert found is not None
        return found

    def remaining(self, area: str = "floor") -> int:
        return sum(self.shards(area))

    def shards(self, area: str = "floor") -> list[int]:
        """What remains in each of the area's counters."""
        count = self.event["areas"][area]["shards"]
        found = [self.table.get("seats", *area_key(EVENT, area, n)) for n in range(count)]
        return [int(item["remaining"]) for item in found if item is not None]

    def put(self, table: TableName, item: Mapping[str, Any]) -> None:
        self.table.transact([Put(table, item, condition="")])

    def _publish(self, capacity: int, shards: int, changes: dict[str, Any]) -> dict[str, Any]:
        for index, seat in enumerate(self.seat_ids):
            number = seat.rpartition("-")[2]
            self.put("seats", self._seat_item(index, seat, number))
        for shard in range(shards):
            room = capacity // shards + (shard < capacity % shards)
            self.put(
                "seats",
                keyed(area_key(EVENT, "floor", shard))
                | {"GSI1PK": f"{EVENT}#floor", "GSI1SK": f"GA#{shard}"}
                | {"eventId": EVENT, "areaId": "floor", "shard": shard}
                | {"capacity": room, "remaining": room, "version": 0},
            )
        tiers = [{"id": "t", "name": "Standard", "color": "#369", "priceMinor": 5_000}]
        index_json = {
            "sections": [{"id": "s", "name": "Stalls"}],
            "tiers": ["t"],
            "seats": {s: [0, 0, "1", s.rpartition("-")[2]] for s in self.seat_ids},
            "areas": {"floor": {"tier": "t", "name": "Floor"}},
        }
        self.layouts.write(LAYOUT, "index.json", json.dumps(index_json).encode())
        event = {
            "PK": "EVENT",
            "SK": EVENT,
            "name": "The Show",
            "venueName": "The Hall",
            "state": "open",
            "saleOpensAt": rfc3339(START_MS),
            "currency": "EUR",
            "layout": LAYOUT,
            "holdLimit": 10,
            "userLimit": 10,
            "sessionsLimit": 3,
            "liveMax": 0,
            "sessionS": 600,
            "checkoutS": 300,
            "tiers": tiers,
            "areas": {"floor": {"capacity": capacity, "shards": shards, "tier": "t"}},
            "sections": [{"id": "s", "name": "Stalls", "seats": len(self.seat_ids)}],
            "drawCommitment": "",
            "createdAt": rfc3339(START_MS),
            "version": 1,
        } | changes
        self.put("catalog", event)
        return event

    def _seat_item(self, index: int, seat: str, number: str) -> dict[str, Any]:
        return keyed(seat_key(EVENT, seat)) | {
            "GSI1PK": f"{EVENT}#s",
            "GSI1SK": f"b#1#{int(number):05d}",
            "eventId": EVENT,
            "sectionId": "s",
            "blockId": "b",
            "rowId": "1",
            "seatNumber": number,
            "seatId": seat,
            "availability": "available",
            "expiresAt": "",
            "sessionId": "",
            "version": 0,
            "updatedAt": rfc3339(START_MS),
            "priceTier": "t",
            "seatIndex": index,
            "kind": "standard",
        }
