"""Check the facts of an event, such as its times, its texts and its seller."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fairgate.domain.catalog.brand import COLOR, FONTS
from fairgate.domain.catalog.brand_files import kept_at
from fairgate.domain.catalog.eligibility import memberships_of
from fairgate.domain.catalog.event_facts import FACTS, Fact
from fairgate.domain.shared.account import MEMBERSHIP, MEMBERSHIPS_MAX
from fairgate.domain.shared.labels import trimmed
from fairgate.domain.shared.language import LANGUAGES
from fairgate.domain.shared.mail_address import why_unsendable
from fairgate.domain.shared.reading import Problems, Reader
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.service.catalog.text_checks import lines_problem, text_problem
from fairgate.service.catalog.translation_checks import translation_problems
from fairgate.service.shared.start_text import known_zone
from fairgate.service.shared.zoned_times import moment_in, moment_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

# Shown in pages and mails: ASCII without quotes, brackets and space, and no name before the host.
_LINK = re.compile(
    r"https://[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:[0-9]{1,5})?([/?#][!#-;=?-Z_a-z~%]*)?"
)
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")
_NAMED_MAX = 20  # in a refusal
# Checked with what they depend on: the sale start and the prices.
_JUDGED_ALONE = {"starts_at", "cancel_until", "cancel_fee_minor"}
# The order keeps both as they were at checkout.
DEADLINES = ("cancel_until", "transfer_until")
ENDS = ("sale_ends_at", "starts_at")  # the sale ends at the first that is set
SELLER = {"seller_name", "seller_address", "seller_vat_id"}

# A fact, the one that it needs, and why.
_NEEDS = (
    ("address_limit", "ask_address", "needs ask_address: without it nobody types an address"),
    ("color_2", "color_1", "needs color_1, which buttons and links have"),
)


def tidy(facts: Mapping[str, object]) -> dict[str, object]:
    """Return the given facts, of which texts have no space around them or their lines."""
    texts = {
        one.name for one in FACTS if one.fact.kind in ("text", "lines", "mail", "link", "color")
    }
    return {
        name: _trimmed(value) if name in texts or name == "translations" else value
        for name, value in facts.items()
    }


def _trimmed(value: object) -> object:
    """Return a text, or each text of a table, without space around it or its lines."""
    if isinstance(value, dict):
        return {key: _trimmed(one) for key, one in value.items()}
    if not isinstance(value, str):
        return value
    return "\n".join(map(trimmed, trimmed(value).split("\n")))


def fact_problems(
    facts: Mapping[str, object], sale_starts_at: str, zone: str
) -> list[tuple[str, str]]:
    """Return what is wrong with the given facts, each with its field.

    Args:
        facts: by the field's name; "": not given.
        sale_starts_at: RFC 3339; a performance begins after it.
        zone: the event's, for times without an offset.
    """
    given = {name: value for name, value in facts.items() if value != ""}
    problems: list[tuple[str, str]] = []
    for name, fact, _default in FACTS:
        if name not in given:
            continue
        if fact.kind == "text":
            problems += text_problem(given, name, fact.chars_max)
        elif fact.kind in _WRONG:
            wrong = _WRONG[fact.kind](str(given[name]), fact.chars_max)
            problems += [(name, wrong)] if wrong else []
        elif fact.kind == "file" and not kept_at(name, str(given[name])):
            problems.append((name, "must be a file that is kept here"))
        elif fact.kind == "lines":
            problems += lines_problem(given, name, fact.chars_max)
        elif fact.kind == "moment" and name not in _JUDGED_ALONE:
            problems += [(name, what) for what in [moment_problem(str(given[name]), zone)] if what]
        elif fact.kind == "number" and name not in _JUDGED_ALONE:
            problems += _number_problem(given, name, fact)
    if 0 < len(SELLER & given.keys()) < len(SELLER):
        missing = sorted(SELLER - given.keys())
        problems += [(name, "is missing: invoices need all of the seller") for name in missing]
    problems += translation_problems(given.get("translations", {}))
    problems += _members_problems(given)
    problems += [
        (name, why) for name, needed, why in _NEEDS if given.get(name) and not given.get(needed)
    ]
    problems += [
        (name, f"must be after the sale starts, at {sale_starts_at}")
        for name in (*DEADLINES, "sale_ends_at", "members_until")
        if (ms := _ms(given.get(name), zone)) is not None and _starts_after(sale_starts_at, ms)
    ]
    return problems + _start_problems(given, sale_starts_at)


def presale_problems(facts: Mapping[str, object], zone: str) -> list[tuple[str, str]]:
    """Return what is wrong with a presale that does not end before the sale does."""
    until = _ms(facts.get("members_until"), zone)
    ends = next((ms for name in ENDS if (ms := _ms(facts.get(name), zone)) is not None), None)
    if until is None or ends is None or until < ends:
        return []
    return [("members_until", f"must be before the sale ends, at {rfc3339(ends)}")]


def fullest_problems(facts: Mapping[str, object], places: Sequence[str]) -> list[tuple[str, str]]:
    """Return what is wrong with the ids that are marked as fullest, of these ``places``."""
    named = [one.strip() for one in str(facts.get("fullest", "")).split(",")]
    unknown = sorted({*named} - {*places, ""})
    if not unknown:
        return []
    some = ", ".join(places[:_NAMED_MAX]) + (" …" if len(places) > _NAMED_MAX else "")
    return [("fullest", f"the venue has no {', '.join(unknown)}; its sections and areas: {some}")]


def _members_problems(given: Mapping[str, object]) -> list[tuple[str, str]]:
    names = memberships_of(str(given.get("members", "")))
    if not all(map(MEMBERSHIP.fullmatch, names)) or len(names) > MEMBERSHIPS_MAX:
        what = (
            f"must be at most {MEMBERSHIPS_MAX} names of small letters and -, with commas between"
        )
        return [("members", what)]
    if "members_until" in given and not names:
        return [("members_until", "needs memberships that may come in before it")]
    return []


def beyond_start(
    facts: Mapping[str, object], zone: str, names: Iterable[str] = DEADLINES
) -> list[tuple[str, str]]:
    """Return which times to cancel or pass on are after the performance starts, each with a text.

    Args:
        facts: by the field's name.
        names: the times that are looked at.
    """
    start_ms = _ms(facts.get("starts_at"), zone)
    if start_ms is None:
        return []
    what = f"is after the performance starts, at {rfc3339(start_ms)}: --after-start allows it"
    return [(name, what) for name in names if (_ms(facts.get(name), zone) or 0) > start_ms]


def _ms(moment: object, zone: str) -> int | None:
    """Return a typed time in epoch milliseconds; None: there is none, or it is wrong."""
    try:
        return moment_in(str(moment), zone) if moment else None
    except ValueError:
        return None


def _number_problem(given: Mapping[str, object], name: str, fact: Fact) -> list[tuple[str, str]]:
    problems = Problems()
    Reader(given, "", problems).whole(name, fact.least, fact.most)
    return problems.shown


def _mail_problem(address: str, chars_max: int) -> str:
    if len(address) > chars_max:
        return f"must have at most {chars_max} characters"
    return why_unsendable(address)


def _link_problem(url: str, chars_max: int) -> str:
    if _LINK.fullmatch(url) and len(url) <= chars_max:
        return ""
    return f"must be an address like “https://example.org/page”, at most {chars_max} characters"


def _color_problem(color: str, _chars_max: int) -> str:
    return "" if COLOR.fullmatch(color) else "must be a colour like “#0e5560”"


def _font_problem(font: str, _chars_max: int) -> str:
    return "" if font in FONTS else f"must be one of {', '.join(FONTS)}"


def _language_problem(language: str, _chars_max: int) -> str:
    return "" if language in LANGUAGES else f"must be one of {', '.join(LANGUAGES)}"


# What is wrong with such a text, "" where nothing is: the text, and how long it may be.
_WRONG: Mapping[str, Callable[[str, int], str]] = {
    "mail": _mail_problem,
    "link": _link_problem,
    "color": _color_problem,
    "language": _language_problem,
    "font": _font_problem,
}


def _start_problems(given: Mapping[str, object], sale_starts_at: str) -> list[tuple[str, str]]:
    starts_at, zone = str(given.get("starts_at", "")), str(given.get("time_zone", ""))
    problems: list[tuple[str, str]] = []
    if zone and not _is_zone(zone):
        return [("time_zone", "must be a zone's name, like “Europe/Berlin”")]
    try:
        starts_ms = moment_in(starts_at, zone) if starts_at else None
    except ValueError as error:
        return [("starts_at", str(error))]
    if bool(starts_at) != bool(zone):
        problems.append(("time_zone", "goes with starts_at: give both, or neither"))
    if starts_ms is not None and _starts_after(sale_starts_at, starts_ms):
        problems.append(("starts_at", f"must be after the sale starts, at {sale_starts_at}"))
    return problems


def _starts_after(sale_starts_at: str, starts_ms: int) -> bool:
    try:
        return epoch_ms(sale_starts_at) >= starts_ms
    except (ValueError, OverflowError, TypeError):
        return False  # reported by the check of sale_starts_at


def _is_zone(name: str) -> bool:
    return bool(_ZONE.fullmatch(name)) and known_zone(name) is not None
