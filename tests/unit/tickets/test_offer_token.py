"""The link of an offer names it, says nothing else, and cannot be made without the key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairgate.domain.shared.ids import OrderId
from fairgate.domain.tickets.offer_token import (
    TOKEN_CHARS,
    NamedOffer,
    offer_token,
    read_offer_token,
)
from fairgate.errors import NotFoundError

KEYS = {"1": b"k" * 32, "2": b"l" * 32}
OFFER = NamedOffer(OrderId("ord_" + "0c" * 16 + "_" + "0d" * 4), 3)


@pytest.mark.parametrize("kid", KEYS)
def test_it_is_read_back_while_its_key_is_known(kid: str) -> None:
    token = offer_token(OFFER, KEYS[kid])
    assert len(token) == TOKEN_CHARS
    assert read_offer_token(token, KEYS) == OFFER


def test_it_ends_with_its_key() -> None:
    with pytest.raises(NotFoundError):
        read_offer_token(offer_token(OFFER, b"m" * 32), KEYS)


@given(st.integers(0, TOKEN_CHARS - 1), st.sampled_from("AZaz09-_"))
def test_no_letter_of_it_may_be_another(place: int, letter: str) -> None:
    token = offer_token(OFFER, KEYS["1"])
    other = token[:place] + letter + token[place + 1 :]
    if other != token:
        with pytest.raises(NotFoundError):
            read_offer_token(other, KEYS)


@given(st.text(max_size=80))
def test_whatever_else_is_no_offer(text: str) -> None:
    with pytest.raises(NotFoundError):
        read_offer_token(text, KEYS)


def test_an_offer_has_an_orders_id() -> None:
    with pytest.raises(ValueError, match="order's id"):
        offer_token(NamedOffer(OrderId("ord_1"), 1), KEYS["1"])
