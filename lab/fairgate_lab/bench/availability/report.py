"""The availability benchmark's figures as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate_lab.bench.kit.report import table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_lab.bench.availability.freshness import Freshness
    from fairgate_lab.bench.availability.hot import Hot


def hot(figures: Sequence[Hot]) -> str:
    rows = []
    for one in figures:
        counts = {**one.statuses, "late": one.late, "lost": one.lost}
        rows.append(
            (
                f"`{one.path.rsplit('/', 1)[1]}`",
                f"{one.viewers:,}",
                f"{one.answered:,} ({one.answered / one.seconds:,.0f}/s)",
                f"{one.origin} ({one.origin_per_s:.2f}/s)",
                one.origin_most,
                f"{one.hit_rate:.3%}",
                f"{one.answer_ms.p50:.1f} / {one.answer_ms.p99:.1f}",
                f"{one.answer_bytes:,.0f}",
                ", ".join(f"{count:,} {name}" for name, count in counts.items()),
            )
        )
    first = figures[0]
    title = (
        f"{first.viewers:,} open connections on a hot section through nginx for "
        f"{first.seconds:.0f} s, each asking every {first.every_s:g} s. "
        "Requests at the API counted in its access log."
    )
    head = ("path", "viewers", "answers", "at the API", "most in a second", "hit rate")
    return table(title, (*head, "answer p50 / p99, ms", "bytes", "statuses"), rows)


def freshness(figures: Sequence[Freshness]) -> str:
    """Give each rate a column."""
    first = figures[0]
    rows: list[Sequence[object]] = [
        (name, *(one.parts[name].shown() for one in figures)) for name in first.parts
    ]
    rows += [
        (f"**commit → {name}**", *(one.totals[name].shown() for one in figures))
        for name in first.totals
    ]
    rows.append(("holds, of them never seen", *(f"{o.holds:,}, {o.missed}" for o in figures)))
    rows.append(("cores used by the engine", *(f"{one.database_cores:.2f}" for one in figures)))
    rates = (f"{one.reached_per_s:.0f} ({one.wanted_per_s:.0f})" for one in figures)
    return table(
        f"Freshness, p50 / p99 in ms, under holds in {first.sections} sections.",
        ("holds a second: reached (wanted)", *rates),
        rows,
    )


def speed(figures: Mapping[str, Any]) -> str:
    reads = [
        (
            read["way"],
            f"{read['own_us']:,.0f}",
            f"{1e6 / read['own_us']:,.0f}",
            f"{read['valkey_us']:,.0f}",
            f"{read['database_us']:,.0f}",
            f"{read['ms']:.2f}",
        )
        for read in figures["reads"]
    ]
    head = ("read by", "own CPU, µs", "requests/s of a core", "Valkey, µs", "database, µs")
    tables = (
        table(
            f"CPU of a read: a section of {figures['section_seats']} seats, a venue of "
            f"{figures['venue_seats']:,}. The database is ministack, a Python program.",
            (*head, "elapsed, ms"),
            reads,
        ),
        table(
            "CPU of applying one change, by how many come together.",
            ("batch", "invalidator, µs", "Valkey, µs"),
            [
                (one["batch"], f"{one['handler_us']:,.0f}", f"{one['valkey_us']:,.1f}")
                for one in figures["changes"]
            ],
        ),
        table(
            "Valkey's longest scripts, time on its one thread.",
            ("script", "median, µs", "most, µs"),
            [
                (one["what"], f"{one['median_us']:,.0f}", f"{one['most_us']:,.0f}")
                for one in figures["scripts"]
            ],
        ),
    )
    return "\n".join(tables)
