"""The replacement of moto's transactions: fails when moto's internals change under it."""

from __future__ import annotations

import threading

import pytest

from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.shared.keys import seat_key
from tests.support.world import EVENT, World


def take(seat: str, session: str) -> Update:
    return Update(
        "seats",
        *seat_key(EVENT, seat),
        condition="#availability = :available",
        values={"available": "available"},
        set={"availability": "locked", "sessionId": session},
        add={"version": 1},
    )


def test_nothing_is_written_and_reasons_are_ordered_when_one_condition_fails(world: World) -> None:
    first, second = world.seat_ids[:2]
    world.table.transact([take(second, "x")])
    with pytest.raises(TransactionRefusedError) as refused:
        world.table.transact([take(first, "y"), take(second, "y")])
    assert [r.failed for r in refused.value.reasons] == [False, True]
    assert refused.value.reasons[1].item is not None
    assert refused.value.reasons[1].item["sessionId"] == "x"
    assert world.seat(first)["availability"] == "available"


def test_everything_is_undone_when_a_later_action_is_refused_by_moto(world: World) -> None:
    seat = world.seat_ids[0]
    wrong = Update("seats", *seat_key(EVENT, world.seat_ids[1]), add={"seatId": 1})
    records = len(_stream(world))
    with pytest.raises(Exception, match=r"(?i)operand|type|validation"):
        world.table.transact([take(seat, "x"), wrong])
    assert world.seat(seat)["availability"] == "available"
    assert len(_stream(world)) == records


def test_a_new_item_vanishes_when_the_transaction_is_undone(world: World) -> None:
    wrong = Update("seats", *seat_key(EVENT, world.seat_ids[1]), add={"seatId": 1})
    with pytest.raises(Exception, match=r"(?i)operand|type|validation"):
        world.table.transact([Put("reservations", {"PK": "new", "SK": "new"}), wrong])
    assert world.item("reservations", ("new", "new")) is None


def test_one_of_many_threads_wins_when_all_want_one_seat(world: World) -> None:
    won: list[str] = []

    def attempt(name: str) -> None:
        try:
            world.table.transact([take(world.seat_ids[0], name)])
        except TransactionRefusedError:
            return
        won.append(name)

    threads = [threading.Thread(target=attempt, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [world.seat(world.seat_ids[0])["sessionId"]] == won


def _stream(world: World) -> list[object]:
    from moto.dynamodb.models import dynamodb_backends

    backend = dynamodb_backends["123456789012"]["eu-central-1"]
    shard = backend.tables["t-seats"].stream_shard
    assert shard is not None
    return list(shard.items)
