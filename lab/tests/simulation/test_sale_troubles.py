"""The troubles themselves: what a call meets is what DynamoDB, SQS and Lambda may do to it."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.schema import RESERVATIONS
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import Key
from fairgate.ports.table import Update
from fairgate.service.shared.records.cursors import SweepCursor
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.simulate.sale.fault_plan import FaultPlan
from fairgate_lab.simulate.sale.faults import FaultInjector
from fairgate_lab.simulate.sale.queues import ATTEMPTS_MAX, WorkQueue
from fairgate_lab.simulate.sale.scheduler import CrashedError, Scheduler
from fairgate_lab.simulate.sale.table_seam import TableSeam, UnderWay

KEYS = [Key("p", str(number)) for number in range(4)]
SEEDS = range(40)


class Small:
    """A table of four items, and one task at a time."""

    def __init__(self, seed: int, **troubles: Any) -> None:
        rng = random.Random(seed)  # noqa: S311 a schedule, not a secret
        self.scheduler = Scheduler(rng, 0)
        self.faults = FaultInjector(self.scheduler, FaultPlan(**troubles))
        self.engine = MemoryDynamo({"r": RESERVATIONS}, lambda: self.scheduler.now_ms)
        for key in KEYS:
            item = to_item({"PK": key.pk, "SK": key.sk, "minute": "old"})
            self.engine.put_item(TableName="r", Item=item)
        seam = TableSeam(self.engine, self.faults, UnderWay())
        self.table = DynamoTable(
            lambda: seam,
            {"reservations": "r"},
            sleep=lambda s: self.scheduler.sleep(round(s * 1000)),
        )

    def together(self, *tasks: Callable[[], object]) -> None:
        for number, task in enumerate(tasks):
            self.scheduler.spawn(str(number), task)
        self.scheduler.run()
        assert self.scheduler.failures == []

    def renew(self) -> None:
        self.table.transact([Update("reservations", *key, set={"minute": "new"}) for key in KEYS])


def seen_together(seed: int, read: Callable[[Small], str], **troubles: Any) -> str:
    seen: list[str] = []
    small = Small(seed, **troubles)
    small.together(small.renew, lambda: seen.append(read(small)))
    return seen[0]


def one_by_one(small: Small) -> str:
    """The last item first."""
    found = [small.table.find(SweepCursor, key) for key in reversed(KEYS)]
    return " ".join(mark.minute for mark in found if mark is not None)


def in_a_query(small: Small) -> str:
    return " ".join(mark.minute for mark in small.table.query(SweepCursor, "p"))


def in_a_batch(small: Small) -> str:
    return " ".join(mark.minute for mark in small.table.find_many(SweepCursor, KEYS))


@pytest.mark.parametrize("read", [one_by_one, in_a_query, in_a_batch])
def test_a_commit_is_half_seen_by_any_reader_of_several_items(
    read: Callable[[Small], str],
) -> None:
    seen = {seen_together(seed, read, half_seen=1.0) for seed in SEEDS}
    assert {one.partition(" ")[0] for one in seen} == {"old", "new"}
    after = [one for one in seen if one.startswith("new ")]
    assert any("old" in one for one in after), "seen new, and then old beside it"
    plain = {seen_together(seed, read) for seed in SEEDS}
    assert not any("new" in one and "old" in one.partition("new")[2] for one in plain)


def test_an_item_that_was_seen_new_is_never_seen_old_again() -> None:
    for seed in SEEDS:
        seen: list[str] = []
        small = Small(seed, half_seen=1.0)

        def look(small: Small = small, seen: list[str] = seen) -> None:
            for _ in range(6):
                mark = small.table.find(SweepCursor, KEYS[0])
                assert mark is not None
                seen.append(mark.minute)

        small.together(small.renew, look)
        assert seen == sorted(seen, reverse=True), seen  # "old" comes after "new" in the alphabet


def test_whoever_committed_sees_all_of_it() -> None:
    for seed in SEEDS:
        seen: list[str] = []
        small = Small(seed, half_seen=1.0)

        def write(small: Small = small, seen: list[str] = seen) -> None:
            small.renew()
            seen.append(one_by_one(small))

        small.together(write)
        assert seen == ["new new new new"]


@pytest.mark.parametrize(
    ("trouble", "read"),
    [({"pages": 1.0}, in_a_query), ({"unprocessed": 0.7}, in_a_batch)],
)
def test_what_comes_in_parts_is_read_whole(
    trouble: dict[str, float], read: Callable[[Small], str]
) -> None:
    calls = []
    for seed in SEEDS:
        seen: list[str] = []
        small = Small(seed, **trouble)

        def look(small: Small = small, seen: list[str] = seen) -> None:
            seen.append(read(small))

        small.together(look)
        assert seen == ["old old old old"]
        calls.append(small.scheduler.steps)
    assert max(calls) > 1, "it came in one part each time"


def test_a_hot_partition_throttles_for_a_while_and_then_answers() -> None:
    outcomes = set()
    for seed in SEEDS:
        small = Small(seed, hot=0.3)

        def look(small: Small = small) -> None:
            for _ in range(3):
                try:
                    one_by_one(small)
                except DependencyUnavailableError:
                    outcomes.add("throttled")
                    small.faults.plan = FaultPlan()
            assert one_by_one(small) == "old old old old"

        small.together(look)
    assert outcomes == {"throttled"}


def test_a_function_whose_time_is_up_has_had_its_effect() -> None:
    small = Small(0, time_out=1.0)

    def write() -> None:
        small.scheduler.current.process = "somebody's"
        with pytest.raises(CrashedError):
            small.renew()
        task = small.scheduler.current
        task.crashed, task.process = False, None
        assert one_by_one(small) == "new new new new"

    small.together(write)


class Consumer:
    """A fleet of one function, which fails what it cannot take."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.broken = False

    def invoke(self, _function: str, event: dict[str, Any]) -> dict[str, Any]:
        failed = []
        for record in event["Records"]:
            if self.broken or not record["body"].startswith("good"):
                failed.append({"itemIdentifier": record["messageId"]})
            else:
                self.taken.append(record["body"])
        return {"batchItemFailures": failed}


def queue_of(seed: int, consumer: Any, **troubles: Any) -> tuple[Small, WorkQueue]:
    small = Small(seed, **troubles)
    return small, WorkQueue("expiry", consumer, small.faults)


def test_a_poison_message_ends_among_the_dead_letters_and_the_others_are_taken() -> None:
    consumer = Consumer()
    small, queue = queue_of(1, consumer, poison=1.0)
    small.together(lambda: send_five(queue))
    assert sorted(consumer.taken) == [f"good {n}" for n in range(5)]
    assert len(queue.dead) == 5
    assert all(message.poison for message in queue.dead.values())


def test_dead_letters_are_taken_after_a_redrive() -> None:
    consumer = Consumer()
    small, queue = queue_of(1, consumer)
    consumer.broken = True
    small.together(lambda: queue.send("m", "good"))
    assert [message.receives for message in queue.dead.values()] == [ATTEMPTS_MAX]
    consumer.broken = False
    small.together(queue.redrive)
    assert (consumer.taken, queue.dead) == (["good"], {})


def test_a_batch_has_several_messages() -> None:
    sizes: set[int] = set()

    def invoke(_function: str, event: dict[str, Any]) -> dict[str, Any]:
        sizes.add(len(event["Records"]))
        return {}

    for seed in SEEDS:
        small, queue = queue_of(seed, SimpleNamespace(invoke=invoke))
        small.together(partial(send_five, queue))
    assert {1, 5} <= sizes


def send_five(queue: WorkQueue) -> None:
    for number in range(5):
        queue.send(f"m{number}", f"good {number}")
