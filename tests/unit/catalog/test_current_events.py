"""Events that are over cost nothing from run to run, and nothing that is due is lost with them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Put
from fairgate.service.catalog.current_events import LOOK_AGAIN_MS, CurrentEvents
from fairgate.service.catalog.read_catalog import OVER_AFTER_MS, Catalog, is_over
from fairgate.service.expiry.sweep_cursors import (
    QUIET_MS,
    first_refund_ms,
    remember,
    rests,
)
from fairgate.service.shared.due import KEPT_S, minute_of
from fairgate.service.shared.keys import creation_key, event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import Creation
from tests.support.world import EVENT, World

DAY_MS = 86_400_000
MOVED: dict[str, dict[str, Any]] = {
    "its sale is not closed": {"state": "soldout"},
    "the edges lack its last value": {"gate_behind": 3},
    "its dates are not known": {"starts_at": "", "sale_ends_at": ""},
    "its date is no time": {"starts_at": "soon"},
}


def put(world: World, event: str, started_ms: int, **changes: Any) -> Event:
    """An event beside the world's own, closed, whose performance started then."""
    facts = {"state": "closed", "starts_at": rfc3339(started_ms), "gate_behind": 0} | changes
    made = replace(world.event, sk=event, **facts)
    world.table.transact([Put.of(made, condition="")])
    return made


def ids(catalog: Catalog) -> list[str]:
    return [sale.id for sale in catalog.events]


@pytest.fixture
def read(world: World, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The events that were read, one by one or all of them."""
    asked: list[str] = []
    find_many, query = world.table.find_many, world.table.query

    def counted(kind: Any, keys: Any) -> Any:
        asked.extend(key.sk for key in keys)
        return find_many(kind, keys)

    def queried(kind: Any, pk: str, *more: Any, **named: Any) -> Any:
        asked.extend(["all"] if pk == event_key("").pk else [])
        return query(kind, pk, *more, **named)

    monkeypatch.setattr(world.table, "find_many", counted)
    monkeypatch.setattr(world.table, "query", queried)
    return asked


def test_an_event_that_is_over_is_read_once_an_hour(world: World, read: list[str]) -> None:
    now_ms = world.clock.now_ms()
    put(world, "old", now_ms - OVER_AFTER_MS)
    put(world, "recent", now_ms - OVER_AFTER_MS + DAY_MS)
    current = CurrentEvents(world.table, world.clock)
    assert ids(current.read()) == ["recent", EVENT]
    assert read == ["all"]
    assert ids(current.read()) == ["recent", EVENT]
    assert read[1:] == ["recent", EVENT]
    world.clock.ms += LOOK_AGAIN_MS
    current.read()
    assert read[3:] == ["all"]


def test_an_event_is_found_at_once_by_its_creation(world: World) -> None:
    current = CurrentEvents(world.table, world.clock)
    current.read()
    now_ms = world.clock.now_ms()
    put(world, "new", now_ms, state="open")
    put(world, "unlisted", now_ms, state="open")
    begun = Creation(*creation_key("new"), at_ms=now_ms, who="ann")
    unfinished = Creation(*creation_key("unfinished"), at_ms=now_ms, who="ann", nonce="n")
    world.table.transact([Put.of(begun), Put.of(unfinished)])
    assert ids(current.read()) == ["new", EVENT]
    world.clock.ms += LOOK_AGAIN_MS
    assert ids(current.read()) == ["new", EVENT, "unlisted"]


@pytest.mark.parametrize("why", MOVED)
def test_an_event_is_not_over_while(world: World, why: str) -> None:
    now_ms = world.clock.now_ms()
    old = put(world, "old", now_ms - OVER_AFTER_MS)
    assert is_over(old, now_ms)
    assert not is_over(replace(old, **MOVED[why]), now_ms)


def test_a_late_cancellation_keeps_an_event(world: World) -> None:
    now_ms = world.clock.now_ms()
    old = put(world, "old", now_ms - OVER_AFTER_MS, cancelled_at=rfc3339(now_ms - DAY_MS))
    assert not is_over(old, now_ms)
    assert is_over(old, now_ms + OVER_AFTER_MS)


def test_the_sweeper_keeps_an_event_until_nothing_came_due_for_a_day(world: World) -> None:
    now_ms = world.clock.now_ms()
    put(world, "old", now_ms - OVER_AFTER_MS)
    current = CurrentEvents(world.table, world.clock, partial(rests, world.table))
    assert ids(current.read()) == ["old", EVENT]
    busy = minute_of(rfc3339(now_ms - QUIET_MS))
    remember(world.table, "old", minute_of(rfc3339(now_ms - 60_000)), busy)
    assert ids(current.read()) == ["old", EVENT]
    remember(world.table, "old", minute_of(rfc3339(now_ms)), busy)
    assert ids(current.read()) == [EVENT]


def test_refunds_are_looked_for_as_far_back_as_they_are_kept(world: World) -> None:
    now_ms = world.clock.now_ms()
    put(world, "old", now_ms - OVER_AFTER_MS)
    catalog = CurrentEvents(world.table, world.clock).read()
    assert first_refund_ms(catalog, now_ms) == now_ms - KEPT_S * 1000
