"""``fairgate seats …``: keep seats from the sale, free them to it, and list them."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import MalformedInputError, NotFoundError
from fairgate.service.house.block_seats import Blocked, SeatBlocker, Terms, block_id
from fairgate.service.house.free_seats import Places, SeatFreer, shares_of
from fairgate.service.house.name_places import Chart, Named, Part
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target, moment_ms
from fairgate_ops.operate.cli.report import LISTED_MAX, Report
from fairgate_ops.operate.cli.times import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate.service.shared.records.house import HouseBlock
    from fairgate_ops.operate.target import Target


@at_target
def run_block(options: argparse.Namespace, target: Target) -> Act[Blocked]:
    event = target.world.catalog.event(options.event)
    wanted = Chart(target.world.layouts, event).places(_named(options, options.seat))
    until = _later(options.until, options, target)
    terms = Terms(options.reason, target.who(), until)
    blocker = SeatBlocker(target.world.table, target.world.clock)

    def would() -> Report:
        found = blocker.would_block(event, wanted, terms)
        seats = [seat for seat in wanted.seats if seat not in found.left]
        areas = {area: n - found.missing.get(area, 0) for area, n in wanted.areas.items()}
        return _blocked(options, found, Places(seats, areas), until)

    def report(done: Blocked) -> Report:
        kept = done.block
        places = Places() if kept is None else Places(kept.seats, kept.places)
        return _blocked(options, done, places, until)

    asked = {"seats": options.seat, "rows": options.row, "sections": options.section}
    asked |= {"areas": dict(wanted.areas), "until": until}
    block = block_id(event.id, terms.reason, wanted)
    return Act(
        name="seats block",
        events=[event.id],
        detail={"block": block, **{name: value for name, value in asked.items() if value}},
        do=lambda: blocker.block(event, wanted, terms),
        would=would,
        report=report,
        not_done=_not_done,
    )


@at_target
def run_free(options: argparse.Namespace, target: Target) -> Act[Mapping[str, Places]]:
    event = target.world.catalog.event(options.event)
    freer = SeatFreer(target.world.table, target.world.clock)
    blocks = [name for name in options.names if name.startswith("blk_")]
    for block in blocks:
        freer.find(event.id, block)
    named = _named(options, [name for name in options.names if name not in blocks])
    if options.at is not None:
        return _free_later(options, target, freer, (blocks, named))
    kept = [block for block in freer.blocks(event.id).records if not block.is_empty]
    if named != Named():
        wanted = Chart(target.world.layouts, event).places(named)
        shares = shares_of(kept, wanted, blocks)
    elif blocks:
        shares = {b.id: Places(b.seats, b.places) for b in kept if b.id in blocks}
    else:
        raise MalformedInputError("Name blocks, seats, rows, sections or places of areas.")
    if not shares:
        raise NotFoundError(f"Nothing of it is blocked: `seats list {event.id}` shows what is.")

    def free() -> Mapping[str, Places]:
        return {block: freer.free(event.id, block, some) for block, some in shares.items()}

    return Act(
        name="seats free",
        events=[event.id],
        detail={"blocks": {block: _counted(some) for block, some in shares.items()}},
        do=free,
        would=lambda: _freed(options, shares),
        report=lambda done: _freed(options, done),
    )


@at_target
def run_list(options: argparse.Namespace, target: Target) -> Report:
    event = target.world.catalog.event(options.event)
    found = SeatFreer(target.world.table, target.world.clock).blocks(event.id)
    blocks = sorted(
        filter(lambda one: not one.is_empty, found.records), key=lambda one: (one.at, one.id)
    )
    chart = Chart(target.world.layouts, event)
    lines = [f"{event.id} has no blocked seats."] if not blocks else []
    for block in blocks:
        places = Places(block.seats, block.places)
        until = _until(block.until, options)
        lines.append(f"{block.id}: {_counted(places)}. {block.reason}; by {block.by}{until}.")
        lines += _rows(chart, block)
    damaged = [key.sk for key in found.damaged]
    lines += [f"{block} is damaged: its item cannot be read." for block in damaged]
    data = {"event": event.id, "blocks": list(map(_as_data, blocks)), "damaged": damaged}
    return Report(data, lines, failed=bool(damaged))


def _free_later(
    options: argparse.Namespace,
    target: Target,
    freer: SeatFreer,
    meant: tuple[Sequence[str], Named],
) -> Act[Any]:
    blocks, named = meant
    if not blocks or named != Named():
        raise MalformedInputError("--at is for whole blocks: name them and nothing else.")
    until = _later(options.at, options, target)

    def report(_done: object) -> Report:
        data = {"event": options.event, "blocks": list(blocks), "until": until}
        return Report(data, [f"{block}{_until(until, options)}." for block in blocks])

    return Act(
        name="seats free",
        events=[options.event],
        detail={"blocks": list(blocks), "at": until},
        do=lambda: [freer.set_until(options.event, block, until) for block in blocks],
        would=lambda: report(None),
        report=report,
    )


def _named(options: argparse.Namespace, seats: Sequence[str]) -> Named:
    areas = [Part(*typed) for typed in options.area]
    return Named(tuple(seats), tuple(options.row), tuple(options.section), tuple(areas))


def _later(text: str | None, options: argparse.Namespace, target: Target) -> str:
    """Read a time that is still to come; "": none was typed. Raises MalformedInputError."""
    if text is None:
        return ""
    at_ms = moment_ms(text, options)
    if at_ms <= target.world.clock.now_ms():
        raise MalformedInputError(f"The time “{text}” is over.")
    return rfc3339(at_ms)


def _blocked(options: argparse.Namespace, found: Blocked, places: Places, until: str) -> Report:
    keeps = f"{found.id} keeps {_counted(places)}{_until(until, options)}."
    lines = [keeps if places.seats or any(places.areas.values()) else "Nothing is blocked."]
    lines += [f"Not blocked: {what}." for what in _not_done(found).values()]
    data = {
        "event": options.event,
        "block": found.id,
        "seats": list(places.seats),
        "areas": dict(places.areas),
        "until": until,
        "left": dict(found.left),
        "missing": dict(found.missing),
    }
    return Report(data, lines, failed=bool(found.left or found.missing))


def _not_done(found: Blocked) -> dict[str, str]:
    """Say what is not blocked, by why."""
    by_why: defaultdict[str, list[str]] = defaultdict(list)
    for seat, why in found.left.items():
        by_why["blocked by another block" if why == "blocked" else why].append(seat)
    told = {}
    for what, seats in by_why.items():
        more = f" and {len(seats) - LISTED_MAX:,} more" if len(seats) > LISTED_MAX else ""
        told[what] = f"{', '.join(seats[:LISTED_MAX])}{more} ({what})"
    for area, short in found.missing.items():
        told[area] = f"{short:,} places of {area} (held, sold or blocked)"
    return told


def _freed(options: argparse.Namespace, shares: Mapping[str, Places]) -> Report:
    blocks = {b: {"seats": list(p.seats), "areas": dict(p.areas)} for b, p in shares.items()}
    lines = [f"For sale again: {_counted(places)} of {block}." for block, places in shares.items()]
    return Report({"event": options.event, "freed": blocks}, lines)


def _counted(places: Places) -> str:
    seats = len(places.seats)
    parts = [f"{seats:,} seat{'' if seats == 1 else 's'}"] if seats else []
    parts += [f"{count:,} places of {area}" for area, count in places.areas.items() if count]
    return " and ".join(parts) or "nothing"


def _until(until: str, options: argparse.Namespace) -> str:
    return f", freed to the sale at {shown(epoch_ms(until) / 1000, options)}" if until else ""


def _rows(chart: Chart, block: HouseBlock) -> Iterator[str]:
    rows = list(chart.rows(block.seats).items())
    for (section, row), numbers in rows[:LISTED_MAX]:
        yield f"  {section}, row {row}: {', '.join(numbers)}"
    if len(rows) > LISTED_MAX:
        yield f"  and {len(rows) - LISTED_MAX:,} more rows"


def _as_data(block: HouseBlock) -> dict[str, Any]:
    return {
        "block": block.id,
        "reason": block.reason,
        "by": block.by,
        "at": block.at,
        "until": block.until,
        "seats": list(block.seats),
        "areas": dict(block.places),
    }
