"""``fairgate cache …``: fill the availability cache from the table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.command import Verbs, at_target
from fairgate_ops.operate.cli.report import LISTED_MAX, Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.operate.rebuild_cache import CachedPlace
    from fairgate_ops.operate.target import Target

AT_ONCE, AT_ONCE_MAX = 4, 32


def add_arguments(group: argparse.ArgumentParser) -> None:
    again = Verbs(group).add(
        "rebuild",
        "Fill the availability cache from the table, while reads and changes go on.",
        run_rebuild,
    )
    again.add_argument("event")
    again.add_argument(
        "--place",
        action="append",
        metavar="ID",
        help="only this section or area; repeat for more (default: all)",
    )
    again.add_argument(
        "--forget",
        action="store_true",
        help="first forget what is cached, even if newer: after the table was restored",
    )
    again.add_argument(
        "--at-once",
        type=_at_once,
        default=AT_ONCE,
        metavar="N",
        help=f"so many sections at a time (default: {AT_ONCE})",
    )


def _at_once(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= AT_ONCE_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to {AT_ONCE_MAX}")
    return int(text)


@at_target
def run_rebuild(options: argparse.Namespace, target: Target) -> Report:
    import time

    from fairgate_ops.operate.rebuild_cache import filler, places_of, rebuild_cache

    event, started_s = options.event, time.monotonic()
    places = places_of(target.world.catalog.event(event), options.place)
    data: dict[str, Any] = {"event": event, **_counts(places)}
    if options.dry_run:
        text = f"Dry run, nothing filled. {event}: {_text(places)}."
        return Report({**data, "dry_run": True}, [text])
    rebuilt = rebuild_cache(
        event, places, filler(target), forget=options.forget, at_once=options.at_once
    )
    took_s = time.monotonic() - started_s
    done, failed = rebuilt.done, rebuilt.failed
    data |= {"seconds": round(took_s, 2), "failed": failed, "damaged": rebuilt.damaged}
    data |= {**_counts(done), "dry_run": False}
    lines = [f"{event}: {_text(done)} filled in {took_s:.1f} s."]
    if failed:
        lines += [f"  {place}: {why}" for place, why in list(failed.items())[:LISTED_MAX]]
        left = len(places) - len(done)
        lines.append(f"{left} of {len(places)} are left as they were. Run it again.")
    lines += [
        f"  {place}: {', '.join(keys[:LISTED_MAX])}: damaged, and shown as not available."
        for place, keys in list(rebuilt.damaged.items())[:LISTED_MAX]
    ]
    return Report(data, lines, failed=bool(failed or rebuilt.damaged))


def _counts(places: Sequence[CachedPlace]) -> dict[str, int]:
    sections = [place for place in places if place.kind == "section"]
    return {
        "sections": len(sections),
        "seats": sum(place.units for place in sections),
        "areas": len(places) - len(sections),
    }


def _text(places: Sequence[CachedPlace]) -> str:
    counts = _counts(places)
    areas = f" and {counts['areas']} areas" if counts["areas"] else ""
    return f"{counts['sections']:,} sections with {counts['seats']:,} seats{areas}"
