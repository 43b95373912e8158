"""Which change of an item may follow which: the time lines of docs/data.md, checked at each commit.

A wrong end may be reached by wrong steps that cancel out, and a right end hides them. So every
change of every item is judged when it commits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fairgate.domain.orders.erasure import ERASED
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import GSI1SK, PK, SK
from fairgate.service.audit.order_states import SOLD, TAKING
from fairgate.service.shared import keys
from fairgate_lab.simulate.sale import passing_steps

Item = Mapping[str, Any]
Wrong = Iterator[str]

SESSION_STEPS = {
    "reservation": {"checkout", "cancelled", "expired"},
    "checkout": {"finalised", "cancelled", "expired"},
}
ORDER_STEPS = {
    "pending": {"paid", "failed", "expired", "refund_due"},
    "failed": {"refund_due"},
    "expired": {"refund_due"},
    "paid": {"ticketed", "cancelled", "disputed", "charged_back"},
    "ticketed": {"cancelled", "disputed", "charged_back"},  # and less of it, part by part
    "cancelled": {"refunded"},
    "refund_due": {"refunded"},
    "refunded": {"cancelled", "refund_due"},  # the refund came back
    "disputed": {"paid", "ticketed", "charged_back"},
}
RESERVATION_STEPS = {"live": {"sold", "released"}, "sold": {"released"}}
REFUND_STEPS = {
    "owed": {"pending", "succeeded", "failed", "refused"},
    "refused": {"succeeded", "pending", "failed"},  # outside Fairgate
    "pending": {"succeeded", "failed"},
    "succeeded": {"failed"},
}
SENT_AGAIN = ("pending", "succeeded")
NEVER_CHANGING = (
    "lines",
    "totalMinor",
    "userId",
    "userLimit",
    "cancelUntil",
    "cancelFeeMinor",
    "transferUntil",
)
IN_PARTS = ("units", "tickets", "returned", "parts")  # change together, one place at a time
SET_ONCE = ("paymentId", "mailedAt", "ticketedAt", "cancelledAt", "refundedAt", "erasedAt")
OWED_ABOUT = ("pending", "paid", "disputed", "refund_due")  # an order that nobody may erase
PENDING_ONLY = ("lastAttempt", "payPage", "olderPages", "askedAt", "payFrom", "expiresAt")
_STANDING = "standing"  # a user's, whose sort key is an event's id


def wrong_with(old: Item | None, new: Item | None, now_ms: int, skew_ms: int) -> list[str]:
    """What is wrong with a change that commits at ``now_ms``, as sentences; mostly nothing."""
    if new is None:
        return [f"{(old or {}).get(PK)} is gone: nothing of a sale is deleted"]
    latest = rfc3339(now_ms + skew_ms)  # no process believes that it is later
    judge = _JUDGES.get(_kind(new))
    if judge is None:
        return []
    return [f"{new[PK]}/{new[SK]}: {what}" for what in judge(old, new, latest)]


def _kind(item: Item) -> str:
    """A whole sort key, or how one begins: up to its first ``#``."""
    if item[PK].startswith(keys.USER) and "#" not in item[SK]:
        return _STANDING
    return "".join(item[SK].partition("#")[:2])


def _seat(old: Item | None, new: Item, latest: str) -> Wrong:
    if old is None:
        yield "a seat out of nothing"
        return
    if new["version"] != old["version"] + 1:
        yield f"version {old['version']} → {new['version']}"
    step = (old["availability"], new["availability"])
    same = old["sessionId"] == new["sessionId"]
    if step == ("locked", "locked"):
        if old["expiresAt"] > latest and not (same and new["expiresAt"] > old["expiresAt"]):
            yield f"taken from {old['sessionId']} while its lock ran"
    elif step == ("locked", "reserved"):
        if not same:
            yield f"sold to {new['sessionId']}, locked by {old['sessionId']}"
    elif step not in {
        ("available", "locked"),
        ("locked", "available"),
        ("reserved", "available"),
        ("available", "blocked"),
        ("blocked", "available"),
    }:
        yield f"{step[0]} → {step[1]}"


def _counter(old: Item | None, new: Item, _latest: str) -> Wrong:
    if old is None:
        yield "a counter out of nothing"
    elif new["version"] != old["version"] + 1:
        yield f"version {old['version']} → {new['version']}"
    if not 0 <= new["remaining"] <= new["capacity"] or new.get("blocked", 0) < 0:
        yield f"{new['remaining']} of {new['capacity']} remain, {new.get('blocked')} are blocked"


def _session(old: Item | None, new: Item, _latest: str) -> Wrong:
    if old is None:
        return
    if old["state"] != new["state"]:
        if new["state"] not in SESSION_STEPS.get(old["state"], ()):
            yield f"{old['state']} → {new['state']}"
    elif old["state"] != "reservation":
        may = {GSI1SK}  # its order's address
        may |= {"expiresAt", "liveBucket"} if old["state"] == "checkout" else set()
        if _other(old, new, may):
            yield f"changed while {old['state']}"
    if new["expiresAt"] < old["expiresAt"]:
        yield "ends sooner than it did"
    if new["resCount"] < 0:
        yield f"counts {new['resCount']} places"


def _order(old: Item | None, new: Item, _latest: str) -> Wrong:
    if old is None:
        if new["state"] != "pending":
            yield f"begins as {new['state']}"
        return
    if new.get("version", 0) != old.get("version", 0) + 1:
        yield f"version {old.get('version', 0)} → {new.get('version', 0)}"
    if old["state"] != new["state"] and new["state"] not in ORDER_STEPS.get(old["state"], ()):
        yield f"{old['state']} → {new['state']}"
    if new["expiresAt"] < old["expiresAt"]:
        yield "ends sooner than it did"
    if "mailedAt" in new and "mailedAt" not in old and new["state"] != "ticketed":
        yield f"mailed while {new['state']}"
    came_or_went_back = "refunded" in (old["state"], new["state"]) and old["state"] != new["state"]
    frozen = [n for n in SET_ONCE if n in old and not (came_or_went_back and n == "refundedAt")]
    frozen += PENDING_ONLY if old["state"] != "pending" else ()
    for name in (*NEVER_CHANGING, *frozen):
        if old.get(name) != new.get(name):
            yield f"{name} changed while {old['state']}"
    yield from _in_parts(old, new)
    yield from _made_void(old, new)
    yield from passing_steps.moved(old, new)
    yield from _addressed(old, new)
    yield from _erased(old, new)


def _other(old: Item, new: Item, allowed: set[str]) -> list[str]:
    """Name what has changed beside these."""
    return sorted({n for n in {*old, *new} if old.get(n) != new.get(n)} - allowed)


def _addressed(old: Item, new: Item) -> Wrong:
    """A new address comes alone, but for a declined attempt, and never after it was erased."""
    if new.get("email") in (ERASED, old.get("email")):
        return
    if "erasedAt" in old:
        yield "has an address again"
    also = {"email", "mailbox", "lastAttempt", "updatedAt", "version"}
    if other := _other(old, new, also):
        yield f"{', '.join(other)} changed with the address"


def _erased(old: Item, new: Item) -> Wrong:
    """The address goes alone, and while nothing is owed: the event is still to come."""
    if old.get("email") == new.get("email") or new["email"] != ERASED:
        return
    if "erasedAt" not in new:
        yield "has no address"
    if old["state"] in OWED_ABOUT:
        yield f"erased while {old['state']}"
    void = {one["ticket"] for one in old.get("voided", [])}
    good = [one["ticket"] for one in old.get("tickets", []) if one["ticket"] not in void]
    if old["state"] == "ticketed" and good:
        yield f"erased while {good} admit"
    goes = {"email", "mailbox", "countedBy", "erasedAt", "updatedAt", "version"}
    if other := _other(old, new, goes):
        yield f"{', '.join(other)} changed as the address was erased"


def _made_void(old: Item, new: Item) -> Wrong:
    """Tickets of the order are void from then on; no money, place or state changes with them."""
    before, after = old.get("voided", []), new.get("voided", [])
    if before == after:
        return
    if after[: len(before)] != before:
        yield f"{before} were void, and now {after} are"
    names = [one["ticket"] for one in after]
    unknown = set(names) - {one["ticket"] for one in old.get("tickets", [])}
    if unknown or len(set(names)) < len(names):
        yield f"{names} are void"
    other = {name for name in {*old, *new} if old.get(name) != new.get(name)}
    if other - {"voided", "updatedAt", "version"}:
        yield f"{', '.join(sorted(other))} changed as tickets were made void"


def _in_parts(old: Item, new: Item) -> Wrong:
    """A place goes back while the order is ticketed, its tickets with it and its part counted."""
    changed = {name for name in IN_PARTS if old.get(name) != new.get(name)}
    made = old["state"] == "paid" and "tickets" not in old
    if changed == {"tickets"} and (made or passing_steps.is_passed(old, new)):
        return  # they are made, or one has become another
    if not changed:
        return
    if changed == {"parts"} and old["state"] in SOLD:  # a part of the money alone
        more = new["backMinor"] - old.get("backMinor", 0)
        if more < 1 or new["backMinor"] > new["totalMinor"] or new["state"] != old["state"]:
            yield f"{more} more of {new['totalMinor']} goes back, and it is {new['state']}"
        return
    if changed != set(IN_PARTS) or (old["state"], new["state"]) != ("ticketed", "ticketed"):
        yield f"{', '.join(sorted(changed))} changed while {old['state']}"
        return
    gone = new["returned"][-1]["tickets"]
    before, after = old["tickets"], new["tickets"]
    if [one for one in before if one["ticket"] not in gone] != after or not after:
        yield f"has the tickets {after}, without {gone}"
    if _places(old) - _places(new) != len(gone):
        yield f"{_places(old)} places → {_places(new)}, for {len(gone)} tickets"
    if new["parts"] != old.get("parts", 0) + 1:
        yield f"parts {old.get('parts', 0)} → {new['parts']}"
    back = new["backMinor"] - old.get("backMinor", 0)
    if back != new["returned"][-1]["amountMinor"] or new["backMinor"] > new["totalMinor"]:
        yield f"{back} more of {new['totalMinor']} goes back"


def _places(order: Item) -> int:
    return sum(unit.get("quantity", 1) for unit in order["units"])


def _reservation(old: Item | None, new: Item, _latest: str) -> Wrong:
    if old is None:
        return
    step = (old["state"], new["state"])
    if step != ("sold", "sold") and step[1] not in RESERVATION_STEPS.get(step[0], ()):
        yield f"{step[0]} → {step[1]}"
    fewer = step == ("sold", "sold") and 0 < new["quantity"] < old["quantity"]
    whose: Item = {"state": "", **({"quantity": 0} if fewer and old["kind"] == "area" else {})}
    if {**old, **whose} != {**new, **whose}:
        yield "is another reservation now"


def _once(old: Item | None, _new: Item, _latest: str) -> Wrong:
    if old is not None:
        yield "written a second time"


def _owed(old: Item | None, new: Item, _latest: str) -> Wrong:
    before: Item = old or {}
    step = (before.get("state", "owed"), new.get("state", "owed"))
    # What came back is sent again outside Fairgate only, as a refund of another id.
    again = step[0] == "failed" and before.get("refundId") != new.get("refundId")
    if "orderId" not in new:
        yield "a refund that nobody owes"
    elif "sentAt" in before and before["sentAt"] != new.get("sentAt") and not again:
        yield "sent a second time"
    if new.get("attempt", 0) - before.get("attempt", 0) not in (0, 1):
        yield f"its number goes from {before.get('attempt', 0)} to {new.get('attempt', 0)}"
    follow = SENT_AGAIN if again else REFUND_STEPS.get(step[0], ())
    if step[0] != step[1] and step[1] not in follow:
        yield f"{step[0]} → {step[1]}"


def _idempotency(old: Item | None, _new: Item, latest: str) -> Wrong:
    if old is not None and old["until"] > latest:
        yield "its answer is replaced before its day is over"


def _mark(name: str) -> Callable[[Item | None, Item, str], Wrong]:
    def judge(old: Item | None, new: Item, _latest: str) -> Wrong:
        if old is not None and new[name] < old[name]:
            yield f"{name} goes back from {old[name]} to {new[name]}"

    return judge


def _standing(old: Item | None, new: Item, latest: str) -> Wrong:
    before: Item = old or {}
    live, was = new.get("liveSession", ""), before.get("liveSession", "")
    if new.get("placesTaken", 0) < 0:
        yield f"has taken {new['placesTaken']} places"
    if not live or live == was:
        return
    if was and before["liveUntil"] > latest:
        yield f"{live} opened while {was} was live"
    for name in ("lockedUntil", "flaggedUntil"):
        if before.get(name, "") > latest:
            yield f"{live} opened in spite of {name}"


_JUDGES: Mapping[str, Callable[[Item | None, Item, str], Wrong]] = {
    keys.SEAT: _seat,
    keys.AREA: _counter,
    keys.SESSION: _session,
    keys.ORDER: _order,
    keys.RESERVATION: _reservation,
    keys.TOKEN: _once,
    keys.PAYMENT_EVENT: _once,
    keys.REFUND: _owed,
    keys.LEDGER: _once,
    keys.IDEMPOTENCY: _idempotency,
    keys.SWEPT: _mark("minute"),
    keys.RECONCILED: _mark("until"),
    _STANDING: _standing,
}


class PlacesTaken:
    """Counts each user's places as orders change: nobody is above the limit at any commit.

    Args:
        limits: event → how many places a user may have there, ordered or bought.
    """

    def __init__(self, limits: Mapping[str, int]) -> None:
        self._limits = limits
        self._taken: Counter[tuple[str, str]] = Counter()

    def wrong_with(self, old: Item | None, new: Item | None) -> Wrong:
        """What is wrong with a change of an order; nothing for any other item."""
        if new is None or _kind(new) != keys.ORDER:
            return
        user = (new["userId"], new["eventId"])
        was = _places(old) if old is not None and old["state"] in TAKING else 0
        self._taken[user] += (_places(new) if new["state"] in TAKING else 0) - was
        concerned = {user}
        for one in new.get("passed", [])[len((old or {}).get("passed", [])) :]:
            if one.get("holder"):  # what is taken over counts for good
                concerned.add((one["holder"], new["eventId"]))
                self._taken[one["holder"], new["eventId"]] += 1
        for name, event in sorted(concerned):
            if self._taken[name, event] > self._limits[event]:
                yield f"{name} has {self._taken[name, event]} places in {event}"
