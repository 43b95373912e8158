"""What a handler serves is what the table of routes sends it: no rule without a row, and back."""

from __future__ import annotations

import pytest

from fairgate.http.paths import powertools_rule
from infra import routes
from tests.contract.http import function, request, row_of


def rules(name: str) -> set[tuple[str, str]]:
    """Method and path of each rule of a handler, in the spelling of Powertools."""
    app = function(name).app
    return {
        (method, rule.path)
        for rule in (*app._static_routes, *app._dynamic_routes)
        for method in ([rule.method] if isinstance(rule.method, str) else rule.method)
    }


def rows(name: str) -> set[tuple[str, str]]:
    return {(r.method, powertools_rule(r.path)) for r in routes.ROUTES if r.function == name}


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
