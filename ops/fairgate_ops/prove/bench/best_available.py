"""Best available under a crowd: `python -m fairgate_ops.prove.bench.best_available`.

Everything compared is measured in one run: the same parties with claims, without claims, with the
cache gone, and one after another; clicks on one seat with and without claims; what a decision and
a claim cost. The real Valkey server; ministack as the database.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.prove.bench.best_available_cost import claim_costs, decision_costs
from fairgate_ops.prove.bench.best_available_crowd import (
    MODES,
    Clicks,
    Crowd,
    clicks,
    crowd,
    parties,
)
from fairgate_ops.prove.bench.best_available_world import Servers, servers, sold_blocks, stage
from fairgate_ops.run.local.processes import StartError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.domain.seating.venue import Venue

FIRST_TRIES_MIN = 0.95
GIVEN_UP_MAX = 0.05


def crowds(made: Servers, venue: Venue, share: float, callers: int, seed: int) -> list[Crowd]:
    """The same parties in the same hall, in each of the modes."""
    sold = sold_blocks(venue, share, seed)
    sizes = parties(callers, seed)
    found = []
    for mode in MODES:
        event = f"crowd-{round(share * 100)}-{mode.replace(' ', '-')}"
        found.append(crowd(stage(made, event, venue, sold, callers), mode, sizes))
        found[-1].show()
    return found


def met(found: Sequence[Crowd]) -> bool:
    """The promises, which are those of the mode with claims."""
    (claims,) = (one for one in found if one.mode == "claims")
    return (
        claims.held == claims.callers
        and claims.first_try >= FIRST_TRIES_MIN * claims.callers
        and claims.given_up <= GIVEN_UP_MAX
        and claims.avoidable == 0
    )


def on_one_seat(made: Servers, callers: int) -> list[Clicks]:
    """Everybody clicks the same seat, with claims and without."""
    venue = demo_venue(200)
    seat = next(venue.sections[0].seats()).id
    found = []
    for claims in (True, False):
        scene = stage(made, f"clicks-{'with' if claims else 'without'}", venue, [], callers)
        found.append(clicks(scene, seat, callers, claims=claims))
        found[-1].show()
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--callers", type=int, default=500)
    parser.add_argument("--seats", type=int, default=10_000)
    parser.add_argument("--sold", type=float, nargs="*", default=[0.0, 0.6], help="shares, 0–0.9")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="the simulator's table, no ministack")
    asked = parser.parse_args(arguments)
    venue = demo_venue(asked.seats)
    with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as folder:
        try:
            with servers(Path(folder), memory=asked.memory) as made:
                print(
                    f"{platform.machine()}, Python {platform.python_version()}; "
                    f"{made.engine}, {made.valkey_version()}"
                )
                print(f"{asked.callers} callers, parties of 2–4, {venue.seat_count():,} seats")
                fine = True
                for share in asked.sold:
                    print(f"\n{share:.0%} sold before")
                    Crowd.heading()
                    fine &= met(crowds(made, venue, share, asked.callers, asked.seed))
                print(f"\n{asked.callers} clicks on one seat")
                fine &= on_one_seat(made, asked.callers)[0].reached == 1
                claim_costs(made)
        except StartError as error:
            print(error, file=sys.stderr)
            return 2
    decision_costs(asked.seed)
    print("\nEvery promise is kept." if fine else "\nA promise is broken.")
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
