"""A venue on sale in a real table, a part of it sold, beside an empty cache."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from valkey import Valkey

from fairgate.adapters.system import SystemClock
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate_lab.bench.kit.world import run_file, servers, sold_blocks
from fairgate_ops.operate.importers.demo import demo_venue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from fairgate.domain.seating.venue import Venue

EVENT = "hall"
SOLD = 0.33


@dataclass(frozen=True)
class Hall:
    """What is sold of a demonstration venue of so many seats, the same in each process."""

    seats: int

    @cached_property
    def venue(self) -> Venue:
        """The venue itself."""
        return demo_venue(self.seats)

    @cached_property
    def sold(self) -> frozenset[str]:
        """The seats that are sold."""
        return frozenset(sold_blocks(self.venue, SOLD, seed=1))

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """Section → its seats' statuses as pages read them."""
        return {
            section.id: "".join("2" if seat.id in self.sold else "0" for seat in section.seats())
            for section in self.venue.sections
        }


@dataclass(frozen=True)
class RebuildWorld:
    """Servers of its own with a hall in them."""

    hall: Hall
    run_file: Path
    valkey: ValkeyAvailability
    valkey_url: str
    endpoint: str

    def empty_cache(self) -> None:
        """Forget everything that is cached."""
        with closing(Valkey.from_url(self.valkey_url)) as client:
            client.flushall()

    def cached(self) -> int:
        """Count the seats that the cache has now."""
        vectors = self.valkey.codes(EVENT, [*self.hall.statuses], SystemClock().now_ms())
        return sum(len(codes) for codes in vectors if codes is not None)


@contextmanager
def rebuild_world(folder: Path, seats: int) -> Iterator[RebuildWorld]:
    """Start servers with a hall in the table, and nothing in the cache. Raises StartError."""
    hall = Hall(seats)
    with (
        servers(folder) as made,
        closing(ValkeyAvailability(made.valkey_url, timeout_s=2)) as cache,
    ):
        made.put_on_sale(EVENT, hall.venue, hall.sold)
        config = run_file(folder, database=made.port, cache=made.valkey_port)
        yield RebuildWorld(hall, config, cache, made.valkey_url, made.endpoint)
