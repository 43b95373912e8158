"""What must hold of an event's tally: it says what the items say, of which it was never read."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.ports.record import PK, SK, Key
from fairgate.service.shared.keys import shape_of, tally_partitions
from fairgate_ops.run.laws.violation import Found, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate_ops.run.laws.snapshot import Item, Snapshot

ENDED = ("cancelled", "expired")
MADE = ("pending", "succeeded")  # a refund on its way, or there
# What no item tells afterwards: attempts, delays, with what in hand a session ended; and the desk's
# decisions, which expire.
_UNTOLD = ("declined", "heard", "lagMs", "empty", "flagged", "locked")


def tally_is_exact(snapshot: Snapshot) -> Found:
    """Each sum of an event's counters is what its sessions, orders and refunds add up to."""
    kinds = _by_kind(snapshot)
    for event in snapshot.events:
        if not event.get("counted"):
            continue
        name = event[SK]
        told, true = _told(kinds["sales tally"], name), recounted(snapshot, name)
        for figure in sorted(told.keys() | true.keys()):
            if told[figure] != true[figure] and figure not in _UNTOLD:
                what = f"{told[figure]} counted, {true[figure]} there"
                yield Violation("tally", f"{name} {figure}", what)
        for part, whole in (("empty", "ended"), ("heard", "paid")):
            if not 0 <= told[part] <= told[whole]:
                what = f"{told[part]} of {told[whole]} {whole}"
                yield Violation("tally", f"{name} {part}", what)


def recounted(snapshot: Snapshot, event: str) -> Counter[str]:
    """Count anew from the items what the tally counts, by the names of its attributes."""
    true: Counter[str] = Counter()
    for order in (one for one in snapshot.orders if one["eventId"] == event):
        if not order.get("paidAt"):
            true["unpaid"] += order["state"] != "pending"
            continue
        true["paid"] += 1
        if not order.get("cancelledAt"):
            true += Counter(dict(_sold(order)))
    for session in snapshot.sessions:
        true["ended"] += session["eventId"] == event and session["state"] in ENDED
    for owed in _by_kind(snapshot)["owed refund"]:
        if owed["eventId"] == event:
            made = owed.get("state", "owed") in MADE
            true["owed"] += 1
            true["owedMinor"] += owed["amountMinor"]
            true["made"] += made
            true["madeMinor"] += made * owed["amountMinor"]
    return true


def _sold(order: Item) -> Iterator[tuple[str, int]]:
    units = order["units"]
    people = [(unit["kind"], unit.get("quantity") or 1) for unit in units]
    yield "tickets", sum(count for _, count in people)
    yield "seats", sum(kind == "seat" for kind, _ in people)
    yield "places", sum(count for kind, count in people if kind == "area")
    yield "revenueMinor", order["totalMinor"] - order.get("backMinor", 0)


def _told(counters: list[Item], event: str) -> Counter[str]:
    partitions = set(tally_partitions(event))
    told: Counter[str] = Counter()
    for counter in (one for one in counters if one[PK] in partitions):
        for name, count in counter.items():
            if name not in (PK, SK):
                told[name] += count
    return told


def _by_kind(snapshot: Snapshot) -> defaultdict[str | None, list[Item]]:
    kinds: defaultdict[str | None, list[Item]] = defaultdict(list)
    for item in map(from_item, snapshot.raw.get("reservations", ())):
        kinds[shape_of("reservations", Key(item[PK], item[SK]))].append(item)
    return kinds
