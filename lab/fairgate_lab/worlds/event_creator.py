"""Create events on an engine without a CloudFront: for benchmarks, races and simulated sales."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.guarded_writer import GuardedWriter
from fairgate.adapters.system import SystemClock
from fairgate.ports.outside import EdgeConfig, Layouts
from fairgate.ports.record import TableName
from fairgate.ports.world import Clock
from fairgate.service.catalog.create_event import EventCreator
from fairgate.service.gate.gate_values import GateValues
from fairgate_lab.engine.outside import MemoryEdgeConfig
from fairgate_lab.engine.secrets import MemorySecrets


def event_creator(
    client: Callable[[], Any],
    names: Mapping[TableName, str],
    layouts: Layouts,
    *,
    edge: EdgeConfig | None = None,
    clock: Clock | None = None,
    token_bytes: Callable[[int], bytes] = secrets.token_bytes,
    sleep: Callable[[float], None] = time.sleep,
    written: Callable[[int], None] = lambda _count: None,
) -> EventCreator:
    """Return what ``fairgate event create`` uses, with an edges' store in memory."""
    clock = clock or SystemClock()
    table = DynamoTable(client, names, sleep=sleep)

    def wait(attempt: int) -> None:
        sleep(attempt)

    return EventCreator(
        table=table,
        values=GateValues(table, edge or MemoryEdgeConfig(), clock, wait),
        writer=partial(GuardedWriter, table, client, names, written=written, sleep=sleep),
        layouts=layouts,
        clock=clock,
        secrets=MemorySecrets(),
        who=lambda: "organiser",
        token_bytes=token_bytes,
        wait=wait,
    )
