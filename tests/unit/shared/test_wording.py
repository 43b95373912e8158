"""Every language has the same texts, in the forms and with the names of CLDR."""

from __future__ import annotations

from string import Formatter

import pytest
from babel import Locale
from babel.dates import get_month_names

from fairgate.domain.shared.language import LANGUAGES, RIGHT_TO_LEFT, Language, plural
from fairgate.domain.shared.printable import unprintable
from fairgate.domain.shared.wording import FILES, wording
from fairgate.domain.tickets.ticket import TICKETS_MAX

COUNTS = range(1, TICKETS_MAX + 1)
FORMS = {"zero", "one", "two", "few", "many", "other"}


def shape(language: Language) -> dict[str, set[str]]:
    """Return the values of each text, its forms for numbers taken together."""
    shapes: dict[str, set[str]] = {}
    for key, text in wording(language).texts.items():
        stem, _, form = key.rpartition(".")
        values = {name for _, name, _, _ in Formatter().parse(text) if name}
        name = f"{stem}.*" if form in FORMS else key
        shapes[name] = shapes.get(name, set()) | values
    return shapes


def test_every_language_has_every_text_with_the_same_values() -> None:
    assert {path.stem for path in FILES.iterdir()} == set(LANGUAGES)
    for language in LANGUAGES:
        assert shape(language) | {"points": set()} == shape("en"), language
        assert all(text or key == "zones" for key, text in wording(language).texts.items())
        assert len(wording(language)("points")) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_counted_text_has_the_forms_of_cldr(language: Language) -> None:
    form_of = Locale(language).plural_form
    assert [plural(language, count) for count in range(1_000_000)[::37]] == [
        form_of(count) for count in range(1_000_000)[::37]
    ]
    assert [plural(language, count) for count in COUNTS] == [form_of(count) for count in COUNTS]
    assert plural(language, 0) == form_of(0)
    counted = {name.removesuffix(".*") for name in shape(language) if name.endswith(".*")}
    needed = {f"{stem}.{form_of(count)}" for stem in counted for count in COUNTS}
    present = {key for key in wording(language).texts if key.rpartition(".")[2] in FORMS}
    assert present == needed


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_days_and_months_are_those_of_cldr(language: Language) -> None:
    locale, words = Locale(language), wording(language)
    months = get_month_names("wide", locale=locale)
    shown = [months[number].removesuffix("月") for number in range(1, 13)]
    assert words("months").split() == shown
    days = [locale.days["format"]["abbreviated"][day] for day in range(7)]
    assert [day.rstrip(".") for day in words("days").split()] == [day.rstrip(".") for day in days]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fonts_have_every_letter(language: Language) -> None:
    for text in wording(language).texts.values():
        assert unprintable(text) == ""


def test_the_languages_from_the_right_are_those_of_cldr() -> None:
    assert {one for one in LANGUAGES if Locale(one).text_direction == "rtl"} == RIGHT_TO_LEFT


def test_only_the_asked_language_is_read() -> None:
    wording.cache_clear()
    wording("pl")
    assert wording.cache_info().currsize == 1
