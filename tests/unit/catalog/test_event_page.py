"""What previews and search engines read of an event, and that no text breaks out of it."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.language import LANGUAGES
from fairgate.service.catalog import event_page as module
from fairgate.service.catalog.event_page import Template, event_page
from fairgate.service.shared.records.catalog import Fees, LastChange, Tier
from tests.support.pages_build import WEB
from tests.support.world import event_on_sale

SITE = "https://tickets.example"
PAGE = (WEB / "index.html").read_bytes()
TEMPLATE = Template.parse(PAGE)
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    '"><img src=x onerror=alert(1)>',
    "' onload='alert(1)",
    "--><h1>x</h1>",
    "a\u2028b\u2029c",
    "</title><h1>x</h1>",
    "&lt;b&gt; &quot;",
    "<!-- /preview -->",
    "\\u003c/script\\u003e \\",
)
SALE = event_on_sale(
    subtitle="A summer evening",
    text="Doors open an hour before.\nNo cameras.",
    artist="The Summer Band",
    venue_address="1 Hall Street, Vienna",
    starts_at="2030-06-01T18:00:00.000Z",
    time_zone="Europe/Vienna",
    seller_name="Tides GmbH",
    tiers=[
        Tier(id="a", name="A", color="#369", price_minor=5_000),
        Tier(id="b", name="B", color="#369", price_minor=12_345),
    ],
    fees=Fees(order_minor=300, ticket_minor=100),
)


class Read(HTMLParser):
    """A page's tags with their attributes, its title, its data and its comments."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.comments: list[str] = []
        self.inside: dict[str, str] = {}
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags:
            tag, found = self.tags[-1]
            key = found.get("type") or tag
            self.inside[key] = self.inside.get(key, "") + data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    @property
    def meta(self) -> dict[str, str | None]:
        named = [found for tag, found in self.tags if tag == "meta" and "content" in found]
        return {str(one.get("property") or one.get("name")): one["content"] for one in named}

    @property
    def data(self) -> dict[str, object]:
        read: dict[str, object] = json.loads(self.inside["application/ld+json"])
        return read


def read(**changes: object) -> Read:
    return Read(event_page(TEMPLATE, replace(SALE, **changes), SITE))


def test_a_preview_has_title_description_and_picture() -> None:
    page = read()
    assert page.inside["title"].strip() == "The Show – The Hall"
    said = page.meta
    assert said["og:title"] == "The Show – The Hall"
    assert said["description"] == said["og:description"]
    assert said["description"] == (
        "Sat 1 Jun 2030, 20:00 CEST · The Summer Band · The Hall, 1 Hall Street, Vienna."
        " A summer evening. Doors open an hour before. No cameras."
    )
    assert said["og:url"] == f"{SITE}/e/show"
    assert said["og:image"] == f"{SITE}/assets/card.png"
    assert said["twitter:card"] == "summary_large_image"
    assert ("link", {"rel": "canonical", "href": f"{SITE}/e/show"}) in page.tags
    assert "robots" not in said


def test_a_long_description_ends_with_a_word() -> None:
    described = read(text="word " * 100).meta["description"]
    assert described is not None
    assert len(described) <= module.DESCRIPTION_CHARS_MAX
    assert described.endswith("word…")


def test_a_search_engine_reads_the_event() -> None:
    data = read().data
    offers = data.pop("offers")
    assert data == {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "The Show",
        "description": "Doors open an hour before. No cameras.",
        "image": [f"{SITE}/assets/card.png"],
        "url": f"{SITE}/e/show",
        "inLanguage": "en",
        "startDate": "2030-06-01T20:00:00+02:00",
        "eventStatus": "https://schema.org/EventScheduled",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "location": {"@type": "Place", "name": "The Hall", "address": "1 Hall Street, Vienna"},
        "performer": {"@type": "PerformingGroup", "name": "The Summer Band"},
        "organizer": {"@type": "Organization", "name": "Tides GmbH", "url": f"{SITE}/e/show"},
    }
    assert offers == {
        "@type": "AggregateOffer",
        "url": f"{SITE}/e/show",
        "lowPrice": "51.00",
        "highPrice": "124.45",
        "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock",
        "validFrom": SALE.sale_starts_at,
    }


@pytest.mark.parametrize(
    ("changes", "status", "there"),
    [
        ({"state": "paused"}, "EventScheduled", "InStock"),
        ({"state": "soldout"}, "EventScheduled", "SoldOut"),
        ({"state": "closed"}, "EventScheduled", "OutOfStock"),
        ({"cancelled_at": "2030-01-01T00:00:00.000Z"}, "EventCancelled", "OutOfStock"),
    ],
)
def test_it_reads_what_becomes_of_it(changes: dict[str, str], status: str, there: str) -> None:
    data = read(**changes).data
    assert data["eventStatus"] == f"https://schema.org/{status}"
    assert data["offers"]["availability"] == f"https://schema.org/{there}"  # type: ignore[index]


def test_it_is_in_the_events_language() -> None:
    page = read(language="de")
    assert page.meta["og:locale"] == "de_DE"
    assert page.data["inLanguage"] == "de"
    assert str(page.meta["description"]).startswith("Sa., 1. Juni 2030, 20:00 Uhr (MESZ)")
    assert set(module._LOCALES) == set(LANGUAGES)


def test_it_reads_that_the_date_has_changed() -> None:
    before = LastChange(
        number=2,
        at="",
        name="The Show",
        venue_name="The Hall",
        starts_at="2030-05-01T18:00:00.000Z",
    )
    data = read(last_change=before).data
    assert data["eventStatus"] == "https://schema.org/EventRescheduled"
    assert data["previousStartDate"] == "2030-05-01T18:00:00+00:00"


@pytest.mark.parametrize(("currency", "low"), [("JPY", "5100"), ("KWD", "5.100")])
def test_prices_have_the_decimals_of_their_currency(currency: str, low: str) -> None:
    assert read(currency=currency).data["offers"]["lowPrice"] == low  # type: ignore[index]


def test_an_event_without_a_date_has_no_data_of_an_event() -> None:
    assert "application/ld+json" not in read(starts_at="").inside


@pytest.mark.parametrize("changes", [{"state": "draft"}, {"hidden": True}])
def test_a_draft_and_a_hidden_event_tell_nothing_and_are_left_out(
    changes: dict[str, object],
) -> None:
    page, general = read(**changes), Read(PAGE)
    assert page.meta["robots"] == "noindex"
    assert page.inside["title"].strip() == "Fairgate tickets"
    assert [one for one in page.tags if one[1].get("name") != "robots"] == general.tags


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("field", ["name", "text", "venue_name", "seller_name", "artist"])
def test_no_text_of_an_organiser_breaks_out(field: str, text: str) -> None:
    assert broken_by(field, text) == []


def broken_by(field: str, text: str) -> list[str]:
    """What a hostile text changes in the page besides texts."""
    harmless, attacked = read(**{field: "x"}), read(**{field: text})
    shape = [(tag, sorted(found)) for tag, found in harmless.tags]
    broken = []
    if [(tag, sorted(found)) for tag, found in attacked.tags] != shape:
        broken.append("tags")
    if attacked.comments != harmless.comments:
        broken.append("comments")
    try:
        said = json.dumps(attacked.data, ensure_ascii=False)
    except (KeyError, ValueError):
        return [*broken, "data"]
    line = " ".join(text.split()) if field == "text" else text
    return broken if json.dumps(line, ensure_ascii=False)[1:-1] in said else [*broken, "data"]


@pytest.mark.parametrize(("name", "without"), [("_IN_SCRIPT", {}), ("escape", lambda text: text)])
def test_the_attack_is_noticed_where_a_text_is_not_escaped(
    monkeypatch: pytest.MonkeyPatch, name: str, without: object
) -> None:
    monkeypatch.setattr(module, name, without)
    assert any(broken_by("name", text) for text in HOSTILE)


def test_a_page_of_a_release_without_previews_is_refused() -> None:
    with pytest.raises(ValueError, match="no part that is for previews"):
        Template.parse(PAGE.replace(b"<!-- preview -->", b""))
