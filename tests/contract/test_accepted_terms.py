"""Checkout over HTTP where the seller has terms: the buyer accepts them as they are now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from fairgate.ports.table import Update
from fairgate.service.shared.keys import event_key, order_key
from fairgate.service.shared.letters import about_event
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.payments import MemoryPayments
from tests.contract.test_ending_checkout import ask
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import held

if TYPE_CHECKING:
    from fairgate.domain.shared.credential import Credential

TERMS = "https://example.org/terms-2"


@pytest.fixture
def mine(world: World) -> Credential:
    world.container.__dict__["payments"] = MemoryPayments()
    set_terms(world, TERMS)
    return held(world)


def set_terms(world: World, url: str) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"termsUrl": url}))


def check_out(world: World, mine: Credential, **given: Any) -> tuple[int, dict[str, Any]]:
    path = f"/api/sessions/{mine.session}/checkout"
    answered = ask(world, mine, "checkout", "POST", path, {"email": "ann@example.org", **given})
    return answered["statusCode"], json.loads(answered["body"])


def session_of(world: World, mine: Credential) -> dict[str, Any]:
    answered = ask(world, mine, "sessions", "GET", f"/api/events/{EVENT}/session")
    told: dict[str, Any] = json.loads(answered["body"])
    return told


def kept_terms(world: World, mine: Credential, made: dict[str, Any]) -> str | None:
    order = world.table.find(Order, order_key(mine.session, made["order"]["order"]))
    return None if order is None else order.accepted_terms


@pytest.mark.parametrize("given", [{}, {"terms": ""}, {"terms": "https://example.org/terms-1"}])
def test_it_is_refused_with_the_terms_and_nothing_changes(
    world: World, mine: Credential, given: dict[str, Any]
) -> None:
    assert session_of(world, mine)["terms_url"] == TERMS
    status, problem = check_out(world, mine, **given)
    assert (status, problem["code"]) == (400, "malformed-input")
    assert (problem["field"], problem["terms_url"]) == ("terms", TERMS)
    assert TERMS in problem["detail"]
    told = session_of(world, mine)
    assert (told["state"], "order" in told) == ("reservation", False)


def test_the_order_keeps_them_and_is_not_asked_again(world: World, mine: Credential) -> None:
    status, made = check_out(world, mine, terms=TERMS)
    assert status == 201
    set_terms(world, "https://example.org/terms-3")
    status, again = check_out(world, mine)
    assert (status, again["order"]["order"]) == (201, made["order"]["order"])
    assert kept_terms(world, mine, made) == TERMS


def test_mails_link_the_accepted_terms_after_they_changed(world: World, mine: Credential) -> None:
    _, made = check_out(world, mine, terms=TERMS)
    order = world.table.find(Order, order_key(mine.session, made["order"]["order"]))
    assert order is not None
    event = replace(world.event, terms_url="https://example.org/terms-3")
    assert about_event(order, event).terms_url == TERMS
    before = replace(order, accepted_terms="")  # there were none
    assert about_event(before, event).terms_url == event.terms_url


def test_none_are_kept_where_the_seller_has_none(world: World, mine: Credential) -> None:
    set_terms(world, "")
    status, made = check_out(world, mine, terms=TERMS)
    assert (status, kept_terms(world, mine, made)) == (201, "")
