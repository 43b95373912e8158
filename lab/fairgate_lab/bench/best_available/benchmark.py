"""Best available under a crowd (``make bench-best``).

Everything compared is measured in one run: the same parties with claims, without claims, with the
cache gone, and one after another; clicks on one seat with and without claims; what a decision and
a claim cost. The real Valkey server; ministack as the database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_lab.bench.best_available.cost import claim_costs, decision_costs
from fairgate_lab.bench.best_available.crowd import HEAD, MODES, clicks, crowd, parties, promises
from fairgate_lab.bench.best_available.world import stage
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.report import valkey_version
from fairgate_lab.bench.kit.world import Servers, servers, sold_blocks
from fairgate_ops.operate.importers.demo import demo_venue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fairgate_lab.bench.kit.benchmark import Options


def seated(made: Servers, options: Options, share: float) -> Part:
    """Seat the same parties in the same hall, in each of the modes."""
    venue = demo_venue(options.seats)
    sold = sold_blocks(venue, share, options.seed)
    sizes = parties(options.callers, options.seed)
    crowds = []
    for mode in MODES:
        event = f"crowd-{round(share * 100)}-{mode.replace(' ', '-')}"
        crowds.append(crowd(stage(made, event, venue, sold, options.callers), mode, sizes))
    seats = f"{venue.seat_count():,} seats, {share:.0%} sold before"
    title = f"{options.callers} parties of 2–4, {seats}; {valkey_version(made.valkey_url)}."
    return Part(title, HEAD, [one.row() for one in crowds], goals=promises(crowds))


def clicked(made: Servers, callers: int) -> Part:
    """Let everybody click the same seat, with claims and without."""
    venue = demo_venue(200)
    seat = next(venue.sections[0].seats()).id
    rows = []
    for claims in (True, False):
        name = "with claims" if claims else "without"
        scene = stage(made, f"clicks-{name.replace(' ', '-')}", venue, [], callers)
        rows.append((name, *clicks(scene, seat, callers, claims=claims)))
    goals = {"one claimed click reaches the table": rows[0][1] == 1}
    return Part(
        f"{callers} clicks on one seat.", ("", "reached the table", "held"), rows, goals=goals
    )


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Seat crowds, let them click, and time what that costs."""
    with servers(folder) as made:
        for share in options.sold:
            yield seated(made, options, share)
        yield clicked(made, options.callers)
        yield claim_costs(made)
    yield decision_costs(options.seed, options.halls)


BENCHMARK = Benchmark(
    about="Best available under a crowd: with claims, without claims, and with the cache gone.",
    measure=measure,
    options={
        "callers": Option(500),
        "seats": Option(10_000),
        "sold": Option((0.0, 0.6), "shares, 0–0.9"),
        "halls": Option((10_000, 50_000), "seats, of decisions"),
        "seed": Option(1),
    },
    goal="with claims everybody gets near the best seats at the first try; no single seat is left",
)
