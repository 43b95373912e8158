"""Name what is wrong by what was typed: ``--hold-limit``, and not ``hold_limit``.

What an event's file gave is named by its line: ``event.toml, line 7, hold-limit``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.domain.catalog.sale_terms import declared_terms
from fairgate.domain.shared.amount_text import amount_text
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli.times import shown

# What a field is typed as, where that is not its name with hyphens: the request's, then the gate's.
_TYPED = {
    "event": "EVENT",
    "sale_starts_at": "--sale-starts-at",
    "prices_minor": "--price",
    **{one.name: one.option for one in (*FACTS, *declared_terms())},
    "vat_fees_bp": "--vat-fees",
    "k": "--curve",
    "m": "--mode",
    "p": "--pow",
    "b": "--backoff-s",
    "x": "--token-ttl-s",
    "sq": "--sample",
    "sa": "--sample-admissions",
    "sv": "--sample-violations",
    "ep": "--tau",
    "ds": "--sale-starts-at",
}
# What another field goes with.
_OTHER = re.compile(rf"\b({'|'.join(one.name for one in FACTS if '_' in one.name)})\b")
_PRICES, _RATES, _TRANSLATIONS = "prices_minor.", "vat_bp.", "translations."
_BOUNDS = re.compile(r"must be a whole number from (\d+) to (\d+), not (-?\d+)")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@contextmanager
def named_as_typed(options: argparse.Namespace, cannot: str = "used") -> Iterator[None]:
    """Raise MalformedInputError again with what was typed where ``errors`` names fields.

    ``cannot``: what the event cannot be with them.
    """
    try:
        yield
    except MalformedInputError as error:
        listed = error.fields.get("errors")
        if not isinstance(listed, list) or not listed:
            raise
        errors = [_renamed(options, entry) for entry in listed]
        first = errors[0]
        total = error.fields.get("errors_total", len(errors))
        which = "one thing is wrong," if total == 1 else f"{total} things are wrong, first"
        raise MalformedInputError(
            f"The event cannot be {cannot}: {which} {first['where']}: {first['what']}",
            errors=errors,
            errors_total=total,
        ) from error


@contextmanager
def placed(options: argparse.Namespace, option: str) -> Iterator[None]:
    """Raise MalformedInputError again with the line of a file that gave the option."""
    try:
        yield
    except MalformedInputError as error:
        if (where := place_of(options, option)) == option:
            raise
        named = MalformedInputError(f"{where}: {error.detail}")
        named.fields = error.fields
        raise named from error


def place_of(options: argparse.Namespace, option: str) -> str:
    """Return where an option comes from: its line in the event's file, or itself."""
    place: str = getattr(options, "place", str)(option)
    return place


def typed(field: str) -> str:
    """Return what the field is typed as: ``--price balcony`` for ``prices_minor.balcony``."""
    if field.startswith(_PRICES):
        return f"--price {field.removeprefix(_PRICES)}"
    if field.startswith(_RATES):
        return f"--vat {field.removeprefix(_RATES)}"
    if field.startswith(_TRANSLATIONS):
        return f"--translations {field.removeprefix(_TRANSLATIONS)}"
    return _TYPED.get(field, "--" + field.replace("_", "-"))


def _renamed(options: argparse.Namespace, entry: Any) -> dict[str, str]:
    if isinstance(entry, dict):
        field, what = entry["where"], entry["what"]
    else:
        field, _colon, what = str(entry).partition(": ")
    where = place_of(options, typed(field))
    currency = getattr(options, "amounts_in", "")
    if currency and (field.startswith(_PRICES) or field.endswith("_minor")):
        what = _BOUNDS.sub(partial(_as_amounts, currency), what)
    what = _MOMENT.sub(lambda moment: shown(epoch_ms(moment[0]) / 1000, options), what)
    prefix = "--" if where.startswith("--") else ""  # a file has keys, not options
    if field.startswith(_PRICES) and what.startswith("is missing"):
        what = f"is missing: price the tier, or all others by {prefix}price-all"

    def named(field: re.Match[str]) -> str:
        return prefix + typed(field[0]).removeprefix("--")

    return {"where": where, "what": _OTHER.sub(named, what)}


def _as_amounts(currency: str, bounds: re.Match[str]) -> str:
    least, most, given = (amount_text(int(minor), currency) for minor in bounds.groups())
    return f"must be from {least} to {most} {currency}, not {given}"
