"""Read the script of a rehearsed day: a sale, a crowd, and acts at their minutes. In TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from fairgate.domain.shared.reading import Problems
from fairgate.errors import MalformedInputError, NotFoundError

if TYPE_CHECKING:
    from pathlib import Path

MINUTES_MAX = 24 * 60.0
ACTS_MAX = 200
BUYERS_MAX = 20_000
FAULTS = ("provider-away", "store-late", "cache-gone")
T = TypeVar("T")


@dataclass(frozen=True)
class SaleScript:
    """The event: seconds for times, and what its chart is; "" is a generated venue of ``seats``."""

    chart: str = ""
    seats: int = 600
    sale_starts_in_s: float = 5.0
    tau_s: float = 20.0
    live_max: int = 50
    session_s: int = 600
    checkout_s: int = 120
    session_mean_s: int = 0
    backoff_max_s: int = 5
    control: Literal["manual", "auto"] = "manual"
    sample: float = 1.0


@dataclass(frozen=True)
class CrowdScript:
    """Who comes: evenly over ``arrival_s``, with ``think_s`` between two steps in the shop.

    Attributes:
        comes_after_s: from the start; beyond the sale start, the crowd comes late.
        leaves: a share of the buyers that waits for ``leaves_after_s`` at most, and says nothing.
    """

    buyers: int = 40
    comes_after_s: float = 0.0
    arrival_s: float = 5.0
    think_s: float = 1.0
    patience_s: float = 600.0
    seed: int = 1
    leaves: float = 0.0
    leaves_after_s: float = 120.0


@dataclass(frozen=True)
class Act:
    """What is done at a minute after the start.

    Attributes:
        do: words of the command ``fairgate``, in which EVENT stands for the event; or a fault,
            one of FAULTS.
        for_s: how long a fault lasts.
    """

    at_min: float
    do: str
    for_s: float = 10.0


@dataclass(frozen=True)
class Expected:
    """What is to be seen in the mean of the looks of some minutes: so many who shop, within.

    Under the controller it is compared with what the simulator shows for these minutes, too.

    Attributes:
        live: so many; not said: only what the simulator shows counts.
    """

    from_min: float
    to_min: float
    live: float = -1.0
    within: float = 0.1


@dataclass(frozen=True)
class Script:
    """A day: it lasts ``minutes``, or until the last buyer has gone if that is later."""

    minutes: float
    sale: SaleScript
    crowd: CrowdScript
    acts: tuple[Act, ...]
    expected: tuple[Expected, ...] = ()


def read_script(path: Path) -> Script:
    """Read a script. Raises NotFoundError, MalformedInputError with everything that is wrong."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MalformedInputError(f"{path} is no TOML: {error}.") from error
    return parse_script(document)


def parse_script(document: Mapping[str, Any]) -> Script:
    """Make a script of a document. Raises MalformedInputError with everything that is wrong."""
    problems = Problems()
    for name in set(document) - {"minutes", "sale", "crowd", "act", "expect"}:
        problems.add(name, "is nothing that a script has")
    minutes = document.get("minutes", 1)
    if not _is_number(minutes) or not 0 < minutes <= MINUTES_MAX:
        problems.add("minutes", f"must be up to {MINUTES_MAX:,.0f}")
        minutes = 1
    sale = _made(SaleScript, document.get("sale", {}), "sale", problems)
    crowd = _made(CrowdScript, document.get("crowd", {}), "crowd", problems)
    if not 0 < crowd.buyers <= BUYERS_MAX:
        problems.add("crowd.buyers", f"must be 1 to {BUYERS_MAX:,}")
    if not 0 <= crowd.leaves < 1:
        problems.add("crowd.leaves", "must be a share below 1")
    if sale.control not in ("manual", "auto"):
        problems.add("sale.control", "must be manual or auto")
    acts = [
        _act(each, f"act {n}", minutes, problems)
        for n, each in enumerate(_listed(document, "act", problems), start=1)
    ]
    least = {"from_min": 0.0, "to_min": 0.0}
    expected = [
        _made(Expected, each, f"expect {n}", problems, **least)
        for n, each in enumerate(_listed(document, "expect", problems), start=1)
    ]
    for number, each in enumerate(expected, start=1):
        if not each.from_min < each.to_min:
            problems.add(f"expect {number}.to_min", "must come after from_min")
        if each.live < 0 and sale.control != "auto":
            problems.add(f"expect {number}.live", "is missing: nothing simulates a pace by hand")
    problems.raise_if_any("The script")
    in_order = sorted(acts, key=lambda act: act.at_min)
    return Script(float(minutes), sale, crowd, tuple(in_order), tuple(expected))


def _listed(document: Mapping[str, Any], name: str, problems: Problems) -> list[Any]:
    listed = document.get(name, [])
    if isinstance(listed, list) and len(listed) <= ACTS_MAX:
        return listed
    problems.add(name, f"must be up to {ACTS_MAX} tables [[{name}]]")
    return []


def _act(given: Any, where: str, minutes: float, problems: Problems) -> Act:
    act = _made(Act, given, where, problems, at_min=0.0, do="")
    if not 0 <= act.at_min <= minutes:
        problems.add(f"{where}.at_min", f"must be within the {minutes:g} minutes")
    if act.do not in FAULTS and not act.do.startswith(("event ", "tau ", "cache ", "orders ")):
        problems.add(f"{where}.do", f"must be a command like “event pause EVENT”, or of {FAULTS}")
    return act


def _made(kind: Callable[..., T], given: Any, where: str, problems: Problems, **least: Any) -> T:
    """Make the record of what is given; what is wrong is noted, and its default taken."""
    whole = kind(**least)
    if not isinstance(given, Mapping):
        problems.add(where, "must be a table")
        return whole
    known = vars(whole)
    values = dict(least)
    for name, value in given.items():
        if name not in known:
            problems.add(f"{where}.{name}", "is nothing that a script has")
        elif isinstance(known[name], str) is not isinstance(value, str) or (
            not isinstance(value, str) and not _is_number(value)
        ):
            problems.add(f"{where}.{name}", f"must be like {known[name]!r}")
        elif not isinstance(value, str) and value < 0:
            problems.add(f"{where}.{name}", "must not be below 0")
        else:
            values[name] = value
    for name in least:
        if name not in given:
            problems.add(f"{where}.{name}", "is missing")
    return kind(**values)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
