"""Check what an organiser says of an event in more languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fairgate.domain.catalog.event_facts import FACTS, NAME_CHARS_MAX, TIERS, TRANSLATED
from fairgate.domain.shared.language import DEFAULT, LANGUAGES
from fairgate.service.catalog.text_checks import lines_problem, text_problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

BYTES_MAX = 40_000  # the event's item is read all the time, and may have 400 kB
FIELD = "translations"
_FACTS = {one.name: one.fact for one in FACTS if one.name in TRANSLATED}
_TABLE = 'must be a table, like {"de": {"name": "…"}}'


def translation_problems(translations: object) -> list[tuple[str, str]]:
    """Return what is wrong with the texts, each with its place, like ``translations.de.name``."""
    if not isinstance(translations, Mapping):
        return [(FIELD, _TABLE)]
    problems = [one for told in translations.items() for one in _language_problems(*told)]
    size = len(json.dumps(translations, ensure_ascii=False, default=str).encode())
    if size > BYTES_MAX:
        problems.append((FIELD, f"have {size:,} bytes, at most {BYTES_MAX:,}"))
    return problems


def own_language_problems(facts: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return whether texts are given in the event's own language, where nobody would read them."""
    own, translations = facts.get("language") or DEFAULT, facts.get(FIELD)
    if not isinstance(translations, Mapping) or own not in translations:
        return []
    what = "is the language of the event's own texts: if those are in another, set language to it"
    return [(f"{FIELD}.{own}", what)]


def tier_name_problems(
    facts: Mapping[str, object], tiers: Collection[str]
) -> list[tuple[str, str]]:
    """Return which translated names are of no tier of the event."""
    translations = facts.get(FIELD)
    if not isinstance(translations, Mapping):
        return []
    return [
        (f"{FIELD}.{language}.{TIERS}.{tier}", "is no tier of the venue")
        for language, told in translations.items()
        for tier in (told.get(TIERS) or () if isinstance(told, Mapping) else ())
        if tier not in tiers
    ]


def _language_problems(language: str, told: object) -> Iterator[tuple[str, str]]:
    where = f"{FIELD}.{language}"
    if language not in LANGUAGES:
        yield where, f"must be one of {', '.join(LANGUAGES)}"
    elif not isinstance(told, Mapping):
        yield where, _TABLE
    else:
        for name, text in told.items():
            for what in _problems(name, text):
                yield f"{where}.{name}", what


def _problems(name: str, text: object) -> Iterator[str]:
    """Yield what is wrong with one translated fact, or with names of tiers."""
    if name == TIERS:
        if not isinstance(text, Mapping):
            yield "must be a table of names by tiers"
            return
        for tier, named in text.items():
            for _where, what in text_problem({"": named}, "", NAME_CHARS_MAX):
                yield f"{tier}: {what}"
        return
    fact = _FACTS.get(name)
    if fact is None:
        yield f"is not translated: {', '.join((*TRANSLATED, TIERS))} are"
        return
    check = lines_problem if fact.kind == "lines" and isinstance(text, str) else text_problem
    yield from (what for _where, what in check({"": text}, "", fact.chars_max))
