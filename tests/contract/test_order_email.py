"""A buyer has a paid order's tickets mailed to another address: theirs alone, and not often."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.http import paths
from fairgate.ports.table import Update
from fairgate.service.shared.records.orders import Order
from tests.contract.http import function, request
from tests.support.world import START_MS, World
from tests.unit.refunds.test_give_back import now, ticketed

RIGHT = "anne@example.org"


def asked(world: World, order: Order, email: str = RIGHT, user: str = "ann") -> tuple[int, Any]:
    key = world.secrets.current.auth["1"]
    bearer = f"Bearer {issue_auth_token(user, [], key, '1', START_MS // 1000, 3600)}"
    path = paths.ORDER_EMAIL.format(order=order.order_id)
    told = request("POST", path, {"email": email}, authorization=bearer)
    answer = function("checkout").handler(told, object())
    return answer["statusCode"], answer["body"]


def test_the_tickets_go_to_the_new_address_and_again_to_the_same(world: World) -> None:
    order = ticketed(world)
    for times in (1, 2):
        status, body = asked(world, order, f" {RIGHT} ")
        assert (status, RIGHT in body) == (200, True)
        assert world.mail_queue.again == [order.order_id] * times
    assert now(world, order).email == RIGHT
    assert now(world, order).tickets == order.tickets


@pytest.mark.parametrize(
    ("email", "user", "changes", "status"),
    [
        (RIGHT, "eve", {}, 404),
        ("anna.@example.com", "ann", {}, 400),
        (RIGHT, "ann", {"state": "disputed"}, 409),
        (RIGHT, "ann", {"erasedAt": "2027-01-01T00:00:00.000Z"}, 409),
    ],
    ids=["another's", "not an address", "not valid", "erased"],
)
def test_nothing_is_changed_or_mailed(
    world: World, email: str, user: str, changes: dict[str, str], status: int
) -> None:
    order = ticketed(world)
    if changes:
        world.table.update(Update("reservations", *order.key, set=changes))
    assert asked(world, order, email, user)[0] == status
    assert now(world, order).email == order.email
    assert world.mail_queue.orders == []


def test_a_day_has_five_of_them(world: World) -> None:
    order = ticketed(world)
    answers = [asked(world, order, f"ann{number}@example.org")[0] for number in range(6)]
    assert answers == [200] * 5 + [429]
    assert len(world.mail_queue.again) == 5
