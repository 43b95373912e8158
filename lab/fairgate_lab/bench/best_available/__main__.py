"""Best available under a crowd: `python -m fairgate_lab.bench.best_available`.

Everything compared is measured in one run: the same parties with claims, without claims, with the
cache gone, and one after another; clicks on one seat with and without claims; what a decision and
a claim cost. The real Valkey server; ministack as the database.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_lab.bench.best_available.cost import claim_costs, decision_costs
from fairgate_lab.bench.best_available.crowd import (
    HEAD,
    MODES,
    Clicks,
    Crowd,
    clicks,
    crowd,
    kept_promises,
    parties,
)
from fairgate_lab.bench.best_available.world import Servers, servers, stage
from fairgate_lab.bench.kit.report import machine, table, valkey_version, versions
from fairgate_lab.bench.kit.world import sold_blocks
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.processes import StartError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.domain.seating.venue import Venue


def crowds(made: Servers, venue: Venue, share: float, callers: int, seed: int) -> list[Crowd]:
    """Seat the same parties in the same hall, in each of the modes."""
    sold = sold_blocks(venue, share, seed)
    sizes = parties(callers, seed)
    seated = []
    for mode in MODES:
        event = f"crowd-{round(share * 100)}-{mode.replace(' ', '-')}"
        seated.append(crowd(stage(made, event, venue, sold, callers), mode, sizes))
    return seated


def on_one_seat(made: Servers, callers: int) -> list[Clicks]:
    """Let everybody click the same seat, with claims and without."""
    venue = demo_venue(200)
    seat = next(venue.sections[0].seats()).id
    return [
        clicks(
            stage(made, f"clicks-{'with' if claims else 'without'}", venue, [], callers),
            seat,
            callers,
            claims=claims,
        )
        for claims in (True, False)
    ]


def measure(made: Servers, options: argparse.Namespace) -> bool:
    """Print each table when it is measured; tell whether every promise is kept."""
    venue, kept = demo_venue(options.seats), True
    title = f"{options.callers} parties of 2–4, {venue.seat_count():,} seats, {{:.0%}} sold before."
    for share in options.sold:
        seated = crowds(made, venue, share, options.callers, options.seed)
        print(table(title.format(share), HEAD, [one.row() for one in seated]), flush=True)
        kept &= kept_promises(seated)
    clicked = on_one_seat(made, options.callers)
    title = f"{options.callers} clicks on one seat."
    print(table(title, ("", "reached the table", "held"), [one.row() for one in clicked]))
    print(claim_costs(made), flush=True)
    return kept and clicked[0].reached == 1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--callers", type=int, default=500)
    parser.add_argument("--seats", type=int, default=10_000)
    parser.add_argument("--sold", type=float, nargs="*", default=[0.0, 0.6], help="shares, 0–0.9")
    parser.add_argument(
        "--halls", type=int, nargs="*", default=[10_000, 50_000], help="seats, of decisions"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="the simulator's table, no ministack")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as folder:
        try:
            with servers(Path(folder), memory=options.memory) as made:
                valkey = valkey_version(made.valkey_url)
                print(f"{machine()}, {versions()}; {made.engine}, {valkey}\n", flush=True)
                kept = measure(made, options)
        except StartError as error:
            print(error, file=sys.stderr)
            return 2
    print(decision_costs(options.seed, options.halls))
    print("Every promise is kept." if kept else "A promise is broken.")
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
