"""Open sessions keep the prices, fees and limits of their opening after an edit."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    LimitExceededError,
    MalformedInputError,
    VersionConflictError,
    WrongStateError,
)
from fairgate.http.views.sessions import live_session_view
from fairgate.service.catalog import edit_event as editing
from fairgate.service.catalog.edit_event import PAST_TERMS_MAX, EventChange, edit_event
from fairgate.service.checkout.begin_checkout import CheckoutBeginner, CheckoutBegun
from fairgate.service.sessions.sign_session import session_again
from fairgate.service.shared.event_update import event_update
from fairgate.service.shared.keys import event_key, session_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.sessions import Session
from fairgate.service.shared.session_terms import KEPT_MS, as_agreed
from tests.support.world import EVENT, World, gate
from tests.unit.checkout.test_checkout_and_settle import held
from tests.unit.sessions.test_open_session import open_it, token_for

OLD, NEW = 5_000, 7_000  # of the one tier


def edit(world: World, **wanted: Any) -> EventChange:
    return edit_event(world.table, world.clock, EVENT, wanted)


def dearer(world: World) -> EventChange:
    return edit(world, prices_minor={"t": NEW}, fee_order_minor=300, fee_ticket_minor=50)


def sale(world: World) -> Event:
    event = world.table.find(Event, event_key(EVENT))
    assert event is not None
    return event


def came_in_now(world: World, user: str, *seats: str) -> Credential:
    """A session of the event's terms of now, with these seats held."""
    mine = held(world, user, *seats)
    session = world.table.find(Session, session_key(mine.session))
    assert session is not None
    world.put(replace(session, terms=sale(world).terms))
    return mine


def bought(world: World, mine: Credential, event: Event | None = None) -> CheckoutBegun:
    beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders)
    return beginner.begin(event or sale(world), mine.session, mine.user, "ann@example.org")


def test_a_hold_keeps_the_price_it_was_shown(world: World) -> None:
    assert sale(world).tiers[0].price_minor == OLD
    before = held(world, "ann", *world.seat_ids[:2])
    dearer(world)
    after = came_in_now(world, "bob", *world.seat_ids[2:4])
    assert bought(world, before).order.total_minor == 2 * OLD
    order = bought(world, after).order
    assert order.total_minor == 2 * (NEW + 50) + 300
    assert [line.price_minor for line in order.lines] == [NEW, 300, 50]


def test_an_order_keeps_the_price_at_which_it_was_bought(world: World) -> None:
    mine = held(world, "ann")
    order = bought(world, mine).order
    dearer(world)
    assert bought(world, mine).order == order


def test_terms_are_found_though_the_event_was_read_before_its_edit(world: World) -> None:
    stale = sale(world)
    dearer(world)
    mine = came_in_now(world, "bob", world.seat_ids[0])
    assert bought(world, mine, stale).order.total_minor == NEW + 50 + 300


def test_each_change_is_kept_apart(world: World) -> None:
    buyers: list[tuple[Credential, int]] = []
    for number, price in enumerate((6_000, 2_000, OLD)):
        edit(world, prices_minor={"t": price})
        buyers.append((came_in_now(world, f"u{number}", world.seat_ids[number]), price))
    assert sale(world).terms == 3
    for mine, price in buyers:
        assert bought(world, mine).order.total_minor == price


def test_a_session_keeps_the_limits_of_its_opening(world: World) -> None:
    before = held(world, "ann", *world.seat_ids[:2])
    edit(world, hold_limit=1, user_limit=1)
    assert bought(world, before).order.user_limit == world.event.user_limit
    after = came_in_now(world, "bob", world.seat_ids[2])
    assert bought(world, after).order.user_limit == 1


def test_an_open_session_shows_and_keeps_its_terms(world: World) -> None:
    dearer(world)
    rules = gate()
    opened = open_it(world, rules, token_for(rules), event=sale(world))
    assert opened.agreed.tiers[0].price_minor == NEW
    session = world.table.find(Session, session_key(opened.session))
    assert session is not None
    assert session.terms == 1
    edit(world, prices_minor={"t": 9_000}, hold_limit=2)
    agreed = as_agreed(world.table, sale(world), session)
    view = live_session_view(session_again(session, agreed, world.secrets.sign_in()))
    assert [(tier.price_minor, tier.whole_minor) for tier in view.tiers] == [(NEW, NEW + 50)]
    assert (view.fees.order_minor, view.fees.ticket_minor) == (300, 50)
    assert view.hold_limit == world.event.hold_limit
    again = open_it(world, rules, token_for(rules), event=sale(world))  # its answer was lost
    assert (again.session, again.agreed.tiers[0].price_minor) == (opened.session, NEW)


def test_past_terms_are_removed_when_no_session_can_have_them(world: World) -> None:
    dearer(world)
    assert [past.number for past in sale(world).past_terms] == [0]
    world.clock.tick(KEPT_MS // 1000 - 1)
    edit(world, prices_minor={"t": 8_000})
    assert [past.number for past in sale(world).past_terms] == [0, 1]
    world.clock.tick(2)
    edit(world, prices_minor={"t": 8_500})
    assert [past.number for past in sale(world).past_terms] == [1, 2]


def test_terms_change_so_often_and_no_more(world: World) -> None:
    for number in range(PAST_TERMS_MAX):
        edit(world, prices_minor={"t": 1_000 + number})
    for dry_run in (True, False):  # a dry run is refused what would be
        with pytest.raises(LimitExceededError, match="20 times within six hours"):
            edit_event(
                world.table, world.clock, EVENT, {"prices_minor": {"t": NEW}}, dry_run=dry_run
            )
    edit(world, artist="Ann", prices_minor={"t": 1_000 + PAST_TERMS_MAX - 1})  # which is as it was
    world.clock.tick(KEPT_MS // 1000)
    dearer(world)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"prices_minor": {"t": 0}}, "a whole number from 1 to"),
        ({"prices_minor": {"box": 100}}, "no such tier"),
        ({"fee_ticket_minor": -1}, "a whole number from 0"),
        ({"hold_limit": 41}, "a whole number from 1 to 40"),
        ({"user_limit": 1}, "a whole number from"),
        ({"currency": "USD"}, "currency never changes"),
        ({"checkout_s": 60}, "checkout_s never changes"),
    ],
)
def test_terms_that_make_no_sense_are_refused(
    world: World, wanted: dict[str, Any], why: str
) -> None:
    before = sale(world)
    with pytest.raises(MalformedInputError, match=why):
        edit(world, **wanted)
    assert sale(world) == before


def test_a_price_stays_above_the_fee_for_cancelling(world: World) -> None:
    edit(world, cancel_until="2031-01-01T00:00:00Z", cancel_fee_minor=3_000)
    with pytest.raises(MalformedInputError, match=r"below the lowest price, 25\.00"):
        edit(world, prices_minor={"t": 2_500})
    dearer(world)
    with pytest.raises(MalformedInputError, match=r"below the lowest price, 50\.00"):
        edit(world, cancel_fee_minor=6_000)  # somebody may still buy at the price of before
    world.clock.tick(KEPT_MS // 1000)
    edit(world, cancel_fee_minor=6_000)


def test_nothing_of_a_cancelled_event_is_changed(world: World) -> None:
    world.put(replace(world.event, cancelled_at=rfc3339(world.clock.ms)))
    for wanted in ({"artist": "Ann"}, {"prices_minor": {"t": NEW}}):
        with pytest.raises(WrongStateError, match="was cancelled"):
            edit(world, **wanted)


def test_an_event_that_is_cancelled_meanwhile_is_not_changed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = event_update

    def late(seen: Event, changes: dict[str, Any]) -> Any:
        world.put(replace(seen, cancelled_at=rfc3339(world.clock.ms), version=seen.version + 1))
        return made(seen, changes)

    monkeypatch.setattr(editing, "event_update", late)
    with pytest.raises(WrongStateError, match="was cancelled"):
        dearer(world)
    assert sale(world).tiers[0].price_minor == OLD


def test_the_second_of_two_price_changes_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = event_update
    once = [6_000]

    def late(seen: Event, changes: dict[str, Any]) -> Any:
        if once:
            monkeypatch.setattr(editing, "event_update", made)
            edit(world, prices_minor={"t": once.pop()})
        return made(seen, changes)

    monkeypatch.setattr(editing, "event_update", late)
    with pytest.raises(VersionConflictError, match="has just changed the same"):
        dearer(world)
    assert (sale(world).tiers[0].price_minor, sale(world).terms) == (6_000, 1)
