"""The brand of a stage: what its events tell of seller and look where their organiser says nothing.

It is TOML with the options of ``event create`` as names. An event takes it when it is created, and
keeps what it has taken.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.errors import MalformedInputError
from fairgate.service.catalog.fact_checks import SELLER, fact_problems, tidy

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

BYTES_MAX = 4_096  # Source: Systems Manager, "Parameter tiers": of a standard parameter
# What belongs together: with one of the event's own, none of the stage's others is right.
_OF_SELLER = (
    *SELLER,
    *("contact_mail", "contact_phone", "imprint_url", "terms_url", "privacy_url", "logo"),
)
_COLORS = ("color_1", "color_2")
_OPTIONS = {
    one.option.removeprefix("--"): one.name
    for one in FACTS
    if one.name in (*_OF_SELLER, *_COLORS, "font")
}


def read_brand(text: str) -> dict[str, str]:
    """Return the facts by their names. Raises MalformedInputError with all that is wrong."""
    if len(text.encode()) > BYTES_MAX:
        raise MalformedInputError(f"The stage's brand has more than {BYTES_MAX:,} bytes.")
    try:
        document = tomllib.loads(text.removeprefix("\ufeff"))  # as some editors begin a file
    except (ValueError, RecursionError) as error:
        raise MalformedInputError(f"The stage's brand is not TOML: {error}.") from error
    wrong = [
        f"{name} is none of {', '.join(_OPTIONS)}" for name in document if name not in _OPTIONS
    ]
    wrong += [
        f"{name} must be a text in quotes"
        for name, value in document.items()
        if not isinstance(value, str)
    ]
    if not wrong:
        facts = tidy({_OPTIONS[name]: value for name, value in document.items()})
        typed = {fact: name for name, fact in _OPTIONS.items()}
        wrong = [f"{typed.get(name, name)} {what}" for name, what in fact_problems(facts, "", "")]
    if wrong:
        raise MalformedInputError(f"The stage's brand cannot be used: {'; '.join(wrong)}.")
    return {name: str(value) for name, value in facts.items()}


def taken_of(brand: Mapping[str, str], given: Collection[str]) -> dict[str, str]:
    """Return what an event takes of the stage's brand.

    Args:
        given: the facts that its organiser has said, also as nothing.
    """
    out = set(given)
    for group in (_OF_SELLER, _COLORS):
        if out & (SELLER if group is _OF_SELLER else set(group)):
            out |= set(group)
    return {name: value for name, value in brand.items() if name not in out}
