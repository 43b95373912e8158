"""``fairgate cache …``: fill the availability cache from the table."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.errors import DependencyUnavailableError, FairgateError, NotFoundError
from fairgate_ops.operate.cli.report import LISTED_MAX, Report
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from fairgate_ops.operate.target import Target

FAILURES_MAX = 10  # then the rest would hardly fare better


@dataclass(frozen=True)
class Place:
    """A section or an area, as the rebuilder is asked for it."""

    id: str
    kind: str  # section or area
    units: int  # seats, or counters of the area

    def request(self, event: str, *, forget: bool) -> dict[str, Any]:
        asked: dict[str, Any] = {"event": event, self.kind: self.id}
        if self.kind == "area":
            asked["shards"] = self.units
        return {**asked, "forget": True} if forget else asked


def run_rebuild(options: argparse.Namespace, target: Target) -> Report:
    """Each place on its own: what fails is named, the rest is done. Again does no harm."""
    event, started_s = options.event, time.monotonic()
    places = _chosen(_places(target.world.catalog.event(event)), options.place)
    data: dict[str, Any] = {"event": event, **_counts(places)}
    if options.dry_run:
        text = f"Dry run, nothing filled. {event}: {_text(places)}."
        return Report({**data, "dry_run": True}, [text])
    done, failed = _rebuild(options, places, _worker(target))
    took_s = time.monotonic() - started_s
    data |= {"seconds": round(took_s, 2), "failed": failed, **_counts(done), "dry_run": False}
    lines = [f"{event}: {_text(done)} filled in {took_s:.1f} s."]
    if failed:
        lines += [f"  {place}: {why}" for place, why in list(failed.items())[:LISTED_MAX]]
        left = len(places) - len(done)
        lines.append(f"{left} of {len(places)} are left as they were. Run it again.")
    return Report(data, lines, failed=bool(failed))


def _rebuild(
    options: argparse.Namespace, places: Sequence[Place], fill: Callable[[dict[str, Any]], int]
) -> tuple[list[Place], dict[str, str]]:
    """What was filled, and why not for the others."""
    done: list[Place] = []
    failed: dict[str, str] = {}

    def work(place: Place) -> int:
        if len(failed) < FAILURES_MAX:
            try:
                fill(place.request(options.event, forget=options.forget))
                done.append(place)
            except FairgateError as error:
                failed[place.id] = error.detail
        return place.units

    units = sum(place.units for place in places)
    with (
        progress("Filling the cache", units) as step,
        ThreadPoolExecutor(options.at_once, thread_name_prefix="rebuild") as pool,
    ):
        for future in as_completed([pool.submit(work, place) for place in places]):
            step(future.result())
    return sorted(done, key=places.index), failed


def _worker(target: Target) -> Callable[[dict[str, Any]], int]:
    """Here, beside the cache; in AWS by the function that stands beside it."""
    if target.rebuilder is None:
        from fairgate.service.availability.rebuild_availability import AvailabilityRebuilder

        return AvailabilityRebuilder(target.world.cache, target.world.table).asked
    function, client = target.rebuilder, target.functions()

    def invoke(request: dict[str, Any]) -> int:
        answer = client.invoke(FunctionName=function, Payload=json.dumps({"rebuild": request}))
        said = json.loads(answer["Payload"].read())
        if "FunctionError" in answer:
            why = said.get("errorMessage", "") if isinstance(said, dict) else ""
            raise DependencyUnavailableError(f"{function} failed: {why} Its log group says more.")
        if "error" in said:
            raise DependencyUnavailableError(said["error"]["detail"])
        return int(said["filled"])

    return invoke


def _places(item: dict[str, Any]) -> list[Place]:
    sections = [Place(s["id"], "section", int(s["seats"])) for s in item["sections"]]
    areas = [Place(name, "area", int(area["shards"])) for name, area in item["areas"].items()]
    return [*sections, *areas]


def _chosen(places: list[Place], wanted: list[str] | None) -> list[Place]:
    known = {place.id for place in places}
    unknown = [name for name in wanted or () if name not in known]
    if unknown:
        some = ", ".join(sorted(known)[:LISTED_MAX])
        raise NotFoundError(f"There is no {', '.join(unknown)} here; there is {some}.")
    return [place for place in places if not wanted or place.id in wanted]


def _counts(places: Sequence[Place]) -> dict[str, int]:
    sections = [place for place in places if place.kind == "section"]
    return {
        "sections": len(sections),
        "seats": sum(place.units for place in sections),
        "areas": len(places) - len(sections),
    }


def _text(places: Sequence[Place]) -> str:
    counts = _counts(places)
    areas = f" and {counts['areas']} areas" if counts["areas"] else ""
    return f"{counts['sections']:,} sections with {counts['seats']:,} seats{areas}"
