"""Say what an edit changes of a sale that goes on, so that an operator sees it before buyers do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.domain.catalog.sale_terms import declared_terms
from fairgate.domain.gate.gate_config import ADMITTING
from fairgate.domain.orders.vat import rate_text
from fairgate.domain.shared.times import epoch_ms
from fairgate_ops.operate.cli.money import money

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.domain.catalog.event_facts import Declared
    from fairgate.service.shared.records.catalog import Event

# Facts that decide who may buy, until when, and what of the price they get back.
DECIDING = {
    "sale_ends_at",
    "cancel_until",
    "cancel_fee_minor",
    "address_limit",
    "card_limit",
    "account_days",
    "verified_phone",
    "members",
    "members_until",
}
LARGE = 2  # times dearer, or cheaper
LARGE_PACE = 4  # times as fast, or as slow; as many who shop at once, or as few


def is_live(sale: Event, now_ms: int) -> bool:
    """Say whether buyers may be inside: the sale has started and not ended."""
    return sale.state in ADMITTING and epoch_ms(sale.sale_starts_at) <= now_ms


def live_target(sale: Event, live_max: int, control: str | None, now_ms: int) -> list[str]:
    """Return what is asked about: the target of a live sale that changes by much, or who steers."""
    old, lines = sale.live_max, []
    if old and (live_max >= LARGE_PACE * old or old >= LARGE_PACE * live_max):
        lines.append(f"  shop at once: {old:,} → {live_max:,}")
    if control not in (None, sale.control):
        lines.append(f"  control: {sale.control} → {control}")
    return [f"{sale.id} is on sale:", *lines] if lines and is_live(sale, now_ms) else []


def live_terms(sale: Event, wanted: Mapping[str, Any], now_ms: int) -> tuple[list[str], bool]:
    """Return each price, fee, limit, rate and condition that would change; and if one by much.

    Nothing is returned before the sale starts and after it has ended: no buyer is inside then.
    """
    from fairgate.service.catalog.edit_event import value_of

    if not is_live(sale, now_ms):
        return [], False
    before, lines, large = value_of(sale, "prices_minor"), [], False
    for tier, minor in wanted.get("prices_minor", {}).items():
        old = before.get(tier, minor)
        if old != minor and isinstance(minor, int):
            lines.append(f"  {tier}: {money(old, sale.currency)} → {money(minor, sale.currency)}")
            large |= _is_large(old, minor)
    for one in (*(fact for fact in FACTS if fact.name in DECIDING), *declared_terms()):
        if one.name not in wanted:
            continue
        old, new = value_of(sale, one.name), _as_stored(sale, one, wanted)
        if old != new:
            amount = one.fact.metavar == "AMOUNT"
            large |= amount and old > 0 and _is_large(old, new)
            shown = [money(it, sale.currency) if amount else _text(it) for it in (old, new)]
            lines.append(f"  {one.option.removeprefix('--')}: {' → '.join(shown)}")
    rates = {**value_of(sale, "vat_bp"), "fees": sale.fees.vat_bp}
    wanted_rates = {**wanted.get("vat_bp", {}), "fees": wanted.get("vat_fees_bp", rates["fees"])}
    lines += [
        f"  VAT {name}: {rate_text(rates[name])} → {rate_text(rate)}"
        for name, rate in wanted_rates.items()
        if rates.get(name, rate) != rate
    ]
    if not lines:
        return [], False
    return [f"{sale.id} is on sale. Buyers who are admitted from now on get:", *lines], large


def _as_stored(sale: Event, one: Declared, wanted: Mapping[str, Any]) -> Any:
    """Return the wanted value; a moment as the tables have it, or as typed if it is none."""
    from fairgate.service.shared.zoned_times import utc_moment

    if one.fact.kind != "moment":
        return wanted[one.name]
    try:
        return utc_moment(wanted[one.name], wanted.get("time_zone", sale.time_zone))
    except ValueError:
        return wanted[one.name]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value == "" else str(value)


def _is_large(old: int, new: int) -> bool:
    return new > LARGE * old or old > LARGE * new
