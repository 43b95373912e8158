"""Read what was typed. Each raises ArgumentTypeError for what it cannot read."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from functools import partial

TAU_MAX_S = 10_000_000.0  # as domain/gate/pace.py, which help does not wait for


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


def tau_s(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 1.0 <= seconds <= TAU_MAX_S:
        raise ArgumentTypeError(f"{text!r} is not 1 to 10,000,000 seconds")
    return seconds


def name(text: str) -> str:
    """Read a name. An empty one, which would mean everybody, is refused."""
    if not text.strip():
        raise ArgumentTypeError("it is empty: name somebody, or leave it out")
    return text.strip()


def between(least: float, most: float) -> partial[float]:
    return partial(number, least=least, most=most)


def count(least: int, most: int, unit: str = "") -> partial[int]:
    return partial(whole, least=least, most=most, unit=unit)
