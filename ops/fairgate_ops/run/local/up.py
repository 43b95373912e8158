"""``make up``: the whole system with a demonstration sale, until Ctrl-C."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.errors import FairgateError, MalformedInputError
from fairgate_ops.operate.cli.kinds import number, tau_s
from fairgate_ops.operate.cli.report import reason_texts
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.operate.importers.detect import import_chart
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.processes import StartError, last_lines, start_child
from fairgate_ops.run.local.system import LocalSystem
from fairgate_ops.shared.endings import heed_signals
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.domain.seating.venue import Venue
    from fairgate_ops.run.local.processes import Child

EVENT = "demo"
PORT, PORT_MAX = 8080, 65_535
CROWD_MAX = 100_000
TAU_ALONE_S, TAU_CROWD_S = 3.0, 40.0  # a visitor waits seconds alone, most of a minute in a crowd
ADMITTED_A_S = 10.0  # at most: what two cores sell to without anybody waiting for a ticket
OPENS_ALONE_S, OPENS_CROWD_S, OPENS_IN_MAX_S = 8.0, 20.0, 864_000.0
CANCEL_FOR_S = 86_400  # so that refunds, and what a provider makes of them, can be tried
TRANSFER_FOR_S = 86_400  # so that a ticket can be passed on to a second guest
ARRIVAL_S = 12.0
QUIET_S = 2.0
ERRORS_SHOWN_MAX = 20


def main(arguments: Sequence[str] | None = None) -> int:
    options = options_of(arguments)
    heed_signals()
    try:
        return _run(options)
    except StartError as error:
        print(f"\n{error}", file=sys.stderr)
    except MalformedInputError as error:
        print(f"\n{error.detail}", file=sys.stderr)
        for line in _where(error):
            print(f"  {line}", file=sys.stderr)
    except FairgateError as error:
        print(f"\n{error.detail}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nStopped before it was up.")
        return 130
    return 1


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=partial(_whole, most=PORT_MAX), default=PORT)
    parser.add_argument("--chart", type=Path, help="sell this seats.io, pretix or Fairgate chart")
    parser.add_argument("--seats", type=int, default=12_000, help="of the generated venue")
    parser.add_argument(
        "--crowd",
        type=partial(_whole, most=CROWD_MAX),
        default=0,
        help="simulated buyers who compete",
    )
    parser.add_argument("--tau", type=tau_s, help="seconds; the pace of admission")
    parser.add_argument(
        "--sale-starts-in",
        type=partial(number, least=0.0, most=OPENS_IN_MAX_S),
        help="seconds until the sale starts",
    )
    parser.add_argument("--run-dir", type=Path, default=Path(".run"))
    return parser.parse_args(arguments)


def _whole(text: str, most: int) -> int:
    """Raises ArgumentTypeError outside of 0 to ``most``."""
    if not text.isdecimal() or not int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number up to {most:,}")
    return int(text)


def _run(options: argparse.Namespace) -> int:
    venue = _venue(options)  # first: a bad chart is refused before anything starts
    print("Starting Fairgate …", flush=True)
    with LocalSystem(options.run_dir, options.port, say=_Said()) as system:
        system.follow_rehearsals()
        crowd: Child | None = None
        sale = demonstration(options)
        put_on_sale(system.place.config, sale, venue)
        try:
            if options.crowd:
                crowd = _start_crowd(system, options.crowd)
            _invite(system, sale, venue, options.crowd)
            _stay(system, crowd)
        except KeyboardInterrupt:
            print("\nStopping …", flush=True)
        finally:
            if crowd is not None:
                crowd.stop()
    print("Stopped. Nothing runs any more.")
    return 0


def _venue(options: argparse.Namespace) -> Venue:
    if options.chart is not None:
        return import_chart(options.chart)
    try:
        return demo_venue(options.seats)
    except ValueError as error:
        raise MalformedInputError(f"{error}.") from error


def demonstration(options: argparse.Namespace) -> Sale:
    """A visitor waits some seconds alone, most of a minute in a crowd, longer in a large one."""
    crowd = options.crowd > 0
    pace_s = max(TAU_CROWD_S, options.crowd / ADMITTED_A_S) if crowd else TAU_ALONE_S
    sale_starts_in_s = options.sale_starts_in
    if sale_starts_in_s is None:
        sale_starts_in_s = OPENS_CROWD_S if crowd else OPENS_ALONE_S
    name = "The demonstration concert"
    return Sale(
        EVENT,
        name=name,
        sale_starts_in_s=sale_starts_in_s,
        tau_s=options.tau or pace_s,
        cancel_for_s=CANCEL_FOR_S,
        transfer_for_s=TRANSFER_FOR_S,
    )


def _start_crowd(system: LocalSystem, count: int) -> Child:
    command = python_module(
        "fairgate_ops.run.crowd.arrivals",
        *("--base-url", system.base_url, "--event", EVENT),
        *("--buyers", str(count), "--arrival", str(ARRIVAL_S)),
    )
    logs = system.place.logs
    return start_child("crowd", command, logs_dir=logs, env=base_environment(), cwd=ROOT)


def _invite(system: LocalSystem, sale: Sale, venue: Venue, crowd: int) -> None:
    seats, general_admission = venue.seat_count(), sum(area.capacity for area in venue.areas)
    places = f"{seats:,} seats" + (
        f" and {general_admission:,} places of general admission" if general_admission else ""
    )
    lines = [
        "",
        f"  Fairgate is up. {venue.name}: {places}.",
        *([f"  {crowd:,} simulated buyers are on their way."] if crowd else []),
        "",
        f"  Open     {system.base_url}/   sale starts in {sale.sale_starts_in_s:.0f} s",
        f"  Console  {system.base_url}/console   choose a role there to sign in",
        f"  Pace     .venv/bin/fairgate tau set {EVENT} 20      τ is {sale.tau_s:g} s now",
        f"  Pause    .venv/bin/fairgate event pause {EVENT}     and: event resume {EVENT}",
        "  Check    make check",
        f"  Logs     {_short(system.place.logs)}/",
        f"  Stop     Ctrl-C, or: kill {os.getpid()}",
        "",
    ]
    print("\n".join(lines), flush=True)


def _stay(system: LocalSystem, crowd: Child | None) -> None:
    """Until Ctrl-C; raises StartError when a part dies. Tells what the crowd's log tells."""
    told, pause = "", threading.Event()
    while not pause.wait(1.0):
        system.watch()
        if crowd is None:
            continue
        line = last_lines(crowd.log, 1).removeprefix("  | ").strip()
        if line != told and "(" not in line[:1]:
            told = line
            print(f"  crowd: {line}", flush=True)
        if not crowd.running:
            crowd = None


class _Said:
    """What starts, as soon as it takes longer than two seconds altogether."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    def __call__(self, text: str) -> None:
        if time.monotonic() - self._since > QUIET_S or "replaces it" in text:
            print(f"  {text} …", flush=True)


def _where(error: MalformedInputError) -> list[str]:
    texts = reason_texts(error)
    lines = texts[:ERRORS_SHOWN_MAX]
    more = len(texts) - len(lines)
    return [*lines, f"… and {more} more"] if more > 0 else lines


def _short(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


if __name__ == "__main__":
    sys.exit(main())
