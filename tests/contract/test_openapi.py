"""docs/openapi.json says what the table of routes says."""

from __future__ import annotations

from fairgate_ops.build.openapi import OUTPUT, SUMMARIES, document, rendered
from infra.routes import ROUTES


def test_the_committed_description_is_up_to_date() -> None:
    assert OUTPUT.read_text("utf-8") == rendered(), "run `make openapi`"


def test_every_api_route_is_described_and_no_other() -> None:
    routes = {(route.method, route.path) for route in ROUTES if route.function}
    assert set(SUMMARIES) == routes
    described = {(m.upper(), p) for p, methods in document()["paths"].items() for m in methods}
    assert described == routes
