"""What one decision costs in processor time, and what a claim costs beside a bare round trip."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.seating.adjacent_seats import Wish
from fairgate.domain.seating.best_available import propose
from fairgate.domain.seating.layout import OVERVIEW, section_file, split_layout
from fairgate.domain.seating.section_search import SectionSearch
from fairgate.domain.seating.section_seats import SectionSeats
from fairgate.ports.availability import Claim
from fairgate.service.holds.hold_best import CLAIM_ROUNDS
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.measure import Range, alternating, ratio
from fairgate_lab.bench.kit.world import Servers, sold_blocks
from fairgate_ops.operate.importers.demo import demo_venue

_DECISIONS = 41
_TRIPS = 400


def decision_costs(seed: int, halls: Sequence[int]) -> Part:
    """Decide in halls of these sizes, from empty to nearly sold out."""
    rows = []
    for seats in halls:
        venue = demo_venue(seats)
        files = split_layout(venue).files
        sections = {
            s["id"]: SectionSeats.from_layout(
                json.loads(files[section_file(s["id"])]), (s["focalPoint"][0], s["focalPoint"][1])
            )
            for s in json.loads(files[OVERVIEW])["sections"]
        }
        for share in (0.0, 0.6, 0.95):
            sold = set(sold_blocks(venue, share, seed))
            statuses = {n: s.without("0" * s.seats, sold) for n, s in sections.items()}
            for party in (2, 4, 8):
                costs = _decision(sections, statuses, party, _DECISIONS)
                rows.append((f"{seats:,}", f"{share:.0%}", party, *costs))
        chance = random.Random(seed)  # noqa: S311 a drawing that repeats
        shreds = {n: "".join(chance.choices("01", (1, 1), k=s.seats)) for n, s in sections.items()}
        rows += [
            (f"{seats:,}", "½ *", party, *_decision(sections, shreds, party, 5))
            for party in (10, 20, 40)  # every second seat: no party this large sits in one row
        ]
    return Part(
        "Processor time of a decision, ms (median), and the sections that it opens.",
        ("seats", "sold", "party", "best", f"list of {CLAIM_ROUNDS[0]}", "opened"),
        rows,
        "* every second seat sold, at random: the worst that a hall can look like\n",
    )


def _decision(
    sections: Mapping[str, SectionSeats], statuses: Mapping[str, str], party: int, times: int
) -> tuple[str, str, int]:
    nearest = {name: section.nearest for name, section in sections.items()}
    opened: set[str] = set()

    def read(name: str, at_least: int) -> tuple[SectionSeats, str] | None:
        if statuses[name].count("0") < at_least:
            return None
        opened.add(name)
        return sections[name], statuses[name]

    def decide(count: int) -> float:
        began_s = time.thread_time()
        propose(SectionSearch(nearest, read), Wish(party), count)
        return (time.thread_time() - began_s) * 1000

    lists = statistics.median(decide(CLAIM_ROUNDS[0]) for _ in range(times))
    opened.clear()
    best = statistics.median(decide(1) for _ in range(times))
    return f"{best:.2f}", f"{lists:.2f}", len(opened)


def claim_costs(made: Servers) -> Part:
    """Time round trips to Valkey by turns: bare, a claim of two seats, a list, all claims read."""
    cache = ValkeyAvailability(made.valkey_url, timeout_s=5)
    crowd = [Claim((("s", f"x{n}"), ("s", f"y{n}"))) for n in range(500)]
    for number, claim in enumerate(crowd):
        cache.claim("busy", [claim], f"caller-{number}", 600_000)
    alone = [Claim((("s", "a"), ("s", "b")))]
    first = crowd[: CLAIM_ROUNDS[0]]
    bare = "a bare GET"
    steps: dict[str, Callable[[], object]] = {
        bare: lambda: cache.places("busy"),
        "claim two seats": lambda: cache.claim("quiet", alone, "me", 1_000),
        f"claim the first of {len(first)} blocks, all claimed": lambda: cache.claim(
            "busy", first, "me", 1_000
        ),
        "read 1,000 claims of a section": lambda: cache.claimed("busy", ["s"]),
    }
    seen = alternating({name: partial(_elapsed_us, step) for name, step in steps.items()}, _TRIPS)
    cache.close()
    rows = [
        (name, f"{Range.of(us).median:.0f}", f"{ratio(us, seen[bare]).median:.1f} ×")
        for name, us in seen.items()
    ]
    title = "Round trips to the cache (median), and against the bare one of the same round."
    return Part(title, ("call", "µs", "against a bare one"), rows)


def _elapsed_us(step: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    step()
    return (time.perf_counter() - began_s) * 1e6
