"""A creation that ends at any of its calls leaves an event that is whole, or none that is seen."""

from __future__ import annotations

import pytest

from fairgate.domain.gate.gate_config import gate_key, parse_gate
from fairgate.service.gate.record_gate import read_history
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from tests.support.creations import GALA, Hall, Run, first_of, second_of


def calls_of_one() -> int:
    run = first_of(Hall())
    run.reads_too = True
    run()
    return run.calls


def ended_before(number: int, error: BaseException) -> Run:
    """One that ends by itself or by its operator's Ctrl-C before the call of this number."""
    run = first_of(Hall())
    run.reads_too = True

    def end(now: int) -> None:
        if now >= number:
            raise error

    run.tell = end
    with pytest.raises(type(error)):
        run()
    return run


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
        hall = ended_before(number, KeyboardInterrupt()).hall
        on_sale += is_whole(hall)
        second = second_of(hall)
        second()
        assert is_whole(hall)
        assert (second.created is None) == (second.refused is not None)
    assert on_sale > 3  # what follows is a few calls
