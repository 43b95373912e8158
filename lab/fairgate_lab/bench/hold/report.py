"""The hold benchmark's figures as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_lab.bench.hold.world import SEATS
from fairgate_lab.bench.kit.report import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_lab.bench.hold.cpu import CpuReport
    from fairgate_lab.bench.hold.units import Units

RATIO_TARGET = 1.5  # the function over the plain boto3 call
QUOTA_UNITS = 40_000  # write units a second of a table, AWS's default


def cpu(report: CpuReport) -> str:
    title = (
        f"One hold of {SEATS} seats is one TransactWriteItems of {report.actions} actions. CPU of "
        f"this process against a stub that answers at once, {report.rounds} rounds of "
        f"{report.calls} calls by turns, medians. Target: the function at most {RATIO_TARGET} "
        f"times the plain boto3 call."
    )
    head = ("", "CPU, µs", "times boto3 (range)", "trips to the database")
    rows = [
        (cost.name, f"{cost.cpu_us:,.0f}", cost.times.shown(2), f"{cost.trips:.0f}")
        for cost in report.costs
    ]
    left_out = f"\nLeft out: claiming in the cache: {report.left_out}\n" if report.left_out else ""
    return table(title, head, rows) + left_out


def units(figures: Sequence[Units], left_out: Sequence[str]) -> str:
    head = (
        "a hold of",
        "source",
        "seats",
        "session and reservations",
        "of which indexes",
        "total",
        "a seat",
    )
    rows = [
        (
            str(each.seats),
            each.source,
            f"{each.tables['seats']:.0f}",
            f"{each.tables['reservations']:.0f}",
            "?" if each.of_which_indexes is None else f"{each.of_which_indexes:.0f}",
            f"{each.total:.0f}",
            f"{each.a_seat:.2f}",
        )
        for each in sorted(figures, key=lambda each: each.seats)
    ]
    busiest = max(max(each.tables.values()) for each in figures if each.seats == SEATS)
    carried = (
        f"Modelled: a table's default quota of {QUOTA_UNITS:,} units a second carries "
        f"{QUOTA_UNITS / busiest:,.0f} holds of {SEATS} seats a second, by the busier table's "
        f"{busiest:.0f}."
    )
    first = table("Write units of a hold.", head, rows)
    return "\n".join([first, *(f"Left out: {reason}\n" for reason in left_out), carried])
