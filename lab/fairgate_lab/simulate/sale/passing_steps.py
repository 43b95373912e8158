"""Which change of an order passes a ticket on, and what may not change with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Item = Mapping[str, Any]
Wrong = Iterator[str]
_OF_A_MOVE = {"offers", "passed", "moves", "tickets", "updatedAt", "version"}


def moved(old: Item, new: Item) -> Wrong:
    """What is wrong with offers and acceptances: each is one move, and one ticket's."""
    changed = {name for name in {*old, *new} if old.get(name) != new.get(name)}
    yield from _others_place(old, new, changed)
    if "moves" not in changed:
        if "passed" in changed or ("offers" in changed and "returned" not in changed):
            yield "offers or acceptances changed, and no move is counted"
        return
    if new["moves"] != old.get("moves", 0) + 1 or changed - _OF_A_MOVE:
        yield f"{', '.join(sorted(changed))} changed as tickets moved"
    if (old["state"], new["state"]) != ("ticketed", "ticketed"):
        yield f"tickets moved while {old['state']}"
    if "passed" in changed:
        yield from _passed(old, new)
    elif "tickets" in changed:
        yield "tickets changed, and nobody accepted one"


def is_passed(old: Item, new: Item) -> bool:
    """Say whether a ticket was passed on with this change."""
    return bool(old.get("passed", []) != new.get("passed", []))


def _passed(old: Item, new: Item) -> Wrong:
    """One ticket has become another: by an offer that was open, or taken back for its buyer."""
    one = new["passed"][-1]
    if new["passed"][:-1] != old.get("passed", []):
        yield "what was passed on before is another now"
    offers = [o for o in old.get("offers", []) if o["number"] == one["number"]]
    taken_back = not one.get("holder") and one["number"] == new["moves"]
    by_offer = [o["ticket"] for o in offers] == [one["ticket"]] and one["at"] < offers[0]["until"]
    if not (taken_back or by_offer):
        yield f"{one} was accepted of {offers}"
    if any(o["ticket"] == one["ticket"] for o in new.get("offers", [])):
        yield f"an offer of {one['ticket']} is left, which is another by now"
    if one["ticket"] in {void["ticket"] for void in old.get("voided", [])}:
        yield f"{one['ticket']} was void, and is passed on"
    pairs = list(zip(old["tickets"], new["tickets"], strict=True))
    before, after = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
    if sum(a != b for a, b in pairs) != 1:
        yield "an acceptance changed other than one ticket"
    if (before["ticket"], after["ticket"]) != (one["ticket"], one["became"]):
        yield f"{before['ticket']} → {after['ticket']}, and {one} is said"
    known = {entry["ticket"] for entry in old["tickets"]}
    known |= {passed["ticket"] for passed in old.get("passed", [])}
    if one["became"] in known:
        yield f"{one['became']} was there before"
    holders = (before.get("holder", ""), after.get("holder", ""))
    if holders != (one.get("giver", ""), one.get("holder", "")) or holders[0] == holders[1]:
        yield f"from {holders[0]} to {holders[1]}, and {one} is said"


def _others_place(old: Item, new: Item, changed: set[str]) -> Wrong:
    """What somebody else has is no more its buyer's to cancel."""
    others = {entry["ticket"] for entry in old.get("tickets", []) if entry.get("holder")}
    ended = old["state"] == "ticketed" and new["state"] in ("cancelled", "refunded")
    if others and ended and not new.get("eventCancelled"):
        yield f"cancelled with {sorted(others)}, which others have"
    if "returned" in changed and (gone := others.intersection(new["returned"][-1]["tickets"])):
        yield f"{sorted(gone)} given back, which others have"
