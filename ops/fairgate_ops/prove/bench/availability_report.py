"""The availability benchmark's figures as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.prove.bench.availability_figures import Spread, table
from fairgate_ops.prove.bench.availability_sizes import (
    BROTLI_QUALITY,
    GZIP_LEVEL,
    SECTION_SEATS,
    VENUE_SEATS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_ops.prove.bench.availability_freshness import Freshness
    from fairgate_ops.prove.bench.availability_misses import Misses
    from fairgate_ops.prove.bench.availability_sizes import Size
    from fairgate_ops.prove.bench.availability_speed import Speed
    from fairgate_ops.prove.bench.availability_stampede import Hot


def misses(found: Sequence[Misses]) -> str:
    rows = [
        (one.how, f"{one.callers:,}", one.refills, _counts(one.answers), f"{one.slowest_ms:,.0f}")
        for one in found
    ]
    return table(
        "Concurrent misses of one section; refills counted at the table.",
        ("asked by", "at once", "refills", "answers from", "slowest, ms"),
        rows,
    )


def hot(found: Sequence[Hot]) -> str:
    rows = [
        (
            f"`{one.path.rsplit('/', 1)[1]}`",
            f"{one.viewers:,}",
            f"{one.answered:,} ({one.answered / one.seconds:,.0f}/s)",
            f"{one.origin} ({one.origin_per_s:.2f}/s)",
            one.origin_most,
            f"{one.hit_rate:.3%}",
            f"{one.answer_ms.p50:.1f} / {one.answer_ms.p99:.1f}",
            f"{one.answer_bytes:,.0f}",
            _counts({**one.statuses, "late": one.late, "lost": one.lost}),
        )
        for one in found
    ]
    first = found[0]
    return table(
        f"{first.viewers:,} open connections on a hot section through nginx for "
        f"{first.seconds:.0f} s, each asking every {first.every_s:g} s. "
        "Requests at the API counted in its access log.",
        (
            *("path", "viewers", "answers", "at the API", "most in a second", "hit rate"),
            *("answer p50 / p99, ms", "bytes", "statuses"),
        ),
        rows,
    )


def freshness(found: Sequence[Freshness]) -> str:
    """A column for each rate."""
    first = found[0]
    rows: list[tuple[str, ...]] = [
        (name, *(_p50_p99(one.parts[name]) for one in found)) for name in first.parts
    ]
    rows += [
        (f"**commit → {name}**", *(_p50_p99(one.totals[name]) for one in found))
        for name in first.totals
    ]
    rows.append(("holds, of them never seen", *(f"{o.holds:,}, {o.missed}" for o in found)))
    rows.append(("cores used by the engine", *(f"{one.database_cores:.2f}" for one in found)))
    return table(
        f"Freshness, p50 / p99 in ms, under holds in {first.sections} sections.",
        ("holds a second: reached (wanted)", *(_rate(one) for one in found)),
        rows,
    )


def _rate(one: Freshness) -> str:
    return f"{one.reached_per_s:.0f} ({one.wanted_per_s:.0f})"


def _p50_p99(spread: Spread) -> str:
    return f"{spread.p50:,.0f} / {spread.p99:,.0f}"


def sizes(found: Sequence[Size]) -> str:
    rows = [
        (one.what, one.mix, f"{one.raw:,}", f"{one.gzip:,}", f"{one.brotli:,}") for one in found
    ]
    return table(
        f"Bytes of {SECTION_SEATS} seats of a section and of {VENUE_SEATS:,} seats of a venue; "
        f"gzip at level {GZIP_LEVEL}, brotli at quality {BROTLI_QUALITY}. The list names each seat "
        "and its status.",
        ("answer", "mix", "raw", "gzip", "brotli"),
        rows,
    )


def speed(found: Speed) -> str:
    reads = [
        (
            read.way,
            f"{read.own_us:,.0f}",
            f"{read.per_s:,.0f}",
            f"{read.valkey_us:,.0f}",
            f"{read.database_us:,.0f}",
            f"{read.ms:.2f}",
        )
        for read in found.reads
    ]
    changes = [
        (f"{one.batch}", f"{one.handler_us:,.0f}", f"{one.valkey_us:,.1f}") for one in found.changes
    ]
    scripts = [(one.what, f"{one.median_us:,.0f}", f"{one.most_us:,.0f}") for one in found.scripts]
    return "\n".join(
        (
            table(
                f"CPU of a read: a section of {found.section_seats} seats, "
                f"a venue of {found.venue_seats:,}. The database is ministack, a Python program.",
                (
                    *("read by", "own CPU, µs", "requests/s of a core", "Valkey, µs"),
                    *("database, µs", "elapsed, ms"),
                ),
                reads,
            ),
            table(
                "CPU of applying one change, by how many come together.",
                ("batch", "invalidator, µs", "Valkey, µs"),
                changes,
            ),
            table(
                "Valkey's longest scripts, time on its one thread.",
                ("script", "median, µs", "most, µs"),
                scripts,
            ),
        )
    )


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"
