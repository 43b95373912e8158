"""The pages in the visitor's language: which one, what is loaded of it, and how it is changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from fairgate.domain.shared.language import LANGUAGES
from tests.e2e.stub.answers import ORDER
from tests.e2e.stub.passing import ticket, transfer
from tests.e2e.stub.server import Stub
from tests.edge.page_states import STATES, bought, holding, opened, waiting
from tests.edge.test_accessible import AXE, FOUND, OUTSIDE, WCAG
from tests.edge.web_tools import arrive, fits, sale, seat_map

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORDS = re.compile(r"/assets/((?:first|later)-\w\w)-\w+\.js(\?again)?")
SPOKEN = "[document.documentElement.lang, document.documentElement.dir].join()"


@contextmanager
def visitor(chromium: Browser, locale: str, width: int = 1280) -> Iterator[Page]:
    size = {"width": width, "height": 844}
    context = chromium.new_context(locale=locale, viewport=size, reduced_motion="reduce")  # type: ignore[arg-type]
    try:
        yield context.new_page()
    finally:
        context.close()


def loaded(page: Page) -> list[str]:
    """Collect the words' files that the page asks for."""
    asked: list[str] = []
    page.on("request", lambda request: asked.extend(m[1] for m in [WORDS.search(request.url)] if m))
    return asked


def chooses(page: Page, language: str) -> None:
    page.locator("#language select").select_option(language)
    page.locator(f"html[lang={language}]").wait_for(state="attached")


@pytest.mark.parametrize(
    ("locale", "spoken", "title"),
    [
        ("de-AT", "de,ltr", "Veranstaltungen"),
        ("ar-EG", "ar,rtl", "الفعاليات"),
        ("en-US", "en,ltr", "Events"),
        ("sv-SE", "en,ltr", "Events"),
    ],
)
def test_a_browser_gets_its_language_and_loads_no_other(
    stub: Stub, chromium: Browser, locale: str, spoken: str, title: str
) -> None:
    with visitor(chromium, locale) as page:
        asked = loaded(page)
        page.goto(stub.base_url)
        page.get_by_role("heading", level=1, name=title).wait_for()
        assert page.evaluate(SPOKEN) == spoken
        assert asked == [f"first-{spoken[:2]}"]


def test_later_words_come_with_the_first_later_view(stub: Stub, chromium: Browser) -> None:
    with visitor(chromium, "de-DE") as page:
        asked = loaded(page)
        page.goto(f"{stub.base_url}/#/find")
        page.locator("#email").wait_for()
        assert sorted(asked) == ["first-de", "later-de"]


def test_an_events_language_counts_where_the_browser_has_none_of_ours(
    stub: Stub, chromium: Browser
) -> None:
    def german(body: object) -> object:
        return {**body, "language": "de"} if isinstance(body, dict) and "tiers" in body else body

    stub.reshape = german
    for locale, language, text in (("sv-SE", "de", "Saalplan"), ("ar-EG", "ar", "مخطط المقاعد")):
        with visitor(chromium, locale) as page:
            page.goto(f"{stub.base_url}/e/demo")
            page.get_by_role("heading", name=text).wait_for()
            assert page.evaluate("document.documentElement.lang") == language


def test_an_event_is_shown_in_the_readers_language(stub: Stub, chromium: Browser) -> None:
    told = {"name": "Lichter am Hafen", "tiers": {stub.world.hall.tiers[0]["id"]: "Vorne"}}

    def translated(body: object) -> object:
        if isinstance(body, dict) and "events" in body:
            return {**body, "events": [translated(event) for event in body["events"]]}
        if isinstance(body, dict) and "translations" in body:
            return {**body, "translations": {"de": told}}
        return body

    stub.reshape = translated
    for locale, name, tier in (
        ("de-DE", "Lichter am Hafen", "Vorne"),
        ("fr-FR", "Lights over the Harbour", stub.world.hall.tiers[0]["name"]),
    ):
        with visitor(chromium, locale) as page:
            page.goto(stub.base_url)
            page.get_by_role("link", name=name).click()
            page.get_by_role("heading", level=1, name=name).wait_for()
            page.get_by_text(tier).first.wait_for()
            assert name in page.title()


def test_a_choice_redraws_the_page_and_is_kept(stub: Stub, chromium: Browser) -> None:
    with visitor(chromium, "en-GB") as page:
        page.goto(stub.base_url)
        page.get_by_role("heading", name="Events").wait_for()
        page.evaluate("window.same = true")
        select = page.locator("#language select")
        select.focus()
        chooses(page, "de")
        page.get_by_role("heading", name="Veranstaltungen").wait_for()
        assert page.evaluate("document.activeElement.value") == "de"
        assert page.evaluate("window.same")
        assert page.title() == "Veranstaltungen – Fairgate"
        assert select.get_attribute("aria-label") == "Sprache"
        page.reload()
        page.get_by_role("heading", name="Veranstaltungen").wait_for()


def test_a_choice_keeps_the_place_in_the_waiting_room(stub: Stub, chromium: Browser) -> None:
    waiting(stub)
    with visitor(chromium, "en-GB") as page:
        arrive(page, stub, "/e/demo/wait")
        page.locator(".facts > div").first.wait_for()
        chooses(page, "de")
        page.get_by_role("button", name="Abmelden").wait_for()
        page.locator(".facts > div").first.wait_for()
        assert stub.world.reads["queue"] == 1


def test_a_choice_keeps_the_seats_that_are_chosen_and_held(stub: Stub, chromium: Browser) -> None:
    with visitor(chromium, "en-GB") as page:
        sale(page, stub, "102")
        stub.hold({"seats": ["102-A-1"]})
        seat_map(page)
        page.locator(".sale-head button").click()
        page.locator(".seat-list summary").first.click()
        page.locator("[data-seat='102-A-3']").click()
        page.locator(".chosen .units li").wait_for()
        chooses(page, "de")
        page.locator(".map-holder[aria-busy=false]").wait_for()
        assert page.locator(".chosen .units li").count() == 1
        assert page.locator(".hold .units li").count() == 1


def test_an_order_names_its_places_and_fees_in_the_visitors_language(
    stub: Stub, chromium: Browser
) -> None:
    bought(stub)
    own, gone, back = (f"102 · Row A · Seat {n}" for n in (1, 2, 3))
    stub.world.transfer = transfer(ticket(1, own), ticket(2, gone, state="passed-on"))
    returned = {"label": back, "places": 1, "amount_minor": 11_600, "fee_minor": 500}
    stub.world.returned = [returned]
    with visitor(chromium, "de-DE") as page:
        arrive(page, stub, f"/o/{ORDER}")
        page.locator("img.ticket").wait_for()
        page.locator("details.cancel summary").click()
        text = page.locator("main").inner_text()
    assert text.count("102 · Reihe A · Platz 1") == len(["on the ticket", "to be passed on"])
    assert "Weitergegeben: 102 · Reihe A · Platz 2" in text
    assert "Zurückgegeben: 102 · Reihe A · Platz 3" in text
    assert "Gebühr je Bestellung" in text
    assert "Row" not in text
    assert "Fee per" not in text


def test_a_choice_keeps_what_is_typed_at_checkout_but_no_consent(
    stub: Stub, chromium: Browser
) -> None:
    holding(stub)
    stub.world.ask_address = True
    stub.world.sellers = {"terms_url": "https://example.org/terms"}
    with visitor(chromium, "en-GB") as page:
        arrive(page, stub, "/e/demo/checkout")
        page.locator("#email").fill("lea@example.org")
        page.locator("#postal-city").fill("Hamburg")
        page.locator("#terms").check()
        chooses(page, "de")
        page.get_by_role("heading", name="Kasse").wait_for()
        assert page.locator("#email").input_value() == "lea@example.org"
        assert page.locator("#postal-city").input_value() == "Hamburg"
        assert not page.locator("#terms").is_checked()  # its text was another


@pytest.mark.parametrize(
    ("lost", "title"),
    [
        (lambda url: "first-de" in url and "again" not in url, "Veranstaltungen"),
        (lambda url: "first-de" in url, "Events"),
    ],
)
def test_a_file_that_fails_is_asked_for_again_and_then_english_is_spoken(
    stub: Stub, chromium: Browser, lost: Callable[[str], bool], title: str
) -> None:
    with visitor(chromium, "de-DE") as page:
        page.route(lost, lambda route: route.abort())
        page.goto(stub.base_url)
        page.get_by_role("heading", level=1, name=title).wait_for()


@pytest.mark.parametrize(
    ("locale", "text"),
    [("sv", "This page could"), ("de-DE", "Diese Seite konnte"), ("ar", "تعذّر تحميل الصفحة")],
)
def test_a_page_without_any_words_says_so_in_one_language(
    stub: Stub, chromium: Browser, locale: str, text: str
) -> None:
    with visitor(chromium, locale, 390) as page:
        page.route(re.compile("/assets/first-"), lambda route: route.abort())
        page.goto(stub.base_url)
        lost = page.locator("#lost", has_text=text)
        lost.wait_for()
        assert lost.inner_text().count("JavaScript") == 1
        assert fits(page)


def test_a_page_without_scripts_says_what_to_do_in_all_languages(
    stub: Stub, chromium: Browser
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(stub.base_url)
    said = page.locator("main .card p")
    assert [one.get_attribute("lang") for one in said.all()] == list(LANGUAGES)
    assert all("JavaScript" in text for text in said.all_inner_texts())
    assert page.locator("main [dir]").get_attribute("lang") == "ar"
    context.close()


@pytest.mark.parametrize("state", STATES)
def test_an_arabic_page_fits_and_has_no_barrier_that_can_be_computed(
    stub: Stub, chromium: Browser, state: str
) -> None:
    with visitor(chromium, "ar") as page:
        opened(page, stub, state)
        assert page.evaluate(SPOKEN) == "ar,rtl"
        for width in (320, 390, 1440):
            page.set_viewport_size({"width": width, "height": 844})
            assert fits(page), width
            assert page.evaluate(OUTSIDE) == [], width
        page.evaluate(AXE.read_text("utf-8"))
        assert page.evaluate(FOUND, WCAG) == []
