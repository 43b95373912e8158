"""Read what a forecast assumes about buyers. assumptions.toml documents every value."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from fairgate.domain.shared.reading import Problems
from fairgate.errors import MalformedInputError, NotFoundError
from fairgate_ops.shared import named_files

DEFAULTS = Path(__file__).with_name("assumptions.toml")
_LINE = re.compile(r"(?P<name>\w+) = [^#]*# (?P<about>.*)")
BUYERS_MAX = 10_000_000
TICKETS_MAX = 20
LENGTHS_MAX = 100_000
_DAY_S = 86_400.0
_SHARES = {"before_share", "wave_share", "gives_up_an_hour", "leaves", "declines"}
_NEVER_WHOLE = {"gives_up_an_hour", "declines"}
_WHOLE = {"buyers": BUYERS_MAX, "seed": 2**31}
_LISTS = {"tickets": TICKETS_MAX, "lengths_s": LENGTHS_MAX}
_HOURS_MAX = 12.0
_LEAST = {"before_s": 1.0, "looks_every_s": 0.1, "sign_in_hours": 0.1, "hours": 0.1}
_LEAST |= dict.fromkeys(("wave_s", "tail_s", "looks_s", "choose_s", "pay_s"), 1.0)
_MOST = {"hours": _HOURS_MAX, "sign_in_hours": 720.0, "pages": 10_000.0, "files_a_page": 10_000.0}
_ALMOST = 1e-6


@dataclass(frozen=True)
class Assumptions:
    """What is assumed about buyers; assumptions.toml says what each value means."""

    buyers: int
    before_share: float
    before_s: float
    wave_share: float
    wave_s: float
    tail_from_s: float
    tail_s: float
    gives_up_an_hour: float
    leaves: float
    looks_s: float
    choose_s: float
    pay_s: float
    declines: float
    tickets: tuple[float, ...]
    lengths_s: tuple[float, ...]
    polls_s: float
    pages: float
    files_a_page: float
    looks_every_s: float
    sign_in_hours: float
    hours: float
    seed: int


def read_assumptions(
    path: Path | None = None, changes: Mapping[str, str] | None = None
) -> Assumptions:
    """Read a file, and what changes it; what neither says is as in assumptions.toml.

    Raises NotFoundError, MalformedInputError with everything that is wrong.

    Args:
        changes: values as TOML writes them, by their names.
    """
    values = _parsed(DEFAULTS.read_bytes(), f"{DEFAULTS}")
    problems = Problems()
    given = {} if path is None else _parsed(_read(path), f"{path}")
    given |= {name: _value(name, text, problems) for name, text in (changes or {}).items()}
    for name in given.keys() - values.keys():
        problems.add(name, "is nothing that a forecast assumes")
    values |= {name: value for name, value in given.items() if name in values}
    found = {name: _checked(name, value, problems) for name, value in values.items()}
    if found["before_share"] + found["wave_share"] > 1.0 + _ALMOST:
        problems.add("wave_share", "must be at most 1 together with before_share")
    if found["tail_from_s"] < -found["before_s"]:
        problems.add("tail_from_s", "must not be earlier than before_s says")
    problems.raise_if_any(f"{path}" if path else "What is assumed")
    return Assumptions(**found)


def default_assumptions(**changes: Any) -> Assumptions:
    """Return those of assumptions.toml, with changes that nobody has to check."""
    return replace(read_assumptions(), **changes)


def shown(assumed: Assumptions) -> dict[str, Any]:
    """Return every value by its name; of lengths that a rehearsal gave, how many there are."""
    values = {field.name: getattr(assumed, field.name) for field in fields(assumed)}
    values["tickets"] = list(assumed.tickets)
    if assumed.lengths_s:
        values["lengths_s"] = f"{len(assumed.lengths_s):,} lengths"
    else:
        values["lengths_s"] = []
    return values


@cache
def meanings() -> dict[str, str]:
    """Return what assumptions.toml says of each value, by its name."""
    lines = map(_LINE.match, DEFAULTS.read_text("utf-8").splitlines())
    return {found["name"]: found["about"] for found in lines if found}


def _read(path: Path) -> bytes:
    """Read a file of this machine, or of the request. Raises NotFoundError."""
    try:
        with named_files.opened(path) as file:
            return file.read()
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).") from error


def _parsed(body: bytes, name: str) -> dict[str, Any]:
    """Raises MalformedInputError."""
    try:
        return tomllib.loads(body.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MalformedInputError(f"{name} is no TOML: {error}.") from error


def _value(name: str, text: str, problems: Problems) -> Any:
    """Read one value. If it is none, note that and return 0."""
    try:
        [(_, value)] = tomllib.loads(f"value = {text}").items()
    except (ValueError, RecursionError):  # of TOML, of more than one line, of lists in lists
        problems.add(name, f"must be a number or a list of numbers, not {text[:40]!r}")
        return 0
    return value


def _checked(name: str, value: Any, problems: Problems) -> Any:
    """Return the value, or one that goes on, with what is wrong noted."""
    if name in _LISTS:
        return _listed(name, value, problems)
    if not _is_number(value):
        problems.add(name, f"must be a number, not {value!r}")
        return 0.0
    if name in _WHOLE:
        if value != int(value) or not 0 <= value <= _WHOLE[name]:
            problems.add(name, f"must be a whole number from 0 to {_WHOLE[name]:,}")
        return int(value)
    least, most = _bounds(name)
    if not least <= value <= most:
        problems.add(name, f"must be {least:,g} to {most:,g}")
    elif name in _NEVER_WHOLE and value == 1:
        problems.add(name, "must be below 1")
    return float(value)


def _bounds(name: str) -> tuple[float, float]:
    if name in _SHARES:
        return 0.0, 1.0
    if name == "tail_from_s":
        return -_DAY_S, _DAY_S
    return _LEAST.get(name, 0.0), _MOST.get(name, _DAY_S)


def _listed(name: str, value: Any, problems: Problems) -> tuple[float, ...]:
    most = _LISTS[name]
    if not isinstance(value, list) or not all(_is_number(one) and one >= 0 for one in value):
        problems.add(name, "must be a list of numbers from 0 on")
        return ()
    if len(value) > most:
        problems.add(name, f"must have at most {most:,} numbers")
    if name == "tickets" and abs(sum(value) - 1.0) > _ALMOST:
        problems.add(name, "must be shares that make 1 together")
    if name == "lengths_s" and any(one < 1 for one in value):
        problems.add(name, "must be seconds from 1 on")
    return tuple(float(one) for one in value)


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return -sys.float_info.max <= value <= sys.float_info.max  # also of whole numbers beyond
