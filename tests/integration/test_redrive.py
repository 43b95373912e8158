"""Changes that were given up come again by command, and the cache ends as the table."""

from __future__ import annotations

import json
from functools import partial

import pytest

from fairgate import bootstrap
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.domain.seating.status_vector import RESERVED
from fairgate.service.availability import apply_seat_changes
from fairgate.settings import from_environment
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.target import QueueUrls, SecretFile, Target
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.run.local.pump import RECEIVES_MAX, QueueToHandler, create_queue
from fairgate_ops.shared.paths import ROOT
from tests.support.availability import (
    EVENT,
    NOW_MS,
    seat_item,
    seats,
    started_ministack,
    started_valkey,
    stream_record,
)
from tests.support.moto_direct import dynamodb
from tests.support.waiting import wait_until
from tests.support.world import World


@pytest.fixture
def cache(tmp_path):
    server = started_valkey(tmp_path)
    cache = ValkeyAvailability(server.url, timeout_s=2)
    cache.fill(EVENT, "a", seats(4))
    yield cache
    cache.close()
    server.stop()


@pytest.fixture
def world():
    with dynamodb() as client:
        yield World(client)


@pytest.fixture
def sqs(tmp_path):
    ministack = started_ministack(tmp_path)
    client = ministack.client("sqs")
    yield client
    client.close()
    ministack.stop()


def waiting(sqs, url):
    name = "ApproximateNumberOfMessages"
    return int(sqs.get_queue_attributes(QueueUrl=url, AttributeNames=[name])["Attributes"][name])


def test_what_a_defect_gave_up_converges_when_it_is_sent_again_after_the_fix(
    cache, sqs, world, tmp_path, monkeypatch, capsys
):
    queue = create_queue(sqs, "invalidations", visibility_s=1)
    # The tables are for the operators' log, in which a redrive stands.
    container = Container(
        from_environment({}),
        cache=cache,
        clock=MemoryClock(),
        table=world.table,
        edge_config=world.edge_config,
    )
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    reached = Target(
        "local",
        container,
        partial(SecretFile, tmp_path),
        lambda: None,
        1.0,
        sqs=lambda: sqs,
        queues=lambda: {"invalidations": QueueUrls(queue.url, queue.dead_letters_url)},
    )
    monkeypatch.setattr(target, "target_of", lambda _options: reached)
    understood = apply_seat_changes.seat_status

    def defect(seat):
        if seat.availability == "reserved":
            raise ValueError("a release that does not know this")
        return understood(seat)

    monkeypatch.setattr(apply_seat_changes, "seat_status", defect)
    for index, (availability, version) in enumerate(
        [("reserved", 2), ("blocked", 1), ("reserved", 5)]
    ):
        record = stream_record(seat_item("a", index, availability=availability, version=version))
        sqs.send_message(QueueUrl=queue.url, MessageBody=json.dumps(record))
    handler = load_handlers(ROOT / "functions", ["invalidator"])["invalidator"]
    pump = QueueToHandler(sqs, queue.url, handler, function="invalidator", batch_max=100).start()
    try:
        wait_until(lambda: waiting(sqs, queue.dead_letters_url) == 2, "two dead letters", 30)
        assert cache.codes(EVENT, ["a"], NOW_MS) == [bytes([0, 3, 0, 0])]
        assert pump.failed == 2 * RECEIVES_MAX

        # The fix; and a newer change of one of them, before the old one comes again.
        monkeypatch.setattr(apply_seat_changes, "seat_status", understood)
        newer = stream_record(seat_item("a", 0, availability="available", version=3))
        sqs.send_message(QueueUrl=queue.url, MessageBody=json.dumps(newer))
        wait_until(lambda: pump.handled == 2, "the newer change")
        assert main.main(["queue", "redrive", "invalidations"]) == 0
        assert "2 messages of invalidations sent again." in capsys.readouterr().out
        wait_until(lambda: pump.handled == 4, "both of the others")
    finally:
        pump.stop()
    assert cache.codes(EVENT, ["a"], NOW_MS) == [bytes([0, 3, RESERVED, 0])]
    assert [seat.version for seat in cache.section(EVENT, "a")] == [3, 1, 5, 0]
    assert waiting(sqs, queue.dead_letters_url) == 0
