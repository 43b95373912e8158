"""What was entered of the provider's balance is in the ledgers, and payouts are their movements."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.ports.record import PK, SK, Key
from fairgate.service.shared.keys import shape_of
from fairgate_ops.run.laws.violation import Found, Violation

if TYPE_CHECKING:
    from fairgate_ops.run.laws.snapshot import Item, Snapshot

FEES = ("fee", "fee-dispute")
LISTED = "listed"


def fees_and_payouts(snapshot: Snapshot) -> Found:
    """Each movement of an order has its fee in the ledger; each payout is the sum of its parts."""
    kinds: defaultdict[str | None, list[Item]] = defaultdict(list)
    for item in map(from_item, snapshot.raw.get("reservations", ())):
        kinds[shape_of("reservations", Key(item[PK], item[SK]))].append(item)
    moves = {item["movementId"]: item for item in kinds["movement"]}
    yield from _fees(moves, kinds["ledger entry"])
    yield from _payouts(moves, kinds["payout part"], kinds["payout step"])


def _fees(moves: dict[str, Item], entries: list[Item]) -> Found:
    fees = {entry["thing"]: entry for entry in entries if entry["kind"] in FEES}
    for name in sorted(moves.keys() | fees.keys()):
        moved, entry = moves.get(name), fees.get(name)
        if moved is None:
            yield Violation("fees", name, "its fee is entered, and it is not")
        elif entry is None:
            if moved.get("eventId"):
                yield Violation("fees", name, f"of {moved['orderId']}, and its fee is not entered")
        elif _fee(entry) != (
            moved.get("eventId"),
            moved.get("orderId"),
            -moved["feeMinor"],
            moved["currency"],
        ):
            yield Violation("fees", name, f"of {moved['feeMinor']}, entered as {_fee(entry)}")


def _fee(entry: Item) -> tuple[str, str, int, str]:
    return entry["eventId"], entry["orderId"], entry["amountMinor"], entry["currency"]


def _payouts(moves: dict[str, Item], parts: list[Item], steps: list[Item]) -> Found:
    sums: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for part in parts:
        moved = moves.get(part["movementId"])
        counts[part["payoutId"]] += 1
        sums[part["payoutId"]] += moved["amountMinor"] - moved["feeMinor"] if moved else 0
    for step in steps:
        name = step["payoutId"]
        if step["step"] != LISTED:
            continue
        if (step.get("parts", 0), step["amountMinor"]) != (counts[name], sums[name]):
            what = f"{counts[name]} parts of {sums[name]}, listed as {step['amountMinor']}"
            yield Violation("payout-parts", name, what)
