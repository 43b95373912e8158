"""A change that is refused is tried again, and its result is reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.orders.erasure import ERASED
from fairgate.domain.shared.ids import UserId
from fairgate.errors import NotFoundError, VersionConflictError
from fairgate.service.catalog.cancel_event import mark_cancelled
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.return_place import PlaceReturner
from fairgate.service.shared.change import ATTEMPTS_MAX, UnderWayError
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.sessions import Reservation
from tests.support.beaten_table import Beaten
from tests.support.world import EVENT, World
from tests.unit.orders.test_erase_buyer import voided
from tests.unit.refunds.test_give_back import now, ticketed


def cancels_the_event(world: World, table: Any) -> bool:
    return mark_cancelled(table, world.clock, EVENT).cancelled_at != ""


def edits_the_event(world: World, table: Any) -> bool:
    return edit_event(table, world.clock, EVENT, {"artist": "Bob"}).before == {"artist": ""}


def erases(world: World, table: Any) -> bool:
    return BuyerEraser(table, world.clock).erase(voided(world).key).email == ERASED


def gives_a_place_back(world: World, table: Any) -> bool:
    order = ticketed(world)
    returner = PlaceReturner(table, world.clock, world.payments)
    return len(returner.give_back(world.event, order, order.tickets[0].ticket).units) == 1


CHANGES = [cancels_the_event, edits_the_event, erases, gives_a_place_back]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_succeeds_at_its_last_attempt(
    world: World, change: Callable[[World, Any], bool]
) -> None:
    assert change(world, Beaten(world, ATTEMPTS_MAX - 1))


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_succeeds_when_its_answer_was_lost(
    world: World, change: Callable[[World, Any], bool]
) -> None:
    assert change(world, Beaten(world, ATTEMPTS_MAX - 1, lost=True))


def test_a_change_gives_up_when_others_keep_changing(world: World) -> None:
    with pytest.raises(VersionConflictError):
        cancels_the_event(world, Beaten(world, ATTEMPTS_MAX))
    event = world.table.find(Event, world.event.key)
    assert event == world.event


class HalfSeen:
    """A table whose first queries of reservations see those of a commit that is under way."""

    def __init__(self, world: World, times: int) -> None:
        self._table, self._left = world.table, times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def query(self, kind: type[Any], *key: str, **how: Any) -> list[Any]:
        self._left -= kind is Reservation
        if kind is Reservation and self._left >= 0:
            return []
        return self._table.query(kind, *key, **how)


def cancels(world: World, table: Any) -> bool:
    return (
        OrderCanceller(table, world.clock, world.payments)
        .cancel(replace(world.event, cancel_until="2099-01-01T00:00:00.000Z"), ticketed(world))
        .state
        == "refunded"
    )


@pytest.mark.parametrize("change", [cancels, gives_a_place_back])
def test_a_change_waits_for_a_commit_that_is_seen_in_part(
    world: World, change: Callable[[World, Any], bool]
) -> None:
    assert change(world, HalfSeen(world, ATTEMPTS_MAX - 1))


@pytest.mark.parametrize("change", [cancels, gives_a_place_back])
def test_a_change_says_that_another_is_under_way_in_the_end(
    world: World, change: Callable[[World, Any], bool]
) -> None:
    with pytest.raises(UnderWayError):
        change(world, HalfSeen(world, ATTEMPTS_MAX + 1))
    assert world.payments.refunds == {}


def test_another_users_order_is_not_changed(world: World) -> None:
    order = ticketed(world)
    with pytest.raises(NotFoundError):
        TicketVoider(world.table, world.clock).void(replace(order, user_id=UserId("mallory")))
    assert now(world, order) == order
