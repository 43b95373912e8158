"""Look up the sections, tiers and labels of a hold request's units in the layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.errors import NotFoundError
from fairgate.service.holds.hold_seats import over_limit
from fairgate.service.holds.seat_index import seat_index

if TYPE_CHECKING:
    from fairgate.ports.outside import Layouts
    from fairgate.service.catalog.read_catalog import CatalogReader


class ChosenPlaces(Struct, frozen=True):
    units: Sequence[Unit]
    shards: Mapping[str, int]  # area id → number of its counters


def chosen_places(
    layouts: Layouts,
    catalog: CatalogReader,
    credential: Credential,
    *,
    seats: Sequence[str],
    areas: Mapping[str, int],
) -> ChosenPlaces:
    """Look up the places. Raises LimitExceededError; NotFoundError: names unknown places."""
    if len(seats) + sum(areas.values()) > credential.hold_limit:
        raise over_limit(credential.hold_limit, asked=len(seats) + sum(areas.values()))
    index = seat_index(layouts, credential.layout)
    units = index.seats(seats)
    if not areas:
        return ChosenPlaces(units, {})
    known = catalog.event(credential.event).areas
    unknown = [area for area in areas if area not in known]
    if unknown:
        raise NotFoundError("There is no such area.", areas=unknown)
    units += [index.area(area, quantity, shard=0) for area, quantity in areas.items()]
    return ChosenPlaces(units, {area: known[area].shards for area in areas})
