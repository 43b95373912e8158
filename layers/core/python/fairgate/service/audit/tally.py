"""The law of an event's tally: its counters equal a recount of the items."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fairgate.ports.record import PK, SK
from fairgate.service.audit.law import law
from fairgate.service.audit.ledger import SENT
from fairgate.service.audit.order_states import places_in
from fairgate.service.shared.keys import tally_partitions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Item, Snapshot

ENDED = ("cancelled", "expired")
# What no item shows afterwards: attempts, delays, what a session held at its end, and the desk's
# decisions, which expire.
_UNTOLD = ("declined", "heard", "lagMs", "empty", "flagged", "locked")


@law("Go by `fairgate orders list` and `fairgate books ledger`; the figures of the sale are wrong.")
def tally(seen: Snapshot) -> Found:
    """The sums of an event's counters equal those of its sessions, orders and refunds."""
    for event in seen.events:
        if not event.get("counted"):
            continue
        name = event[SK]
        told, true = _told(seen.of("sales tally"), name), recounted(seen, name)
        for figure in sorted(told.keys() | true.keys()):
            if told[figure] != true[figure] and figure not in _UNTOLD:
                yield f"{name} {figure}", f"{told[figure]} counted, {true[figure]} in the items"
        for part, whole in (("empty", "ended"), ("heard", "paid")):
            if not 0 <= told[part] <= told[whole]:
                yield f"{name} {part}", f"{told[part]} of {told[whole]} {whole}"


def recounted(seen: Snapshot, event: str) -> Counter[str]:
    """Recount from the items what the tally counts, by the names of its attributes."""
    true: Counter[str] = Counter()
    for order in (one for one in seen.orders if one["eventId"] == event):
        if not order.get("paidAt"):
            true["unpaid"] += order["state"] != "pending"
            continue
        true["paid"] += 1
        if not order.get("cancelledAt"):
            true += _sold(order)
    for session in seen.sessions:
        true["ended"] += session["eventId"] == event and session["state"] in ENDED
    for owed in seen.of("owed refund"):
        if owed["eventId"] == event:
            made = owed.get("state", "owed") in SENT
            true["owed"] += 1
            true["owedMinor"] += owed["amountMinor"]
            true["made"] += made
            true["madeMinor"] += made * owed["amountMinor"]
    return true


def _sold(order: Item) -> Counter[str]:
    seats = sum(unit["kind"] == "seat" for unit in order["units"])
    areas = {"units": [unit for unit in order["units"] if unit["kind"] == "area"]}
    revenue_minor = order["totalMinor"] - order.get("backMinor", 0)
    return Counter(
        tickets=places_in(order), seats=seats, places=places_in(areas), revenueMinor=revenue_minor
    )


def _told(counters: Sequence[Item], event: str) -> Counter[str]:
    partitions = set(tally_partitions(event))
    told: Counter[str] = Counter()
    for counter in (one for one in counters if one[PK] in partitions):
        for name, count in counter.items():
            if name not in (PK, SK):
                told[name] += count
    return told
