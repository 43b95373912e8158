"""Name the single seats that a hand-picked hold would leave, for events that avoid them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairgate.domain.seating.single_seats import left_alone
from fairgate.domain.seating.status_vector import digits
from fairgate.service.holds.section_search import prepared

if TYPE_CHECKING:
    from fairgate.domain.orders.order import Unit
    from fairgate.domain.shared.credential import Credential
    from fairgate.ports.outside import Layouts
    from fairgate.service.availability.read_availability import AvailabilityReader


def single_seats(
    layouts: Layouts,
    availability: AvailabilityReader,
    credential: Credential,
    units: Sequence[Unit],
) -> list[str]:
    """Name them by the map, which may be a second old: this rule is a wish, not a promise.

    Cost: one call of the cache.
    """
    chosen: dict[str, list[str]] = {}
    for unit in units:
        if unit.kind == "seat":
            chosen.setdefault(unit.section, []).append(unit.place)
    if not chosen:
        return []
    statuses = availability.sections(credential.event, list(chosen))
    return [
        alone
        for section, ids in chosen.items()
        for alone in left_alone(
            prepared(layouts, credential.layout, section, _ANY),
            digits(statuses[section].codes),
            ids,
        )
    ]


_ANY = (0.0, 0.0)  # no distance is asked for
