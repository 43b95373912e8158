"""A poison message is tried as often as its queue allows, then kept aside; the others are done."""

from __future__ import annotations

import pytest

from fairgate_ops.run.local.pump import RECEIVES_MAX, QueueToHandler, create_queue
from infra.feeds import ATTEMPTS_MAX
from tests.support.availability import started_ministack
from tests.support.consumers import CONSUMERS, NOT_MESSAGES, consumer
from tests.support.moto_direct import dynamodb
from tests.support.waiting import wait_until
from tests.support.world import World

TRIED = ("not JSON", "brackets without end", "a list")


def waiting(sqs, url):
    name = "ApproximateNumberOfMessages"
    return int(sqs.get_queue_attributes(QueueUrl=url, AttributeNames=[name])["Attributes"][name])


def dead_letters(sqs, url):
    answer = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=1)
    return {message["Body"] for message in answer.get("Messages", ())}


@pytest.fixture(scope="module")
def ministack(tmp_path_factory):
    server = started_ministack(tmp_path_factory.mktemp("ministack"))
    yield server
    server.stop()


@pytest.fixture
def sqs(ministack):
    client = ministack.client("sqs")
    yield client
    client.close()


def test_the_local_queues_try_as_often_as_those_in_aws():
    assert RECEIVES_MAX == ATTEMPTS_MAX


@pytest.mark.parametrize("name", CONSUMERS)
def test_poison_ends_as_a_dead_letter_after_its_tries_and_the_rest_is_done(name, sqs, monkeypatch):
    queue = create_queue(sqs, f"poison-{name}", visibility_s=1)
    with dynamodb() as client:
        consumed = consumer(name, World(client), monkeypatch)
        consumed.break_second()
        poison = [*(NOT_MESSAGES[kind] for kind in TRIED), *consumed.poison.values()]
        healthy, unexpected = consumed.bodies
        batch = [*poison, unexpected, healthy]
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(batch)]
        assert not sqs.send_message_batch(QueueUrl=queue.url, Entries=entries).get("Failed")
        pump = QueueToHandler(sqs, queue.url, consumed.handler, function=name).start()
        try:
            given_up = len(poison) + 1
            wait_until(lambda: waiting(sqs, queue.dead_letters_url) == given_up, "dead letters", 60)
        finally:
            pump.stop()
        assert pump.handled == 1
        # Once more for each that a busy machine still handles when its second is over.
        assert pump.failed >= given_up * RECEIVES_MAX
        assert consumed.done() == {0}
    assert dead_letters(sqs, queue.dead_letters_url) == {*poison, unexpected}
