"""Judge a rehearsed day: the laws, the acts, who lost something, and whether figures were true."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from fairgate.ports.record import SK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fairgate_ops.operate.laws.checked import Report
    from fairgate_ops.run.crowd.buyer import Outcome
    from fairgate_ops.run.rehearse.day.acts import Done
    from fairgate_ops.run.rehearse.day.predict import Predicted
    from fairgate_ops.run.rehearse.day.script import Expected

LATE_S = 2.0  # an act that begins later than this was not at its minute
FAILED_LOOKS_MAX = 0.2  # of all looks: while a part stands still the page may wait for it


@dataclass(frozen=True)
class Verdict:
    """What became of a day.

    Attributes:
        wrong_figures: what was shown at the end and is not what the tables have.
        recorded: the lines of the record.
        expected: what the record was to show.
        predicted: what the simulator shows for each of ``expected``; none: it was not asked.
        looks: makings of the figures of `watch` that were compared with the tables; ``compared``:
            how often each figure was.
        live_max: the target, of which ``within`` is a share where the simulator is compared.
    """

    report: Report
    acts: Sequence[Done]
    outcomes: Sequence[Outcome]
    recorded: Sequence[dict[str, Any]]
    wrong_figures: Sequence[str] = field(default_factory=tuple)
    expected: Sequence[Expected] = field(default_factory=tuple)
    predicted: Sequence[Predicted] = field(default_factory=tuple)
    live_max: int = 0
    looks: int = 0
    compared: Mapping[str, int] = field(default_factory=dict)

    @property
    def complaints(self) -> list[str]:
        """Everything that was not as it must be."""
        wrong = [str(violation) for violation in self.report.violations]
        for act in self.acts:
            if act.failure:
                wrong.append(f"{act.do} failed: {act.failure}")
            if act.begun_s > act.due_s + LATE_S:
                wrong.append(f"{act.do} began {act.begun_s - act.due_s:.1f} s late")
        wrong += [
            f"{outcome.buyer} lost their way: {outcome.code} {outcome.detail}"
            for outcome in self.outcomes
            if outcome.kind == "broken"
        ]
        wrong += self.wrong_figures
        for expected in self.expected:
            mean = self.mean_live(expected)
            far = mean is not None and abs(mean - expected.live) > expected.within * expected.live
            if mean is None or (far and expected.live >= 0):
                wrong.append(_expected_text(expected, mean))
        for expected, predicted in zip(self.expected, self.predicted, strict=False):
            mean = self.mean_live(expected)
            if mean is not None and not predicted.allows(mean, expected.within * self.live_max):
                text = _expected_text(expected, mean)
                wrong.append(f"not as simulated: {text}; {_predicted_text(predicted)}")
        failed = sum("error" in line for line in self.recorded)
        if not self.recorded or failed > FAILED_LOOKS_MAX * len(self.recorded):
            wrong.append(f"{failed} of {len(self.recorded)} looks failed")
        return wrong

    def lines(self) -> Iterator[str]:
        ends = Counter(f"{outcome.kind} {outcome.code}" for outcome in self.outcomes)
        yield f"{len(self.outcomes)} buyers: " + ", ".join(
            f"{count} {end}" for end, count in ends.most_common()
        )
        for act in self.acts:
            took = act.ended_s - act.begun_s
            end = f"FAILED: {act.failure}" if act.failure else f"done in {took:.1f} s"
            yield f"  minute {act.due_s / 60:6.2f}  {act.do:<40} {end}"
        yield f"{len(self.recorded)} looks, the most who shopped at once: {self._most('live')}"
        for each, predicted in zip_longest(self.expected, self.predicted):
            text = _expected_text(each, self.mean_live(each))
            yield text if predicted is None else f"{text}; {_predicted_text(predicted)}"
        yield (
            f"{len(self.compared)} figures of watch compared with the tables at their moment,"
            f" {sum(self.compared.values()):,} times in {self.looks} makings"
        )
        yield from self.report.lines()
        complaints = self.complaints
        yield from (f"WRONG  {complaint}" for complaint in complaints)
        yield "The day went well." if not complaints else f"{len(complaints)} things went wrong."

    def mean_live(self, expected: Expected) -> float | None:
        """Return how many shopped in the mean of those minutes; None where nobody looked."""
        live = [
            line["live"]
            for line in self.recorded
            if "live" in line and expected.from_min * 60 <= line["at_s"] <= expected.to_min * 60
        ]
        return sum(live) / len(live) if live else None

    def _most(self, name: str) -> int:
        return max((line.get(name) or 0 for line in self.recorded), default=0)


def _expected_text(expected: Expected, mean: float | None) -> str:
    shown = "nobody looked" if mean is None else f"{mean:.1f} shopped"
    text = f"minutes {expected.from_min:g} to {expected.to_min:g}: {shown} in the mean"
    if expected.live < 0:
        return text
    return f"{text}, {expected.live:g} within {expected.within:.0%} were expected"


def _predicted_text(predicted: Predicted) -> str:
    runs, low, high = len(predicted.means), min(predicted.means), max(predicted.means)
    return f"the simulator shows {predicted.mean:.1f} ({low:.1f} to {high:.1f} in {runs} runs)"


def wrong_figures(shown: dict[str, Any], report: Report, event: str) -> list[str]:
    """Compare what an operator is shown with the tables, read when nobody changes them."""
    snapshot = report.snapshot
    live = sum(
        session["eventId"] == event
        and session["state"] in ("reservation", "checkout")
        and session["expiresAt"] > snapshot.now
        for session in snapshot.sessions
    )
    (sale,) = (item for item in snapshot.events if item[SK] == event)
    pairs = {
        "live": (shown["live"], live),
        "live_max": (shown["live_max"], sale["liveMax"]),
        "seats": (shown["seats"], sum(seat["eventId"] == event for seat in snapshot.seats)),
        "at_edges": (shown["at_edges"], True),
    }
    return [
        f"{name} is shown as {figure}, and is {true}"
        for name, (figure, true) in pairs.items()
        if figure != true
    ]
