"""Read the chart of an event back from the layout that was published with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate.domain.seating.layout import OVERVIEW, PICTURE, section_file, split_layout
from fairgate.domain.seating.parse_venue import FORMAT, parse_venue
from fairgate.errors import WrongStateError

if TYPE_CHECKING:
    from fairgate.domain.seating.venue import Venue
    from fairgate.ports.outside import Layouts

_SHOWN_ONLY = ("nearest", "seats", "tiers")  # of a section in the overview


def published_venue(layouts: Layouts, layout: str) -> Venue:
    """Return a venue that makes the same layout.

    Raises:
        NotFoundError, DependencyUnavailableError: a file cannot be read.
        MalformedInputError: this version refuses the chart.
        WrongStateError: it would make another layout.
    """
    overview: dict[str, Any] = json.loads(layouts.read(layout, OVERVIEW))
    sections = []
    for shown in overview["sections"]:
        section = {name: one for name, one in shown.items() if name not in _SHOWN_ONLY}
        file = json.loads(layouts.read(layout, section_file(section["id"])))
        section |= {"blocks": file["blocks"]}
        sections.append({name: one for name, one in section.items() if one is not None})
    if "picture" in overview:
        overview["picture"] |= json.loads(layouts.read(layout, PICTURE))
    venue = parse_venue({"format": FORMAT, **overview, "sections": sections})
    if split_layout(venue).hash != layout:
        raise WrongStateError(
            "The chart that was published is of another version, and cannot be used again."
            " Create the event from the chart's file: `event create --from`."
        )
    return venue
