"""Change the facts and terms of an event on sale. Existing orders and sessions keep theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.domain.catalog.sale_terms import declared_terms
from fairgate.domain.shared.reading import Problems, Reader
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    LimitExceededError,
    MalformedInputError,
    VersionConflictError,
    WrongStateError,
)
from fairgate.ports.record import attribute
from fairgate.service.catalog.event_request import (
    cancelling_problems,
    check_rates,
    check_terms,
)
from fairgate.service.catalog.fact_checks import (
    DEADLINES,
    ENDS,
    SELLER,
    beyond_start,
    fact_problems,
    fullest_problems,
    presale_problems,
    tidy,
)
from fairgate.service.catalog.last_change import is_told, last_change
from fairgate.service.catalog.translation_checks import own_language_problems, tier_name_problems
from fairgate.service.shared.change import Write
from fairgate.service.shared.event_update import change_event, event_update
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.session_terms import lowest_price, new_terms, past_terms
from fairgate.service.shared.zoned_times import moment_problem, utc_moment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

PAST_TERMS_MAX = 20  # within six hours; the event's item is read all the time, and stays small
_CANCELLING = ("cancel_until", "cancel_fee_minor")
# A field, and the one that goes when it is emptied: that says nothing alone.
GOES_WITH: Mapping[str, tuple[str, str | int]] = {
    "cancel_until": ("cancel_fee_minor", 0),
    "starts_at": ("time_zone", ""),
    "members": ("members_until", ""),
    "ask_address": ("address_limit", 0),
    "color_1": ("color_2", ""),
}
_NEEDED = [one.name for one in FACTS if one.fact.needed]
_FACTS = [one.name for one in FACTS if one.fact.change == "at any time"]
# Terms, which apply to later sessions.
TERMS = ("prices_minor", *(t.name for t in declared_terms() if t.fact.change != "never"))
RATES = ("vat_bp", "vat_fees_bp")  # until the first sale
EDITABLE = (*_FACTS, *TERMS, *RATES)
# Fields that never change, with the reason.
FIXED = {
    name: f"never changes: {why}. Create another event"
    for name, why in (
        ("currency", "orders, refunds and the ledger are in it"),
        *((one.name, one.fact.fixed) for one in declared_terms() if one.fact.fixed),
    )
}


class EventChange(Struct, frozen=True):
    """The requested fields, and those that go with them, before and after the change."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]


def edit_event(
    table: Table,
    clock: Clock,
    event: str,
    wanted: Mapping[str, Any],
    *,
    sale_starts_at: str = "",
    dry_run: bool = False,
    tell: bool = False,
    after_start: bool = False,
) -> EventChange:
    """Change fields of an event, all or none.

    Orders and open sessions keep the terms that they began with.

    Args:
        wanted: new values by the field's name, among EDITABLE; moments in RFC 3339,
            or in the event's zone; ``prices_minor`` and ``vat_bp``: tier → price or rate, of
            tiers that change. ""
            removes a fact, and the one that goes with it (``GOES_WITH``).
        sale_starts_at: RFC 3339, of a sale start that is moved as well; "": as it is.
        tell: note that ticket holders are to be told, if a field of TOLD changes.
        after_start: buyers may cancel or pass on after the performance starts. Otherwise a start
            that moves before such a time moves it, too.

    Raises:
        NotFoundError.
        MalformedInputError: ``errors`` lists what is wrong, or never changes.
        WrongStateError: the event is cancelled, or closed and its sale's end is to move.
        LimitExceededError: its terms have changed too often.
        VersionConflictError: somebody else has just changed one of these fields, or others keep
            changing the event; nothing is written.

    Cost: a read and a conditional write; both again for each change by others in between.
    """
    seen: dict[str, Any] | None = None
    wanted = tidy(wanted)

    def decide(sale: Event) -> Write[EventChange]:
        nonlocal seen
        require_not_cancelled(sale)
        if sale.state == "closed" and "sale_ends_at" in wanted:
            detail = "A closed sale stays closed: its end cannot be moved. Create another event."
            raise WrongStateError(detail, state="closed")
        now_ms = clock.now_ms()
        moved = {} if after_start else _moved_with_start(sale, wanted)
        before = {name: value_of(sale, name) for name in _concerned(sale, {**wanted, **moved})}
        after = _after(sale, before | moved, wanted, sale_starts_at, now_ms)
        if not after_start:
            _require_before_start(sale, after, wanted)
            _require_start(sale, wanted, now_ms)
        seen = before if seen is None else seen
        done = EventChange(seen, after)
        if before == after:
            return Write(done)
        changes = _changes(sale, before, after, now_ms)
        if dry_run:
            return Write(done)
        if seen != before:
            raise VersionConflictError(
                f"Somebody else has just changed the same of {event}; nothing is written."
                " Look at it with `event show`, then decide again."
            )
        if tell and is_told(before, after):
            changes["lastChange"] = last_change(sale, now_ms).as_map()
        return Write(done, [event_update(sale, changes)])

    return change_event(table, clock, event, decide)


def require_not_cancelled(sale: Event) -> None:
    """Raise WrongStateError if the organiser has cancelled the event."""
    if sale.cancelled_at:
        raise WrongStateError(
            f"{sale.id} was cancelled at {sale.cancelled_at}, for good: it cannot be changed."
            " Create another event.",
            state="cancelled",
        )


def value_of(sale: Event, name: str) -> Any:
    """Return the present value of a field of EDITABLE; prices and rates by tier."""
    if name == "prices_minor":
        return {tier.id: tier.price_minor for tier in sale.tiers}
    if name == "vat_bp":
        return {tier.id: tier.vat_bp for tier in sale.tiers}
    if name == "vat_fees_bp":
        return sale.fees.vat_bp
    if name in ("fee_order_minor", "fee_ticket_minor"):
        return getattr(sale.fees, name.removeprefix("fee_"))
    return getattr(sale, name)


def emptied_with(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that go with those which are emptied, unless they are given as well."""
    return {
        other: empty
        for name, (other, empty) in GOES_WITH.items()
        if name in wanted and not wanted[name] and other not in wanted
    }


def _concerned(sale: Event, wanted: Mapping[str, Any]) -> list[str]:
    """Return the requested fields, and those that must fit to them."""
    names = set(wanted)
    for name, (other, _empty) in GOES_WITH.items():
        if other in names:
            names.add(name)
        elif name in names and value_of(sale, other):
            names.add(other)
    if names & SELLER:
        names |= SELLER
    return [name for name in EDITABLE if name in names]


def _after(
    sale: Event,
    before: Mapping[str, Any],
    wanted: Mapping[str, Any],
    sale_starts_at: str,
    now_ms: int,
) -> dict[str, Any]:
    """Return the concerned fields as they would be. Raises MalformedInputError."""
    after = {name: value for name, value in {**before, **wanted}.items() if name in EDITABLE}
    for name in {"prices_minor", "vat_bp"}.intersection(wanted):
        after[name] = before[name] | dict(wanted[name])
    after |= {name: empty for name, empty in emptied_with(wanted).items() if name in after}
    wrong = [(name, FIXED[name]) for name in wanted if name in FIXED]
    wrong += [(name, "cannot be empty") for name in _NEEDED if after.get(name) == ""]
    facts = {name: value for name, value in after.items() if name in _FACTS}
    zone = after.get("time_zone", sale.time_zone)
    starts_at = sale_starts_at or sale.sale_starts_at
    wrong += fact_problems(facts, starts_at, zone)
    wrong += fullest_problems(facts, [*(section.id for section in sale.sections), *sale.areas])
    wrong += tier_name_problems(facts, [tier.id for tier in sale.tiers])
    if wanted.keys() & {"language", "translations"}:
        present = {name: getattr(sale, name) for name in ("language", "translations")}
        wrong += own_language_problems(present | after)
    if wanted.keys() & {"members_until", *ENDS}:
        present = {name: getattr(sale, name) for name in ("members_until", *ENDS)}
        wrong += presale_problems(present | after, zone)
    wrong += [
        (name, "must be to come")
        for name in (*DEADLINES, "sale_ends_at", "members_until")
        if wanted.get(name)
        and not moment_problem(wanted[name], zone)
        and utc_moment(wanted[name], zone) <= rfc3339(now_ms)
    ]
    wrong += _term_problems(sale, after, now_ms) + _rate_problems(sale, after)
    _refuse(wrong)
    moments = {
        one.name: utc_moment(after[one.name], zone)
        for one in FACTS
        if one.fact.kind == "moment" and one.name in after
    }
    return after | moments


def _refuse(wrong: list[tuple[str, str]]) -> None:
    if wrong:
        errors = [{"where": name, "what": what} for name, what in wrong]
        texts = "; ".join(f"{name} {what}" for name, what in wrong)
        raise MalformedInputError(f"The event cannot be changed: {texts}.", errors=errors)


def _moved_with_start(sale: Event, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the times to cancel and pass on that an earlier start of the performance ends."""
    try:
        start = utc_moment(wanted.get("starts_at", ""), wanted.get("time_zone", sale.time_zone))
    except ValueError:
        return {}
    kept = {name: getattr(sale, name) for name in DEADLINES if name not in wanted}
    return {
        name: start
        for name, until in kept.items()
        if start and until > start and (not sale.starts_at or until <= sale.starts_at)
    }


def _require_before_start(sale: Event, after: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    facts = {"starts_at": sale.starts_at} | dict(after)
    named = [name for name in DEADLINES if name in wanted]
    _refuse(beyond_start(facts, after.get("time_zone", sale.time_zone), named))


def _require_start(sale: Event, wanted: Mapping[str, Any], now_ms: int) -> None:
    """Raise MalformedInputError if a start that has passed is taken away, or one is given.

    With it would go the end of the sale and of the time to cancel and pass on.
    """
    start, zone = wanted.get("starts_at"), wanted.get("time_zone", sale.time_zone)
    if start and utc_moment(start, zone) <= rfc3339(now_ms):
        if utc_moment(start, zone) != sale.starts_at:
            _refuse([("starts_at", "is past: give a time to come, or --after-start allows it")])
        return
    if wanted.get("starts_at") == "" and sale.starts_at and sale.starts_at <= rfc3339(now_ms):
        what = f"has passed, at {sale.starts_at}: give the new time, or --after-start takes it away"
        _refuse([("starts_at", what)])


def _term_problems(sale: Event, after: Mapping[str, Any], now_ms: int) -> list[tuple[str, str]]:
    """Return what is wrong with the terms, if any of them is concerned."""
    terms = _terms(sale, after)
    problems = Problems()
    if any(name in after for name in TERMS):
        tiers = [tier.id for tier in sale.tiers]
        check_terms(Reader(terms, "", problems), tiers, sale.currency)
    wrong = problems.shown
    if not wrong and ("cancel_until" in after or "prices_minor" in after):
        until, fee_minor = (after.get(name, value_of(sale, name)) for name in _CANCELLING)
        lowest = lowest_price(sale, terms["prices_minor"], now_ms)
        zone = after.get("time_zone", sale.time_zone)
        wrong += cancelling_problems(until, fee_minor, [lowest], zone, sale.currency)
    return wrong


def _rate_problems(sale: Event, after: Mapping[str, Any]) -> list[tuple[str, str]]:
    rates = {name: after.get(name, value_of(sale, name)) for name in RATES}
    problems = Problems()
    check_rates(Reader(rates, "", problems), [tier.id for tier in sale.tiers])
    return problems.shown


def _terms(sale: Event, after: Mapping[str, Any]) -> dict[str, Any]:
    return {name: after.get(name, value_of(sale, name)) for name in TERMS}


def _changes(
    sale: Event, before: Mapping[str, Any], after: Mapping[str, Any], now_ms: int
) -> dict[str, Any]:
    """Return what to write. Raises LimitExceededError."""
    changes = {attribute(name): value for name, value in after.items() if name in _FACTS}
    if any(before[name] != after[name] for name in TERMS if name in after):
        if len(past_terms(sale, now_ms)) >= PAST_TERMS_MAX:
            raise LimitExceededError(
                f"Prices, fees and limits of {sale.id} have changed {PAST_TERMS_MAX} times within"
                " six hours, and buyers may be inside with each of them. Please wait.",
                limit=PAST_TERMS_MAX,
            )
        changes |= new_terms(sale, _terms(sale, after), now_ms)
    if "vat_bp" in after:
        tiers = changes.get("tiers") or [tier.as_map() for tier in sale.tiers]
        changes["tiers"] = [{**one, "vatBp": after["vat_bp"][one["id"]]} for one in tiers]
    if "vat_fees_bp" in after:
        changes["fees"] = {
            **(changes.get("fees") or sale.fees.as_map()),
            "vatBp": after["vat_fees_bp"],
        }
    return changes
