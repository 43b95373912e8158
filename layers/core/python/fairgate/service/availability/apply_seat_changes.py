"""Apply the table's changes to the availability cache.

Deliveries may be late, repeated and out of order. Each has a version, and the cache keeps the
newest. An unreadable record fails alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct, field

from fairgate.domain.seating.status_vector import CODES, LOCKED, SECTION_SEATS_MAX
from fairgate.domain.shared.ids import EVENT_ID, PLACE_ID
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import MalformedInputError
from fairgate.ports.availability import (
    AvailabilityCache,
    CacheScriptError,
    CacheUnavailableError,
    SeatStatus,
    ShardStatus,
)
from fairgate.ports.record import SK, decode
from fairgate.ports.world import Clock
from fairgate.service.shared import keys
from fairgate.service.shared.records.seats import AreaShard, SeatImage, SeatInIndex, ShardImage


class SeatChanged(Struct, frozen=True):
    event: str
    section: str
    name: str
    seat: SeatStatus
    at_ms: int


class ShardChanged(Struct, frozen=True):
    event: str
    shard: ShardStatus
    at_ms: int


Change = TypeVar("Change", SeatChanged, ShardChanged)


class Applied(Struct):
    """The result of a batch. ``failed`` has the ids to deliver again."""

    failed: list[str] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)  # of ``failed``, those without hope
    defective: list[str] = field(default_factory=list)  # refused by the cache's scripts
    defects: int = 0  # calls that such a refusal ended
    reasons: dict[str, str] = field(default_factory=dict)  # why, for each of ``malformed``
    applied: int = 0
    ages_ms: list[int] = field(default_factory=list)
    cache_gone: bool = False

    def gives_up(self, message: str, error: Exception) -> None:
        """Note a message that no retry can help: it ends as a dead letter."""
        self.failed.append(message)
        self.malformed.append(message)
        self.reasons[message] = repr(error)


def read_change(record: Mapping[str, Any]) -> SeatChanged | ShardChanged | None:
    """Read a stream record; None if it is not about a seat or an area's counter.

    Raises MalformedInputError: it is about one, and cannot be read.
    """
    try:
        image = record["dynamodb"].get("NewImage")
        if image is None:  # deleted: units are never deleted during a sale
            return None
        match image[SK]["S"]:
            case keys.SEAT:
                return _seat(image, record)
            case keys.AREA:
                return _shard(image, record)
            case _:
                return None
    except Exception as error:
        raise MalformedInputError(f"a stream record is not as expected: {error!r}") from error


def apply_seat_changes(
    cache: AvailabilityCache, records: Sequence[tuple[str, Mapping[str, Any]]], clock: Clock
) -> Applied:
    """Apply a batch of (message id, stream record). After a failure the cache is left alone.

    Cost: one round trip for each section and each event with areas; another for each section with
    seats that became free.
    """
    outcome = Applied()
    seats: dict[tuple[str, str], list[tuple[str, SeatChanged]]] = defaultdict(list)
    shards: dict[str, list[tuple[str, ShardChanged]]] = defaultdict(list)
    for message, record in records:
        try:
            change = read_change(record)
        except MalformedInputError as error:
            outcome.gives_up(message, error)
            continue
        if isinstance(change, SeatChanged):
            seats[change.event, change.section].append((message, change))
        elif change is not None:
            shards[change.event].append((message, change))
    for (event, section), seat_group in seats.items():
        _note(outcome, partial(_apply_seats, outcome, cache, event, section), seat_group, clock)
    for event, shard_group in shards.items():
        _note(outcome, partial(_apply_shards, cache, event), shard_group, clock)
    return outcome


def _apply_seats(
    outcome: Applied,
    cache: AvailabilityCache,
    event: str,
    section: str,
    changes: Sequence[SeatChanged],
) -> int:
    _end_claims(outcome, cache, event, section, changes)
    return cache.apply(event, section, [change.seat for change in changes])


def _apply_shards(cache: AvailabilityCache, event: str, changes: Sequence[ShardChanged]) -> int:
    return cache.apply_shards(event, [change.shard for change in changes])


def _end_claims(
    outcome: Applied,
    cache: AvailabilityCache,
    event: str,
    section: str,
    changes: Sequence[SeatChanged],
) -> None:
    """End claims before the map shows a seat as free, so that nobody is refused it."""
    freed = [change.name for change in changes if change.seat.availability == "available"]
    if freed:
        try:
            cache.end_claims(event, section, freed)
        except CacheScriptError:
            outcome.defects += 1
        except CacheUnavailableError:
            pass  # ``apply`` will fail as well; claims end by themselves


def seat_status(seat: SeatInIndex | SeatImage) -> SeatStatus:
    """Convert a seat to the cache's form. Raises ValueError: an attribute is out of range."""
    if not (0 <= seat.seat_index < SECTION_SEATS_MAX and seat.version >= 0):
        raise ValueError("seatIndex or version out of range")
    locked = CODES[seat.availability] == LOCKED
    expires_ms = epoch_ms(seat.expires_at) if locked else 0
    return SeatStatus(seat.seat_index, seat.availability, expires_ms, seat.version)


def shard_status(shard: AreaShard | ShardImage) -> ShardStatus:
    """Convert a counter to the cache's form. Raises ValueError: an attribute is out of range."""
    if min(shard.shard, shard.remaining, shard.version) < 0:
        raise ValueError("shard, remaining or version out of range")
    return ShardStatus(_place(shard.area_id), shard.shard, shard.remaining, shard.version)


def _note(
    outcome: Applied,
    apply: Callable[[Sequence[Change]], int],
    group: Sequence[tuple[str, Change]],
    clock: Clock,
) -> None:
    """Apply a group of changes; one by one if a defect fails the whole group."""
    if outcome.cache_gone:  # one time-out is enough for a batch
        outcome.failed += [message for message, _ in group]
        return
    try:
        applied = apply([change for _, change in group])
    except CacheScriptError:  # other seats, and the next group's keys, may be sound
        outcome.defects += 1
        if len(group) == 1:
            outcome.defective.append(group[0][0])
            outcome.failed.append(group[0][0])
        else:
            for one in group:
                _note(outcome, apply, [one], clock)
        return
    except CacheUnavailableError:
        outcome.cache_gone = True
        outcome.failed += [message for message, _ in group]
        return
    except Exception as error:  # noqa: BLE001 the batch goes on; ``reasons`` tells who logs it
        if len(group) == 1:
            outcome.gives_up(group[0][0], error)
        else:
            for one in group:
                _note(outcome, apply, [one], clock)
        return
    outcome.applied += applied
    if applied:  # changes that the cache had already do not tell how old the map was
        now_ms = clock.now_ms()
        outcome.ages_ms += [max(0, now_ms - change.at_ms) for _, change in group]


def _seat(image: Mapping[str, Any], record: Mapping[str, Any]) -> SeatChanged:
    seat = decode(SeatImage, _plain(image), strict=False)
    return SeatChanged(
        _event(seat.event_id),
        _place(seat.section_id),
        _place(seat.pk.partition("#")[2]),
        seat_status(seat),
        _at_ms(seat.updated_at, record),
    )


def _shard(image: Mapping[str, Any], record: Mapping[str, Any]) -> ShardChanged:
    shard = decode(ShardImage, _plain(image), strict=False)
    return ShardChanged(
        _event(shard.event_id), shard_status(shard), _at_ms(shard.updated_at, record)
    )


def _at_ms(updated_at: str, record: Mapping[str, Any]) -> int:
    """Return when it changed: the writer's millisecond, else the stream's second."""
    if updated_at:
        return epoch_ms(updated_at)
    return round(float(record["dynamodb"]["ApproximateCreationDateTime"]) * 1000)


def _plain(image: Mapping[str, Any]) -> dict[str, str]:
    """Return the string and number attributes as text."""
    return {
        name: typed.get("S", typed.get("N"))
        for name, typed in image.items()
        if typed.keys() & {"S", "N"}
    }


# Ids become keys of the cache, so only the forms that the catalogue allows are accepted.
def _event(text: str) -> str:
    if not EVENT_ID.fullmatch(text):
        raise ValueError("not an event id")
    return text


def _place(text: str) -> str:
    if not PLACE_ID.fullmatch(text):
        raise ValueError("not a place id")
    return text
