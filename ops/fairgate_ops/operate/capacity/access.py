"""Say what each action of a sale writes and reads in the tables, and which keys take it. Modelled.

The tables' units, the hottest keys and the price of a sale all come from these few tables, so that
each item is counted once. ``tests/unit/operate/test_capacity_access.py`` plays the actions that
buyers cause, and compares what was written.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fairgate.domain.gate.capacity_shards import shard_count
from fairgate.domain.seating import area_shards
from fairgate.domain.shared.ids import Mailbox
from fairgate.service.availability.leased_reads import ALL_READS_PER_S, LEASE_READS
from fairgate.service.availability.reading_pace import GONE_S
from fairgate.service.catalog.read_catalog import CATALOG_CACHE_MS
from fairgate.service.shared import keys
from fairgate.service.shared.mailbox_keys import mailbox_key, sent_mail_key

if TYPE_CHECKING:
    from fairgate.adapters.dynamodb.schema import Name
    from fairgate_ops.operate.capacity.inputs import Inputs

TRANSACTIONAL = 2  # DynamoDB Developer Guide: units of an item and KB in a transaction
PARTITION_WRITES, PARTITION_READS = 1_000, 3_000  # the same, "Partitions": of one key, too
READ_BYTES = 4_096  # of a unit, strongly consistent; half a unit otherwise
# Modelled: KB of the items that are larger than one, of an event, bytes of what stands in an index
# for a seat, of an entry of what is due.
KB = {"order": 3}
EVENT_KB, SEAT_IN_INDEX_BYTES, DUE_BYTES = 8, 200, 150
COUNTERS_BYTES = 16 * 15 * 100  # of a key of live counters: of each of 15 minutes, at most
SAMPLED = 0.01  # the share of accounts that are counted (docs/adr/0022)
SESSIONS_AN_ORDER = 1.3  # 77 % of the sessions pay; each holds once. Modelled
# One UpdateItem or PutItem each; all other writes are transactions.
PLAIN = {"payment page", "tickets", "mail", "counting", "counting reads"}
# What also makes an entry of the table's index. Each change of a seat does.
INDEXED = {("checkout", "session"), ("checkout", "order"), ("payment", "ledger entry")}

Counts = Mapping[str, float]  # of items, or of read units, by the kind of item


def writes(seats: float) -> Mapping[str, Counts]:
    """Return how many items of each kind an action writes.

    Args:
        seats: of a hold, and so of its order.
    """
    return {
        "opening": {
            "redeemed token": 1,
            "user status": 1,
            "session": 1,
            "live counter": 1,
            "due entry": 1,
            "capacity shard": 1,
        },
        # Pages send a key with a hold and with a checkout.
        "hold": {"session": 1, "seat": seats, "reservation": seats, "idempotency record": 1},
        "checkout": {
            "session": 1,
            "user status": 1,
            "order": 1,
            "due entry": 1,
            "live counter": 2,
            "seat": seats,
            "idempotency record": 1,
        },
        "payment page": {"order": 1},
        "payment": {
            "payment event": 1,
            "order": 1,
            "session": 1,
            "user status": 1,
            "seat": seats,
            "reservation": seats,
            "capacity shard": 1,
            "live counter": 1,
            "mailbox order": 1,
            "ledger entry": 1,
            "sales tally": 1,
        },
        "tickets": {"order": 1},
        "mail": {"sent mail": 1},
        "end": {
            "session": 1,
            "user status": 1,
            "live counter": 1,
            "capacity shard": 1,
            "sales tally": 1,
            "reservation": seats,
            "seat": seats,
        },
        "creation": {"seat": 1},
        "joining": {"sampled account": 1, "sampled minute": 1},
        "counting": {"desk count": 1},
        "counting reads": {"rate bucket": 1},
    }


def reads(inputs: Inputs) -> Mapping[str, Counts]:
    """Return how many read units of each kind of item an action takes, near the capacity limit."""
    session, seats = 2.0, inputs.seats_a_hold  # its partition: head, reservations and order
    section_bytes = inputs.seats / sections(inputs) * SEAT_IN_INDEX_BYTES
    return {
        "opening": {
            "redeemed token": 1,
            "user status": 1,
            "admission threshold": 1,
            "capacity limit": 1,
            "capacity shard": capacity_shards(inputs),
        },
        "checkout": {"session": session},
        "payment": {"payment event": 1, "session": session, "user status": 1},
        "tickets": {"order": 1},
        "mail": {"sent mail": 1, "order": 2},
        "end": {"session": session, "user status": 1, "seat": seats},
        "asked": {"session": session},
        "counting": {"desk count": 2, "user status": 1, "sampled account": 1},
        # A section from the table's index while the cache is gone.
        "section": {"seat in index": math.ceil(section_bytes / READ_BYTES) / 2},
        "look": {"live counter": keys.LIVE_SHARDS * math.ceil(COUNTERS_BYTES / READ_BYTES)},
        "sweeping": {"due entry": DUE_BYTES / READ_BYTES},
        "event": {"event": math.ceil(EVENT_KB * 1_024 / READ_BYTES)},
        "gate": {"gate value": 1},
    }


def actions_a_second(inputs: Inputs, environments: float) -> Mapping[str, float]:
    """Return how often a second each action happens in the worst second.

    Args:
        environments: at work, of functions that read events and gates, each from a cache of its
            own.
    """
    paid = inputs.checkouts_per_s
    section = min(ALL_READS_PER_S, inputs.origin_caches * inputs.keys_looked_at / GONE_S)
    desk = inputs.edge_requests_per_s * inputs.desk_share
    return {
        "opening": inputs.admissions_per_s,
        "hold": inputs.holds_per_s,
        **dict.fromkeys(("checkout", "payment page", "payment", "tickets", "mail"), paid),
        # As many sessions end as begin: paid, or given back before their time.
        "end": max(0.0, inputs.admissions_per_s - paid),
        "joining": desk,
        "counting": desk,
        "asked": inputs.orders_asked_per_s,
        "section": section,
        "counting reads": section / LEASE_READS,
        "look": 1.0,  # the threshold's each two seconds, the controller's each ten
        # Of a minute, within one second.
        "sweeping": 60 * (inputs.admissions_per_s + paid),
        **dict.fromkeys(("event", "gate"), environments / (CATALOG_CACHE_MS / 1_000)),
    }


def actions_a_sale(inputs: Inputs, environments: float) -> Mapping[str, float]:
    """Return how often each action happens in the whole sale, where the cache stays."""
    orders, seconds = inputs.seats / inputs.seats_a_hold, inputs.sale_hours * 3_600
    sessions = orders * SESSIONS_AN_ORDER
    steady = actions_a_second(inputs, environments)
    return {
        "creation": inputs.seats,
        **dict.fromkeys(("opening", "hold"), sessions),
        **dict.fromkeys(("checkout", "payment page", "payment", "tickets", "mail"), orders),
        "end": sessions - orders,
        "joining": inputs.waiting * SAMPLED,
        "counting": inputs.waiting * inputs.requests_a_waiting_buyer * inputs.desk_share,
        "asked": orders * inputs.orders_asked_per_s / inputs.checkouts_per_s,
        "look": seconds,
        "sweeping": sessions + orders,
        **{name: steady[name] * seconds for name in ("event", "gate")},
    }


def items_written(item: str, inputs: Inputs, actions: Mapping[str, float]) -> float:
    """Return how often items of a kind are written by so many actions."""
    written = writes(inputs.seats_a_hold)
    return sum(count * written.get(name, {}).get(item, 0) for name, count in actions.items())


def sections(inputs: Inputs) -> float:
    """Return how many sections there are: of what is looked at, all but counts and changes."""
    return max(inputs.keys_looked_at - 2, 1)


def live_sessions(inputs: Inputs) -> float:
    return inputs.admissions_per_s * inputs.session_mean_s


def capacity_shards(inputs: Inputs) -> int:
    return shard_count(math.ceil(live_sessions(inputs)))


@dataclass(frozen=True)
class Pattern:
    """The keys of one kind of partition.

    Attributes:
        key: as docs/data.md spells it.
        items: that lie in it, by kind.
        count: over how many keys the actions of a second spread; None: each buyer, order or
            account has its own, and one action at a time.
        index: of the table's index.
        reads: kinds of reads, where they are not those of the items.
    """

    table: Name
    key: str
    items: tuple[str, ...]
    count: Callable[[Inputs], float] | None = None
    index: bool = False
    reads: tuple[str, ...] = ()


_EVENT, _USER = "<event>", "<user>"
_OWN = ("session", "reservation", "order", "ledger entry", "idempotency record")


def _spread(partitions: Callable[[], Sequence[str]], item: str, *, index: bool = False) -> Pattern:
    """Make the pattern of partitions of the reservations that one item's writes spread over."""
    return Pattern(
        "reservations",
        f"{partitions()[-1].rpartition('#')[0]}#<shard>",
        (item,),
        lambda _: len(partitions()),
        index=index,
    )


PATTERNS = (
    Pattern("seats", keys.seat_key(_EVENT, "<seat>").pk, ("seat",), lambda inputs: inputs.seats),
    Pattern(
        "seats",
        keys.section_index(_EVENT, "<section>"),
        ("seat",),
        sections,
        index=True,
        reads=("seat in index",),
    ),
    _spread(lambda: keys.live_partitions(_EVENT), "live counter"),
    _spread(lambda: keys.due_partitions(_EVENT, "<minute>"), "due entry"),
    _spread(lambda: keys.tally_partitions(_EVENT), "sales tally"),
    _spread(lambda: keys.sampled_partitions(_EVENT), "sampled minute"),
    _spread(lambda: keys.event_orders_indexes(_EVENT), "session", index=True),
    _spread(lambda: keys.ledger_indexes(_EVENT), "ledger entry", index=True),
    Pattern(
        "reservations",
        keys.capacity_shard_key(_EVENT, 0).pk.removesuffix("0") + "<number>",
        ("capacity shard",),
        capacity_shards,
    ),
    Pattern(
        "reservations",
        keys.capacity_limit_key(_EVENT).pk,
        ("capacity limit", "admission threshold"),
        lambda _: 1,
    ),
    Pattern(
        "reservations",
        f"{keys.TABLE_READS}<bucket>",
        ("rate bucket",),
        lambda _: keys.TABLE_READS_BUCKETS,
    ),
    Pattern("reservations", keys.orders_index(_USER), ("order",), index=True),
    Pattern("reservations", keys.session_key("<session>").pk, _OWN),
    Pattern("reservations", keys.user_key(_USER), ("user status",)),
    Pattern("reservations", keys.token_key("<id>").pk, ("redeemed token",)),
    Pattern("reservations", keys.payment_event_key("<id>").pk, ("payment event",)),
    Pattern("reservations", mailbox_key(Mailbox("<mailbox>")), ("mailbox order",)),
    Pattern("reservations", sent_mail_key("<order>", "").pk, ("sent mail",)),
    Pattern("reservations", keys.sampled_account_key(_EVENT, _USER).pk, ("sampled account",)),
    Pattern("reservations", keys.desk_pk(_EVENT, keys.user_key(_USER).lower()), ("desk count",)),
    Pattern("catalog", keys.event_key(_EVENT).pk, ("event",), lambda _: 1),
    Pattern("catalog", keys.gate_value_key(_EVENT).pk, ("gate value",), lambda _: 1),
)
# Kinds of items without a key that could get hot, and why.
LEFT_OUT = {
    "areas alone": ("area shard",),
    "a write a turn, as many as `payments_per_s`": ("provider state",),
    "no more than an event's limit each": ("shared count",),
    "few": (
        *("mailed link", "held order", "desk decision", "desk appeal", "act answer"),
        *("pending act", "rehearsal", "job"),
    ),
    "after the sale, or one after the other": (
        "owed refund",
        "dispute",
        "document",
        "document counter",
    ),
    "hourly": ("movement", "payout step", "payout part", "import cursor", "reconcile cursor"),
    "each minute": ("manual task", "sweep cursor"),
    "each ten seconds": (
        "controller memory",
        "seats memory",
        "figures",
        "figures history",
        "figures memory",
    ),
    "by the controller and operators": (
        "forecast",
        "gate version",
        "log entry",
        "creation",
        "store comparison",
        "house block",
        "role grant",
        "api token",
    ),
}


class Heat(NamedTuple):
    """What one key of a pattern takes in the worst second, in units."""

    pattern: Pattern
    keys: float | None
    writes: float
    reads: float

    @property
    def too_hot(self) -> bool:
        return self.writes > PARTITION_WRITES or self.reads > PARTITION_READS

    @property
    def share(self) -> float:
        """Return what it takes of the one that is nearer to its end, writes or reads."""
        return max(self.writes / PARTITION_WRITES, self.reads / PARTITION_READS)


def hottest_keys(inputs: Inputs, environments: float) -> list[Heat]:
    """Compute every pattern's heat, the hottest first."""
    rates = actions_a_second(inputs, environments)
    return sorted((_heat(one, inputs, rates) for one in PATTERNS), key=lambda one: -one.share)


def area_shard_writes(inputs: Inputs) -> tuple[int, float]:
    """Return the counters of an area that has all places, and the write units of each."""
    count = area_shards.shard_count(math.ceil(inputs.seats))
    rates = actions_a_second(inputs, 0)
    return count, (rates["hold"] + rates["end"]) * TRANSACTIONAL / count


def _heat(pattern: Pattern, inputs: Inputs, rates: Mapping[str, float]) -> Heat:
    written = {
        action: sum(
            count * _unit_of(action, item, index=pattern.index)
            for item, count in some.items()
            if item in pattern.items
        )
        for action, some in writes(inputs.seats_a_hold).items()
    }
    looked_at = pattern.reads if pattern.index else pattern.items
    read = {
        action: sum(units for item, units in some.items() if item in looked_at)
        for action, some in reads(inputs).items()
    }
    if pattern.count is None:
        return Heat(pattern, None, max(written.values()), max(read.values()))
    count = pattern.count(inputs)
    both = [
        sum(rates.get(name, 0.0) * units for name, units in some.items())
        for some in (written, read)
    ]
    return Heat(pattern, count, both[0] / count, both[1] / count)


def _unit_of(action: str, item: str, *, index: bool) -> float:
    """Return the write units of an item in the table, or in its index."""
    if index:
        return float(item == "seat" or (action, item) in INDEXED)
    return KB.get(item, 1) * (1 if action in PLAIN else TRANSACTIONAL)


def units_by_table(
    inputs: Inputs, actions: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the write units and the read units of so many actions, by table, indexes included."""
    tables = {item: one.table for one in PATTERNS for item in (*one.items, *one.reads)}
    written, read = defaultdict[str, float](float), defaultdict[str, float](float)
    for action, count in actions.items():
        for item, items in writes(inputs.seats_a_hold).get(action, {}).items():
            units = sum(_unit_of(action, item, index=index) for index in (False, True))
            written[tables[item]] += count * items * units
        for item, units in reads(inputs).get(action, {}).items():
            read[tables[item]] += count * units
    return dict(written), dict(read)
