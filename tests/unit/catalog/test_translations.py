"""What an organiser says of an event in several languages, and who reads which."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.catalog.event_facts import TRANSLATED
from fairgate.errors import MalformedInputError
from fairgate.http.views.events import event_summary, event_view
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.catalog.translation_checks import BYTES_MAX, translation_problems
from fairgate.service.mails.letters import changed_letter
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.letters import about_event
from fairgate.service.shared.localised import localised
from fairgate.service.shared.records.catalog import Event, LastChange
from fairgate.service.tickets.issue_tickets import faces_of
from fairgate.service.tickets.order_calendar import calendar_entry
from tests.support.world import EVENT, START_MS, World, event_on_sale
from tests.unit.refunds.test_give_back import now, ticketed

SAID = {"de": {"name": "Die Schau", "text": "Einlass um sieben.", "tiers": {"t": "Parkett"}}}
SALE = event_on_sale(
    subtitle="A show", translations=SAID, starts_at="2030-06-01T18:00:00.000Z", time_zone="UTC"
)


def test_a_reader_has_what_is_said_in_their_language_and_else_the_events_own() -> None:
    german = localised(SALE, "de")
    assert (german.name, german.subtitle) == ("Die Schau", "A show")
    assert [tier.name for tier in german.tiers] == ["Parkett"]
    assert german.venue_name == SALE.venue_name
    assert localised(SALE, "fr") is SALE
    assert localised(replace(SALE, language="de"), "de").name == "The Show"


def test_views_have_every_language_and_lists_only_what_they_show() -> None:
    assert event_view(SALE).translations["de"].tiers == {"t": "Parkett"}
    listed = event_summary(SALE).translations["de"]
    assert (listed.name, listed.text, listed.tiers) == ("Die Schau", None, {})
    assert event_summary(event_on_sale()).language == "en"


@pytest.mark.table_in_memory
def test_tickets_mails_and_calendar_are_in_the_buyers_language(world: World) -> None:
    order = replace(now(world, ticketed(world)), language="de")
    event = replace(world.event, translations=SAID, starts_at=SALE.starts_at, time_zone="UTC")
    event = replace(event, tiers=[replace(tier, id="t") for tier in event.tiers])
    units = [replace(unit, tier="t") for unit in order.units]
    face = faces_of(replace(order, units=units), event, world.sign)[0]
    assert (face.event_name, face.tier, face.venue_name) == ("Die Schau", "Parkett", "The Hall")
    assert about_event(order, event).name == "Die Schau"
    entry = calendar_entry(order, event, public_url="", now_ms=START_MS)
    assert entry is not None
    assert entry.name == "Die Schau"
    assert faces_of(replace(order, language="fr"), event, world.sign)[0].event_name == "The Show"


@pytest.mark.table_in_memory
def test_a_translation_is_no_change_of_the_name(world: World) -> None:
    order = replace(now(world, ticketed(world)), language="de")
    before = LastChange(number=2, at="", name=SALE.name, venue_name="The Old Hall")
    letter = changed_letter(order, replace(SALE, last_change=before), 2, "")
    assert letter is not None
    assert letter.before is not None
    assert letter.event.name == letter.before.name == "The Show"


@pytest.mark.parametrize(
    ("translations", "where", "what"),
    [
        ("x", "translations", "must be a table"),
        ({"xx": {}}, "translations.xx", "must be one of en, de"),
        ({"de": "x"}, "translations.de", "must be a table"),
        ({"de": {"venue_name": "x"}}, "translations.de.venue_name", "is not translated"),
        ({"de": {"name": 1}}, "translations.de.name", "text"),
        ({"de": {"name": "x" * 121}}, "translations.de.name", "120"),
        ({"de": {"name": "a\nb"}}, "translations.de.name", "printable"),
        ({"de": {"text": "x" * 2_001}}, "translations.de.text", "2000"),
        ({"de": {"text": 5}}, "translations.de.text", "text"),
        ({"de": {"tiers": "x"}}, "translations.de.tiers", "must be a table"),
        ({"de": {"tiers": {"t": 1}}}, "translations.de.tiers", "t: "),
    ],
)
def test_a_mistake_names_its_place(translations: object, where: str, what: str) -> None:
    ((named, said),) = translation_problems(translations)
    assert named == where
    assert what in said


def test_good_texts_have_no_problem_and_too_many_have_one() -> None:
    told = dict.fromkeys(TRANSLATED, "x") | {"text": "a\nb", "tiers": {"t": "T"}}
    assert translation_problems({"de": told, "ja": told}) == []
    long = {language: {"text": "é" * 2_000, "travel": "é" * 500} for language in ("de", "fr")}
    many = dict.fromkeys(("de", "fr", "es", "it", "nl", "pl", "ja", "ar"), long["de"])
    assert translation_problems(long) == []
    assert [what for _, what in translation_problems(many)] == [
        f"have {len(str(many).encode()):,} bytes, at most {BYTES_MAX:,}"
    ]


@pytest.mark.table_in_memory
def test_an_edit_replaces_them_and_refuses_a_tier_that_is_not_there(world: World) -> None:
    def edit(translations: dict[str, Any]) -> Event | None:
        edit_event(world.table, world.clock, EVENT, {"translations": translations})
        return world.table.find(Event, event_key(EVENT))

    edited = edit({"de": {"name": " Die Schau "}})
    assert edited is not None
    assert edited.translations == {"de": {"name": "Die Schau"}}
    with pytest.raises(MalformedInputError, match=r"translations\.de\.tiers\.nowhere"):
        edit({"de": {"tiers": {"nowhere": "x"}}})
    with pytest.raises(MalformedInputError, match=r"translations\.en is the language of"):
        edit({"en": {"name": "The Show"}})
    with pytest.raises(MalformedInputError, match=r"translations\.de is the language of"):
        edit_event(world.table, world.clock, EVENT, {"language": "de"})
    emptied = edit({})
    assert emptied is not None
    assert emptied.translations == {}
