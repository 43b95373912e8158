"""Allocate an event's capacity to its shards, and choose the shards that an admission asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.gate.capacity_shards import (
    SHARDS_FIRST,
    SHARDS_MAX,
    CapacityShard,
    first_shard,
    new_deal,
    shard_count,
    with_slot,
)
from fairgate.domain.shared.session import LIVE_COUNTERS_FIRST
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.shared.conditions import CAPACITY_LIMIT_AS_READ
from fairgate.service.shared.keys import capacity_limit_key, capacity_shard_key
from fairgate.service.shared.live_count import live_now
from fairgate.service.shared.readable import batches
from fairgate.service.shared.records.sessions import CapacityLimit, CapacityShardRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.sessions import AdmissionThresholdRecord

_TRIES_MAX = 4  # shards that had a free slot when they were read
_DEALS_MAX = 32  # steps of one caller; the next caller goes on
# Shards in one transaction: it fails while an admission writes one of them.
_DEALT_AT_ONCE = 4
_KNOWN_MS = 5_000  # an older threshold says nothing about spare capacity
_MUCH_SPARE = 0.75  # of the limit: below it nearly every shard has a free slot
_OTHERS_S = 3_600  # a checkout that is being settled outlives its time


class CapacityShards(Struct, frozen=True):
    """Allocates slots to shards. Consistency: shards are read strongly, one after the other.

    Cost: what ``dealt`` reads is a GetItem and a BatchGetItem of SHARDS_FIRST small items; of an
        event with more shards two batches.
    """

    table: Table

    def to_ask(
        self, event: Event, session: str, threshold: AdmissionThresholdRecord | None, now_ms: int
    ) -> Iterator[int | None]:
        """Yield shards to ask, each after the one before had no free slot; None: no limit.

        While capacity is far from reached, the session's own shard comes first, without a read.
        """
        if not event.live_max:
            yield None
            return
        first, unread = (
            first_shard(session, _shards_of(event)),
            has_much_spare(event, threshold, now_ms),
        )
        if unread:
            yield first
        try:
            shards = self.dealt(event, now_ms)
        except (DependencyUnavailableError, DamagedItemError):
            if not unread:
                yield first
            return
        yield from with_slot(shards, first)[:_TRIES_MAX]

    def dealt(self, event: Event, now_ms: int) -> Sequence[CapacityShard]:
        """Read the shards, and allocate slots the first time and when the limit has changed.

        Each step needs the newest version of the limit's record, and shards that were read as that
        record says, because a read of several items may see a step in part. Each step allocates to
        a few shards. An interrupted allocation leaves too few slots; the next caller resumes it.
        """
        shards: Sequence[CapacityShard] = ()
        for _ in range(_DEALS_MAX):
            cap = self.table.find(CapacityLimit, capacity_limit_key(event.id))
            shards = self._read(event, SHARDS_FIRST if cap is None else len(cap.dealt))
            if cap is None or _is_older(cap, event):
                step: list[Action] = [self._announced(event, cap, now_ms)]
            else:
                if [shard.dealt for shard in shards] != list(cap.dealt):
                    continue  # some were read before a step, and some after it
                deal = self._deal(event, cap, shards, now_ms)
                if not deal:
                    break
                step = _dealing(event, cap, shards, deal)
            try:
                self.table.transact(step)
            except TransactionRefusedError:
                continue  # another caller allocates
        return shards

    def _read(self, event: Event, count: int) -> Sequence[CapacityShard]:
        keys = [capacity_shard_key(event.id, number) for number in range(count)]
        items = {
            item.key: item
            for some in batches(keys)
            for item in self.table.find_many(CapacityShardRecord, some)
        }
        return [
            CapacityShard(items[key].dealt, items[key].left) if key in items else CapacityShard()
            for key in keys
        ]

    def _announced(self, event: Event, cap: CapacityLimit | None, now_ms: int) -> Action:
        """Return the write of a new limit: steps by the former one are refused from then on.

        A higher limit may need more shards. There are never fewer: sessions may use any of them.
        """
        dealt = () if cap is None else cap.dealt
        dealt = [*dealt, *[0] * (max(SHARDS_FIRST, _shards_of(event)) - len(dealt))]
        if cap is not None:
            return Update(
                "reservations",
                *cap.key,
                condition=CAPACITY_LIMIT_AS_READ,
                values={"version": cap.version},
                set={"cap": event.live_max, "eventVersion": event.version, "dealt": dealt},
                add={"version": 1},
            )
        now = rfc3339(now_ms)
        until = rfc3339(now_ms + (event.session_s + event.checkout_s + _OTHERS_S) * 1000)
        record = CapacityLimit(
            *capacity_limit_key(event.id),
            cap=event.live_max,
            event_version=event.version,
            version=1,
            dealt=dealt,
            others_until=until if live_now(self.table, event.id, now) else "",
        )
        return Put.of(record)

    def _deal(
        self, event: Event, cap: CapacityLimit, shards: Sequence[CapacityShard], now_ms: int
    ) -> Mapping[int, int]:
        """Return what is to be allocated. Sessions older than the shards use up slots as well."""
        now, others = rfc3339(now_ms), 0
        if cap.others_until > now and sum(shard.dealt for shard in shards) < cap.cap:
            inside = sum(shard.inside for shard in shards)
            others = max(0, live_now(self.table, event.id, now) - inside)
        return new_deal(cap.cap, shards, others)


def has_much_spare(event: Event, threshold: AdmissionThresholdRecord | None, now_ms: int) -> bool:
    """Say whether the capacity was seen far from reached just now."""
    return (
        threshold is not None
        and threshold.follows
        and abs(now_ms - threshold.at_ms) <= _KNOWN_MS
        and threshold.live < _MUCH_SPARE * event.live_max
    )


def _shards_of(event: Event) -> int:
    """Return how many shards share the event's limit; an older event keeps to the first ones."""
    older = event.live_counters == LIVE_COUNTERS_FIRST
    return shard_count(event.live_max, SHARDS_FIRST if older else SHARDS_MAX)


def _is_older(cap: CapacityLimit, event: Event) -> bool:
    return cap.cap != event.live_max and cap.event_version <= event.version


def _dealing(
    event: Event, cap: CapacityLimit, shards: Sequence[CapacityShard], deal: Mapping[int, int]
) -> list[Action]:
    """Build the transaction for the first few shards of an allocation."""
    now = dict(list(deal.items())[:_DEALT_AT_ONCE])
    mine = Update(
        "reservations",
        *cap.key,
        condition=CAPACITY_LIMIT_AS_READ,
        values={"version": cap.version},
        set={"dealt": [now.get(number, shard.dealt) for number, shard in enumerate(shards)]},
        add={"version": 1},
    )
    return [
        mine,
        *(
            Update(
                "reservations",
                *capacity_shard_key(event.id, number),
                set={"dealt": dealt},
                add={"left": dealt - shards[number].dealt},
            )
            for number, dealt in now.items()
        ),
    ]
