"""CloudFront treats each path as its route says, whatever else the path resembles."""

from __future__ import annotations

import re

import pytest

from infra.behaviours import DEFAULT, Behaviour, behaviours
from infra.routes import ROUTES, Route

# Accounts start with a quota of 25. Source: CloudFront Developer Guide, Quotas.
BEHAVIOURS_MAX = 25


def chosen(path: str) -> Behaviour:
    """The first behaviour that matches, as CloudFront chooses it."""
    return next((b for b in behaviours() if b.matches(path)), DEFAULT)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
@pytest.mark.parametrize("value", ["a", "finals-2027", "queue", "sections"])
def test_path_is_treated_as_its_route_says_when_requested(route: Route, value: str) -> None:
    path = re.sub(r"\{\w+\+?\}", value, route.path)
    behaviour = chosen(path)
    assert behaviour.gated == route.gated
    assert behaviour.cache == route.cache
    assert (behaviour.origin == "api") == (route.origin == "api")


@pytest.mark.parametrize("path", ["/api/events/e/orders/1", "/api/nothing", "/api/sessions/s/"])
def test_no_gate_and_no_page_answers_when_an_api_path_has_no_route(path: str) -> None:
    assert not chosen(path).gated
    assert chosen(path).origin == "api"


@pytest.mark.parametrize("path", ["/", "/index.html", "/assets/js/main.js", "/apis"])
def test_pages_come_from_the_web_bucket_when_requested(path: str) -> None:
    assert chosen(path).origin == "web"


def test_layouts_come_from_their_own_bucket_when_requested() -> None:
    assert chosen("/layouts/abc/sections/a.json").origin == "layouts"


def test_behaviours_fit_one_distribution_when_made() -> None:
    assert len(behaviours()) < BEHAVIOURS_MAX


def test_path_is_cached_for_no_method_when_one_method_must_not_be() -> None:
    routes = (
        Route("GET", "/api/x/{id}", "catalog", cache="catalog"),
        Route("DELETE", "/api/x/{id}", "catalog"),
    )
    (behaviour,) = [b for b in behaviours(routes) if b.matches("/api/x/1")]
    assert behaviour.cache == "none"


def test_routes_are_refused_when_one_path_is_gated_and_not() -> None:
    routes = (Route("GET", "/api/x", "a"), Route("POST", "/api/x", "a", gated=True))
    with pytest.raises(ValueError, match="differ in gate"):
        behaviours(routes)
