"""What the console's live screen asks beside an event's figures: alarms, cost, and the forecast.

They are acts, not routes: each route of the API takes a part of what one address may ask for.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.watch.alarms import AlarmReader
    from fairgate_ops.operate.watch.cost import CostReader


def run_alarms(options: argparse.Namespace) -> Report:
    """The event says alone who may ask: alarms are those of the whole deployment."""
    found = _alarms(options.system.world).read()
    lines = [
        line
        for source in found.sources
        for line in (
            *([f"{source.of}: {source.why}"] if source.why else ()),
            *(f"{one.name}, since {one.since}: {one.do}" for one in source.up),
        )
    ]
    return Report(msgspec.to_builtins(found), lines or ["None is up."])


def run_cost(options: argparse.Namespace) -> Report:
    """Raises NotFoundError, DependencyUnavailableError."""
    found = _cost(options.system.world).read(options.event)
    dollars = "unknown" if found.dollars is None else f"{found.dollars:,.2f} dollars"
    lines = [f"{found.event}: {dollars} until {found.until}, modelled.", found.left_out]
    return Report(msgspec.to_builtins(found), [*lines, *([found.missing] if found.missing else ())])


def run_forecast(options: argparse.Namespace) -> Report:
    """Raises DependencyUnavailableError."""
    from fairgate_ops.operate.forecast import kept
    from fairgate_ops.operate.forecast.assumptions import meanings, read_assumptions, shown

    found, abouts = kept.find(options.system.world, options.event), meanings()
    assumed = [
        {"name": name, "value": value, "about": abouts.get(name, "")}
        for name, value in shown(read_assumptions()).items()
    ]
    line = f"made at {found['made_at']} by {found['by']}" if found else "none is kept"
    data = {"event": options.event, "forecast": found, "assumes": assumed}
    return Report(data, [f"{options.event}: {line}."])


@cache
def _alarms(world: Any) -> AlarmReader:
    from fairgate_ops.operate.watch.alarms import alarm_reader

    return alarm_reader(world.settings, world.clock)


@cache
def _cost(world: Any) -> CostReader:
    from fairgate.service.watch.read_figures import FigureReader, HistoryReader
    from fairgate_ops.operate.watch.cost import CostReader

    look = world.table, world.clock
    return CostReader(world, FigureReader(*look), HistoryReader(*look))
