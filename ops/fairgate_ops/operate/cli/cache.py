"""``fairgate cache …``: fill the availability cache from the table."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import partial

from fairgate.errors import DependencyUnavailableError
from fairgate_ops.operate.cli.act import Act, every_log
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import LISTED_MAX, Report, count_text
from fairgate_ops.operate.rebuild_cache import (
    CachedPlace,
    Rebuilt,
    filler,
    places_of,
    rebuild_cache,
)
from fairgate_ops.operate.target import Target


@at_target
def run_rebuild(options: argparse.Namespace, target: Target) -> Act[Rebuilt]:
    event, started_s = options.event, time.monotonic()
    places = places_of(target.world.catalog.event(event), options.place)
    logged = _has_log(target, event)

    def report(rebuilt: Rebuilt) -> Report:
        took_s = time.monotonic() - started_s
        done, failed = rebuilt.done, rebuilt.failed
        data = {"event": event, **_counts(done), "seconds": round(took_s, 2), "failed": failed}
        lines = [f"{event}: {_text(done)} filled in {took_s:.1f} s."]
        if not logged:
            lines.append("Its gate cannot be read, and with it the log's key: no log has it.")
        if failed:
            lines += [f"  {place}: {why}" for place, why in list(failed.items())[:LISTED_MAX]]
            left = len(places) - len(done)
            lines.append(f"{left} of {len(places)} are left as they were. Run it again.")
        lines += [
            f"  {place}: {', '.join(keys[:LISTED_MAX])}: damaged, and shown as not available."
            for place, keys in list(rebuilt.damaged.items())[:LISTED_MAX]
        ]
        bad = bool(failed or rebuilt.damaged)
        return Report(data | {"damaged": rebuilt.damaged}, lines, failed=bad)

    fill = partial(rebuild_cache, event, places, filler(target))
    return Act(
        name="cache rebuild",
        events=[event] if logged else [],
        detail={"place": options.place, "forget": options.forget or None},
        do=partial(fill, forget=options.forget, at_once=options.at_once),
        would=lambda: Report({"event": event, **_counts(places)}, [f"{event}: {_text(places)}."]),
        report=report,
        not_done=_not_done,
    )


def _has_log(target: Target, event: str) -> bool:
    """Say whether the event's log can be written; a map must be filled also where it cannot."""
    try:
        return bool(every_log(target, [event]))
    except DependencyUnavailableError:
        return False


def _not_done(rebuilt: Rebuilt) -> dict[str, str]:
    return dict(list(rebuilt.failed.items())[:LISTED_MAX])


def _counts(places: Sequence[CachedPlace]) -> dict[str, int]:
    sections = [place for place in places if place.kind == "section"]
    return {
        "sections": len(sections),
        "seats": sum(place.units for place in sections),
        "areas": len(places) - len(sections),
    }


def _text(places: Sequence[CachedPlace]) -> str:
    counts = _counts(places)
    areas = f" and {count_text(counts['areas'], 'area')}" if counts["areas"] else ""
    return f"{counts['sections']:,} sections with {counts['seats']:,} seats{areas}"
