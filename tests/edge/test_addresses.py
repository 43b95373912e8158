"""The address of an event is its page; where nothing is, a page says so."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.domain.gate.gate_config import gate_key, page_key
from fairgate.domain.shared.language import LANGUAGES
from fairgate.service.catalog.write_pages import INDEX, LIST, MAP
from infra.headers import EVERYWHERE
from infra.identity import PAGES_CONFIG
from infra.screen import WORDS, pages_source
from tests.edge.test_screen import request, said, screened
from tests.edge.web_tools import signed_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.stub.server import Stub

NOWHERE = (
    "/e/show.html",
    "/e/written.json",
    "/e/",
    "/e/Show",
    "/e/show/wait",
    "/e/" + "x" * 41,
    "/e/a%2f",
    "/wp-login.php",
    "/e",
    "/console/",
)


def asked(*paths: str, keys: list[str] | None, accept: str = "") -> list[dict[str, Any]]:
    requests = [request("GET", path) for path in paths]
    for one in requests:
        one["headers"]["host"] = {"value": "tickets.example"}
        if accept:
            one["headers"]["accept-language"] = {"value": accept}
    return screened(requests, exists=keys, source=pages_source())


def test_the_address_of_an_event_is_its_own_file_once_that_is_written() -> None:
    paths = ("/e/show", "/e/2027-final")
    answers = asked(*paths, keys=[gate_key("show"), page_key("show"), gate_key("2027-final")])
    assert [answer["uri"] for answer in answers] == ["/e/show.html", "/index.html"]
    assert asked("/e/show", keys=None)[0]["uri"] == "/index.html"


def test_the_files_beside_the_page_pass() -> None:
    files = ("/", f"/{INDEX}", f"/{PAGES_CONFIG}", f"/{LIST}", f"/{MAP}")
    assert [answer["uri"] for answer in asked(*files, keys=[])] == list(files)


def test_the_console_is_a_file_of_its_own() -> None:
    assert [answer["uri"] for answer in asked("/console", keys=[])] == ["/console.html"]


def test_where_nothing_is_a_page_says_so_and_what_to_do() -> None:
    for answer in asked(*NOWHERE, "/e/gone", keys=[gate_key("show"), page_key("show")]):
        assert answer["statusCode"] == 404
        assert said(answer).items() >= EVERYWHERE.items()
        assert "There is nothing at this address" in answer["body"]
        assert {"/", "/#/find"} <= set(re.findall(r'href="([^"]+)"', answer["body"]))
        assert 'content="noindex"' in answer["body"]
        assert "show" not in answer["body"]  # nothing of what was asked for


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        *((f"{one}-XX,en;q=0.5", one) for one in LANGUAGES),
        ("", "en"),
        ("*", "en"),
        ("sv-SE, PL;q=0.9, de;q=0.8", "pl"),
        ("de;q=0, ja; q=0.5", "ja"),
        ("deu, fra", "en"),
        ("x" * 9_000, "en"),
    ],
)
def test_the_page_where_nothing_is_speaks_the_visitors_language(accept: str, language: str) -> None:
    [answer] = asked("/nowhere", keys=[], accept=accept)
    headers, body = said(answer), answer["body"]
    assert (headers["content-language"], headers["vary"]) == (language, "accept-language")
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">' in body
    words = json.loads(WORDS.read_text("utf-8"))
    assert sorted(words) == sorted(LANGUAGES)
    assert len({len(texts) for texts in words.values()}) == 1
    assert all(text in body for text in words[language])
    assert "{}" not in body  # no place is left


def test_robots_may_read_events_and_nothing_else_of_the_api() -> None:
    [robots] = asked("/robots.txt", keys=[])
    assert said(robots).items() >= EVERYWHERE.items()
    assert robots["headers"]["content-type"]["value"] == "text/plain"
    rules = ["Allow: /api/events", "Disallow: /api/"]
    assert robots["body"].splitlines()[1:] == [
        *rules,
        "Sitemap: https://tickets.example/sitemap.xml",
    ]


@pytest.mark.parametrize(
    ("language", "button"),
    [("de", "Alle Veranstaltungen"), ("ja", "すべてのイベント"), ("ar", "كل الفعاليات")],
)
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_the_page_where_nothing_is_has_its_style_and_runs_nothing(
    page: Page, width: int, height: int, language: str, button: str
) -> None:
    [answer] = asked("/nowhere", keys=[], accept=language)
    headers = {name: one["value"] for name, one in answer["headers"].items()}
    body = answer["body"]
    page.route("**/nowhere", lambda route: route.fulfill(status=404, headers=headers, body=body))
    page.set_viewport_size({"width": width, "height": height})
    page.goto("https://tickets.example/nowhere")
    page.get_by_role("link", name=button).wait_for()
    assert page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius") == "16px"
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("address", ["/e/demo", "/#/e/demo"])
def test_an_event_opens_by_its_address_and_by_its_old_one(
    stub: Stub, page: Page, address: str
) -> None:
    page.goto(stub.base_url + address)
    page.get_by_role("heading", name="Prices").wait_for()


def test_other_pages_leave_the_address_of_the_event_and_back_leads_to_it(
    stub: Stub, page: Page
) -> None:
    page.goto(f"{stub.base_url}/")
    page.locator("main ul.events a").click()
    page.get_by_role("heading", name="Prices").wait_for()
    assert page.url == f"{stub.base_url}/e/demo"
    page.get_by_role("link", name="Find my tickets").click()
    page.get_by_role("button", name="Send me the link").wait_for()
    assert page.url == f"{stub.base_url}/#/find"
    page.go_back()
    page.get_by_role("heading", name="Prices").wait_for()
    assert page.url == f"{stub.base_url}/e/demo"


def test_who_signs_in_at_an_event_comes_back_to_it(stub: Stub, page: Page) -> None:
    page.goto(f"{stub.base_url}/e/demo")
    page.locator("header").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").click()
    signed_in(page)
    page.get_by_role("heading", name="Prices").wait_for()
