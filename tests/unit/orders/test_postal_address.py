"""Checkout takes a postal address exactly where the event asks for one, and it can be printed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict, replace

from fairgate.domain.orders.order import PostalAddress
from fairgate.domain.orders.postal_address import checked
from fairgate.errors import FairgateError, IdempotencyMismatchError, PostalAddressError
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.shared.records.orders import Order
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import held, order_of, settle

ANN = PostalAddress("Ann Buyer", "Quay 1\nFlat 2", "20457", "Hamburg", "Germany")
MOVED = replace(ANN, street="Quay 2", city="Kiel")
MAIL = "ann@example.org"


def check_out(
    world: World, mine: Any, given: PostalAddress | None, *, asked: bool = True, key: str = ""
) -> Order:
    beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders)
    event = replace(world.event, ask_address=asked)
    begun = beginner.begin(
        event, mine.session, mine.user, MAIL, idempotency_key=key, postal_address=given
    )
    return begun.order


def test_a_good_address_is_taken_without_the_space_around_its_lines() -> None:
    typed = replace(ANN, name=" Ann Buyer\u200b ", street="\n Quay 1 \r\n\r\nFlat 2\n")
    assert checked(typed, asked=True) == ANN
    assert ANN.lines == ["Ann Buyer", "Quay 1", "Flat 2", "20457 Hamburg", "Germany"]
    without = replace(ANN, postcode="")
    assert checked(without, asked=True) == without
    assert without.lines[-2] == "Hamburg"
    assert checked(None, asked=False) is None


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("name", " \u200b", "The name is missing."),
        ("street", "\n", "The street is missing."),
        ("city", "", "The city is missing."),
        ("country", "", "The country is missing."),
        ("name", "x" * 81, "at most 80 characters"),
        ("street", "Quay 1\n" + "x" * 81, "at most 80 characters"),
        ("street", "a\nb\nc\nd", "at most 3"),
        ("postcode", "9" * 21, "at most 20 characters"),
        ("city", "x" * 61, "at most 60 characters"),
        ("city", "Ham\nburg", "at most 1"),
        ("country", "x" * 61, "at most 60 characters"),
        ("name", "Ann\x1b[2J", "cannot be printed"),
        ("name", "Ann\u202ereyuB", "cannot be printed"),
        ("street", "Quay\t1", "cannot be printed"),
        ("city", "Ham\u2028burg", "cannot be printed"),
        ("country", "\ud800", "cannot be printed"),
        ("name", "Ann \U00012000", "cannot be printed"),
    ],
)
def test_what_cannot_be_printed_is_refused_at_its_field(field: str, text: str, said: str) -> None:
    with pytest.raises(PostalAddressError, match=said) as refused:
        checked(PostalAddress(**asdict(ANN) | {field: text}), asked=True)
    assert refused.value.fields["field"] == f"postal_address.{field}"
    assert text.strip() not in refused.value.detail or not text.strip()


@pytest.mark.parametrize(("given", "asked"), [(None, True), (ANN, False)])
def test_it_is_needed_where_asked_for_and_refused_elsewhere(
    world: World, given: PostalAddress | None, asked: bool
) -> None:
    mine = held(world)
    with pytest.raises(PostalAddressError) as refused:
        check_out(world, mine, given, asked=asked)
    assert refused.value.fields["field"] == "postal_address"
    right = None if given else ANN
    assert check_out(world, mine, right, asked=asked).postal_address == right


def test_the_last_one_counts_until_the_order_is_paid(world: World) -> None:
    mine = held(world)
    first = check_out(world, mine, ANN, key="one")
    assert order_of(world, first).postal_address == ANN
    check_out(world, mine, MOVED, key="two")
    assert order_of(world, first).postal_address == MOVED
    assert check_out(world, mine, ANN, key="one").postal_address == MOVED  # sent again, no more
    with pytest.raises(IdempotencyMismatchError):
        check_out(world, mine, MOVED, key="one")
    settle(world, first)
    with pytest.raises(FairgateError):
        check_out(world, mine, ANN)
    assert order_of(world, first).postal_address == MOVED


@pytest.mark.parametrize("before", [ANN, None])
def test_a_pending_order_asks_as_it_did_when_it_was_made(
    world: World, before: PostalAddress | None
) -> None:
    mine = held(world)
    order = check_out(world, mine, before, asked=before is not None)
    check_out(world, mine, before, asked=before is None)
    assert order_of(world, order).postal_address == before
    with pytest.raises(PostalAddressError):
        check_out(world, mine, None if before else ANN, asked=before is None)
