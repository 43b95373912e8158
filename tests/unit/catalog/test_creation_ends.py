"""A creation that ends at any of its calls leaves an event that is whole, or none that is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from fairgate.adapters.memory.dynamodb import MemoryDynamo
from fairgate.domain.gate.gate_config import gate_key, parse_gate
from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate.record_gate import read_history
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from tests.support.creations import GALA, WRITE, Client, Hall, first_of, second_of

AWAY = ReadTimeoutError(endpoint_url="http://table")


class LosingClient(Client):
    """Gets no answer to some of its writes, which arrived or did not."""

    def __init__(
        self, engine: MemoryDynamo, loses: Callable[[Mapping[str, Any]], bool], *, arrived: bool
    ) -> None:
        super().__init__(engine, lambda _name: None)
        self._loses, self._arrived = loses, arrived

    def __getattr__(self, name: str) -> Any:
        ask = super().__getattr__(name)

        def call(**request: Any) -> Any:
            lost = name == WRITE and self._loses(request)
            answer = ask(**request) if self._arrived or not lost else None
            if lost:
                raise AWAY
            return answer

        return call


def puts_on_sale(request: Mapping[str, Any]) -> bool:
    puts = (part["Put"]["Item"]["PK"]["S"] for part in request["TransactItems"] if "Put" in part)
    return event_key(GALA).pk in puts


def calls_of_one() -> int:
    run = first_of(Hall())
    run.reads_too = True
    run()
    return run.calls


def ended_before(
    number: int, error: BaseException, ends: type[BaseException] | None = None
) -> tuple[Hall, str]:
    """What stands when calls fail from this number on, and what is said then."""
    hall = Hall()
    run = first_of(hall)
    run.reads_too = True

    def end(now: int) -> None:
        if now >= number:
            raise error

    run.tell = end
    with pytest.raises(ends or type(error)) as ended:
        run()
    return hall, str(ended.value)


def is_whole(hall: Hall) -> bool:
    """Say whether the event is on sale. Then its gate stands, with all that is written of it."""
    sale = hall.table().find(Event, event_key(GALA))
    if sale is None:
        return False
    gate = parse_gate(hall.edge.values[gate_key(GALA)])
    epochs = [[epoch.start_s, epoch.h, epoch.slope] for epoch in gate.epochs]
    assert [list(epoch) for epoch in sale.epochs_log] == epochs
    assert [version.doors_s for version in read_history(hall.table(), GALA)] == [gate.doors_s]
    return True


def test_a_creation_that_is_interrupted_anywhere_is_whole_or_completed() -> None:
    on_sale = 0
    for number in range(1, calls_of_one() + 1):
        hall, _said = ended_before(number, KeyboardInterrupt())
        on_sale += is_whole(hall)
        second = second_of(hall)
        second()
        assert is_whole(hall)
        assert (second.created is None) == (second.refused is not None)
    assert on_sale > 3  # what follows is a few calls


def test_who_creates_hears_whether_it_is_on_sale_when_the_tables_go_away() -> None:
    """Where it is on sale, who runs the command again as they are told to would be refused."""
    heard = set()
    for number in range(1, calls_of_one() + 1):
        hall, said = ended_before(number, AWAY, DependencyUnavailableError)
        on_sale = is_whole(hall)
        assert on_sale == ("gala is on sale with all of its seats: do not create it again" in said)
        assert on_sale == ("`fairgate check gala`" in said)
        heard.add(on_sale)
    assert heard == {False, True}


@pytest.mark.parametrize("arrived", [False, True])
def test_who_puts_it_on_sale_without_an_answer_hears_that_it_is_not_known(*, arrived: bool) -> None:
    hall = Hall()
    run = first_of(hall)
    run.client = LosingClient(hall.engine, puts_on_sale, arrived=arrived)
    with pytest.raises(DependencyUnavailableError, match="is on sale by now is not known"):
        run()
    assert is_whole(hall) == arrived
