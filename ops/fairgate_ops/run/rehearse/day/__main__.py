"""Rehearse a day of sale: a system of its own, a crowd, the acts of a script, and a verdict.

Ends with 1 when something went wrong. The figures of each two seconds are kept as JSON lines.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import FairgateError
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.operate.importers.detect import import_chart
from fairgate_ops.operate.queues import count_messages
from fairgate_ops.run.crowd.arrivals import Crowd
from fairgate_ops.run.laws.check import check
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.local_config import LocalConfig
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.run.local.system import LocalSystem
from fairgate_ops.run.rehearse.day.acts import Operator
from fairgate_ops.run.rehearse.day.compare_around import compare_around
from fairgate_ops.run.rehearse.day.compare_kept import compare_kept
from fairgate_ops.run.rehearse.day.predict import predict
from fairgate_ops.run.rehearse.day.reading import Reading, read
from fairgate_ops.run.rehearse.day.record import (
    Comparer,
    Recorder,
    Screen,
    seen,
    seen_once,
    target_of_run,
)
from fairgate_ops.run.rehearse.day.script import Script, read_script
from fairgate_ops.run.rehearse.day.verdict import Verdict, wrong_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate_ops.run.crowd.buyer import Outcome

SCRIPTS = Path(__file__).parent / "scripts"
EVENT = "day"
SETTLE_S = 90.0
FIGURES_S = 40.0  # they are made every ten seconds


def rehearse(system: LocalSystem, script: Script, record: Path, event: str = EVENT) -> Verdict:
    """Play the script on a running system, as a sale of its own; return what became of it.

    Raises: what the event's creation raises; StartError when a part died under way.
    """
    _put_on_sale(system, script, event)
    start_s = time.monotonic()
    config = LocalConfig.read(system.run_dir)
    tables = partial(read, config.dynamodb(), config["tables"], event)
    with record.open("w", encoding="utf-8") as to:
        recorder = Recorder(Screen(system.place.config, event).look, to, start_s)
        comparer = Comparer(tables, recorder.lines)
        operator = Operator(system, event, script.acts, start_s)
        for thread in (recorder, comparer, operator):
            thread.start()
        try:
            outcomes = asyncio.run(_crowd(system, script, event))
            operator.join()
            time.sleep(max(0.0, start_s + script.minutes * 60 - time.monotonic()))
        finally:
            recorder.end()
            comparer.end()
    system.watch()
    report = check(config, within_s=SETTLE_S)
    _compare_at_the_end(system.place.config, event, comparer, tables)
    wrong = wrong_figures(seen(system.place.config, event), report, event)
    return Verdict(
        report,
        operator.done,
        outcomes,
        recorder.lines,
        [*comparer.wrong, *wrong],
        script.expected,
        predict(script, outcomes) if script.sale.control == "auto" else (),
        script.sale.live_max,
        comparer.looks,
        comparer.compared,
    )


def _compare_at_the_end(
    run_file: Path, event: str, comparer: Comparer, tables: Callable[[], Reading]
) -> None:
    """Compare what `watch --once` shows when no buyer moves any more: then all is exact."""
    target = target_of_run(run_file)

    def queues() -> dict[str, dict[str, int]]:
        counts = count_messages(target.sqs(), target.queues())
        return {name: count._asdict() for name, count in counts.items()}

    before = tables()
    comparer.take(before)
    until_s = time.monotonic() + FIGURES_S
    while True:
        queues_before = queues()
        document = seen_once(run_file, event)
        queues_after = queues()
        made_at = document["events"][0]["figures"]["made_at"]
        # A late mail may come and be sent between two counts.
        at_rest = document["queues"]["queues"] == queues_before == queues_after
        made = made_at and epoch_ms(made_at) > before.ended_ms
        if (made and at_rest) or time.monotonic() > until_s:
            break
    comparer.lines.append({"watch": document})
    after = tables()
    comparer.take(after)
    signing = json.loads(target.secret("keys").read())["auth_kid"]
    around = compare_around(document, after, (queues_before, queues_after), signing)
    comparer.check(around, "at the end")
    comparer.check(compare_kept(document["events"][0], before, after), "at the end")


def _put_on_sale(system: LocalSystem, script: Script, event: str) -> None:
    wanted = script.sale
    venue = import_chart(wanted.chart) if wanted.chart else demo_venue(wanted.seats)
    sale = Sale(
        event,
        name="A rehearsed day",
        sale_starts_in_s=wanted.sale_starts_in_s,
        tau_s=wanted.tau_s,
        live_max=wanted.live_max,
        session_s=wanted.session_s,
        checkout_s=wanted.checkout_s,
        session_mean_s=wanted.session_mean_s,
        control=wanted.control,
        sample=wanted.sample,
        pow_bits=8,
        backoff_max_s=wanted.backoff_max_s,
    )
    put_on_sale(system.place.config, sale, venue)


async def _crowd(system: LocalSystem, script: Script, event: str) -> list[Outcome]:
    """Start the crowd: buyers who stay, and buyers who leave while they wait."""
    who = script.crowd
    await asyncio.sleep(who.comes_after_s)
    leave = round(who.buyers * who.leaves)
    parts = [(who.buyers - leave, who.patience_s, 0), (leave, who.leaves_after_s, 1)]
    ended = await asyncio.gather(
        *(
            Crowd(
                system.base_url,
                event,
                seed=who.seed + more,
                patience_s=patience_s,
                think_s=who.think_s,
            ).arrive(count, who.arrival_s)
            for count, patience_s, more in parts
            if count
        )
    )
    return [outcome for outcomes in ended for outcome in outcomes]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--script", type=Path, default=SCRIPTS / "short.toml")
    parser.add_argument("--record", type=Path, help="where the figures go (JSON lines)")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        script = read_script(options.script)
        with tempfile.TemporaryDirectory(prefix="fairgate-day-") as folder:
            record = options.record or Path(folder) / "figures.jsonl"
            record.parent.mkdir(parents=True, exist_ok=True)
            with LocalSystem(Path(folder) / "run") as system:
                print(f"{script.crowd.buyers} buyers, {len(script.acts)} acts …", flush=True)
                verdict = rehearse(system, script, record)
    except (FairgateError, StartError) as error:
        detail = error.detail if isinstance(error, FairgateError) else error
        print(f"Nothing was rehearsed: {detail}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print("\n".join(verdict.lines()))
    if options.record:
        print(f"Figures: {options.record}")
    return 1 if verdict.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
