"""A message that cannot be done fails alone, in every function that a queue feeds."""

from __future__ import annotations

import pytest

from infra.functions import FUNCTIONS
from tests.support.consumers import CONSUMERS, NOT_MESSAGES, Consumer, consumer
from tests.support.world import World


@pytest.fixture(params=CONSUMERS)
def consumed(
    request: pytest.FixtureRequest, world: World, monkeypatch: pytest.MonkeyPatch
) -> Consumer:
    return consumer(request.param, world, monkeypatch)


def test_every_function_that_a_queue_feeds_is_tried() -> None:
    assert set(CONSUMERS) == {spec.name for spec in FUNCTIONS if spec.trigger == "queue"}


def test_nothing_is_to_come_again_when_all_could_be_done(consumed: Consumer) -> None:
    assert consumed.deliver(*consumed.bodies) == []
    assert consumed.done() == {0, 1}


def test_each_poison_fails_alone_whatever_it_is(consumed: Consumer) -> None:
    first, last = consumed.bodies
    for name, body in {**NOT_MESSAGES, **consumed.poison}.items():
        assert consumed.deliver(first, body, last) == [1], name
    assert consumed.done() == {0, 1}


def test_a_batch_of_poison_ends_one_by_one(consumed: Consumer) -> None:
    bodies = [*NOT_MESSAGES.values(), *consumed.poison.values()]
    assert sorted(consumed.deliver(*bodies, consumed.bodies[0])) == list(range(len(bodies)))
    assert consumed.done() == {0}


def test_an_unexpected_error_fails_its_message_alone(consumed: Consumer) -> None:
    consumed.break_second()
    first, second = consumed.bodies
    assert consumed.deliver(second, first) == [0]
    assert consumed.done() == {0}
