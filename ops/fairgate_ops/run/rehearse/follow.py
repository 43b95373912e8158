"""Bring the crowds that operators ask for with `event rehearse`, and do what their scripts say.

A system needs one such program. `make up` starts it for the system of this machine. For a test
stage in AWS an engineer starts it; the buyers come from the engineer's machine:

    python -m fairgate_ops.run.rehearse.follow --target aws --stage rehearsal --go HOST

Ctrl-C ends it, with all simulated buyers. Ends with 2 when the target may not be put under load.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
import zlib
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import DependencyUnavailableError
from fairgate.service.operators.rehearsals import ASKED, ENDED, RUNNING, Rehearsals
from fairgate_ops.operate.target import RUN_FILE, target_of
from fairgate_ops.run.crowd.arrivals import Crowd
from fairgate_ops.run.crowd.load_target import LoadTarget, RefusedTargetError
from fairgate_ops.run.rehearse.typed_command import typed, typed_at_stage
from fairgate_ops.shared.rehearsal_scripts import SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from subprocess import CompletedProcess

    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.operators import Rehearsal
    from fairgate_ops.operate.target import Target
    from fairgate_ops.run.crowd.buyer import Outcome

    Typed = CompletedProcess[str]

LOOK_S = 1.0
NOTE_S = 2.0
ENDED_TRIES = 30
PATIENCE_S = 3_600.0  # a buyer waits as long as the sale takes
ARRIVE_LEAST_S = 5.0  # also where the sale starts at once
CLOSED = "closed"


class Follower:
    """Follows the requests of one system."""

    def __init__(self, target: Target, type_there: Callable[[Sequence[str]], Typed]) -> None:
        """``type_there`` runs an operator's command at that system."""
        self._target, self._type_there = target, type_there
        self._rehearsals = Rehearsals(target.world.table, target.world.clock)
        self._playing: dict[str, asyncio.Task[None]] = {}

    async def follow(self) -> None:
        """Take each request as soon as its copy is there; never returns."""
        while True:
            try:
                for one, sale in await asyncio.to_thread(self._asked):
                    if one.sk not in self._playing:
                        self._playing[one.sk] = asyncio.create_task(self._play(one, sale))
            except DependencyUnavailableError as error:
                print(f"not read: {error.detail}", flush=True)
            await asyncio.sleep(LOOK_S)

    def _asked(self) -> list[tuple[Rehearsal, Event]]:
        asked = [one for one in self._rehearsals.all() if one.state == ASKED]
        sales = {str(sale.id): sale for sale in self._target.world.catalog.all().events if asked}
        return [(one, sales[one.sk]) for one in asked if one.sk in sales]

    async def _play(self, one: Rehearsal, sale: Event) -> None:
        """Bring the crowd until all have gone or the sale is closed."""
        ends: list[Outcome] = []
        crowd = Crowd(
            self._target.world.settings.public_url,
            one.sk,
            seed=zlib.crc32(one.sk.encode()),  # accounts of its own
            patience_s=PATIENCE_S,
            on_end=ends.append,
        )

        async def note(state: str) -> bool:
            tickets = sum(end.kind == "ticket" for end in ends)
            gone, note = len(ends) - tickets, partial(self._rehearsals.note, one.sk, state)
            try:
                await asyncio.to_thread(note, arrived=crowd.arrived, tickets=tickets, gone=gone)
            except DependencyUnavailableError:  # the next one says it
                return False
            return True

        starts_s = epoch_ms(sale.sale_starts_at) / 1000
        arrival_s = max(ARRIVE_LEAST_S, starts_s - self._now_s())
        print(f"{one.sk}: {one.buyers} buyers within {arrival_s:.0f} s, {one.script}", flush=True)
        coming = asyncio.create_task(crowd.arrive(one.buyers, arrival_s))
        acting = asyncio.create_task(self._act(one, starts_s))
        try:
            while not coming.done() and not await asyncio.to_thread(self._is_closed, one.sk):
                await note(RUNNING)
                await asyncio.wait([coming], timeout=NOTE_S)
        finally:
            for task in (coming, acting):
                task.cancel()
            for fault in await asyncio.gather(coming, acting, return_exceptions=True):
                if isinstance(fault, Exception):  # not that it was cancelled
                    print(f"{one.sk}: {fault!r}", flush=True)
            for _ in range(ENDED_TRIES):  # no later note says it
                if await note(ENDED):
                    break
                await asyncio.sleep(NOTE_S)
            else:
                print(
                    f"{one.sk}: its end could not be noted, so it is shown as running", flush=True
                )
        each = Counter(f"{end.kind} {end.code}" for end in ends).most_common()
        how = ", ".join(f"{count} {end}" for end, count in each)
        took = f"ended {self._now_s() - starts_s:.0f} s after its sale start"
        print(f"{one.sk}: {took}. Of {one.buyers} buyers: {how}", flush=True)

    def _is_closed(self, event: str) -> bool:
        try:
            return self._target.world.catalog.event(event).state == CLOSED
        except DependencyUnavailableError:  # nobody knows: the next look says it
            return False

    async def _act(self, one: Rehearsal, starts_s: float) -> None:
        """Type each command of the script at its time, as an operator does."""
        for act in SCRIPTS[one.script].acts:
            await asyncio.sleep(starts_s + act.after_s - self._now_s())
            words = [one.sk if word == "EVENT" else word for word in shlex.split(act.do)]
            done = await asyncio.to_thread(self._type_there, words)
            print(f"{one.sk}: {act.do}: {(done.stderr or done.stdout).strip()}", flush=True)

    def _now_s(self) -> float:
        return self._target.world.clock.now_ms() / 1000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--target", choices=("local", "aws"), default="local")
    parser.add_argument("--run-file", type=Path, default=RUN_FILE, help="local: of the system")
    parser.add_argument("--stage", default="rehearsal", help="aws: the deployment's stage")
    parser.add_argument("--region", help="aws: else the environment's")
    parser.add_argument("--go", default="", metavar="HOST", help="aws: confirms that it is meant")
    options = parser.parse_args(arguments)
    there = partial(typed, run_file=options.run_file)
    if options.target == "aws":
        there = partial(typed_at_stage, stage=options.stage, region=options.region)
    else:
        options.run_file = str(options.run_file)
    target = target_of(options)
    try:
        LoadTarget(target.world.settings.public_url, options.go).permit()
    except RefusedTargetError as error:
        print(error, file=sys.stderr)
        return 2
    with suppress(KeyboardInterrupt):
        asyncio.run(Follower(target, there).follow())
    return 0


if __name__ == "__main__":
    sys.exit(main())
