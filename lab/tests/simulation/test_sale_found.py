"""Defects that the simulator found, each as the shortest story that shows it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from fairgate.domain.shared.ids import UserId
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.table import Action, Update
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.shared.keys import RESERVATION
from fairgate.service.shared.records.sessions import Reservation
from fairgate_lab.engine.table import InterleavedTable
from simulation.steps import (
    SEAT,
    SECOND_SEAT,
    cancel,
    capture,
    check_out,
    hold,
    leave,
    paid,
    settle,
    stored,
)
from tests.support.world import World


def test_a_session_ends_when_two_of_its_holds_took_places_from_one_counter(world: World) -> None:
    mine = world.session()
    hold(world, mine, places=1)
    hold(world, mine, places=2)
    assert leave(world, mine)
    assert world.remaining() == 10


def test_an_order_is_cancelled_when_two_of_its_holds_took_places_from_one_counter(
    world: World,
) -> None:
    mine = world.session()
    hold(world, mine, places=1)
    hold(world, mine, places=2)
    cancel(world, paid(world, mine))
    assert world.remaining() == 10


def test_a_capture_is_kept_when_two_events_report_it_at_once(world: World) -> None:
    mine = world.session()
    hold(world, mine, SEAT)
    order = check_out(world, mine).order
    again = capture(order, "2", payment="pay1")
    table = InterleavedTable(world.table, lambda: settle(world, again))
    assert settle(world, capture(order), table) == "duplicate"
    assert world.payments.refunds == {}
    assert stored(world, order).state == "paid"


class LostAnswer:
    """A table that commits a cancellation, is not heard, and is asked once more."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        self._table.transact(actions, token)
        if any(isinstance(a, Update) and a.set.get("state") == "cancelled" for a in actions):
            self._table.transact(actions, token)


def test_a_cancellation_succeeds_when_the_answer_of_its_commit_is_lost(world: World) -> None:
    mine = world.session()
    hold(world, mine, SEAT)
    order = paid(world, mine)
    assert cancel(world, order, LostAnswer(world.table)).state == "refunded"
    assert list(world.payments.refunds.values()) == [order.total_minor]


def test_a_cancellation_by_another_user_fails_when_the_owners_own_was_first(world: World) -> None:
    mine = world.session()
    hold(world, mine, SEAT)
    order = paid(world, mine)
    table = InterleavedTable(world.table, lambda: cancel(world, order))
    stolen = msgspec.structs.replace(order, user_id=UserId("mallory"))
    with pytest.raises(NotFoundError):
        cancel(world, stolen, table)
    assert stored(world, order).state == "refunded"


class TornQuery:
    """A table whose next query reads the session before, and its reservations after, a change.

    A query is read-committed: of one commit it may show one item as before and another as after.
    """

    def __init__(self, table: Any, meanwhile: Callable[[], object]) -> None:
        self._table, self._meanwhile = table, meanwhile
        self._torn = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def partition(self, kinds: Any, pk: str) -> Any:
        first = self._table.partition(kinds, pk)
        if self._torn or not pk.startswith("ses_"):
            return first
        self._torn = True
        self._meanwhile()
        second = self._table.partition(kinds, pk)
        return [i for i in second if i.sk[0] == "S"] + [i for i in first if i.sk[0] != "S"]


def test_checkout_sells_nothing_unpriced_when_a_hold_commits_during_its_reading(
    world: World,
) -> None:
    mine = world.session()
    hold(world, mine, SEAT)
    table = TornQuery(world.table, lambda: hold(world, mine, SECOND_SEAT))
    assert len(check_out(world, mine, table=table).order.units) == 2


def test_places_return_when_their_hold_commits_during_the_reading_of_an_ending(
    world: World,
) -> None:
    mine = world.session()
    hold(world, mine, places=1)
    table = TornQuery(world.table, lambda: hold(world, mine, places=2))
    leave(world, mine, table)
    assert world.remaining() == 10


def test_checkout_is_refused_when_its_places_became_others_during_its_reading(
    world: World,
) -> None:
    mine = world.session()
    hold(world, mine, places=1)
    (held,) = world.table.query(Reservation, mine.session, RESERVATION)

    def exchange() -> None:
        releaser = SeatReleaser(world.table, world.clock)
        releaser.release_hold(mine.session, mine.user, held.hold_id)
        hold(world, mine, SEAT)

    with pytest.raises(WrongStateError):
        check_out(world, mine, table=TornQuery(world.table, exchange))
