"""``fairgate event create``: make an event from its seating chart, as a draft or published."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.event_facts import FACTS
from fairgate_ops.operate.cli.command import Verbs, at_target, moment_s
from fairgate_ops.operate.cli.event_options import (
    CURRENCY,
    FROM,
    FromFile,
    add_options,
    must_be_once,
    rates_of,
)
from fairgate_ops.operate.cli.money import in_minor_units

if TYPE_CHECKING:
    from fairgate.domain.seating.venue import Venue
    from fairgate.service.catalog.create_event import CreatedEvent
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.cli.act import Act
    from fairgate_ops.operate.cli.report import Report, Spoken
    from fairgate_ops.operate.importers.assembly import Reading
    from fairgate_ops.operate.target import Target

YEARS_AHEAD_MAX = 10
CHART_CHARS_MAX = 255


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add("create", "Create an event from a seating chart, as a draft.", run_create)
    verb.add_argument("--from", dest="source", action=FromFile, metavar="FILE", help=FROM)
    add_options(verb)


def run_create(options: argparse.Namespace) -> Spoken:
    if options.source is not None:
        from fairgate_ops.operate.cli.event_file import fill

        fill(options)
    return _run_create(options)


@at_target
def _run_create(options: argparse.Namespace, target: Target) -> Act[CreatedEvent]:
    from fairgate_ops.operate.cli.stage_brand import take_brand
    from fairgate_ops.operate.cli.typed_names import placed
    from fairgate_ops.operate.importers.assembly import Reading
    from fairgate_ops.operate.importers.detect import import_chart

    how = Reading()
    with placed(options, "--venue"):
        venue = import_chart(options.venue, how)
    take_brand(options, target, how)
    return creation(options, target, venue, how)


def creation(
    options: argparse.Namespace, target: Target, venue: Venue, how: Reading
) -> Act[CreatedEvent]:
    """Return the act that creates the event with this chart."""
    from fairgate.domain.catalog.sale_terms import SaleTerms
    from fairgate.domain.shared.times import rfc3339
    from fairgate.service.catalog.create_event import GateRules
    from fairgate.service.catalog.event_request import NewEvent
    from fairgate.service.catalog.event_rows import units_to_write
    from fairgate_ops.operate.cli.act import Act
    from fairgate_ops.operate.cli.brand_files import keep_files, take_files
    from fairgate_ops.operate.cli.typed_names import named_as_typed, placed
    from fairgate_ops.operate.cli.venues import note_lines
    from fairgate_ops.shared.progress import progress

    take_files(options, target)
    currency = options.currency or CURRENCY
    in_minor_units(options, currency)
    for name in ("price", "vat"):
        must_be_once(name, getattr(options, name))
    prices = dict(options.price or [])
    if options.price_all is not None:
        prices = {tier.id: options.price_all for tier in venue.tiers} | prices
    with placed(options, "--sale-starts-at"):
        sale_start_s = _sale_start_s(options, target.world.clock.now_ms())
    request = NewEvent(
        event=options.event,
        sale_starts_at=rfc3339(sale_start_s * 1000),
        currency=currency,
        prices_minor=prices,
        draw_commitment="",  # made with the draw key
        **rates_of(options, [tier.id for tier in venue.tiers]),
        hidden=getattr(options, "hidden", False),
        after_start=options.after_start,
        chart=_chart_name(options),
        **_given(options, SaleTerms),
    )
    backoff = dict(zip(("backoff_min_s", "backoff_max_s"), options.backoff_s or (), strict=False))
    rules = GateRules(**_given(options, GateRules) | backoff | {"sale_start_s": sale_start_s})

    def create(*, dry_run: bool) -> CreatedEvent:
        if not dry_run:
            keep_files(options, target)
        with named_as_typed(options), progress("Writing seats", units_to_write(venue)) as step:
            creator = target.creator(dry_run=dry_run, written=step)
            return creator.create(
                request,
                venue,
                rules,
                control=options.control or "manual",
                draft=not options.publish,
            )

    def report(created: CreatedEvent) -> Report:
        made = _report(options, target, venue, created)
        return made._replace(
            data=made.data | {"notes": how.notes}, lines=[*made.lines, *note_lines(how)]
        )

    return Act(
        do=lambda: create(dry_run=False),
        would=lambda: report(create(dry_run=True)),
        report=report,
    )


def _chart_name(options: argparse.Namespace) -> str:
    """Return the chart's file as the event's file names it; no folder of this machine is kept."""
    named: str = getattr(options, "chart", None) or options.venue
    path = Path(named)
    kept = (path.name if path.is_absolute() else named)[-CHART_CHARS_MAX:]
    return kept.encode("utf-8", "replace").decode()  # a file's name may be no text


def _given(options: argparse.Namespace, record: type[Any]) -> dict[str, Any]:
    """Those of the record's fields that were typed; the rest is as the record says."""
    from msgspec import structs

    typed = dict(vars(options))
    for one in FACTS:
        if one.fact.absent and typed.get(one.name) == one.fact.absent:
            typed[one.name] = ""
    return {
        field.name: typed[field.name] for field in structs.fields(record) if field.name in typed
    }


def _report(
    options: argparse.Namespace, target: Target, venue: Venue, created: CreatedEvent
) -> Report:
    from msgspec import structs, to_builtins

    from fairgate.domain.shared.times import epoch_ms, rfc3339
    from fairgate.service.catalog.event_record import event_record
    from fairgate.service.gate.control_gate import redacted
    from fairgate_ops.operate.cli.event_page import condition_lines, page, places
    from fairgate_ops.operate.cli.gate_report import tau_text
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.cli.times import shown

    event, gate = created.request.event, created.gate
    committed = created.completes or not options.dry_run
    data: dict[str, Any] = {
        "event": event,
        "dry_run": options.dry_run,
        "seats": venue.seat_count(),
        "area_places": sum(area.capacity for area in venue.areas),
        "draw_commitment": created.request.draw_commitment if committed else None,
        "sale_starts_at": rfc3339(gate.sale_start_s * 1000),
        "gate": redacted(gate),
        "completes": created.completes,
        "removed": created.removed,
    }
    before = _before_lines(created)
    if options.dry_run:
        asked = created.request
        sale = event_record(asked, venue, "", "")
        if not committed:
            asked = structs.replace(asked, draw_commitment="")
            later = "is made with the event, not in a dry run"
            sale = structs.replace(sale, draw_commitment=later)
        now_s = target.world.clock.now_ms() / 1000
        lines = [f"{event} can be created:"]
        lines += [*before, *page(sale, gate, now_s, options), *_load_lines(target, sale)]
        return Report(data | {"request": to_builtins(asked)}, lines)
    draft, shown_where = "", [f"Page: {target.world.settings.public_url}/e/{event}"]
    if gate.state == "draft":
        draft = " as a draft"
        shown_where = [f"Buyers do not see it: `fairgate event publish {event}` shows it to them."]
    made = event_record(created.request, venue, "", "")
    starts_ms = epoch_ms(made.starts_at) if made.starts_at else 0
    return Report(
        data | {"layout": created.layout},
        [
            f"{event} is created{draft}: {places(data['seats'], data['area_places'])}.",
            *before,
            *(
                [f"The performance starts at {shown(starts_ms // 1000, options)}."]
                if starts_ms
                else []
            ),
            f"The sale starts at {shown(gate.sale_start_s, options)}.",
            f"Pace: {tau_text(gate.epochs[-1].slope)}.",
            *condition_lines(made, options),
            *_load_lines(target, made),
            f"Commitment of the draw: {data['draw_commitment']}",
            *shown_where,
        ],
    )


def _before_lines(created: CreatedEvent) -> list[str]:
    """Say what there was of this id before."""
    if not created.completes:
        return []
    lines = ["A draft of this id was deleted. This event has its draw, and its log goes on."]
    if created.broke_off:
        lines = [
            "A creation of this id was interrupted, or runs in another shell and is refused now.",
            "This completes it, with the same draw.",
        ]
    if created.removed:
        lines.append(f"{created.removed:,} seats and counters of the chart before are removed.")
    return lines


def _sale_start_s(options: argparse.Namespace, now_ms: int) -> int:
    """Raises MalformedInputError for a sale start in the past: everyone would be in at once."""
    from fairgate.errors import MalformedInputError
    from fairgate_ops.operate.cli.times import shown

    now_s = now_ms / 1000
    sale_start_s = math.ceil(now_s + float(options.sale_starts_in or 0))
    if options.sale_starts_at is not None:
        sale_start_s = moment_s(options.sale_starts_at, options)
    if sale_start_s < now_s:
        raise MalformedInputError(
            f"The sale would have started at {shown(sale_start_s, options)}, and it is"
            f" {shown(math.floor(now_s), options)}. Give a time to come."
        )
    if sale_start_s > now_s + YEARS_AHEAD_MAX * 365 * 86_400:
        raise MalformedInputError(
            f"The sale would start at {shown(sale_start_s, options)}, in more than"
            f" {YEARS_AHEAD_MAX} years. Look at the year."
        )
    return sale_start_s


def _load_lines(target: Target, sale: Event) -> list[str]:
    """Say what the stage carries of it; nothing where the deployment does not say its limits."""
    from fairgate_ops.operate.stage_load import stage_load

    if target.limits is None:
        return []
    load = stage_load(target.limits, sale.live_max, sale.session_mean_s or sale.session_s)
    return [load.text, *([load.advice] if load.advice else [])]
