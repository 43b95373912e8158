"""What landing pages cost before the sale starts: ``python -m fairgate_lab.bench landing``.

Modelled: how often a page asks, times the prices of ``cost.py``. That a page in a browser asks as
often as the model says is counted by ``tests/edge/test_web_readers.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.service.availability.reading_pace import RESTING_S
from fairgate_lab.bench.availability.cost import Prices, changed, shown_inputs
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from fairgate_lab.bench.kit.benchmark import Options

_GB = 1e9
_HOUR_S = 3_600
PER_S_MAX = 250_000  # requests a second of a distribution by default: CloudFront Developer Guide


@dataclass(frozen=True)
class Landing:
    """How often an open landing page asks, seconds on average, and what comes back."""

    look_s: float = RESTING_S  # for changes, as the server says
    whole_s: float = 10 * RESTING_S  # for all counts: live.js, WHOLE_LOOKS
    state_s: float = 18.0  # for the event: pace.js, 15 to 21
    travel_s: float = 0.1  # until an answer is there and the next pause begins
    look_bytes: float = 500.0  # headers too; before the sale starts a stream has hardly a message
    whole_bytes: float = 3_000.0  # the counts of 200 sections, compressed
    state_bytes: float = 1_200.0

    @property
    def per_s(self) -> float:
        return sum(1 / (pause_s + self.travel_s) for pause_s, _ in self._asked())

    @property
    def bytes_per_s(self) -> float:
        return sum(size / (pause_s + self.travel_s) for pause_s, size in self._asked())

    def _asked(self) -> tuple[tuple[float, float], ...]:
        return (
            (self.look_s, self.look_bytes),
            (self.whole_s, self.whole_bytes),
            (self.state_s, self.state_bytes),
        )


EVERY_SECOND = Landing(look_s=1.0, whole_s=60.0)  # what a page with a fixed `retry: 1000` asks


def hourly(landing: Landing, viewers: int, prices: Prices) -> tuple[float, float]:
    """Return requests a second, and US dollars an hour for requests and data of CloudFront."""
    per_s = viewers * landing.per_s
    gb = viewers * landing.bytes_per_s * _HOUR_S / _GB
    return per_s, per_s * _HOUR_S * prices.cloudfront_request + gb * prices.cloudfront_gb


def measure(options: Options, _folder: Path) -> Iterator[Part]:
    """Price pages that ask as the server says beside pages that ask every second."""
    landing, viewers = changed(Landing(), options.set), options.viewers
    rows: list[Sequence[object]] = []
    for name, one in (("every second", EVERY_SECOND), ("as the server says", landing)):
        per_s, dollars = hourly(one, viewers, Prices())
        share = f"{per_s / PER_S_MAX:.0%}"
        rows.append((name, f"{one.per_s:.3f}", f"{per_s:,.0f}", share, f"{dollars:,.0f}"))
    title = f"Modelled: {viewers:,} open landing pages before the sale starts, prices of June 2026."
    head = (
        "changes are asked for",
        "a page's requests a second",
        "all together",
        f"of {PER_S_MAX:,} a second",
        "$ an hour",
    )
    yield Part(title, head, rows)
    yield shown_inputs(landing)


BENCHMARK = Benchmark(
    about="What open landing pages cost before the sale starts. Modelled.",
    measure=measure,
    options={"viewers": Option(1_000_000), "set": Option((), "NAME=VALUE of inputs")},
)
