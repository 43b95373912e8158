"""The organiser's house seats: blocked and freed among buyers, by a command that may be killed."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import FairgateError, WrongStateError
from fairgate.service.expiry.sweep_blocks import BlockSweep
from fairgate.service.expiry.swept import Swept
from fairgate.service.house import block_seats, free_seats
from fairgate.service.house.block_seats import SeatBlocker, Terms, block_id
from fairgate.service.house.free_seats import Places, SeatFreer
from fairgate_lab.simulate.sale import venue
from fairgate_lab.simulate.sale.history import NEVER
from fairgate_lab.simulate.sale.scheduler import CrashedError

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from fairgate.service.shared.records.catalog import Event
    from fairgate_lab.simulate.sale.sale import Sale

SHELLS, ACTS, PAUSES_MS = 2, 10, (0, 2_000, 20_000)
BLOCKS, ENDS, WHOLE = 0.5, 0.5, 0.5
REASONS = ("desk", "sponsor")  # few, so that a command is repeated


@contextmanager
def house_seats(*, wanted: bool) -> Iterator[None]:
    """Let a few seats be several transactions; else leave the sale as it was without house seats.

    Each call of a sweeper draws what comes next in a sale.
    """
    with ExitStack() as patches:
        if not wanted:
            nothing = patch.object(BlockSweep, "sweep", lambda _sweep, event: Swept(event.id))
            patches.enter_context(nothing)
        patches.enter_context(patch.object(free_seats, "CHUNK", 2))
        patches.enter_context(patch.object(block_seats, "CHUNK", 1))
        yield


class House:
    """Runs ``fairgate seats block`` and ``free`` now and then, each in a process of its own."""

    def __init__(self, sale: Sale, rng: random.Random) -> None:
        self.sale, self.rng = sale, rng

    def live(self) -> None:
        for _ in range(ACTS):
            pause_ms = self.rng.choice((*PAUSES_MS, self.sale.long_ms))
            self.sale.scheduler.sleep(self.rng.randint(0, pause_ms))
            event = self.sale.events[self.rng.choice(sorted(self.sale.events))]
            act = self._block if self.rng.random() < BLOCKS else self._free
            task = self.sale.scheduler.current
            task.process = self
            try:
                act(event)
            except CrashedError:
                task.crashed = False
            except WrongStateError as error:
                self.sale.fleet.defects.append(f"house seats: {error.detail}")
            except FairgateError as error:
                self.sale.scheduler.note(f"breaks off: {error}")
            finally:
                task.process = None

    def _block(self, event: Event) -> None:
        rng, history, scheduler = self.rng, self.sale.history, self.sale.scheduler
        seats = rng.sample((*venue.SEATS, venue.TABLE), rng.randint(1, 2))
        wanted = Places(seats, {venue.AREA: rng.randint(1, 2)} if rng.random() < WHOLE else {})
        reason, until = rng.choice(REASONS), ""
        if rng.random() < ENDS:
            until = rfc3339(scheduler.now_ms + rng.randint(0, 2 * self.sale.long_ms))
        block = block_id(event.id, reason, wanted)
        due_ms = epoch_ms(until) if until else NEVER
        now_ms = scheduler.now_ms
        sure = history.begin("block", block, now_ms, seats=(), due_ms=due_ms)
        perhaps = history.begin("block", block, now_ms, seats=tuple(seats), due_ms=due_ms)
        world = self.sale.container()
        done = SeatBlocker(world.table, world.clock).block(event, wanted, Terms(reason, "", until))
        kept = tuple(done.block.seats) if done.block is not None else ()
        if kept:
            history.end(sure, "ok", scheduler.now_ms, seats=kept)
        perhaps.seats = tuple(seat for seat in seats if seat not in kept)

    def _free(self, event: Event) -> None:
        world = self.sale.container()
        freer = SeatFreer(world.table, world.clock)
        blocks = [block for block in freer.blocks(event.id).records if not block.is_empty]
        if not blocks:
            return
        block = self.rng.choice(blocks)
        some = None
        if self.rng.random() > WHOLE:
            seats = [seat for seat in block.seats if self.rng.random() < WHOLE]
            some = Places(seats, dict.fromkeys(block.areas, 1))
        history, now_ms = self.sale.history, self.sale.scheduler.now_ms
        history.begin("free", block.id, now_ms, seats=tuple(block.seats))
        freer.free(event.id, block.id, some)
