"""``fairgate event create``: make an event from its seating chart, as a draft or published."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.event_facts import FACTS, declared_terms
from fairgate_ops.operate.cli.command import Verbs, at_target, moment_s
from fairgate_ops.operate.cli.kinds import duration, integer, rate_bp, tau_s, whole_s
from fairgate_ops.operate.cli.money import amount, currency_code, in_minor_units

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from fairgate.domain.catalog.event_facts import Declared
    from fairgate.domain.seating.venue import Venue
    from fairgate.service.catalog.create_event import CreatedEvent
    from fairgate_ops.operate.cli.act import Act
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target

AHEAD_MAX_S = 100_000_000  # three years
YEARS_AHEAD_MAX = 10


def add_arguments(verbs: Verbs) -> None:
    """Options whose default is the record's own are left out unless they are given."""
    verb = verbs.add("create", "Create an event from a seating chart, as a draft.", run_create)
    verb.add_argument("event", help="id: small letters, digits and -, at most 40")
    verb.add_argument(
        "--venue",
        required=True,
        metavar="FILE",
        help="Fairgate venue, seats.io chart or pretix seating plan",
    )
    verb.add_argument("--name", required=True)
    verb.add_argument(
        "--publish", action="store_true", help="at once; else `event publish` does it later"
    )
    verb.add_argument(
        "--price",
        type=tier_price,
        action="append",
        metavar="TIER=AMOUNT",
        help="price of a tier, such as floor=45.00; repeat for each",
    )
    verb.add_argument(
        "--price-all", type=amount, metavar="AMOUNT", help="for tiers without --price"
    )
    add_rates(verb)
    verb.add_argument(
        "--currency", type=currency_code, default="EUR", help="ISO 4217 (default: EUR)"
    )
    when = verb.add_mutually_exclusive_group(required=True)
    start = "sale start, in the event's time zone"
    when.add_argument("--sale-starts-at", metavar="TIME", help=start)
    when.add_argument("--sale-starts-in", type=_ahead_s, metavar="SECONDS")
    _add_gate_rules(verb)
    _add_terms(verb)
    add_facts(verb, creating=True)
    add_after_start(verb)


def add_facts(verb: argparse.ArgumentParser, *, creating: bool) -> None:
    """Add an option for each fact of an event but its name."""
    for one in FACTS:
        if one.name != "name":
            add_declared(verb, one, creating=creating)


def add_declared(verb: argparse.ArgumentParser, one: Declared, *, creating: bool) -> None:
    """Add the option of a fact, which is left out of what is parsed unless it is typed.

    Args:
        creating: its help says the default; else what takes the fact away.
    """
    fact, text, number = one.fact, one.fact.what, one.fact.kind == "number"
    if fact.kind == "moment":
        text += ", in the event's time zone"
    if creating and (number or fact.absent):
        text += f" (default: {one.default or fact.absent or 0})"
    elif fact.absent:
        text += f"; or {fact.absent}"
    if fact.kind == "flag":
        flag: dict[str, Any] = {"dest": one.name, "default": argparse.SUPPRESS}
        verb.add_argument(one.option, action="store_true", help=text, **flag)
        if not creating:
            no = one.option.replace("--", "--no-", 1)
            verb.add_argument(no, action="store_false", help="no longer", **flag)
        return
    kinds = {"AMOUNT": amount, "SECONDS": whole_s}
    verb.add_argument(
        one.option,
        dest=one.name,
        type=kinds.get(fact.metavar, integer) if number else str,
        default=argparse.SUPPRESS,
        metavar=fact.metavar,
        help=text,
    )


def _add_terms(verb: argparse.ArgumentParser) -> None:
    """Add an option for each of the terms, which have their defaults in SaleTerms."""
    for one in declared_terms():
        add_declared(verb, one, creating=True)


def add_after_start(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--after-start",
        action="store_true",
        help="let buyers cancel or transfer after the performance starts",
    )


def _add_gate_rules(verb: argparse.ArgumentParser) -> None:
    """Named as in GateRules, which has the defaults."""

    def add(option: str, name: str, text: str, **more: Any) -> None:
        verb.add_argument(option, dest=name, default=argparse.SUPPRESS, help=text, **more)

    add(
        "--tau", "tau_s", "pace after the sale starts (default: 600)", type=tau_s, metavar="SECONDS"
    )
    curve = "1: luck over time; 3: mostly order of arrival (default: 1)"
    add("--curve", "curve", curve, type=float, metavar="CURVE")
    add("--mode", "mode", "a: one draw an account; t: one a token (default: a)", choices=("a", "t"))
    proof = "difficulty of the proof of work (default: 16)"
    add("--pow", "pow_bits", proof, type=integer, metavar="BITS")
    token = "how long a waiting token is good for (default: 600)"  # noqa: S105 a help text
    add("--token-ttl-s", "token_ttl_s", token, type=whole_s, metavar="SECONDS")
    sample = "of accounts counted to estimate the crowd (default: 0.01)"
    add("--sample", "sample", sample, type=float, metavar="SHARE")
    desk = "of admissions that are reported to the risk desk (default: 0)"
    add("--sample-admissions", "sample_admissions", desk, type=float, metavar="SHARE")
    refused = "of refused attempts that are reported to the risk desk (default: 0.05)"
    add("--sample-violations", "sample_violations", refused, type=float, metavar="SHARE")
    verb.add_argument(
        "--backoff-s",
        type=whole_s,
        nargs=2,
        metavar=("LEAST", "MOST"),
        help="seconds between two requests of a waiting page (default: 2 60)",
    )
    verb.add_argument(
        "--control",
        choices=("manual", "auto"),
        default="manual",
        help="auto: the controller sets the pace to meet --live-max",
    )


def add_rates(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--vat",
        type=tier_rate,
        action="append",
        metavar="TIER=RATE",
        help="VAT that a tier's price includes, such as floor=19%%; repeat for each",
    )
    verb.add_argument(
        "--vat-all", type=rate_bp, metavar="RATE", help="for tiers without --vat, and for the fees"
    )
    verb.add_argument(
        "--vat-fees", type=rate_bp, metavar="RATE", help="for the fees, if it is another"
    )


def rates_of(options: argparse.Namespace, tiers: Sequence[str]) -> dict[str, Any]:
    """Return the rates that were typed, in basis points: of the tiers, of the fees."""
    rates = dict(options.vat or [])
    if options.vat_all is not None:
        rates = dict.fromkeys(tiers, options.vat_all) | rates
    fees_bp = options.vat_all if options.vat_fees is None else options.vat_fees
    given = {"vat_bp": rates or None, "vat_fees_bp": fees_bp}
    return {name: value for name, value in given.items() if value is not None}


@at_target
def run_create(options: argparse.Namespace, target: Target) -> Act[CreatedEvent]:
    from fairgate.domain.catalog.event_facts import SaleTerms
    from fairgate.domain.shared.times import rfc3339
    from fairgate.service.catalog.create_event import GateRules
    from fairgate.service.catalog.event_request import NewEvent
    from fairgate.service.catalog.event_rows import units_to_write
    from fairgate_ops.operate.cli.act import Act
    from fairgate_ops.operate.cli.typed_names import named_as_typed
    from fairgate_ops.operate.cli.venues import note_lines
    from fairgate_ops.operate.importers.assembly import Reading
    from fairgate_ops.operate.importers.detect import import_chart
    from fairgate_ops.shared.progress import progress

    in_minor_units(options, options.currency)
    for name in ("price", "vat"):
        must_be_once(name, getattr(options, name))
    how = Reading()
    venue = import_chart(options.venue, how)
    prices = dict(options.price or [])
    if options.price_all is not None:
        prices = {tier.id: options.price_all for tier in venue.tiers} | prices
    sale_start_s = _sale_start_s(options, target.world.clock.now_ms())
    request = NewEvent(
        event=options.event,
        sale_starts_at=rfc3339(sale_start_s * 1000),
        currency=options.currency,
        prices_minor=prices,
        draw_commitment="",  # made with the draw key
        **rates_of(options, [tier.id for tier in venue.tiers]),
        after_start=options.after_start,
        **_given(options, SaleTerms),
    )
    backoff = dict(zip(("backoff_min_s", "backoff_max_s"), options.backoff_s or (), strict=False))
    rules = GateRules(**_given(options, GateRules) | backoff | {"sale_start_s": sale_start_s})

    def create(*, dry_run: bool) -> CreatedEvent:
        with named_as_typed(), progress("Writing seats", units_to_write(venue)) as step:
            creator = target.creator(dry_run=dry_run, written=step)
            return creator.create(
                request, venue, rules, control=options.control, draft=not options.publish
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


def _given(options: argparse.Namespace, record: type[Any]) -> dict[str, Any]:
    """Those of the record's fields that were typed; the rest is as the record says."""
    from msgspec import structs

    typed = vars(options)
    return {
        field.name: typed[field.name] for field in structs.fields(record) if field.name in typed
    }


def _report(
    options: argparse.Namespace, target: Target, venue: Venue, created: CreatedEvent
) -> Report:
    from msgspec import structs, to_builtins

    from fairgate.domain.shared.times import rfc3339
    from fairgate.service.catalog.event_record import event_record
    from fairgate.service.gate.control_gate import redacted
    from fairgate_ops.operate.cli.event_page import page, places, price_lines
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
    before = [
        "A creation of this id was interrupted, or runs in another shell and is refused now.",
        "This completes it, with the same draw.",
    ]
    if created.removed:
        before.append(f"{created.removed:,} seats and counters of the chart before are removed.")
    before = before if created.completes else []
    if options.dry_run:
        asked = created.request
        sale = event_record(asked, venue, "", "")
        if not committed:
            asked = structs.replace(asked, draw_commitment="")
            later = "is made with the event, not in a dry run"
            sale = structs.replace(sale, draw_commitment=later)
        now_s = target.world.clock.now_ms() / 1000
        lines = [f"{event} can be created:"]
        lines += [*before, *page(sale, gate, now_s, options)]
        return Report(data | {"request": to_builtins(asked)}, lines)
    draft, shown_where = "", [f"Page: {target.world.settings.public_url}/"]
    if gate.state == "draft":
        draft = " as a draft"
        shown_where = [f"Buyers do not see it: `fairgate event publish {event}` shows it to them."]
    return Report(
        data | {"layout": created.layout},
        [
            f"{event} is created{draft}: {places(data['seats'], data['area_places'])}.",
            *before,
            f"The sale starts at {shown(gate.sale_start_s, options)}.",
            f"Pace: {tau_text(gate.epochs[-1].slope)}.",
            *price_lines(event_record(created.request, venue, "", "")),
            f"Commitment of the draw: {data['draw_commitment']}",
            *shown_where,
        ],
    )


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


def must_be_once(option: str, pairs: list[tuple[str, Any]] | None) -> None:
    """Raises MalformedInputError: of two, one would be given up without a word."""
    from fairgate.errors import MalformedInputError

    tiers = [tier for tier, _ in pairs or []]
    twice = sorted({tier for tier in tiers if tiers.count(tier) > 1})
    if twice:
        raise MalformedInputError(f"--{option} names {', '.join(twice)} more than once.")


def _ahead_s(text: str) -> float:
    """Raises ArgumentTypeError for what is no time ahead; what is past says when it is."""
    try:
        seconds = -duration(text[1:]) if text.startswith("-") else duration(text)
    except ValueError:
        seconds = math.inf
    if not -AHEAD_MAX_S <= seconds <= AHEAD_MAX_S:
        raise argparse.ArgumentTypeError(f"{text!r} is not up to {AHEAD_MAX_S:,} seconds")
    return seconds


def tier_price(text: str) -> tuple[str, Decimal]:
    """Read ``TIER=AMOUNT``. Raises ArgumentTypeError."""
    tier, value = _of_tier(text, "AMOUNT, like floor=45.00")
    price = amount(value)
    if not price:
        raise argparse.ArgumentTypeError(f"{text!r}: a price is more than 0")
    return tier, price


def tier_rate(text: str) -> tuple[str, int]:
    """Read ``TIER=RATE``; return basis points. Raises ArgumentTypeError."""
    tier, value = _of_tier(text, "RATE, like floor=19%")
    return tier, rate_bp(value)


def _of_tier(text: str, what: str) -> tuple[str, str]:
    tier, equals, value = text.partition("=")
    if not equals or not tier:
        raise argparse.ArgumentTypeError(f"{text!r} is not TIER={what}")
    return tier, value
