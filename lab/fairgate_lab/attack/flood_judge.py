"""What a flood must not do: each bound as a function of what was counted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fairgate_ops.run.crowd.buyer import Outcome

SLOWER_MAX = 1.5  # p99 of a hold under the flood, over that under as many static requests
HOLDS_MIN = 100  # below, the 99th of a hundred is no figure
SIGMAS = 4.0  # a sampled count is this far off once in thirty thousand
CREATED = 201
CLEAR = ("ticket", "refusal", "message")
SHOWN_MAX = 10
# never: the edge knows, and asks nobody. sample: the edge knows, and asks the desk for a sample.
# refused: only the origin can know what has been redeemed; it says no, and opens nothing.
Reach = Literal["never", "sample", "refused"]
REACHES: dict[str, Reach] = {
    "anonymous": "never",
    "malformed": "never",
    "bad-token": "sample",
    "early": "sample",
    "redeemed": "refused",
    "inside": "refused",
}


@dataclass(frozen=True)
class Window:
    """One kind of flood for some seconds, and the same rate of static requests after it.

    Attributes:
        answers: requests by what the edge answered.
        errors: requests that failed.
        under_way: requests that may have been sent and were not answered when the time was over.
        reached: the flood's calls that reached an origin, by what that answered.
        holds_s: how long each hold of an honest buyer took meanwhile.
    """

    kind: str
    seconds: float
    answers: Mapping[int, int]
    errors: int
    reached: Mapping[int, int]
    holds_s: Sequence[float]
    static_requests: int
    static_holds_s: Sequence[float]
    under_way: int = 0

    @property
    def requests(self) -> int:
        return sum(self.answers.values())

    @property
    def sent(self) -> int:
        """Return how many may have been sent."""
        return self.requests + self.errors + self.under_way

    @property
    def origin_calls(self) -> int:
        return sum(self.reached.values())


@dataclass(frozen=True)
class Flood:
    """All that was seen. ``sample`` is the gate's: the share of violations that the desk hears."""

    sample: float
    windows: Sequence[Window]
    outcomes: Sequence[Outcome]
    violations: Sequence[object] = field(default_factory=list)

    @property
    def broken(self) -> list[str]:
        found = [text for window in self.windows for text in broken_reach(window, self.sample)]
        return [
            *found,
            *broken_buyers(self.outcomes),
            *broken_pace(self.windows),
            *(f"a law of the sale: {violation}" for violation in self.violations),
        ]


def reach_max(kind: str, requests: int, sample: float) -> int | None:
    """Return how many of a kind's requests an origin may see; None: all, and refuse them."""
    reach = REACHES[kind]
    if reach == "never":
        return 0
    if reach == "refused":
        return None
    off = SIGMAS * math.sqrt(requests * sample * (1.0 - sample))
    return math.floor(requests * sample + off)


def broken_reach(window: Window, sample: float) -> Iterator[str]:
    """Tell which bound on what reaches an origin this kind breaks."""
    if not window.requests:
        yield f"{window.kind}: no request was answered, so nothing was shown"
    most = reach_max(window.kind, window.sent, sample)
    if most is not None and window.origin_calls > most:
        yield (
            f"{window.kind}: {window.origin_calls:,} of {window.sent:,} requests reached an "
            f"origin, at most {most:,} may"
        )
    opened = window.reached.get(CREATED, 0) + window.answers.get(CREATED, 0)
    if opened:
        yield f"{window.kind}: {opened} requests opened a session"


def broken_buyers(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Tell which honest buyers ended without a ticket or a clear answer."""
    if not outcomes:
        yield "no honest buyer came to an end, so nothing was shown"
    unclear = [outcome for outcome in outcomes if outcome.kind not in CLEAR]
    for outcome in unclear[:SHOWN_MAX]:
        yield f"buyer {outcome.buyer} ended with {outcome.code}: {outcome.detail}"
    if len(unclear) > SHOWN_MAX:
        yield f"… and {len(unclear) - SHOWN_MAX} buyers more"


def paced(windows: Sequence[Window]) -> tuple[list[float], list[float]]:
    """Return all holds under floods, and all under static requests."""
    return (
        [hold_s for window in windows for hold_s in window.holds_s],
        [hold_s for window in windows for hold_s in window.static_holds_s],
    )


def broken_pace(windows: Sequence[Window]) -> Iterator[str]:
    """Tell whether holds are slower under the flood than under as many static requests."""
    flooded, static = paced(windows)
    if not told(windows):
        return
    slower = p99(flooded) / p99(static)
    if slower > SLOWER_MAX:
        yield (
            f"p99 of a hold is {p99(flooded):.2f} s under the flood, {slower:.2f} times the "
            f"{p99(static):.2f} s under as many static requests"
        )


def told(windows: Sequence[Window]) -> bool:
    """Tell whether there were holds enough to say anything of their p99."""
    return min(map(len, paced(windows))) >= HOLDS_MIN


def p99(values: Sequence[float]) -> float:
    """Take the smallest value that 99 % do not exceed (nearest rank); 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(0.99 * len(ordered)) - 1)] if ordered else 0.0


def lines(flood: Flood) -> Iterator[str]:
    """Show what was counted as a table, and what is broken."""
    yield (
        f"{'kind':<11}{'a second':>9}{'requests':>10}{'no answer':>10}{'at an origin':>13}"
        f"{'allowed':>9}{'holds':>7}{'p99 s':>7}{'static':>8}{'p99 s':>7}  answers"
    )
    for window in flood.windows:
        most = reach_max(window.kind, window.sent, flood.sample)
        yield (
            f"{window.kind:<11}{window.requests / window.seconds:>9,.0f}{window.requests:>10,}"
            f"{window.errors:>10,}{window.origin_calls:>13,}"
            f"{'refused' if most is None else f'{most:,}':>9}"
            f"{len(window.holds_s):>7}{p99(window.holds_s):>7.2f}"
            f"{window.static_requests:>8,}{p99(window.static_holds_s):>7.2f}"
            f"  {_answers(window.answers)}"
        )
    yield f"the gate's sample of violations: {flood.sample:.0%}"
    yield from _pace_lines(flood.windows)
    ends = Counter((outcome.kind, outcome.code) for outcome in flood.outcomes)
    yield f"{len(flood.outcomes):,} honest buyers"
    for (kind, code), count in ends.most_common():
        yield f"  {count:>6,}  {kind:<8} {code}"
    for text in flood.broken:
        yield f"BROKEN  {text}"


def _pace_lines(windows: Sequence[Window]) -> Iterator[str]:
    flooded, static = paced(windows)
    yield (
        f"p99 of {len(flooded)} holds under the flood {p99(flooded):.2f} s, of {len(static)} under "
        f"static requests {p99(static):.2f} s; at most {SLOWER_MAX} times"
    )
    if not told(windows):
        yield f"NOT JUDGED  p99 of a hold: {HOLDS_MIN} of each are needed (SECONDS= longer)"


def _answers(answers: Mapping[int, int]) -> str:
    return ", ".join(f"{status}: {count:,}" for status, count in sorted(answers.items()))
