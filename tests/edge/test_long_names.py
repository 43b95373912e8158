"""A name without a space, as long as names may be, breaks no page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from fairgate.domain.shared.reading import NAME_CHARS_MAX
from tests.e2e.stub.answers import ORDER
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import arrive, fits

ROUTES = {
    "/": "",
    "/e/demo": "",
    "/e/demo/rules": "",
    "/e/demo/wait": "",
    "/e/demo/in": "reservation",
    "/e/demo/sale": "reservation",
    "/e/demo/sale/L": "reservation",
    f"/order/{ORDER}": "finalised",
    "/orders": "finalised",
}


@pytest.mark.parametrize("route", ROUTES)
def test_a_long_name_breaks_no_page(stub: Stub, either: Page, route: str) -> None:
    stub.world.name = "Donaudampfschifffahrtsgesellschaft" * 4
    stub.world.name = stub.world.name[:NAME_CHARS_MAX]
    if ROUTES[route] == "reservation":
        stub.inside(600)
    elif ROUTES[route]:
        stub.world.session_state, stub.world.order_state = "finalised", "ticketed"
    arrive(either, stub, route)
    either.locator("main").get_by_text(stub.world.name[:30]).first.wait_for()
    assert fits(either)
