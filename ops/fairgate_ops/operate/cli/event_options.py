"""The options of an event, which ``event create``, ``event edit`` and an event's file share."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.brand import FONTS
from fairgate.domain.catalog.event_facts import FACTS
from fairgate.domain.catalog.sale_terms import declared_terms
from fairgate.domain.shared.language import LANGUAGES
from fairgate_ops.operate.cli.kinds import duration, integer, rate_bp, tau_s, whole_s
from fairgate_ops.operate.cli.money import amount, currency_code

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from fairgate.domain.catalog.event_facts import Declared

AHEAD_MAX_S = 100_000_000  # three years
CURRENCY = "EUR"
_CHOICES = {"language": LANGUAGES, "font": FONTS}
FROM = "a TOML file that gives these options; typed ones win"


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add what an event is made of, which is also what its file has.

    Options whose default is the record's own are left out unless they are given.
    """
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
    verb.add_argument("--currency", type=currency_code, help=f"ISO 4217 (default: {CURRENCY})")
    add_sale_start(verb.add_mutually_exclusive_group(required=True))
    _add_gate_rules(verb)
    _add_terms(verb)
    add_facts(verb)
    add_after_start(verb)


class FromFile(argparse.Action):
    """Reads ``--from``: options that are required may be given in the file instead."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        _option: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, values)
        for action in parser._actions:  # noqa: SLF001 argparse has no other way to walk a parser
            action.required = False
        for group in parser._mutually_exclusive_groups:  # noqa: SLF001 the same
            group.required = False


def add_sale_start(when: argparse._MutuallyExclusiveGroup) -> None:
    start = "sale start, in the event's time zone"
    when.add_argument("--sale-starts-at", metavar="TIME", help=start)
    when.add_argument("--sale-starts-in", type=_ahead_s, metavar="SECONDS")


def add_facts(verb: argparse.ArgumentParser) -> None:
    """Add an option for each fact of an event but its name."""
    for one in FACTS:
        if one.name != "name":
            add_declared(verb, one)


def add_declared(verb: argparse.ArgumentParser, one: Declared, *, creating: bool = False) -> None:
    """Add the option of a fact, which is left out of what is parsed unless it is typed.

    Args:
        creating: its help says a number's default.
    """
    fact, text, number = one.fact, one.fact.what, one.fact.kind == "number"
    if fact.kind == "moment":
        text += ", in the event's time zone"
    if creating and number:
        text += f" (default: {one.default or 0})"
    elif fact.absent:
        text += f"; default {fact.absent}"
    if fact.kind == "flag":
        switch = argparse.BooleanOptionalAction
        verb.add_argument(
            one.option, dest=one.name, action=switch, default=argparse.SUPPRESS, help=text
        )
        return
    choosing = fact.kind in _CHOICES
    kinds = {"AMOUNT": amount, "SECONDS": whole_s}
    reads = translations if fact.kind == "translations" else str
    verb.add_argument(
        one.option,
        dest=one.name,
        type=kinds.get(fact.metavar, integer) if number else reads,
        default=argparse.SUPPRESS,
        **({"choices": _CHOICES[fact.kind]} if choosing else {"metavar": fact.metavar}),
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
    desk = "of admissions reported to the risk desk (default: 0)"
    add("--sample-admissions", "sample_admissions", desk, type=float, metavar="SHARE")
    refused = "of refused attempts reported to the risk desk (default: 0.05)"
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


def translations(text: str) -> dict[str, Any]:
    """Read texts by language, in JSON; "" is none. Raises ArgumentTypeError."""
    import json  # help needs none

    try:
        told = json.loads(text or "{}")
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise argparse.ArgumentTypeError('must be JSON, like \'{"de": {"name": "…"}}\'')
    return told


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
