"""A start of the performance that was just moved counts at once, whatever a function remembers."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.times import rfc3339
from fairgate.http import paths
from fairgate.ports.table import Update
from fairgate.service.catalog.read_catalog import CATALOG_CACHE_MS
from fairgate.service.shared.keys import event_key
from tests.contract.http import function, request
from tests.support.world import EVENT, START_MS, World
from tests.unit.refunds.test_give_back import ticketed

TONIGHT, NOW = rfc3339(START_MS + 4 * 3_600_000), rfc3339(START_MS)


def asked(world: World, name: str, path: str, **ids: str) -> tuple[int, Any]:
    key = world.secrets.current.auth["1"]
    bearer = f"Bearer {issue_auth_token('ann', [], key, '1', START_MS // 1000, 3600)}"
    told = request("POST", path.format(**ids), authorization=bearer)
    answer = function(name).handler(told, object())
    return answer["statusCode"], answer["body"]


def moved(world: World, starts_at: str) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"startsAt": starts_at}))


@pytest.mark.parametrize("name", ["checkout", "transfers"])
@pytest.mark.parametrize(
    ("before", "after", "late"),
    [(TONIGHT, NOW, True), (NOW, TONIGHT, False)],
    ids=["earlier", "later"],
)
def test_who_cancels_or_passes_on_is_answered_by_the_present_start(
    world: World, name: str, before: str, after: str, *, late: bool
) -> None:
    world.container.__dict__["payments"] = world.payments
    moved(world, TONIGHT)
    order = ticketed(world, cancel_until=TONIGHT, transfer_until=TONIGHT, starts_at=TONIGHT)
    moved(world, before)
    world.clock.ms += CATALOG_CACHE_MS + 1
    assert world.container.catalog.event(EVENT).starts_at == before
    moved(world, after)
    path = {"checkout": paths.ORDER_CANCEL, "transfers": paths.TICKET_OFFER}[name]
    status, body = asked(world, name, path, order=order.order_id, ticket=order.tickets[0].ticket)
    assert (status, "too-late" in body) == (409, True) if late else status in (200, 201), body
