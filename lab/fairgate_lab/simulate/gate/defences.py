"""What the room's defences are worth, as one document and as tables: the part that ends in docs.

A sale at capacity, the wave at its start, farms with the desk off and on, the crowd's estimate.
`make simulate-gate` shows it among the rest, `python -m fairgate_lab.simulate.gate --part defences`
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fairgate_lab.simulate.gate.farms import farms
from fairgate_lab.simulate.gate.hammering import hammering
from fairgate_lab.simulate.gate.inflated import admitted_by_estimate, inflated
from fairgate_lab.simulate.gate.sale import hold_sale, steady_epochs
from fairgate_lab.simulate.gate.sale_start import sale_start

BUYERS_MAX = 100_000  # the hall is simulated attempt by attempt, the sample digest by digest
_FIGURES = ("compared", "figure")
Say = Callable[[str], None]


def defences(
    buyers: int, crowd: int, curves: Sequence[float], seed: int, say: Say
) -> dict[str, Any]:
    """Run all of it. Deterministic by its arguments."""
    buyers = min(buyers, BUYERS_MAX)
    document: dict[str, Any] = {"buyers": buyers, "curves": []}
    for curve in curves:
        say(f"curve {curve:g}: a sale at capacity")
        full = hammering(buyers, curve, seed)
        say(f"curve {curve:g}: the wave at the sale start")
        wave = sale_start(buyers, crowd, curve, seed)
        document["curves"].append({"curve": curve, "capacity_reached": full, "sale_start": wave})
    curve = curves[0]
    say("farms")
    versions = steady_epochs(curve)
    sale = hold_sale(buyers, curve=curve, mode="a", seed=seed + 1, versions=versions)
    document["farms"] = farms(sale)
    say("the estimate of the crowd")
    document["estimate"] = inflated(buyers, seed)
    document["admitted"] = admitted_by_estimate(buyers, curve, seed)
    return document


def defence_lines(document: dict[str, Any]) -> list[str]:
    """The same in Markdown."""
    text = [f"Modelled with {document['buyers']:,} buyers."]
    for one in document["curves"]:
        text += [
            "",
            f"## A sale at capacity, curve {one['curve']:g}",
            "",
            *_capacity_reached(one["capacity_reached"]),
        ]
        text += [
            "",
            f"## The wave at the sale start, curve {one['curve']:g}",
            "",
            *_sale_start(one["sale_start"]),
        ]
    text += ["", "## Farms", "", *_farms(document["farms"])]
    return [*text, "", "## The estimate of the crowd", "", *_estimate(document)]


def _capacity_reached(found: dict[str, Any]) -> list[str]:
    head = ("rule", "strategy", "gain of a place", "sooner, s", "waits, s", "honest twin, s")
    rows = []
    for rule, by_rule in found.items():
        for title, gain in by_rule["strategies"].items():
            waits = (f"{gain['waited_s']:.1f}", f"{gain['honest_waited_s']:.1f}")
            rows.append((rule, title, points(gain), _seconds(gain["sooner_s"]), *waits))
    text = [*table(head, rows), ""]
    for rule, by_rule in found.items():
        mixed = by_rule["in one sale"]
        text.append(
            f"- {rule}: {by_rule['filled']:.1%} of the places taken,"
            f" {by_rule['asked_per_admitted']:.1f} attempts at the origin for each who came in."
            f" One in twenty hammers: {mixed['waited_s']:.1f} s, the others"
            f" {mixed['honest_waited_s']:.1f} s; sooner by {_seconds(mixed['sooner_s'])} s."
        )
    return text


def _sale_start(found: dict[str, Any]) -> list[str]:
    peaks = found["peak_per_s"]
    narrow, wide = peaks["0"], peaks[str(found["wave_s"])]
    cost, last = found["costs"], found["last_beside_first"]
    bound, free = found["latecomer"], found["latecomer_not_bound"]
    sizes = f"A crowd of {found['crowd']:,}, a budget of {found['budget_per_s']:,} a second"
    figures = {
        "most first attempts in a second, no wave": f"{narrow:,}",
        "with the wave": f"{wide:,}",
        "gain of a seat by the wave, buyers who waited at the sale start": points(cost),
        "sooner by the wave, s": _seconds(cost["sooner_s"]),
        "gain of a seat, the wave's last beside its first": points(last),
        "sooner, s": _seconds(last["sooner_s"]),
        "latecomers of the wave who overtake their twin": f"{bound['overtakes']:.2%}",
        "the same, not bound to the place's moment": f"{free['overtakes']:.2%}",
    }
    return [f"{sizes}: a wave of {found['wave_s']} s.", "", *table(_FIGURES, figures.items())]


def _farms(found: list[dict[str, Any]]) -> list[str]:
    ways = {
        "obeys": ("obey", "either"),
        "desk off": ("ask every second", "off"),
        "desk on": ("ask every second", "on"),
        "before": ("ask every second", "on, old rule"),
    }
    rows = []
    for one in found:
        for way, (they, desk) in ways.items():
            by_way = one[way]
            decided: tuple[object, ...] = ("–",) * 5
            if "campus_seen" in by_way and desk != "off":
                farmed = (f"{by_way['flagged']:.1%}", f"{by_way['locked_out']:.1%}")
                people = (one["campus"], by_way["campus_seen"], by_way["campus_flagged"])
                decided = (*farmed, *(f"{count:,}" for count in people))
            seats = f"{by_way['seats']:.1f}"
            rows.append((f"{one['accounts']:,}", they, desk, seats, points(by_way), *decided))
    head = ("accounts", "they", "desk", "seats", "gain of an account", "flagged", "locked out")
    return table((*head, "honest at their addresses", "of them seen", "flagged falsely"), rows)


def _estimate(document: dict[str, Any]) -> list[str]:
    found, admitted = document["estimate"], document["admitted"]
    more = found["counted_more"]
    inside, outside = more["in the sample"], more["not in the sample"]
    crowd = f"{found['accounts']:,} accounts, estimated as {found['estimate']:,.0f}"
    figures = {
        "accounts more in the count, if it is in the sample": f"{inside['most']:g}",
        "at the end": f"{inside['at_the_end']:g}",
        "if it is not in the sample": f"{outside['most']:g}",
        "the estimate moves, in the mean, by": f"{found['estimate_moves_in_the_mean']:g}",
        "when every request was counted, by": f"{found['estimate_moved_before']:,.0f}",
        "admissions with the estimate moved by one": f"{admitted['one more']:.1%}",
        "admissions with an estimate × 100": f"{admitted['x 100']:.1%}",
    }
    asks = f"{crowd}; one more asks for {found['requests']:,} places."
    return [asks, "", *table(_FIGURES, figures.items())]


def points(gain: dict[str, Any]) -> str:
    """A gain of the probability of a seat in percentage points, with its interval."""
    seat = {name: 100 * value for name, value in gain["seat_probability_gain"].items()}
    digits = 3 if abs(seat["mean"]) < 1 else 1
    low, high = (f"{seat[end]:+.{digits}f}" for end in ("low", "high"))
    return f"{seat['mean']:+.{digits}f} [{low}, {high}]"


def _seconds(interval: dict[str, float]) -> str:
    return f"{interval['mean']:+.2f} [{interval['low']:+.2f}, {interval['high']:+.2f}]"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Make the lines of a table in Markdown."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in (head, *rows)]
    return [lines[0], f"|{'---|' * len(head)}", *lines[1:]]
