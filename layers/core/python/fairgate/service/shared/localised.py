"""Say an event in a reader's language, as far as its organiser has said it in that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.catalog.event_facts import TIERS, TRANSLATED

if TYPE_CHECKING:
    from fairgate.service.shared.records.catalog import Event


def localised(event: Event, language: str) -> Event:
    """Return the event with its texts and names of tiers in this language, else in its own.

    ``edge/web/assets/js/localised.js`` does the same. Places and seats keep their names.
    """
    told = {} if language == event.language else event.translations.get(language, {})
    if not told:
        return event
    names = told.get(TIERS, {})
    return replace(
        event,
        **{name: told[name] for name in TRANSLATED if told.get(name)},
        tiers=[replace(tier, name=names.get(tier.id, tier.name)) for tier in event.tiers],
    )
