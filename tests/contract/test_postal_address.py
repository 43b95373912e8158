"""Checkout over HTTP where the event asks for the buyer's postal address."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate import log_lines
from fairgate.domain.shared.credential import Credential
from fairgate.ports.table import Update
from fairgate.service.shared.keys import event_key
from fairgate_lab.engine.payments import MemoryPayments
from tests.contract.test_ending_checkout import ask
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import held

ANN = {
    "name": "Ann Buyer",
    "street": "Quay 1\nFlat 2",
    "postcode": "20457",
    "city": "Hamburg",
    "country": "Germany",
}


@pytest.fixture
def mine(world: World) -> Credential:
    world.container.__dict__["payments"] = MemoryPayments()
    world.table.update(Update("catalog", *event_key(EVENT), set={"askAddress": True}))
    return held(world)


def check_out(world: World, mine: Credential, **postal: Any) -> tuple[int, dict[str, Any]]:
    body = {"email": "ann@example.org", **postal}
    path = f"/api/sessions/{mine.session}/checkout"
    answered = ask(world, mine, "checkout", "POST", path, body)
    return answered["statusCode"], json.loads(answered["body"])


def test_the_page_learns_that_it_is_asked_for(world: World, mine: Credential) -> None:
    event = json.loads(ask(world, mine, "catalog", "GET", f"/api/events/{EVENT}")["body"])
    session = ask(world, mine, "sessions", "GET", f"/api/events/{EVENT}/session")
    assert event["ask_address"] is json.loads(session["body"])["ask_address"] is True


def test_the_order_shows_what_was_typed_last(world: World, mine: Credential) -> None:
    status, made = check_out(world, mine, postal_address=ANN)
    assert (status, made["order"]["postal_address"]) == (201, ANN)
    status, made = check_out(world, mine, postal_address=ANN | {"city": " Kiel "})
    order = ask(world, mine, "orders", "GET", f"/api/orders/{made['order']['order']}")
    assert json.loads(order["body"])["postal_address"] == ANN | {"city": "Kiel"}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "postal_address"),
        ({"postal_address": None}, "postal_address"),
        ({"postal_address": ANN | {"city": ""}}, "postal_address.city"),
        ({"postal_address": ANN | {"name": "Ann\u202e"}}, "postal_address.name"),
        ({"postal_address": ANN | {"country": "x" * 61}}, "postal_address.country"),
        ({"postal_address": ANN | {"name": "x" * 1_001}}, None),
        ({"postal_address": ANN | {"telephone": "1"}}, None),
        ({"postal_address": {"name": "Ann Buyer"}}, None),
        ({"postal_address": "Quay 1"}, None),
    ],
)
def test_what_is_wrong_is_named_and_in_no_log(
    world: World, mine: Credential, capsys: Any, given: dict[str, Any], field: str | None
) -> None:
    logger = log_lines.logger()
    level = logger.log_level
    logger.setLevel("INFO")
    status, problem = check_out(world, mine, **given)
    logger.setLevel(level)
    assert (status, problem["code"], problem.get("field")) == (400, "malformed-input", field)
    said = "".join(capsys.readouterr()) + json.dumps(problem)
    assert not [text for text in ("Ann", "Quay", "Hamburg", "xxx") if text in said]


def test_it_is_refused_where_nobody_asks(world: World) -> None:
    status, problem = check_out(world, held(world), postal_address=ANN)
    assert (status, problem["field"]) == (400, "postal_address")
