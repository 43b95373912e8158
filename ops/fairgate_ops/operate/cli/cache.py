"""``fairgate cache …``: fill the availability cache from the table."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.report import LISTED_MAX, Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.operate.rebuild_cache import CachedPlace, Rebuilt
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
    add_reason(again)


def _at_once(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= AT_ONCE_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to {AT_ONCE_MAX}")
    return int(text)


@at_target
def run_rebuild(options: argparse.Namespace, target: Target) -> Report:
    import time

    from fairgate_ops.operate.cli.gate_report import reasoned
    from fairgate_ops.operate.rebuild_cache import filler, places_of, rebuild_cache

    event, started_s = options.event, time.monotonic()
    places = places_of(target.world.catalog.event(event), options.place)
    data: dict[str, Any] = {"event": event, **_counts(places)}
    if options.dry_run:
        text = f"Dry run, nothing filled. {event}: {_text(places)}."
        return Report({**data, "dry_run": True}, [text])
    fill = partial(
        rebuild_cache,
        event,
        places,
        filler(target),
        forget=options.forget,
        at_once=options.at_once,
    )
    logged = _has_log(target, event)
    if logged:
        detail = reasoned(options, place=options.place, forget=options.forget or None)
        rebuilt = target.acts().do(event, "cache rebuild", detail, fill, not_done=_not_done)
    else:
        rebuilt = fill()
    took_s = time.monotonic() - started_s
    done, failed = rebuilt.done, rebuilt.failed
    data |= {"seconds": round(took_s, 2), "failed": failed, "damaged": rebuilt.damaged}
    data |= {**_counts(done), "dry_run": False}
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
    return Report(data, lines, failed=bool(failed or rebuilt.damaged))


def _has_log(target: Target, event: str) -> bool:
    """Say whether the event's log can be written; a map must be filled also where it cannot."""
    from fairgate.errors import DependencyUnavailableError
    from fairgate_ops.operate.cli.every_log import logged_in

    try:
        return bool(logged_in(target, [event]))
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
    areas = f" and {counts['areas']} areas" if counts["areas"] else ""
    return f"{counts['sections']:,} sections with {counts['seats']:,} seats{areas}"
