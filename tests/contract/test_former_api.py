"""Pages and API of two versions that follow each other work together while one is deployed."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.support.api_shape import FOLDER, added, breaks, former, released, today, without

FORMER = former(released())


def test_the_api_keeps_what_pages_of_the_last_release_rely_on() -> None:
    assert list(breaks(FORMER, today())) == []


def test_only_the_last_release_is_written_down() -> None:
    assert [path.name for path in FOLDER.iterdir()] == [f"{released()}.json"]


ORDER = "GET /api/orders/{order}"
CHECKOUT = "POST /api/sessions/{session}/checkout"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda now: now["operations"].pop(ORDER), f"{ORDER} is gone"),
        (lambda now: now["operations"][ORDER]["required"].append("x-new"), "asks for x-new"),
        (
            lambda now: now["operations"][ORDER]["answers"].pop("200"),
            f"{ORDER} answers 200 as nothing",
        ),
        (lambda now: now["schemas"]["OrderView"]["properties"].pop("state"), "OrderView.state was"),
        (
            lambda now: now["schemas"]["OrderView"]["properties"].update(state="integer"),
            "OrderView.state was string, is integer",
        ),
        (
            lambda now: now["schemas"]["CheckoutRequest"]["required"].append("phone"),
            f"{CHECKOUT} asks for phone",
        ),
    ],
)
def test_a_change_that_breaks_an_open_page_is_found(change: Any, said: str) -> None:
    now = copy.deepcopy(today())
    change(now)
    [found] = breaks(FORMER, now)
    assert said in found


def test_what_was_added_since_is_taken_out_at_any_depth() -> None:
    now = copy.deepcopy(FORMER)
    now["schemas"]["OrderView"]["properties"]["colour"] = "string"
    assert added(FORMER, now) == {"colour"}
    answer = {"orders": [{"colour": "red", "state": "paid"}]}
    assert without(answer, {"colour"}) == {"orders": [{"state": "paid"}]}
