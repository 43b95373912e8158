"""The catalogue is read event by event where one of them is damaged."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.errors import NotFoundError
from fairgate.ports.record import DamagedItemError
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.keys import event_key
from tests.support.world import EVENT, NAMES, World

MISSING = object()
# What a hand in the console, a restore or a release gone wrong may leave of an event.
DAMAGES: dict[str, dict[str, Any]] = {
    "a missing attribute": {"version": MISSING},
    "an attribute of another type": {"holdLimit": {"S": "many"}},
    "a state that there is not": {"state": {"S": "lost"}},
    "a type that the tables never hold": {"tiers": {"SS": ["a", "b"]}},
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
    assert [event.id for event in catalog.events()] == ["another", EVENT]
    assert catalog.all().damaged == ["broken"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_event_is_not_taken_for_one_that_is_unknown(world: World, damage: str) -> None:
    spoil(world, "broken", DAMAGES[damage])
    catalog = CatalogReader(world.table, world.clock)
    with pytest.raises(DamagedItemError):
        catalog.event("broken")
    with pytest.raises(NotFoundError):
        catalog.event("unknown")


def test_an_attribute_that_no_record_lists_does_no_harm(world: World) -> None:
    spoil(world, "odd", {"note": {"SS": ["a", "b"]}, "blob": {"B": b"\\0"}})
    catalog = CatalogReader(world.table, world.clock)
    assert catalog.all().damaged == []
    assert [event.id for event in catalog.events()] == ["odd", EVENT]


def test_a_catalogue_without_damage_costs_one_query(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    query = world.table.query

    def counted(kind: Any, pk: str, *more: Any, **named: Any) -> Any:
        asked.append(pk)
        return query(kind, pk, *more, **named)

    monkeypatch.setattr(world.table, "query", counted)
    assert len(CatalogReader(world.table, world.clock).events()) == 1
    assert asked == ["EVENT"]
