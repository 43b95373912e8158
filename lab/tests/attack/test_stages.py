"""Where the tickets of a rush wait: stamps of several processes, put together by order."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from fairgate.service.audit.snapshot import Snapshot
from fairgate_lab.attack.noting_worker import noting
from fairgate_lab.attack.processor import busy_s, seconds_by_group
from fairgate_lab.attack.stages import calls_in, kind_of, notes_in, seconds_of, stamps_of
from fairgate_ops.run.local.access_log import waited_before

ORDER = {
    "orderId": "ord_1",
    "paidAt": "2026-01-01T00:00:01.000Z",
    "ticketedAt": "2026-01-01T00:00:04.500Z",
    "mailedAt": "2026-01-01T00:00:09.500Z",
}
MIDNIGHT_MS = 1_767_225_600_000.0
CAPTURE = {"kind": "capture", "order": "ord_1", "at_ms": MIDNIGHT_MS + 500}
REFUND = CAPTURE | {"kind": "refund", "at_ms": MIDNIGHT_MS + 9_000}


def seconds(notes: list[dict[str, float | str]]) -> dict[str, list[float]]:
    snapshot = Snapshot("", {"order": [ORDER, {"orderId": "ord_2"}]}, [CAPTURE, REFUND])
    return dict(seconds_of(stamps_of(snapshot, {"ord_1": MIDNIGHT_MS + 6_000}, notes)))


def test_each_stage_is_told_when_everything_was_stamped() -> None:
    first: dict[str, float | str] = {
        "order": "ord_1",
        "queued": MIDNIGHT_MS + 1_250,
        "taken": MIDNIGHT_MS + 4_250,
    }
    again: dict[str, float | str] = {
        "order": "ord_1",
        "queued": MIDNIGHT_MS + 1_250,
        "taken": MIDNIGHT_MS + 8_000,
    }
    assert seconds([first, again]) == {
        "webhook: sent, waits, settled": [0.5],
        "stream to queue": [0.25],
        "waits in the queue": [3.0],
        "tickets signed and written": [0.25],
        "until the buyer's page asks": [1.5],
        "PAYMENT TO TICKET": [5.5],
        "after it: until the mail is out": [5.0],
    }


def test_the_queue_is_left_out_when_nobody_noted_it() -> None:
    assert "waits in the queue" not in seconds([])
    assert seconds([])["PAYMENT TO TICKET"] == [5.5]


def test_a_paid_order_is_noted_before_the_ticketer_has_it(tmp_path: Path) -> None:
    out, seen = io.StringIO(), list[str]()
    image = {"orderId": {"S": "ord_1"}}
    bodies = [{"dynamodb": {"NewImage": image}}, {"order": "ord_1"}]
    records = [
        {"body": json.dumps(body), "attributes": {"SentTimestamp": "1700000000123"}}
        for body in bodies
    ]

    def look(event: Any, _context: object) -> Any:
        seen.append(out.getvalue())
        return event

    handler = noting(look, out)
    assert handler({"Records": records}, None) == {"Records": records}
    assert seen == [out.getvalue()]
    log = tmp_path / "tickets.log"
    log.write_text(out.getvalue())
    (note,) = notes_in(log)
    assert note["order"] == "ord_1"
    assert note["queued"] == 1_700_000_000_123
    assert notes_in(tmp_path / "none.log") == []


def test_calls_are_told_apart_by_kind_and_not_by_id(tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_text(
        "1 GET /api/orders/ord_a_1 200 4.0 1.0\n"
        "2 GET /api/orders/ord_b_1 200 6.0 3.0 marked\n"
        "3 GET /api/events/rush/sections/north/seats?x=1 200 2.0 0.0\n"
    )
    calls = calls_in(log)
    assert set(calls) == {"GET /api/orders/…", "GET /api/events/…/sections/…/seats"}
    assert calls["GET /api/orders/…"].took == [4.0, 6.0]
    assert calls["GET /api/orders/…"].waited == [1.0, 3.0]
    assert calls_in(None) == {}
    assert kind_of("/api/events") == "/api/events"


def test_the_wait_for_a_worker_is_known_when_the_edge_stamped_the_request() -> None:
    assert waited_before({"x-request-start": "t=100.250"}, 101.0) == 750.0
    assert waited_before({"x-request-start": "t=102.0"}, 101.0) == 0.0  # another clock
    assert waited_before({"x-request-start": "soon"}, 101.0) == 0.0
    assert waited_before({}, 101.0) == 0.0


def test_the_processor_is_counted_by_group_when_proc_tells(tmp_path: Path) -> None:
    for pid, group, ticks in (("7", 7, 100), ("8", 7, 50), ("9", 9, 25)):
        (tmp_path / pid).mkdir()
        fields = f"{pid} (a (b) c) S 1 {group} 1 0 -1 0 0 0 0 0 {ticks} {ticks} 0 0\n"
        (tmp_path / pid / "stat").write_text(fields)
    (tmp_path / "10").mkdir()  # ended in between
    used = seconds_by_group(tmp_path)
    assert used[7] == 6 * used[9] > 0
    (tmp_path / "stat").write_text("cpu  10 0 20 900 70 0 0 0 0 0\ncpu0 1 1 1 1\n")
    assert busy_s(tmp_path) * 50 == used[9] * 30
    assert busy_s(tmp_path / "none") == 0.0
