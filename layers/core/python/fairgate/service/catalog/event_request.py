"""Check an operator's request to create an event."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import field
from msgspec.structs import asdict

from fairgate.domain.catalog.event_facts import FACTS, PRICE_MINOR_MAX
from fairgate.domain.catalog.sale_terms import SaleTerms, declared_terms
from fairgate.domain.orders.charge_limits import charge_problem, step_problem
from fairgate.domain.orders.vat import WHOLE_BP
from fairgate.domain.shared.amount_text import amount_text
from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.reading import Problems, Reader, quoted
from fairgate.service.catalog.event_rows import area_facts, section_facts
from fairgate.service.catalog.fact_checks import (
    beyond_start,
    fact_problems,
    fullest_problems,
    presale_problems,
)
from fairgate.service.catalog.translation_checks import own_language_problems, tier_name_problems
from fairgate.service.shared.zoned_times import moment_problem

if TYPE_CHECKING:
    from fairgate.domain.seating.venue import Venue

# The venue's part of the event's item as JSON, which is longer than the item. DynamoDB takes 400
# KB, and each process reads the item all the time.
LISTED_BYTES_MAX = 300_000
MEAN_MIN_S = 10

_CURRENCY = re.compile(r"[A-Z]{3}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}|[A-Za-z0-9_-]{43}")  # a SHA-256, hex or base64url
_STATES = ("open", "paused", "soldout", "closed")


class NewEvent(SaleTerms, frozen=True):
    """What the operator decides about an event. The rest is in the venue's chart."""

    event: str
    sale_starts_at: str  # RFC 3339 with an offset
    currency: str  # ISO 4217
    prices_minor: Mapping[str, int]  # tier id → price
    draw_commitment: str  # SHA-256 of the draw key
    state: Literal["open", "paused", "soldout", "closed"] = "open"
    control: Literal["auto", "manual"] = "manual"  # who sets the pace
    vat_bp: Mapping[str, int] = field(default_factory=dict)  # tier id → rate included; else 0
    vat_fees_bp: int = 0  # included in the fees
    chart: str = ""  # the chart's file, as it was named
    hidden: bool = False  # in no list from the start
    after_start: bool = False  # cancelling and passing on may go on after the performance starts


def check_request(request: NewEvent, venue: Venue) -> None:
    """Raise MalformedInputError with everything that is wrong with a request."""
    problems = Problems()
    reader = Reader(asdict(request), "", problems)
    reader.matching("event", EVENT_ID, "“summer-2030” (small letters, digits and -; at most 40)")
    reader.text("name")
    reader.matching("currency", _CURRENCY, "“EUR” (ISO 4217)")
    reader.matching("draw_commitment", _COMMITMENT, "a SHA-256 of 64 hexadecimal digits")
    tiers = [tier.id for tier in venue.tiers]
    check_terms(reader, tiers, request.currency)
    for name, fact, _default in declared_terms():
        if fact.change == "never" and name != "session_mean_s":
            reader.whole(name, fact.least, fact.most)
    if request.session_mean_s:  # 0: as long as a session may last, until some have ended
        reader.whole("session_mean_s", MEAN_MIN_S, request.session_s)
    if request.state not in _STATES:
        reader.wrong("state", f"must be one of {', '.join(_STATES)}")
    if problem := moment_problem(request.sale_starts_at, request.time_zone):
        reader.wrong("sale_starts_at", problem)
    _check_cancelling(reader, request)
    facts = {one.name: getattr(request, one.name) for one in FACTS if one.name != "name"}
    wrong = fact_problems(facts, request.sale_starts_at, request.time_zone)
    wrong += own_language_problems(facts)
    wrong += presale_problems(facts, request.time_zone)
    places = [*(one.id for one in venue.sections), *(one.id for one in venue.areas)]
    wrong += fullest_problems(facts, places)
    wrong += tier_name_problems(facts, tiers)
    wrong += [] if request.after_start else beyond_start(facts, request.time_zone)
    for name, problem in wrong:
        reader.wrong(name, problem)
    check_rates(reader, tiers)
    facts_of = [*map(section_facts, venue.sections), *map(area_facts, venue.areas), *venue.tiers]
    listed = len(msgspec.json.encode([facts_of, [area.id for area in venue.areas]]))
    if listed > LISTED_BYTES_MAX:
        what = "ids and names of sections, blocks, areas and tiers make"
        problems.add("venue", f"{what} {listed:,} bytes, at most {LISTED_BYTES_MAX:,}")
    problems.raise_if_any("The event")


def check_terms(reader: Reader, tiers: Sequence[str], currency: str) -> None:
    """Note what is wrong with the limits, fees and prices of an event with these tiers.

    That includes what the payment provider would refuse at every checkout.
    """
    checked: dict[str, int] = {}
    for name, fact, _default in declared_terms():
        if fact.change == "for later sessions":
            least = checked["hold_limit"] if name == "user_limit" else fact.least
            checked[name] = reader.whole(name, least, fact.most)
    prices = reader.child("prices_minor")
    priced = {tier: prices.whole(tier, 1, PRICE_MINOR_MAX) for tier in tiers}
    _check_tiers(reader, "prices_minor", tiers)
    fees = {name: checked[name] for name in ("fee_order_minor", "fee_ticket_minor")}
    for where, amounts in ((prices, priced), (reader, fees)):
        for name, amount_minor in amounts.items():
            if what := step_problem(amount_minor, currency):
                where.wrong(name, what)
    if all(prices.raw(tier) == price for tier, price in priced.items()) and (
        what := charge_problem(priced.values(), currency, places=checked["user_limit"], **fees)
    ):
        reader.wrong("prices_minor", what)


def check_rates(reader: Reader, tiers: Sequence[str]) -> None:
    """Note what is wrong with the rates of VAT of an event with these tiers."""
    reader.whole("vat_fees_bp", 0, WHOLE_BP)
    given, rates = reader.raw("vat_bp"), reader.child("vat_bp")
    for tier in given if isinstance(given, Mapping) else ():
        rates.whole(tier, 0, WHOLE_BP)
    _check_tiers(reader, "vat_bp", tiers)


def _check_tiers(reader: Reader, name: str, tiers: Sequence[str]) -> None:
    named = reader.raw(name)
    for tier in named if isinstance(named, Mapping) else ():
        if tier not in tiers:
            what = f"the venue has no such tier; it has {', '.join(map(quoted, tiers))}"
            reader.child(name).wrong(tier, what)


def _check_cancelling(reader: Reader, request: NewEvent) -> None:
    wrong = cancelling_problems(
        request.cancel_until,
        request.cancel_fee_minor,
        list(request.prices_minor.values()),
        request.time_zone,
        request.currency,
    )
    for name, problem in wrong:
        reader.wrong(name, problem)


def cancelling_problems(
    until: str, fee_minor: object, prices_minor: Sequence[object], zone: str, currency: str
) -> list[tuple[str, str]]:
    """Return what is wrong with the terms of cancelling, each with its field.

    A cancelled place must give something back, and a fee needs a time until when buyers may cancel.
    """
    problems: list[tuple[str, str]] = []
    prices = [price for price in prices_minor if isinstance(price, int)]
    if until and (problem := moment_problem(until, zone)):
        problems.append(("cancel_until", problem))
    if not isinstance(fee_minor, int) or isinstance(fee_minor, bool) or fee_minor < 0:
        problems.append(("cancel_fee_minor", "must be a whole number from 0"))
    elif fee_minor and not until:
        problems.append(("cancel_fee_minor", "has no cancel_until: nobody could cancel"))
    elif fee_minor and prices and fee_minor >= min(prices):
        lowest = amount_text(min(prices), currency)
        what = f"must be below the lowest price, {lowest}: else nothing would go back"
        problems.append(("cancel_fee_minor", what))
    return problems
