"""``fairgate event edit``: change what an event tells, and its terms for what is not yet sold."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from fairgate.domain.catalog.brand import mending_said
from fairgate.domain.catalog.event_facts import FACTS, TIERS
from fairgate.domain.catalog.sale_terms import declared_terms
from fairgate.domain.orders.vat import rate_text
from fairgate_ops.operate.cli.command import Verbs, add_reason, add_yes, at_target, moment_s
from fairgate_ops.operate.cli.event_mails import (
    mails_ends,
    mails_json,
    mails_lines,
    mails_of,
    tell,
)
from fairgate_ops.operate.cli.event_options import (
    FROM,
    add_after_start,
    add_declared,
    add_facts,
    add_rates,
    must_be_once,
    rates_of,
    tier_price,
)
from fairgate_ops.operate.cli.kinds import whole_s
from fairgate_ops.operate.cli.money import amount, currency_code, in_minor_units, money

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.service.gate.control_gate import GateChange
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.cli.act import Act
    from fairgate_ops.operate.cli.report import Report, Spoken
    from fairgate_ops.operate.target import Target
    from fairgate_ops.operate.tell_change import Told


_BY_TIER = {"prices_minor": "price", "vat_bp": "VAT"}
_MOMENTS = {one.name for one in FACTS if one.fact.kind == "moment"}


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add("edit", "Change what an event tells, and what is not yet sold.", run_edit)
    verb.add_argument("event")
    verb.add_argument("--from", dest="source", metavar="FILE", help=FROM)
    verb.add_argument("--name", default=argparse.SUPPRESS)
    add_facts(verb)
    add_after_start(verb)
    _add_terms(verb)
    verb.add_argument(
        "--sale-starts-at",
        metavar="TIME",
        help="sale start, before it, in the event's time zone",
    )
    verb.add_argument(
        "--currency", type=currency_code, help="never changes; refused with the reason"
    )
    verb.add_argument("--checkout-s", type=whole_s, help="never changes; refused with the reason")
    telling = verb.add_mutually_exclusive_group()
    telling.add_argument(
        "--no-mail", action="store_true", help="write to nobody; what they have stays as it is"
    )
    telling.add_argument(
        "--tell", action="store_true", help="go on writing to buyers about the last change"
    )
    add_yes(verb)
    verb.add_argument(
        "--confirm",
        metavar="EVENT",
        default="",
        help="confirms a doubled or halved price of a live sale",
    )
    add_reason(verb)


def _add_terms(verb: argparse.ArgumentParser) -> None:
    """Add the terms that count for buyers who are admitted afterwards."""
    verb.add_argument(
        "--price",
        type=tier_price,
        action="append",
        metavar="TIER=AMOUNT",
        help="price of a tier, such as floor=45.00; repeat for each that changes",
    )
    verb.add_argument(
        "--price-all", type=amount, metavar="AMOUNT", help="for tiers without --price"
    )

    for one in declared_terms():
        if one.fact.change == "for later sessions":
            add_declared(verb, one)
    add_rates(verb)


def run_edit(options: argparse.Namespace) -> Spoken:
    if options.source is not None:
        from fairgate_ops.operate.cli.event_differences import prepare

        prepare(options)
    return _run_edit(options)


@at_target
def _run_edit(options: argparse.Namespace, target: Target) -> Act[Edited]:
    """Edit the event, then move the sale start, then mail the buyers; each step has its log entry.

    Orders keep the terms they were bought with. The same command completes an interrupted edit.
    How many buyers get a mail is asked about before anything is written.
    """
    from fairgate.errors import MalformedInputError
    from fairgate_ops.operate.cli.act import Act
    from fairgate_ops.operate.cli.brand_files import take_files
    from fairgate_ops.operate.cli.live_terms import live_terms
    from fairgate_ops.operate.cli.typed_names import placed

    sale = target.world.catalog.event(options.event)
    if options.source is not None:
        from fairgate_ops.operate.cli.event_differences import take_differences

        take_differences(options, target, sale)
    take_files(options, target)
    typed = options.sale_starts_at
    with placed(options, "--sale-starts-at"):
        sale_start_s = None if typed is None else moment_s(typed, options)
    in_minor_units(options, sale.currency)
    wanted = _wanted(options, sale)
    if not wanted and sale_start_s is None and not options.tell and options.source is None:
        raise MalformedInputError(
            "Say what is to change: --name, --starts-at, --price, …"
            " `fairgate event edit --help` lists all."
        )
    _require_rates_free(target, sale, wanted)
    edit = _Edit(options, target, sale, wanted, sale_start_s)
    mails = mails_of(options, target, wanted, edit.sale_starts_at)
    ends, large = live_terms(sale, wanted, target.world.clock.now_ms())
    return Act(
        ends=[*ends, *mails_ends(mails)],
        word=options.event if large else "",
        do=lambda: edit.made(mails, dry_run=False),
        would=lambda: edit.report(edit.made(mails, dry_run=True), mails),
        report=lambda edited: edit.report(edited, mails),
    )


def _require_rates_free(target: Target, sale: Event, wanted: Mapping[str, Any]) -> None:
    """Raise WrongStateError if VAT would change after the first sale.

    An order that is paid meanwhile keeps the rates that it began with.
    """
    from fairgate.errors import WrongStateError
    from fairgate.service.catalog.edit_event import RATES, value_of
    from fairgate.service.orders.list_event_orders import event_orders

    def changes(name: str) -> bool:
        old, new = value_of(sale, name), wanted[name]
        return bool(old | new != old if isinstance(old, dict) else old != new)

    if any(changes(name) for name in RATES if name in wanted) and any(
        order.paid_at
        for page in event_orders(target.world.table, sale.id)
        for order in page.records
    ):
        raise WrongStateError(
            "Something is sold, and its VAT is on invoices: the rates stay as they are.",
            state=sale.state,
        )


class Edited(NamedTuple):
    """The fields before and after, the gate's change if the sale start moved, and the mails."""

    before: dict[str, Any]
    after: dict[str, Any]
    moved: GateChange | None
    told: Told | None


class _Edit(NamedTuple):
    """What an operator wants to change of one event."""

    options: argparse.Namespace
    target: Target
    sale: Event
    wanted: Mapping[str, Any]
    sale_start_s: int | None

    @property
    def sale_starts_at(self) -> str:
        from fairgate.domain.shared.times import rfc3339

        return "" if self.sale_start_s is None else rfc3339(self.sale_start_s * 1000)

    def made(self, mails: Told | None, *, dry_run: bool) -> Edited:
        """Write it all. A refused sale start is found first, before anything is written."""
        from fairgate_ops.operate.cli.brand_files import keep_files

        if self.sale_start_s is not None and self.wanted:
            self._move_sale_start(self.sale_start_s, dry_run=True)
        if not dry_run:
            keep_files(self.options, self.target)
        before, after = self._edit_fields(dry_run=dry_run) if self.wanted else ({}, {})
        moved = None
        if self.sale_start_s is not None:
            moved = self._move_sale_start(self.sale_start_s, dry_run=dry_run)
            before["sale_starts_at"] = self.sale.sale_starts_at
            after["sale_starts_at"] = self.sale_starts_at
        told = None if dry_run else tell(self.options, self.target, mails)
        return Edited(before, after, moved, told)

    def report(self, edited: Edited, mails: Told | None) -> Report:
        from fairgate_ops.operate.cli.report import Report

        options, (before, after, moved, told) = self.options, edited
        lines = _lines(options, self.sale, before, after)
        lines += [*_sale_start_lines(options, moved), *mails_lines(options, mails, told)]
        data = {
            "event": options.event,
            "changed": before != after and not options.dry_run,
            "dry_run": options.dry_run,
            "before": before,
            "after": after,
            "mails": mails_json(mails, told),
        }
        return Report(data, lines)

    def _edit_fields(self, *, dry_run: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        from fairgate.service.catalog.edit_event import edit_event, value_of
        from fairgate_ops.operate.cli.act import reasoned
        from fairgate_ops.operate.cli.typed_names import named_as_typed

        options, world, wanted = self.options, self.target.world, self.wanted
        was = {f"{name}_was": value_of(self.sale, name) for name in wanted}
        in_utc, no_mail = _in_utc(wanted, options.event_zone), options.no_mail or None
        with named_as_typed(options, "changed"):
            change = self.target.acts(dry_run=dry_run).do(
                options.event,
                "event edited",
                reasoned(options, **wanted, **in_utc, **was, no_mail=no_mail),
                lambda: edit_event(
                    world.table,
                    world.clock,
                    options.event,
                    wanted,
                    sale_starts_at=self.sale_starts_at,
                    dry_run=dry_run,
                    tell=not options.no_mail,
                    after_start=options.after_start,
                ),
            )
        return dict(change.before), dict(change.after)

    def _move_sale_start(self, sale_start_s: int, *, dry_run: bool) -> GateChange:
        from fairgate.service.catalog.move_sale_start import move_sale_start
        from fairgate_ops.operate.cli.act import reasoned

        options, target = self.options, self.target
        control = target.control(dry_run=dry_run)
        return target.acts(dry_run=dry_run).change_gate(
            options.event,
            "event edited",
            reasoned(options, sale_starts_at=options.sale_starts_at),
            lambda: move_sale_start(
                target.world.table,
                control,
                options.event,
                sale_start_s,
                ends_at=self._ends_at(),
                starts_in_s=target.lead_s,
            ),
        )

    def _ends_at(self) -> str:
        """Return when the sale would end, RFC 3339; "": as it is."""
        moments = _in_utc(self.wanted, self.options.event_zone)
        kept = self.wanted.get("sale_ends_at", self.sale.sale_ends_at)
        return moments.get("sale_ends_at_utc") or (not kept and moments.get("starts_at_utc")) or ""


def _in_utc(wanted: Mapping[str, Any], zone: str) -> dict[str, str]:
    """Return the moments that were typed, as the tables have them, without those that are none."""
    from fairgate.service.shared.zoned_times import utc_moment

    moments: dict[str, str] = {}
    for name, fact, _default in FACTS:
        if fact.kind != "moment":
            continue
        try:
            moments[f"{name}_utc"] = utc_moment(wanted.get(name, ""), zone)
        except ValueError:
            continue
    return {name: moment for name, moment in moments.items() if moment}


def _wanted(options: argparse.Namespace, sale: Event) -> dict[str, Any]:
    from fairgate.service.catalog.edit_event import EDITABLE, FIXED, emptied_with, value_of

    typed = vars(options)
    names = (*EDITABLE, *FIXED)
    wanted = {name: typed[name] for name in names if typed.get(name) is not None}
    for name, fact, _default in FACTS:
        if fact.absent and wanted.get(name) == fact.absent:
            wanted[name] = ""
    # What goes with it is asked for, too, so that the log has it.
    wanted |= {
        name: empty for name, empty in emptied_with(wanted).items() if value_of(sale, name) != empty
    }
    must_be_once("price", options.price)
    prices = dict(options.price or [])
    if options.price_all is not None:
        prices = {tier.id: options.price_all for tier in sale.tiers} | prices
    must_be_once("vat", options.vat)
    rates = rates_of(options, [tier.id for tier in sale.tiers])
    return wanted | ({"prices_minor": prices} if prices else {}) | rates


def _lines(
    options: argparse.Namespace, sale: Event, before: Mapping[str, Any], after: Mapping[str, Any]
) -> list[str]:
    """Say each field's value before and after; the terms of cancelling in a sentence."""
    from fairgate.service.catalog.edit_event import TERMS
    from fairgate_ops.operate.cli.event_page import cancelling, passing_on
    from fairgate_ops.operate.cli.event_toml import time_text
    from fairgate_ops.operate.cli.typed_names import typed

    if before == after:
        return [f"{options.event} is as it was: nothing to change."]
    lines, currency = [f"{options.event}:"], sale.currency
    changed = [name for name in after if after[name] != before[name]]
    for name in changed:
        if name in _BY_TIER:
            lines += tier_lines(name, before[name], after[name], currency)
            continue
        old, new = (_text(name, side[name], currency, options) for side in (before, after))
        lines.append(f"  {typed(name).removeprefix('--')}: {old} → {new}")
    if {"cancel_until", "cancel_fee_minor"}.intersection(changed):
        fee_minor = after.get("cancel_fee_minor", 0)
        terms = cancelling(after["cancel_until"], fee_minor, currency, options)
        lines.append(f"From now on {terms}. Orders keep what they were made with.")
    if "color_1" in changed and after["color_1"]:
        lines.append(f"{after['color_1']}: {mending_said(after['color_1'])}")
    if "transfer_until" in changed:
        terms = passing_on(after["transfer_until"], options)
        lines.append(f"From now on {terms}. Orders keep what they were made with.")
    if sale.state != "closed" and not sale.sale_ends_at and "starts_at" in changed:
        lines.append(
            "The sale ends when the performance starts, so it moves with the start."
            if after["starts_at"]
            else "The sale never ends by itself any more: --sale-ends-at gives it an end."
        )
    if sale.starts_at and "time_zone" in changed and "starts_at" not in changed:
        old, new = (time_text(sale.starts_at, side["time_zone"]) for side in (before, after))
        lines.append(
            f"The performance starts at the same moment, which buyers now read as {new} instead of"
            f" {old}. Give --starts-at as well to keep the hour."
        )
    if any(name in TERMS for name in changed):
        lines.append(
            "This counts for buyers who are admitted from now on. Buyers who are inside keep"
            " the former prices, fees and limits, and orders keep theirs."
        )
    return lines


def _said_in(translation: tuple[str, dict[str, Any]]) -> str:
    """Return a language with what is said in it: texts, and tiers by their id."""
    language, told = translation
    names = [*told, *told.get(TIERS, ())]
    return f"{language} ({', '.join(name for name in names if name != TIERS)})"


def _text(name: str, value: Any, currency: str, options: argparse.Namespace) -> str:
    """Return a value as people write it."""
    from fairgate.domain.shared.times import epoch_ms
    from fairgate_ops.operate.cli.times import shown

    if name.endswith("_minor"):
        return money(value, currency)
    if name.endswith("_bp"):
        return rate_text(value)
    if name in _MOMENTS and value:
        return shown(epoch_ms(value) // 1000, options)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(map(_said_in, value.items())) or "nothing"
    return "nothing" if value == "" else str(value)


def tier_lines(
    name: str, before: Mapping[str, int], after: Mapping[str, int], currency: str
) -> list[str]:
    """Return each tier's price or rate that changes, old → new."""

    def text(value: int) -> str:
        return money(value, currency) if name == "prices_minor" else rate_text(value)

    return [
        f"  {_BY_TIER[name]} {tier}: {text(before[tier])} → {text(after[tier])}"
        for tier in after
        if after[tier] != before[tier]
    ]


def _sale_start_lines(options: argparse.Namespace, moved: GateChange | None) -> list[str]:
    from fairgate_ops.operate.cli.gate_report import NOT_AT_EDGES
    from fairgate_ops.operate.cli.times import shown

    if moved is None:
        return []
    lines = [f"The sale starts at {shown(moved.after.sale_start_s, options)}."]
    return lines if moved.spread else [*lines, NOT_AT_EDGES]
