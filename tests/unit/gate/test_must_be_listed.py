"""Acts at a gate are for events that the catalogue has, in whatever state they are."""

from __future__ import annotations

import pytest

from fairgate.errors import NotFoundError
from fairgate.ports.table import Update
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.shared.keys import event_key
from tests.support.world import EVENT, World


def test_an_event_is_there(world: World) -> None:
    must_be_listed(world.table, EVENT)
    with pytest.raises(NotFoundError, match="There is no event gala"):
        must_be_listed(world.table, "gala")


def test_a_damaged_event_is_there(world: World) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"name": 5}))
    must_be_listed(world.table, EVENT)
