"""Say what a forecast shows: waits, shoppers, tickets, requests, cost. All of it is modelled."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairgate_ops.operate.capacity.cost import calls_a_sale, sale_cost
from fairgate_ops.operate.capacity.inputs import Inputs, read_inputs
from fairgate_ops.operate.forecast.maths import polls_every_s
from fairgate_ops.operate.forecast.orders import mean_tickets
from fairgate_ops.operate.forecast.sessions import run
from fairgate_ops.operate.forecast.setting import sessions_of, setting_of, tickets_of
from fairgate_ops.operate.forecast.waits import GROUPS

if TYPE_CHECKING:
    from fairgate_ops.operate.forecast.assumptions import Assumptions
    from fairgate_ops.operate.forecast.maths import Floats, Ints
    from fairgate_ops.operate.forecast.sessions import Course
    from fairgate_ops.operate.forecast.setting import Sale

POINTS_MAX = 600
SHARES = (0.5, 0.9, 0.99, 1.0)
NAMES = ("median_s", "p90_s", "p99_s", "last_s")
_PEAK_S = 10  # rates are means of so many seconds
_NEAR = 0.95  # of the target
_LEAST = 1e-9  # a rate of nothing, where something is divided by it


@dataclass(frozen=True)
class Forecast:
    """One simulated sale, for a number of buyers."""

    sale: Sale
    assumed: Assumptions
    buyers: int
    course: Course

    @cached_property
    def seconds(self) -> int:
        """How long the sale was simulated, from its start on."""
        return int(self.course.live.size)

    @cached_property
    def sold(self) -> Ints:
        """Tickets sold by each second."""
        stock = self.course.stock
        return np.zeros(self.seconds, np.int64) if stock is None else stock.sold[: self.seconds]

    @cached_property
    def sold_out_s(self) -> int | None:
        """When all is sold; None: it is not, within the simulated time."""
        if self.sale.places is None or not self.seconds or self.sold[-1] < self.sale.places:
            return None
        return int(np.searchsorted(self.sold, self.sale.places))

    def figures(self) -> dict[str, Any]:
        """Return everything but the curve, as JSON says it."""
        course, stock = self.course, self.course.stock
        live = course.live
        return {
            "buyers": self.buyers,
            "simulated_s": self.seconds,
            "waiting_at_start": self._waiting_at_start(),
            "waiting_most": int(max(course.waiting, default=0)),
            "waiting_at_end": int(course.waiting[-1]) if self.seconds else 0,
            "gave_up": course.gave_up,
            "live_target": self.sale.live_max or None,
            "live_most": int(live.max(initial=0)),
            "target_reached_s": self._target_reached_s(),
            "admitted": int(course.admitted.sum()),
            "admitted_per_s_most": _peak(course.admitted),
            "refused_at_target": int(course.refused.sum()),
            "places": self.sale.places,
            "sold": int(self.sold[-1]) if self.seconds else 0,
            "orders": 0 if stock is None else int(stock.paid[: self.seconds].sum()),
            "found_no_places": 0 if stock is None else stock.found_none,
            "sold_out_s": self.sold_out_s,
            "waits": self._waits(None),
            "waits_by_arrival": [
                {"arrival": name, "admitted": round(count), **(self._waits(number) or {})}
                for number, (name, count) in enumerate(
                    zip(GROUPS, course.waits.counts(), strict=True)
                )
                if count >= 1
            ],
            "requests": self.requests(),
            "cost": self.cost(),
        }

    def curve(self, points_max: int = POINTS_MAX) -> dict[str, list[float | None]]:
        """Return the sale over time as columns of at most so many points."""
        step = max(1, -(-self.seconds // points_max))
        starts = np.arange(0, self.seconds, step)
        ends = np.minimum(starts + step, self.seconds)
        course = self.course
        passed = np.append(0, np.cumsum(course.admitted))
        admitted = (passed[ends] - passed[starts]) / (ends - starts)
        slopes = course.slopes[ends - 1].tolist()
        return {
            "offset_s": (ends - 1).tolist(),
            "waiting": course.waiting[ends - 1].tolist(),
            "live": course.live[ends - 1].tolist(),
            "admitted_per_s": np.round(admitted, 3).tolist(),
            "sold": self.sold[ends - 1].tolist(),
            "tau_s": [round(1 / slope, 3) if slope > 0 else None for slope in slopes],
        }

    def requests(self) -> dict[str, float]:
        """Return the requests at the edge: those that the gate answers, files, and the API."""
        gate, files = self._gate_per_s, self._files_per_s
        api = sum(calls_a_sale(self.inputs).values())
        asked, cached = float(gate.sum()), float(files.sum())
        return {
            "gate": round(asked),
            "cached_files": round(cached),
            "api": round(api),
            "total": round(asked + cached + api),
            "per_s_most": round(float((gate + files).max(initial=0.0))),
        }

    def cost(self) -> dict[str, Any]:
        """Return what AWS charges for the sale, by the capacity plan's model; without sign-in."""
        rows = sale_cost(self.inputs)
        return {
            "dollars": round(sum(row.dollars for row in rows), 2),
            "rows": [asdict(row) for row in rows],
        }

    @cached_property
    def inputs(self) -> Inputs:
        """The sale as the capacity plan takes it; what a forecast does not know is as there."""
        plan, stock, assumed = read_inputs(), self.course.stock, self.assumed
        gate, files = self._gate_per_s, self._files_per_s
        holds, paid = (0.0, 0.0) if stock is None else (_peak(stock.holds), _peak(stock.paid))
        asked = plan.orders_asked_per_s / plan.checkouts_per_s
        return replace(
            plan,
            waiting=float(self.buyers),
            sign_in_hours=assumed.sign_in_hours,
            edge_requests_per_s=float((gate + files).max(initial=0.0)),
            requests_a_waiting_buyer=float(gate.sum() + files.sum()) / max(1, self.buyers),
            admissions_per_s=_peak(self.course.admitted),
            session_mean_s=float(np.mean(sessions_of(self.sale, assumed)[1])),
            holds_per_s=holds,
            seats_a_hold=mean_tickets(tickets_of(self.sale, assumed)),
            checkouts_per_s=max(paid, _LEAST),
            orders_asked_per_s=asked * max(paid, _LEAST),
            keys_looked_at=self.sale.sections + 2.0,  # and the event's counts, and its changes
            seats=float(self.sold[-1]) if self.seconds else 0.0,
            sale_hours=self.seconds / 3600,
        )

    @cached_property
    def _gate_per_s(self) -> Floats:
        """Joining, first attempts at the sale start, and the looks of those who wait."""
        course = self.course
        before = course.joined.size - (course.setting.minutes * 60)
        joined = course.joined[: before + self.seconds].astype(np.float64)
        every = polls_every_s(course.slopes, course.setting.backoff_s)
        if self.assumed.polls_s:
            every = np.full(self.seconds, self.assumed.polls_s)
        looks = course.waiting / every
        width = min(self.seconds, max(course.wave_s, course.setting.backoff_s[1] // 5, 1))
        looks[:width] = np.maximum(looks[:width], self._waiting_at_start() / max(width, 1))
        joined[before:] += looks
        return joined

    @cached_property
    def _files_per_s(self) -> Floats:
        """Pages with their files as buyers join, and what shoppers ask of the seat map."""
        course = self.course
        before = course.joined.size - (course.setting.minutes * 60)
        files = course.joined[: before + self.seconds] * self.assumed.pages
        files = files * self.assumed.files_a_page
        counted: Floats = files.astype(np.float64)
        counted[before:] += course.live / self.assumed.looks_every_s
        return counted

    def _waiting_at_start(self) -> int:
        before = self.course.joined.size - (self.course.setting.minutes * 60)
        return int(self.course.joined[:before].sum())

    def _target_reached_s(self) -> int | None:
        near = np.flatnonzero(self.course.live >= _NEAR * self.sale.live_max)
        return int(near[0]) if self.sale.live_max and near.size else None

    def _waits(self, group: int | None) -> dict[str, int] | None:
        found = self.course.waits.quantiles(SHARES, group)
        return None if found is None else dict(zip(NAMES, found, strict=True))


def forecast(sale: Sale, assumed: Assumptions, buyers: int) -> Forecast:
    """Simulate a sale for so many buyers."""
    return Forecast(sale, assumed, buyers, run(setting_of(sale, assumed, buyers)))


def _peak(counts: Ints) -> float:
    """Return the most a second, in the mean of _PEAK_S seconds."""
    if not counts.size:
        return 0.0
    whole = np.append(0, np.cumsum(counts))
    width = min(_PEAK_S, counts.size)
    return round(float((whole[width:] - whole[:-width]).max()) / width, 3)
