"""The local stand-ins of Pipes and event source mappings, on ministack."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fairgate import bootstrap
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import CATALOG, SEATS, create_table_request
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.ports.availability import SeatStatus
from fairgate.ports.record import TableName
from fairgate.ports.table import Put, Update
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.records.catalog import AreaFacts, SectionFacts
from fairgate.settings import from_environment
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.run.local.patterns import accepts_any
from fairgate_ops.run.local.pump import QueueToHandler, StreamToQueue, create_queue, remaining
from infra.feeds import SEAT_CHANGES
from tests.support.availability import (
    EVENT,
    NOW_MS,
    seat_item,
    shard_item,
    started_ministack,
    started_valkey,
)
from tests.support.waiting import wait_until
from tests.support.world import event_on_sale

ROOT = Path(__file__).resolve().parents[2]
_numbers = itertools.count()


def whole(cache: ValkeyAvailability) -> Sequence[SeatStatus]:
    kept = cache.section(EVENT, "a")
    assert kept is not None
    return kept


@pytest.fixture(scope="module")
def ministack(tmp_path_factory):
    ministack = started_ministack(tmp_path_factory.mktemp("ministack"))
    yield ministack
    ministack.stop()


@pytest.fixture(scope="module")
def aws(ministack):
    clients = {name: ministack.client(name) for name in ("dynamodb", "dynamodbstreams", "sqs")}
    yield clients
    for client in clients.values():
        client.close()


@pytest.fixture
def seats(aws):
    name = f"pump-seats-{next(_numbers)}"
    aws["dynamodb"].create_table(**create_table_request(SEATS, name))
    return DynamoTable(
        lambda: aws["dynamodb"], {"seats": name, "reservations": "-", "catalog": "-"}
    )


@pytest.fixture
def queue(aws):
    return create_queue(aws["sqs"], f"pump-{next(_numbers)}", visibility_s=1)


@pytest.fixture
def started():
    pumps = []

    def start(pump):
        pumps.append(pump)
        return pump.start()

    yield start
    for pump in reversed(pumps):
        pump.stop()
        assert not pump.running


def stream_to(aws, seats, queue, **options):
    table = seats._names["seats"]
    return StreamToQueue(aws["dynamodbstreams"], aws["sqs"], table, queue.url, **options)


def put(table, *items):
    for item in items:
        table.transact([Put("seats", dict(item), condition="")])


def keyed(item):
    number = f"{item['seatIndex']:05d}"
    return item | {"GSI1PK": f"{EVENT}#{item['sectionId']}", "GSI1SK": f"b#1#{number}"}


def records(event):
    return [json.loads(message["body"]) for message in event["Records"]]


def test_a_hold_becomes_visible_in_the_cache(
    aws, seats, queue, started, tmp_path, monkeypatch, request
):
    server = started_valkey(tmp_path)
    request.addfinalizer(server.stop)
    cache = ValkeyAvailability(server.url, timeout_s=2)
    request.addfinalizer(cache.close)
    container = Container(from_environment({}), cache=cache, clock=MemoryClock())
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    handler = load_handlers(ROOT / "functions", ["invalidator"])["invalidator"]
    made = [keyed(seat_item("a", n)) for n in range(3)]
    put(seats, *made)
    cache.fill(EVENT, "a", [SeatStatus(n, "available", 0, 0) for n in range(3)])
    batches: list[int] = []

    def counted(event, context):
        batches.append(len(event["Records"]))
        return handler(event, context)

    started(stream_to(aws, seats, queue, accept=accepts_any(SEAT_CHANGES), from_start=True))
    started(QueueToHandler(aws["sqs"], queue.url, counted, batch_max=100))
    hold = [
        Update(
            "seats",
            f"{EVENT}#a-{n}",
            "META",
            condition="#availability = :free",
            values={"free": "available"},
            set={"availability": "locked", "expiresAt": "2027-01-15T08:10:00.000Z"},
            add={"version": 1},
        )
        for n in (0, 2)
    ]
    seats.transact(hold)
    wait_until(
        lambda: [s.availability for s in whole(cache)] == ["locked", "available", "locked"],
        "the hold in the cache",
    )
    assert whole(cache)[0].expires_ms == NOW_MS + 600_000
    assert sum(batches) == len(hold), "the seats' creation came as well"


def test_a_missed_section_and_area_are_read_from_the_table(aws, started, tmp_path, request):
    server = started_valkey(tmp_path)
    request.addfinalizer(server.stop)
    cache = ValkeyAvailability(server.url, timeout_s=2)
    request.addfinalizer(cache.close)
    names: dict[TableName, str] = {
        "seats": f"read-{next(_numbers)}",
        "catalog": f"read-{next(_numbers)}",
    }
    for schema in (SEATS, CATALOG):
        aws["dynamodb"].create_table(**create_table_request(schema, names[schema.name]))
    table = DynamoTable(lambda: aws["dynamodb"], names)
    put(
        table,
        *(keyed(seat_item("a", n)) for n in range(2)),
        *(shard_item("f", n, 5) for n in range(2)),
    )
    put(table, keyed(seat_item("a", 2, availability="reserved", version=4)))
    event = event_on_sale(
        sections=[SectionFacts(id="a", name="A", seats=3, blocks=[])],
        areas={"f": AreaFacts(capacity=200, shards=2, tier="t")},
    )
    table.transact([Put("catalog", event.item())])
    clock = MemoryClock()
    reader = AvailabilityReader(cache, table, CatalogReader(table, clock), clock)
    counts = reader.counts(EVENT)
    assert (counts.sections, counts.areas) == ({"a": (3, 2)}, {"f": (200, 10)})
    assert counts.source == "cache"
    assert [seat.version for seat in whole(cache)] == [0, 0, 4]


def test_only_records_that_pass_the_filter_become_messages(aws, seats, queue, started):
    seen: list[dict[str, Any]] = []
    pattern = {"dynamodb": {"NewImage": {"availability": {"S": ["reserved"]}}}}
    started(QueueToHandler(aws["sqs"], queue.url, lambda event, _: seen.extend(records(event))))
    started(stream_to(aws, seats, queue, accept=accepts_any([pattern])))
    put(seats, keyed(seat_item("a", 0)), keyed(seat_item("a", 1, availability="reserved")))
    put(seats, keyed(seat_item("a", 0, availability="reserved", version=1)))
    wait_until(lambda: len(seen) == 2, "both sales")
    images = [record["dynamodb"]["NewImage"] for record in seen]
    assert sorted(image["seatIndex"]["N"] for image in images) == ["0", "1"]
    assert all(isinstance(r["dynamodb"]["ApproximateCreationDateTime"], float) for r in seen)
    assert seen[-1]["eventSourceARN"].endswith(aws_stream_label(aws, seats))


def aws_stream_label(aws, seats):
    (stream,) = aws["dynamodbstreams"].list_streams(TableName=seats._names["seats"])["Streams"]
    return stream["StreamLabel"]


def test_nothing_is_lost_when_the_queue_refuses_for_a_while(aws, seats, queue, started):
    class Refusing:
        refusals = 2

        def send_message_batch(self, **request):
            if self.refusals:
                self.refusals -= 1
                failed = [
                    {"Id": e["Id"], "Code": "x", "SenderFault": False} for e in request["Entries"]
                ]
                return {"Failed": failed}
            return aws["sqs"].send_message_batch(**request)

    pump = StreamToQueue(
        aws["dynamodbstreams"], Refusing(), seats._names["seats"], queue.url, from_start=True
    )
    put(seats, *(keyed(seat_item("a", n)) for n in range(12)))
    seen: set[str] = set()
    started(
        QueueToHandler(
            aws["sqs"],
            queue.url,
            lambda event, _: seen.update(
                r["dynamodb"]["NewImage"]["seatIndex"]["N"] for r in records(event)
            ),
        )
    )
    started(pump)
    wait_until(lambda: len(seen) == 12, "every seat")


def test_a_stream_goes_on_where_it_stopped(aws, seats, queue, started):
    seen: list[dict[str, Any]] = []
    started(QueueToHandler(aws["sqs"], queue.url, lambda event, _: seen.extend(records(event))))
    pump = started(stream_to(aws, seats, queue))
    put(seats, keyed(seat_item("a", 0)))
    wait_until(lambda: pump.carried == 1, "the first seat")
    pump.stop()
    put(seats, keyed(seat_item("a", 1)))
    pump.start()
    wait_until(lambda: len(seen) == 2, "the second seat")
    assert pump.carried == 2


def test_what_fails_comes_again_and_what_succeeded_does_not(aws, queue, started):
    seen: list[str] = []

    def handler(event, _context):
        seen.extend(message["body"] for message in event["Records"])
        first_bad = seen.count("bad") < 3
        failures = [m for m in event["Records"] if m["body"] == "bad" and first_bad]
        return {"batchItemFailures": [{"itemIdentifier": m["messageId"]} for m in failures]}

    send(aws, queue, "good", "bad", "fine")
    pump = started(QueueToHandler(aws["sqs"], queue.url, handler))
    wait_until(lambda: pump.handled == 3, "all three")
    assert (seen.count("good"), seen.count("fine"), seen.count("bad")) == (1, 1, 3)
    assert waiting(aws, queue.dead_letters_url) == 0


def test_a_message_is_set_aside_when_it_has_failed_five_times(aws, queue, started, capsys):
    receives = []

    def handler(event, _context):
        (message,) = event["Records"]
        receives.append(int(message["attributes"]["ApproximateReceiveCount"]))
        raise RuntimeError("a defect")

    send(aws, queue, "poison")
    started(QueueToHandler(aws["sqs"], queue.url, handler))
    wait_until(lambda: waiting(aws, queue.dead_letters_url) == 1, "the dead letter", 20)
    assert receives == [1, 2, 3, 4, 5]
    assert "a defect" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("answer", "done"),
    [
        (None, ["x", "y"]),
        ({}, ["x", "y"]),
        ({"batchItemFailures": []}, ["x", "y"]),
        ({"batchItemFailures": [{"itemIdentifier": "x"}]}, ["y"]),
        ({"batchItemFailures": [{"itemIdentifier": "nobody"}]}, []),
        ({"batchItemFailures": [{"itemIdentifier": ""}]}, []),
        ({"batchItemFailures": [{"name": "x"}]}, []),
        ({"batchItemFailures": ["x"]}, []),
    ],
)
def test_an_answer_is_read_as_lambda_reads_it(answer, done):
    messages = [{"MessageId": "x"}, {"MessageId": "y"}]
    assert [message["MessageId"] for message in remaining(messages, answer)] == done


def test_a_batch_is_merged_when_many_messages_wait(aws, queue, started):
    sizes = []
    for start in range(0, 60, 10):
        send(aws, queue, *(str(n) for n in range(start, start + 10)))
    pump = QueueToHandler(
        aws["sqs"], queue.url, lambda event, _: sizes.append(len(event["Records"])), batch_max=40
    )
    started(pump)
    wait_until(lambda: pump.handled == 60, "all sixty")
    assert max(sizes) == 40


def test_a_delayed_message_comes_when_its_time_has_come(aws, queue, started):
    seen: list[dict[str, Any]] = []
    aws["sqs"].send_message(QueueUrl=queue.url, MessageBody="later", DelaySeconds=1)
    started(QueueToHandler(aws["sqs"], queue.url, lambda event, _: seen.append(event)))
    wait_until(lambda: len(seen) == 1, "the reminder")


def test_a_pump_survives_an_engine_that_is_gone_for_a_moment(aws, queue, started, capsys):
    class Hiccup:
        def __getattr__(self, name):
            return getattr(aws["sqs"], name)

        def receive_message(self, **request):
            if not failures:
                failures.append(1)
                return aws["sqs"].receive_message(QueueUrl=queue.url + "-gone")
            return aws["sqs"].receive_message(**request)

    failures, seen = [], []
    send(aws, queue, "hello")
    started(QueueToHandler(Hiccup(), queue.url, lambda event, _: seen.append(event)))
    wait_until(lambda: len(seen) == 1, "the message")
    assert "trying again" in capsys.readouterr().err


def send(aws, queue, *bodies):
    entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(bodies)]
    aws["sqs"].send_message_batch(QueueUrl=queue.url, Entries=entries)


def waiting(aws, url):
    name = "ApproximateNumberOfMessages"
    answer = aws["sqs"].get_queue_attributes(QueueUrl=url, AttributeNames=[name])
    return int(answer["Attributes"][name])
