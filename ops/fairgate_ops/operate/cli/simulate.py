"""``fairgate simulate``: how an event's sale may go, for some numbers of buyers. All modelled."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.draft import state_at
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError, WrongStateError
from fairgate.service.house.free_seats import SeatFreer
from fairgate_ops.operate.cli.act import DRY_RUN
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.event_page import span
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.report import Listing, Report
from fairgate_ops.operate.forecast.assumptions import read_assumptions, shown
from fairgate_ops.operate.forecast.kept import POINTS_MAX, keep
from fairgate_ops.operate.forecast.outcome import Forecast, forecast
from fairgate_ops.operate.forecast.pictures import plot_page, plot_svg
from fairgate_ops.operate.forecast.sessions import EDGES
from fairgate_ops.operate.forecast.setting import LOCAL_EDGES, Sale, sale_of
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.whole_file import check_writable, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fairgate.service.shared.records.catalog import Event

NOTE = "Modelled: nothing here was measured, and no buyer is real."
_PLOTS = (".svg", ".html")
_UNKNOWN = "–"
_COLUMNS_MAX = 8  # one takes up to a minute, and a job ends after a quarter of an hour


@at_target
def run_simulate(options: argparse.Namespace, target: Target) -> Report:
    """Simulate one sale for each number of buyers. It writes nothing but what is asked for."""
    file = Path(options.assumptions) if options.assumptions else None
    assumed = read_assumptions(file, dict(options.assume or ()))
    buyers = options.buyers or [assumed.buyers]
    if len(buyers) > _COLUMNS_MAX:
        raise MalformedInputError(f"Name at most {_COLUMNS_MAX} numbers --buyers at once.")
    if options.keep and len(buyers) > 1:
        raise MalformedInputError("One forecast is kept: name --buyers once.")
    if options.plot:
        _check_plot(options.plot)
    event, sale = _sale(options.event, target)
    found = [forecast(sale, assumed, n) for n in buyers]
    runs = [_run(event, one) for one in found]
    data: dict[str, Any] = {
        "event": event.id,
        "modelled": NOTE,
        "assumptions": shown(assumed),
        "sale": _said_of(sale),
        "runs": runs,
    }
    table = _table(event, runs)
    tail = ["", "Assumed of buyers (--assumptions FILE changes it):", *_assumed(data)]
    lines: list[str | Listing] = [NOTE, f"{event.id}: {_sale_line(sale)}", table, *tail]
    if options.plot:
        lines += [_plotted(options, event, runs, [NOTE, *table.plain, *tail])]
        data |= {"plot": options.plot, "dry_run": options.dry_run}
    if options.keep:
        lines += [_kept(options, target, data, found[0])]
        data |= {"kept": not options.dry_run}
    return Report(data, lines)


def _kept(
    options: argparse.Namespace, target: Target, data: Mapping[str, Any], one: Forecast
) -> str:
    """Keep it with a shorter curve, and say so."""
    if options.dry_run:
        return f"{DRY_RUN} It can be kept."
    run = {**data["runs"][0], "curve": one.curve(POINTS_MAX)}
    said = {name: data[name] for name in ("modelled", "assumptions", "sale")}
    keep(target.world, data["event"], {**said, "run": run}, target.who())
    return f"{data['event']}: the console's live screen shows it."


def _sale(name: str, target: Target) -> tuple[Event, Sale]:
    """Return the event and its sale. Raises WrongStateError: it is closed, or cancelled."""
    event = target.world.catalog.event(name)
    gate = target.control().read(name)
    state = state_at(gate.state, gate.open_until_s, target.world.clock.now_ms() / 1000)
    if event.cancelled_at or state == "closed":
        how = "cancelled" if event.cancelled_at else "closed"
        raise WrongStateError(f"{event.id} is {how}: there is no sale to simulate.")
    blocks = SeatFreer(target.world.table, target.world.clock).blocks(event.id).records
    kept = sum(len(one.seats) + sum(one.places.values()) for one in blocks)
    here = target.name == "local" or target.world.settings.kvs_endpoint
    edges = LOCAL_EDGES if here else EDGES
    carried = target.world.settings.event_admissions_per_s
    return event, replace(sale_of(event, gate, kept), edges=edges, admissions_per_s=carried)


def _run(event: Event, one: Forecast) -> dict[str, Any]:
    """Return the figures of a run, with what the tickets bring and the curve."""
    figures = one.figures()
    prices = [tier.price_minor for tier in event.tiers] or [0]
    fees = figures["sold"] * event.fees.ticket_minor + figures["orders"] * event.fees.order_minor
    figures["takings_minor"] = [
        figures["sold"] * each + fees for each in (min(prices), max(prices))
    ]
    figures["currency"] = event.currency
    return figures | {"curve": one.curve()}


def _said_of(sale: Sale) -> dict[str, Any]:
    first = next((epoch.slope for epoch in sale.epochs if epoch.slope > 0), 0.0)
    return {
        "sale_starts_at": rfc3339(sale.sale_start_s * 1000),
        "control": sale.control,
        "curve": sale.curve,
        "tau_s": round(1 / first, 3) if first else None,
        "live_max": sale.live_max or None,
        "session_s": sale.session_s,
        "checkout_s": sale.checkout_s,
        "session_mean_s": sale.session_mean_s,
        "places": sale.places,
        "hold_limit": sale.hold_limit,
    }


def _sale_line(sale: Sale) -> str:
    said = _said_of(sale)
    target = f"target {sale.live_max:,}" if sale.live_max else "no target"
    tau = "no pace" if said["tau_s"] is None else f"τ {said['tau_s']:,g} s"
    return (
        f"{tau} at the sale start, {sale.control}, curve {sale.curve:g}, {target},"
        f" {sale.places or 0:,} places"
    )


def _table(event: Event, runs: Sequence[Mapping[str, Any]]) -> Listing:
    rows = [(what, *(say(one) for one in runs)) for what, say in _rows(event, runs).items()]
    head = ("for buyers", *(f"{one['buyers']:,}" for one in runs))
    widths = [max(len(row[n]) for row in [head, *rows]) for n in range(len(head))]
    plain = [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)),
            ]
        )
        for row in [head, *rows]
    ]
    return Listing(head, rows, plain)


def _rows(
    event: Event, runs: Sequence[Mapping[str, Any]]
) -> dict[str, Callable[[Mapping[str, Any]], str]]:
    """Return each row's name, and what it says of a run."""

    def count(name: str, within: str = "") -> Callable[[Mapping[str, Any]], str]:
        return lambda one: f"{round((one[within] if within else one)[name]):,}"

    def wait(name: str) -> Callable[[Mapping[str, Any]], str]:
        return lambda one: _time((one["waits"] or {}).get(name))

    rows: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "wait at the sale start": count("waiting_at_start"),
        "wait at most": count("waiting_most"),
        "come in": count("admitted"),
        "come in a second, at most": lambda one: f"{one['admitted_per_s_most']:,.1f}",
        "shop at once, at most": count("live_most"),
        "95 % of the target reached after": lambda one: _time(one["target_reached_s"]),
        "median wait of those who come in": wait("median_s"),
        "90 % are in after": wait("p90_s"),
        "99 % are in after": wait("p99_s"),
        "the last is in after": wait("last_s"),
    }
    arrivals = dict.fromkeys(group["arrival"] for one in runs for group in one["waits_by_arrival"])
    for name in arrivals:
        rows[f"  median, 90 %: came {name}"] = partial(_of_arrival, name)
    return rows | {
        "tickets sold": count("sold"),
        "all is sold after": lambda one: _time(one["sold_out_s"]),
        "found no places inside": count("found_no_places"),
        "gave up waiting": count("gave_up"),
        "still wait at the end": count("waiting_at_end"),
        "simulated": lambda one: span(one["simulated_s"]),
        "takings, cheapest tier": lambda one: money(one["takings_minor"][0], event.currency),
        "takings, dearest tier": lambda one: money(one["takings_minor"][1], event.currency),
        "requests answered by the gate": count("gate", "requests"),
        "requests for cached files": count("cached_files", "requests"),
        "requests to the API": count("api", "requests"),
        "edge requests a second, at most": count("per_s_most", "requests"),
        "AWS, without sign-in and mail": lambda one: f"{one['cost']['dollars']:,.2f} dollars",
    }


def _of_arrival(name: str, one: Mapping[str, Any]) -> str:
    for group in one["waits_by_arrival"]:
        if group["arrival"] == name:
            return f"{_time(group.get('median_s'))}, {_time(group.get('p90_s'))}"
    return _UNKNOWN


def _time(seconds: int | None) -> str:
    return _UNKNOWN if seconds is None else span(seconds)


def _assumed(data: Mapping[str, Any]) -> list[str]:
    return [f"  {name} = {value}" for name, value in data["assumptions"].items()]


def _check_plot(path: str) -> None:
    if Path(path).suffix not in _PLOTS:
        raise MalformedInputError(f"{path} is no plot: name a file that ends in .svg or .html.")
    check_writable(path)


def _plotted(
    options: argparse.Namespace, event: Event, runs: Sequence[Mapping[str, Any]], text: list[str]
) -> str:
    """Write the plots, and say so."""
    if options.dry_run:
        return f"{DRY_RUN} {options.plot}: the plots can be written."
    is_svg = Path(options.plot).suffix == ".svg"
    write_whole(
        options.plot,
        plot_svg(event.name, runs) if is_svg else plot_page(event.name, runs, text),
    )
    return f"{options.plot}: the plots."
