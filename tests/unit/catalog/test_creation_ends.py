"""A creation that ends at any of its calls leaves a complete event, or none that is visible."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from fairgate.domain.gate.gate_config import gate_key, parse_gate
from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate.record_gate import read_history
from fairgate.service.shared.keys import creation_key, event_key, gate_value_key
from fairgate.service.shared.records.catalog import Event
from fairgate_lab.engine.dynamodb import MemoryDynamo
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
    """Return the hall after calls have failed from this number on, and the error's text."""
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
    """Say whether the event is on sale; then check its gate, epochs and history."""
    sale = hall.table().find(Event, event_key(GALA))
    if sale is None:
        return False
    gate = parse_gate(hall.edge.values[gate_key(GALA)])
    epochs = [[epoch.start_s, epoch.h, epoch.slope] for epoch in gate.epochs]
    assert [list(epoch) for epoch in sale.epochs_log] == epochs
    assert [version.sale_start_s for version in read_history(hall.table(), GALA)] == [
        gate.sale_start_s
    ]
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


def test_an_operator_is_told_whether_it_is_on_sale_when_the_tables_go_away() -> None:
    """If it is on sale, running the command again, as other errors advise, would be refused."""
    heard = set()
    for number in range(1, calls_of_one() + 1):
        hall, said = ended_before(number, AWAY, DependencyUnavailableError)
        on_sale = is_whole(hall)
        assert on_sale == ("gala is on sale with all of its seats: do not create it again" in said)
        assert on_sale == ("`fairgate check gala`" in said)
        heard.add(on_sale)
    assert heard == {False, True}


@pytest.mark.parametrize("arrived", [False, True])
def test_an_operator_is_told_that_it_is_unknown_when_the_answer_is_lost(*, arrived: bool) -> None:
    hall = Hall()
    run = first_of(hall)
    run.client = LosingClient(hall.engine, puts_on_sale, arrived=arrived)
    with pytest.raises(DependencyUnavailableError, match="is on sale by now is not known"):
        run()
    assert is_whole(hall) == arrived


def once_of(wanted: str) -> Callable[[Mapping[str, Any]], bool]:
    """The first write that puts or updates such an item loses its answer."""
    times = itertools.count()

    def loses(request: Mapping[str, Any]) -> bool:
        parts = [part for item in request["TransactItems"] for part in item.values()]
        keys = [part.get("Key") or part["Item"] for part in parts]
        return any(key["PK"]["S"] == wanted for key in keys) and next(times) == 0

    return loses


@pytest.mark.parametrize("wanted", [creation_key(GALA).pk, gate_value_key(GALA).pk, "gala#A-1-1-1"])
def test_a_first_creation_completes_no_other_when_an_answer_is_lost(wanted: str) -> None:
    hall = Hall()
    run = first_of(hall)
    run.client = LosingClient(hall.engine, once_of(wanted), arrived=True)
    run()
    assert is_whole(hall)
    assert run.created is not None
    assert not run.created.completes
    assert "scan" not in {name for name, _request in run.client.sent}


def test_an_interrupted_operator_is_told_that_it_is_done() -> None:
    hall, _said = ended_before(calls_of_one(), KeyboardInterrupt())
    again = first_of(hall)
    again()
    refused = str(again.refused)
    assert "choose another id" in refused
    assert "ann@desk began to create it at 2027-01-15T08:00:00.000Z: if that was this" in refused
    assert "`event show gala`" in refused
