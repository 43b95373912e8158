"""Fill the availability cache from the table, each section and area on its own."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.errors import DependencyUnavailableError, FairgateError, NotFoundError
from fairgate.service.availability.rebuild_availability import AvailabilityRebuilder, Filled
from fairgate_ops.operate.away import detail_of
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.target import Target

    Fill = Callable[[dict[str, Any]], Filled]

FAILURES_MAX = 10  # then the rest would hardly fare better
NAMED_MAX = 20


@dataclass(frozen=True)
class CachedPlace:
    """A section or an area, as the rebuilder is asked for it."""

    id: str
    kind: str  # section or area
    units: int  # seats, or counters of the area

    def request(self, event: str, *, forget: bool) -> dict[str, Any]:
        request: dict[str, Any] = {"event": event, self.kind: self.id}
        if self.kind == "area":
            request["shards"] = self.units
        return {**request, "forget": True} if forget else request


@dataclass(frozen=True)
class Rebuilt:
    """What was filled, and why not for the others, by their ids.

    ``damaged`` lists, by the ids of places that were filled, the keys of items that were left out.
    """

    done: list[CachedPlace]
    failed: dict[str, str]
    damaged: dict[str, list[str]]


def rebuild_cache(
    event: str,
    places: Sequence[CachedPlace],
    fill: Fill,
    *,
    forget: bool = False,
    at_once: int = 1,
) -> Rebuilt:
    """Fill each place on its own: what fails is named, the rest is done. Again does no harm."""
    done: list[CachedPlace] = []
    failed: dict[str, str] = {}
    damaged: dict[str, list[str]] = {}

    def work(place: CachedPlace) -> int:
        if len(failed) < FAILURES_MAX:
            try:
                filled = fill(place.request(event, forget=forget))
                done.append(place)
                if filled.damaged:
                    damaged[place.id] = filled.damaged
            except FairgateError as error:
                failed[place.id] = detail_of(error)
            except Exception as error:  # noqa: BLE001 it is named, and no other place's fault
                failed[place.id] = repr(error)
        return place.units

    units = sum(place.units for place in places)
    with (
        progress("Filling the cache", units) as step,
        ThreadPoolExecutor(at_once, thread_name_prefix="rebuild") as pool,
    ):
        for future in as_completed([pool.submit(work, place) for place in places]):
            step(future.result())
    return Rebuilt(sorted(done, key=list(places).index), failed, damaged)


def filler(target: Target) -> Fill:
    """Fill here, beside the cache; in AWS by the function that stands beside it."""
    if target.rebuilder is None:
        return AvailabilityRebuilder(target.world.cache, target.world.table).asked
    function, client = target.rebuilder, target.functions()

    def invoke(request: dict[str, Any]) -> Filled:
        answer = client.invoke(FunctionName=function, Payload=json.dumps({"rebuild": request}))
        outcome = json.loads(answer["Payload"].read())
        if "FunctionError" in answer:
            why = outcome.get("errorMessage", "") if isinstance(outcome, dict) else ""
            raise DependencyUnavailableError(f"{function} failed: {why} Its log group says more.")
        if "error" in outcome:
            raise DependencyUnavailableError(outcome["error"]["detail"])
        return Filled(int(outcome["filled"]), list(outcome.get("damaged", ())))

    return invoke


def places_of(event: Event, wanted: Sequence[str] | None) -> list[CachedPlace]:
    """The event's sections and areas, or those that are wanted. Raises NotFoundError."""
    sections = [CachedPlace(s.id, "section", s.seats) for s in event.sections]
    areas = [CachedPlace(name, "area", area.shards) for name, area in event.areas.items()]
    places = [*sections, *areas]
    known = {place.id for place in places}
    unknown = [name for name in wanted or () if name not in known]
    if unknown:
        some = ", ".join(sorted(known)[:NAMED_MAX])
        raise NotFoundError(f"There is no {', '.join(unknown)} here; there is {some}.")
    return [place for place in places if not wanted or place.id in wanted]
