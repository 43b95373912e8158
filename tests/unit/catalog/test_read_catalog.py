"""The catalogue is read event by event where one of them is damaged."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.errors import NotFoundError, TooManyRequestsError, UnknownEventError
from fairgate.ports.record import DamagedItemError
from fairgate.service.catalog.read_catalog import (
    CATALOG_CACHE_MS,
    LOOKED_FOR_AT_ONCE,
    CatalogReader,
)
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import ITEMS_FORMAT
from tests.support.world import EVENT, NAMES, World

MISSING = object()
# What a hand in the console, a restore or a release gone wrong may leave of an event.
DAMAGES: dict[str, dict[str, Any]] = {
    "a missing attribute": {"version": MISSING},
    "an attribute of another type": {"holdLimit": {"S": "many"}},
    "a state that there is not": {"state": {"S": "lost"}},
    "a type that the tables never hold": {"tiers": {"SS": ["a", "b"]}},
    "a format of a later version": {"itemsFormat": {"N": str(ITEMS_FORMAT + 1)}},
    "a part that is damaged": {"areas": {"M": {"floor": {"N": "1"}}}},
}


def spoil(world: World, event: str, changes: dict[str, Any]) -> None:
    """An event beside the world's own, with these attributes of DynamoDB's."""
    key = event_key(EVENT)
    read = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    item = world.client.get_item(TableName=NAMES["catalog"], Key=read)["Item"]
    item |= {"SK": {"S": event}} | changes
    item = {name: value for name, value in item.items() if value is not MISSING}
    world.client.put_item(TableName=NAMES["catalog"], Item=item)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_event_stops_no_other(world: World, damage: str) -> None:
    spoil(world, "another", {})
    spoil(world, "broken", DAMAGES[damage])
    catalog = CatalogReader(world.table, world.clock)
    assert [event.id for event in catalog.all().listed] == ["another", EVENT]
    assert catalog.all().damaged == ["broken"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_event_is_not_taken_for_one_that_is_unknown(world: World, damage: str) -> None:
    spoil(world, "broken", DAMAGES[damage])
    catalog = CatalogReader(world.table, world.clock)
    with pytest.raises(DamagedItemError):
        catalog.event("broken")
    with pytest.raises(NotFoundError):
        catalog.event("unknown")


def test_a_format_of_a_later_version_is_refused_by_its_number(world: World) -> None:
    spoil(world, "later", {"itemsFormat": {"N": "3"}})
    with pytest.raises(DamagedItemError, match="of format 3, this version reads 2: use"):
        CatalogReader(world.table, world.clock).event("later")


def test_an_attribute_that_no_record_lists_does_no_harm(world: World) -> None:
    spoil(world, "odd", {"note": {"SS": ["a", "b"]}, "blob": {"B": b"\\0"}})
    catalog = CatalogReader(world.table, world.clock)
    assert catalog.all().damaged == []
    assert [event.id for event in catalog.all().listed] == ["odd", EVENT]


def test_a_catalogue_without_damage_costs_one_query(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    query = world.table.query

    def counted(kind: Any, pk: str, *more: Any, **named: Any) -> Any:
        asked.append(pk)
        return query(kind, pk, *more, **named)

    monkeypatch.setattr(world.table, "query", counted)
    assert len(CatalogReader(world.table, world.clock).all().listed) == 1
    assert asked == ["EVENT"]


@pytest.fixture
def found(world: World, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The events that the table was asked for."""
    asked: list[str] = []
    find = world.table.find

    def counted(kind: Any, key: Any, *more: Any, **named: Any) -> Any:
        asked.append(key.sk)
        return find(kind, key, *more, **named)

    monkeypatch.setattr(world.table, "find", counted)
    return asked


def test_an_unknown_event_is_looked_for_once_a_while(world: World, found: list[str]) -> None:
    catalog = CatalogReader(world.table, world.clock)
    for _ in range(3):
        with pytest.raises(NotFoundError):
            catalog.event("unknown")
    assert found == ["unknown"]
    world.clock.ms += CATALOG_CACHE_MS + 1
    with pytest.raises(NotFoundError):
        catalog.event("unknown")
    assert len(found) == 2


def test_ids_that_are_made_up_are_looked_for_rarely_and_push_no_event_out(
    world: World, found: list[str]
) -> None:
    catalog = CatalogReader(world.table, world.clock)
    assert catalog.event(EVENT).id == EVENT
    refused = 0
    for number in range(2_000):
        with pytest.raises((NotFoundError, TooManyRequestsError)) as answered:
            catalog.event(f"made-up-{number}")
        refused += answered.value.retry_after_s == 1
    assert found.count(EVENT) == 1
    assert len(found) <= 1 + LOOKED_FOR_AT_ONCE
    assert refused >= 2_000 - LOOKED_FOR_AT_ONCE
    assert catalog.event(EVENT).id == EVENT  # still known, nobody was asked
    assert found.count(EVENT) == 1
    world.clock.ms += CATALOG_CACHE_MS + 1
    assert catalog.event(EVENT).id == EVENT  # and read again whatever the others ask for
    world.clock.ms += 1_000
    with pytest.raises(NotFoundError):
        catalog.event("made-up-again")


def test_an_event_is_there_for_all_a_moment_after_it_was_looked_for(world: World) -> None:
    catalog = CatalogReader(world.table, world.clock)
    with pytest.raises(NotFoundError):
        catalog.event("another")
    spoil(world, "another", {})
    world.clock.ms += CATALOG_CACHE_MS + 1
    assert catalog.event("another").id == "another"


def test_a_draft_costs_and_answers_as_an_unknown_event(world: World, found: list[str]) -> None:
    """Also when it was read before, and when made-up ids have taken all searches."""
    spoil(world, "draft", {"state": {"S": "draft"}})
    catalog = CatalogReader(world.table, world.clock)

    def asks() -> list[tuple[type[Exception], int]]:
        told: list[tuple[type[Exception], int]] = []
        for event in ("draft", "unknown"):
            before = len(found)
            with pytest.raises((NotFoundError, TooManyRequestsError)) as answered:
                catalog.published(event)
            told.append((answered.type, len(found) - before))
        return told

    def equal(kind: type[Exception], reads: int) -> bool:
        return asks() == [(kind, reads)] * 2

    assert equal(UnknownEventError, 1)
    assert equal(UnknownEventError, 0)
    for event in ("draft", "unknown"):
        with pytest.raises(UnknownEventError):
            catalog.refuse_unknown(event)
    world.clock.ms += CATALOG_CACHE_MS + 1
    assert equal(UnknownEventError, 1)
    world.clock.ms += CATALOG_CACHE_MS + 1
    for number in range(LOOKED_FOR_AT_ONCE):
        with pytest.raises(NotFoundError):
            catalog.event(f"made-up-{number}")
    assert equal(TooManyRequestsError, 0)
    world.clock.ms += 2_000
    assert equal(UnknownEventError, 1)


def test_a_draft_that_was_looked_for_is_there_from_its_publication_on(world: World) -> None:
    at_s = world.clock.ms // 1000 + 3
    timed = {"state": {"S": "draft"}, "openUntil": {"N": str(at_s)}}
    spoil(world, "draft", timed)
    catalog = CatalogReader(world.table, world.clock)
    with pytest.raises(NotFoundError):
        catalog.published("draft")
    world.clock.ms = at_s * 1000
    assert catalog.published("draft").state == "open"
