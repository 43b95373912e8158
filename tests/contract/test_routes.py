"""What a handler serves is what the table of routes sends it: no rule without a row, and back."""

from __future__ import annotations

import json
import re

import pytest

from fairgate.http.allowed import METHODS
from fairgate.http.paths import powertools_rule
from infra import routes
from infra.routes import UNROUTED
from tests.contract.http import function, request, row_of, stray_request
from tests.support.world import EVENT


def rules(name: str) -> set[tuple[str, str]]:
    """Method and path of each rule of a handler, in the spelling of Powertools."""
    app = function(name).app
    return {
        (method, rule.path)
        for rule in (*app._static_routes, *app._dynamic_routes)
        for method in ([rule.method] if isinstance(rule.method, str) else rule.method)
    }


def rows(name: str) -> set[tuple[str, str]]:
    ours = [row for row in routes.ROUTES if row.function == name]
    return {(method, powertools_rule(row.path)) for row in ours for method in row.methods}


@pytest.mark.parametrize("name", routes.api_functions())
def test_every_rule_has_a_row_and_every_row_a_rule(name: str) -> None:
    assert rows(name), f"no row of infra/routes.py names {name}"
    only_rules, only_rows = rules(name) - rows(name), rows(name) - rules(name)
    assert not only_rules, (
        f"functions/{name}/handler.py serves {only_rules}, which is a 404 everywhere: "
        "add a Route to ROUTES in infra/routes.py"
    )
    assert not only_rows, (
        f"infra/routes.py sends {only_rows} to functions/{name}/handler.py, which has no rule for "
        "it: add the rule, or take the row away"
    )


def test_a_request_fails_when_no_row_has_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    left = tuple(row for row in routes.ROUTES if row.path != "/api/events")
    monkeypatch.setattr(routes, "ROUTES", left)
    with pytest.raises(pytest.fail.Exception, match="Add a Route to ROUTES"):
        request("GET", "/api/events")


def test_a_call_fails_when_its_row_names_another_function() -> None:
    with pytest.raises(pytest.fail.Exception, match="goes to the function 'catalog'"):
        function("orders").handler(request("GET", "/api/events"), object())


def test_a_row_is_found_by_method_and_by_each_segment() -> None:
    row = row_of("GET", "/api/events/show/layout")
    assert row is not None
    assert row.path == "/api/events/{event}/layout"
    assert row_of("POST", "/api/events/show/layout") is None
    assert row_of("GET", "/api/events/show/layout/more") is None
    assert row_of("GET", "/api/eventsX") is None


def test_the_methods_of_each_address_are_those_of_the_rows() -> None:
    said = {(method, path) for method, taken in METHODS.items() for path in taken}
    rows = [row for row in routes.ROUTES if row.function]
    assert said == {(method, row.path) for row in rows for method in row.methods}


TAKEN = {
    path: {method for row in routes.ROUTES if row.path == path for method in row.methods}
    for path in sorted({row.path for row in routes.ROUTES if row.function})
}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        (m, path)
        for path, taken in TAKEN.items()
        for m in ("HEAD", "OPTIONS", "PUT")
        if m not in taken
    ],
)
def test_an_address_says_what_it_takes_when_asked_in_another_way(method: str, path: str) -> None:
    """API Gateway sends it to the function of ``$default``; no row has the method."""
    event = stray_request(method, re.sub(r"\{\w+\}", "x1", path))
    answer = function(UNROUTED).handler(event, object())
    assert TAKEN[path] <= set(answer["headers"]["allow"].split(", "))
    assert answer["headers"]["cache-control"] == "no-store"
    if method == "OPTIONS":
        assert (answer["statusCode"], answer["body"]) == (204, "")
    else:
        assert answer["statusCode"] == 405
        assert json.loads(answer["body"])["code"] == "method-not-allowed"


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("path", [path for path, taken in TAKEN.items() if "HEAD" in taken])
@pytest.mark.parametrize("event", [EVENT, "nowhere"])
def test_a_head_is_answered_as_a_get(path: str, event: str) -> None:
    """API Gateway sends it to the function of ``$default``."""
    address = path.replace("{event}", event)
    head = function(UNROUTED).handler(stray_request("HEAD", address), object())
    get = function(UNROUTED).handler(request("GET", address), object())
    assert head == get
    assert head["statusCode"] in (200, 307, 404)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT"])
@pytest.mark.parametrize("path", ["/api/nothing", "/api/events\n", "/api/events/"])
def test_nothing_is_found_where_no_address_is(method: str, path: str) -> None:
    answer = function(UNROUTED).handler(stray_request(method, path), object())
    assert answer["statusCode"] == 404
    assert "allow" not in answer["headers"]


@pytest.mark.parametrize("route", [r for r in routes.ROUTES if r.function], ids=lambda r: r.path)
@pytest.mark.usefixtures("world")
def test_a_line_end_behind_an_address_leads_to_nothing(route: routes.Route) -> None:
    """API Gateway hands over the path decoded: ``%0A`` would be one more cache key of an answer."""
    path = route.path.replace("{event}", EVENT).replace("{section}", "a") + "\n"
    asked = request if row_of(route.method, path) else stray_request
    event = asked(route.method, path)
    answer = function(str(route.function)).handler(event, object())
    assert answer["statusCode"] in (401, 404, 405), answer  # where a hold of any name may stand
