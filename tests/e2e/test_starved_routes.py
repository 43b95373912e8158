"""One caller cannot use up what all buyers share: what needs no function reaches none."""

from __future__ import annotations

import re

import pytest

from fairgate.http import paths
from fairgate_ops.run.local.access_log import HEADER_MARK
from fairgate_ops.run.local.logged_system import MARKED_WORDS
from infra.routes import ROUTES
from tests.e2e.shopper import Shopper, call

CALLS = 30  # more than the scarcest routes take of all buyers in a second
PRIVATE = [route for route in ROUTES if route.credentials and not route.gated]
CACHED = [route for route in ROUTES if route.origin == "api" and route.cache != "none"]


def reached(system, mark: str) -> list[str]:
    """The address of each call with this mark that came to the API."""
    lines = map(str.split, system.system.access_log.read_text().splitlines())
    return [words[2] for words in lines if len(words) == MARKED_WORDS and words[-1] == mark]


def marked(system, method: str, path: str, mark: str, **headers: str) -> int:
    return call(system.base_url, method, path, headers={HEADER_MARK: mark, **headers}).status


def addressed(route, event: str) -> str:
    return re.sub(r"\{\w+\}", "x1", route.path.replace("{event}", event))


@pytest.fixture(scope="module")
def buyer(system):
    visitor = Shopper(system.base_url, system.event).walk_in()
    yield visitor
    visitor.leave()


@pytest.mark.parametrize("route", PRIVATE, ids=lambda r: f"{r.method} {r.path}")
def test_calls_without_a_sign_in_use_up_no_private_route(system, route):
    path = addressed(route, system.event)
    for authorization in ({}, {"authorization": "Bearer x"}):
        for _ in range(CALLS // 2):
            assert marked(system, route.method, path, "anonymous", **authorization) == 401
    assert reached(system, "anonymous") == []


def test_a_buyer_is_answered_in_between(system, buyer):
    """The mark is noted, so the other tests see what they say they see."""
    for _ in range(CALLS):
        marked(system, "GET", paths.ORDERS, "flood")
    assert marked(system, "GET", paths.ORDERS, "honest", **buyer.auth) == 200
    assert (reached(system, "flood"), reached(system, "honest")) == ([], [paths.ORDERS])


@pytest.mark.parametrize("route", [r for r in CACHED if "{event}" in r.path], ids=lambda r: r.path)
def test_events_that_nobody_made_use_up_no_route(system, route):
    for number in range(CALLS):
        assert marked(system, "GET", addressed(route, f"made-up-{number}"), "nowhere") == 404
    assert reached(system, "nowhere") == []


@pytest.mark.parametrize("path", [paths.EVENTS, paths.EVENT, paths.STATUS_VECTOR])
def test_parameters_that_nobody_takes_make_no_second_answer(system, path):
    mark, asked = f"guess-{len(path)}", path.replace("{event}", system.event)
    for number in range(CALLS):
        assert marked(system, "GET", f"{asked}?section={number}&x={number}", mark) == 200
    came = reached(system, mark)
    assert {address.rstrip("?") for address in came} <= {asked}
    assert len(came) < CALLS  # when what is kept is a second old, it is asked for again
