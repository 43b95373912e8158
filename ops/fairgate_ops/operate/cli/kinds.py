"""Read what was typed. Each raises ArgumentTypeError for what it cannot read."""

from __future__ import annotations

import math
import re
from argparse import ArgumentTypeError
from functools import partial

TAU_MAX_S = 10_000_000.0  # as domain/gate/pace.py, which help does not wait for
WHOLE_BP = 10_000
_SIZES_S = (3_600, 60, 1)
DURATION = re.compile(
    r"(?:([0-9]{1,9}(?:\.[0-9]+)?)h)?(?:([0-9]{1,9}(?:\.[0-9]+)?)m(?:in)?)?(?:([0-9]{1,9}(?:\.[0-9]+)?)s?)?"
)
RATE = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,2})?) ?(%?)")


def number(text: str, least: float, most: float) -> float:
    """Read a number from ``least`` to ``most``; nan and inf are outside."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise ArgumentTypeError(f"{text!r} is not {least:,g} to {most:,g}")
    return value


def whole(text: str, least: int, most: int, unit: str = "") -> int:
    """Read a whole number from ``least`` to ``most``."""
    if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= most:
        raise ArgumentTypeError(f"{text!r} is not {least:,} to {most:,} {unit}".rstrip())
    return int(text)


def integer(text: str) -> int:
    """Read a whole number; what bounds it says so itself."""
    try:
        return int(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a whole number") from error


def duration(text: str) -> float:
    """Read seconds: 600, 600s, 10min or 1h30min. Raises ValueError."""
    parts = DURATION.fullmatch(text)
    if not text or parts is None:
        raise ValueError
    return sum(float(part or 0) * size for part, size in zip(parts.groups(), _SIZES_S, strict=True))


def seconds(text: str, least: float = 0.0, most: float = math.inf) -> float:
    """Read a duration from ``least`` to ``most`` seconds."""
    try:
        value = duration(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        bounds = f"{least:,.9g} to {most:,.9g} seconds" if most < math.inf else "a time"
        raise ArgumentTypeError(f"{text!r} is not {bounds}, like 90, 90s, 10min or 1h30min")
    return value


def whole_s(text: str) -> int:
    """Read a duration of whole seconds; what bounds it says so itself."""
    value = seconds(text)
    if value != int(value):
        raise ArgumentTypeError(f"{text!r} is not a whole number of seconds")
    return int(value)


def tau_s(text: str) -> float:
    return seconds(text, 1.0, TAU_MAX_S)


def rate_bp(text: str) -> int:
    """Read a rate in percent, such as 19, 19% or 7.5%; return basis points."""
    found = RATE.fullmatch(text)
    if found is None:
        raise ArgumentTypeError(f"{text!r} is no rate: write 19% or 7.5%")
    number, percent = found.groups()
    if 0 < float(number) < 1 and not percent:
        raise ArgumentTypeError(f"{text!r} can be read in two ways: write {text}%, or 19% for 0.19")
    basis_points = round(float(number) * 100)
    if basis_points > WHOLE_BP:
        raise ArgumentTypeError(f"{text!r} is more than 100 %: 19 % is written 19%")
    return basis_points


def translation(text: str) -> tuple[str, str]:
    """Read ``de=Text``."""
    language, given, told = text.partition("=")
    if not given:
        raise ArgumentTypeError(f"{text!r} is no text in a language: write de=…")
    return language.strip().lower(), told


def part(text: str) -> tuple[str, int, bool]:
    """Read ``floor=200`` or ``floor=10%``; return the name, the number, and if it is percent."""
    area, given, number = text.rpartition("=")
    share = number.endswith("%")
    if not (given and area):
        raise ArgumentTypeError(f"{text!r} is no part of an area: write AREA=200 or AREA=10%")
    most = 100 if share else 1_000_000
    return area, whole(number.removesuffix("%"), 1, most, "%" if share else "places"), share


def assumed(text: str) -> tuple[str, str]:
    """Read ``choose_s=90``; return the name, and the value as it is written."""
    named, given, value = text.partition("=")
    if not (given and named.strip() and value.strip()):
        raise ArgumentTypeError(f"{text!r} is no assumption: write NAME=VALUE")
    return named.strip(), value.strip()


def name(text: str) -> str:
    """Read a name. An empty one, which would mean everybody, is refused."""
    if not text.strip():
        raise ArgumentTypeError("it is empty: name somebody, or leave it out")
    return text.strip()


def between(least: float, most: float) -> partial[float]:
    return partial(number, least=least, most=most)


def lasting(least: float, most: float) -> partial[float]:
    return partial(seconds, least=least, most=most)


def count(least: int, most: int, unit: str = "") -> partial[int]:
    return partial(whole, least=least, most=most, unit=unit)
