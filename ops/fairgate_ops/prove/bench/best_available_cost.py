"""What one decision costs in processor time, and what a claim costs beside a bare round trip."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable, Mapping

from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.seating.adjacent_seats import Wish
from fairgate.domain.seating.best_available import propose
from fairgate.domain.seating.layout import OVERVIEW, section_file, split_layout
from fairgate.domain.seating.section_search import SectionSearch
from fairgate.domain.seating.section_seats import SectionSeats
from fairgate.ports.availability import Claim
from fairgate.service.holds.hold_best import CLAIM_ROUNDS
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.prove.bench.best_available_world import Servers, sold_blocks

_DECISIONS = 41
_ROUND_TRIPS = 400


def decision_costs(seed: int) -> None:
    """Decisions in halls of two sizes, from empty to nearly sold out."""
    print("\nprocessor time of a decision, ms (median), and the sections that it opens")
    first = f"list of {CLAIM_ROUNDS[0]}"
    print(f"{'seats':>8}{'sold':>6}{'party':>7}{'best':>9}{first:>12}{'opened':>8}")
    for seats in (10_000, 50_000):
        venue = demo_venue(seats)
        files = split_layout(venue).files
        shown = json.loads(files[OVERVIEW])["sections"]
        sections = {
            s["id"]: SectionSeats.from_layout(
                json.loads(files[section_file(s["id"])]), (s["focalPoint"][0], s["focalPoint"][1])
            )
            for s in shown
        }
        for share in (0.0, 0.6, 0.95):
            sold = set(sold_blocks(venue, share, seed))
            statuses = {n: s.without("0" * s.seats, sold) for n, s in sections.items()}
            for party in (2, 4, 8):
                _decisions(sections, statuses, f"{seats:>8,}{share:>6.0%}", party)
        chance = random.Random(seed)  # noqa: S311 a drawing that repeats
        shreds = {n: "".join(chance.choices("01", (1, 1), k=s.seats)) for n, s in sections.items()}
        for party in (10, 20, 40):  # every second seat: no party this large sits in one row
            _decisions(sections, shreds, f"{seats:>8,}   ½ *", party, times=5)
    print("* every second seat sold, at random: the worst that a hall can look like")


def _decisions(
    sections: Mapping[str, SectionSeats],
    statuses: Mapping[str, str],
    label: str,
    party: int,
    *,
    times: int = _DECISIONS,
) -> None:
    nearest = {name: section.nearest for name, section in sections.items()}
    opened: set[str] = set()

    def read(name: str, at_least: int) -> tuple[SectionSeats, str] | None:
        if statuses[name].count("0") < at_least:
            return None
        opened.add(name)
        return sections[name], statuses[name]

    def decide(count: int) -> float:
        started = time.thread_time()
        propose(SectionSearch(nearest, read), Wish(party), count)
        return (time.thread_time() - started) * 1000

    lists = statistics.median(decide(CLAIM_ROUNDS[0]) for _ in range(times))
    opened.clear()
    best = statistics.median(decide(1) for _ in range(times))
    print(f"{label}{party:>7}{best:>9.2f}{lists:>12.2f}{len(opened):>8}")


def claim_costs(made: Servers) -> None:
    """Round trips to Valkey, interleaved: bare, a claim of two seats, a list, all claims read."""
    cache = ValkeyAvailability(made.valkey_url, timeout_s=5)
    crowd = [Claim((("s", f"x{n}"), ("s", f"y{n}"))) for n in range(500)]
    for number, claim in enumerate(crowd):
        cache.claim("busy", [claim], f"caller-{number}", 600_000)
    alone = [Claim((("s", "a"), ("s", "b")))]
    steps: dict[str, Callable[[], object]] = {
        "a bare GET": lambda: cache.places("busy"),
        "claim two seats": lambda: cache.claim("quiet", alone, "me", 1_000),
        f"claim the first of {CLAIM_ROUNDS[0]} blocks, all claimed": lambda: cache.claim(
            "busy", crowd[: CLAIM_ROUNDS[0]], "me", 1_000
        ),
        "read 1,000 claims of a section": lambda: cache.claimed("busy", ["s"]),
    }
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(_ROUND_TRIPS):
        for name, step in steps.items():
            started = time.perf_counter()
            step()
            times[name].append((time.perf_counter() - started) * 1e6)
    cache.close()
    print("\nround trips to the cache, µs (median), and against a bare one")
    bare = statistics.median(times["a bare GET"])
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:<48}{median:>8.0f}{median / bare:>8.1f} ×")
