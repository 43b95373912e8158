"""A small sale in which every law holds, as plain items, and ways to break it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from fairgate.domain.shared.ids import OrderId
from fairgate.domain.shared.session import live_bucket
from fairgate.ports.availability import SeatStatus
from fairgate.ports.record import Key
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.shared import keys
from fairgate.service.shared.mailbox_keys import mailbox_order_key
from fairgate_ops.operate.models import KINDS
from tests.support.item_ids import MAILBOX
from tests.support.items import ITEMS, optional

NOW, PAST, FUTURE = (f"20{year}-01-01T00:00:00.000Z" for year in (26, 20, 99))
HELD, SOLD, OTHER = (f"ses_{letter * 32}" for letter in "abd")
ORDER, OTHER_ORDER = f"ord_{'b' * 32}_00000001", f"ord_{'d' * 32}_00000001"
SEAT = {"kind": "seat", "seat": "s2", "tier": "A", "label": "Seat 2"}
PLACES = {"kind": "area", "area": "floor", "tier": "A", "label": "Floor", "quantity": 2}
RETURNED = {"place": "s9", "kind": "seat", "tier": "A", "label": "", "at": PAST, "feeMinor": 0}
EVENT: dict[str, Any] = {
    "holdLimit": 4,
    "userLimit": 4,
    "sessionsLimit": 1,
    "liveMax": 5,
    "counted": True,
}
EVENT |= {"sellerName": "Tides", "areas": {"floor": {"capacity": 8, "shards": 1, "tier": "A"}}}
SUMS = {"paid": 1, "tickets": 3, "seats": 1, "places": 2, "revenueMinor": 6000}
MOVED: dict[str, Any] = {"movementId": "m", "amountMinor": 6000, "feeMinor": 90, "orderId": ORDER}
MOVED |= {"kind": "capture", "eventId": "demo"}
Change = Callable[["Sale"], object]


def whole(kind: str, key: Key | None = None, /, **attributes: Any) -> dict[str, Any]:
    """An item with everything that its kind must have; what it may lack only if it is named."""
    _, item = ITEMS[kind]
    may_lack = optional(KINDS[kind])
    about = {} if key is None else {"PK": key.pk, "SK": key.sk}
    named = {"eventId": "demo"} if "eventId" in item else {}
    return {n: item[n] for n in item if n not in may_lack} | named | about | attributes


def seat(name: str, availability: str = "available", **more: Any) -> dict[str, Any]:
    index = int(name[1:]) - 1
    told = {"seatId": name, "seatIndex": index, "availability": availability}
    return whole("seat", **told | more)


def session(name: str, user: str, state: str, count: int, **more: Any) -> dict[str, Any]:
    told = {"userId": user, "state": state, "resCount": count, "tokenId": f"token of {name}"}
    ends = {"expiresAt": FUTURE, "liveBucket": live_bucket(FUTURE, name)}
    return whole("session", keys.session_key(name), **told | ends | more)


def reserved(session_id: str, place: str, state: str, quantity: int = 0) -> dict[str, Any]:
    kind = {"kind": "area", "shard": 0} if quantity else {"kind": "seat"}
    told = {"place": place, "state": state, "quantity": quantity or 1} | kind
    return whole("reservation", keys.reservation_key(session_id, "hld_1", place), **told)


def ticket(number: int) -> dict[str, Any]:
    return {"ticket": f"tkt_{number:016d}", "unit": number, "label": "", "code": ""}


def order(**more: Any) -> dict[str, Any]:
    known = {
        "userId": "bob",
        "orderId": ORDER,
        "createdAt": PAST,
        "paidAt": PAST,
        "ticketedAt": PAST,
        "email": "bob@example.org",
        "mailbox": MAILBOX,
        "paymentId": "p",
        "state": "ticketed",
        "totalMinor": 6000,
        "lines": [{"label": "A", "tier": "A", "quantity": 3, "priceMinor": 2000}],
        "units": [SEAT, PLACES],
        "tickets": [ticket(number) for number in range(3)],
    }
    return whole("order", keys.order_key(SOLD, ORDER), **known | more)


def entry(thing: str, kind: str, amount_minor: int, payment: str = "p") -> dict[str, Any]:
    """An entry of the ledger, of ORDER."""
    told = {"orderId": ORDER, "paymentId": payment, "kind": kind, "amountMinor": amount_minor}
    return whole("ledger entry", thing=thing, **told)


def owed(state: str, amount_minor: int = 6000, **more: Any) -> dict[str, Any]:
    told = {"orderId": ORDER, "paymentId": "p", "amountMinor": amount_minor, "state": state}
    return whole("owed refund", **told | more)


def dispute(state: str) -> dict[str, Any]:
    told = {"orderId": ORDER, "paymentId": "p", "disputeId": "dp_1", "amountMinor": 6000}
    return whole("dispute", state=state, **told)


def document(kind: str = "invoice", number: int = 1, amount_minor: int = 6000) -> dict[str, Any]:
    lines = [{"label": "", "quantity": 1, "amountMinor": amount_minor, "vatBp": 0, "vatMinor": 0}]
    told = {"orderId": ORDER, "paymentId": "p", "kind": kind, "number": number, "lines": lines}
    return whole("document", amountMinor=amount_minor, **told)


def task(kind: str, /, **more: Any) -> dict[str, Any]:
    return whole("manual task", kind=kind, orderId=ORDER, paymentId="p") | more


def line(kind: str, /, **more: Any) -> dict[str, Any]:
    """A line of the provider's books; a refund is the shop's."""
    told: dict[str, Any] = {"payment": "p", "order": ORDER, "amount_minor": 6000}
    if kind == "refund":
        told |= {"refund": "re_1", "state": "succeeded", "ours": True}
    return {"kind": kind} | told | more


class Sale:
    """One seat held with two places, one seat sold with two, one free; while it goes on or after.

    At rest the buyer who held has gone.
    """

    def __init__(self, *, rest: bool) -> None:
        self.payments: list[dict[str, Any]] | None = [line("capture")]
        self.problems: list[tuple[str, str]] = []
        self.cache: Mapping[tuple[str, str], list[SeatStatus]] = {}
        self.items: dict[str, list[dict[str, Any]]] = defaultdict(list)
        left = int(not rest)  # sessions that are live
        held, locked = ("live", "locked") if left else ("released", "available")
        until = {"sessionId": HELD, "expiresAt": FUTURE} if left else {}
        place = keys.order_in_event(PAST, ORDER, "bob@example.org")
        index = {"GSI1PK": keys.event_orders_index("demo", SOLD), "GSI1SK": place}
        ann, bob = (keys.user_status_key(user, "demo") for user in ("ann", "bob"))
        inside = {"liveSession": HELD, "liveUntil": FUTURE} if left else {}
        counter = keys.live_key("demo", live_bucket(FUTURE, HELD))
        entry_key = mailbox_order_key(MAILBOX, OrderId(ORDER))
        for kind, item in (
            ("event", whole("event", keys.event_key("demo")) | EVENT),
            ("seat", seat("s1", locked, **until)),
            ("seat", seat("s2", "reserved", sessionId=SOLD)),
            ("seat", seat("s3")),
            ("area shard", whole("area shard", areaId="floor", capacity=8, remaining=6 - left)),
            (
                "session",
                session(HELD, "ann", "reservation" if left else "expired", 2 * left, room=0),
            ),
            ("session", session(SOLD, "bob", "finalised", 3) | index),
            ("reservation", reserved(HELD, "s1", held)),
            ("reservation", reserved(HELD, "floor", held, 1)),
            ("reservation", reserved(SOLD, "s2", "sold")),
            ("reservation", reserved(SOLD, "floor", "sold", 2)),
            ("user status", whole("user status", ann, sessionsUsed=1, **inside)),
            ("user status", whole("user status", bob, sessionsUsed=1, placesTaken=3)),
            ("live counter", whole("live counter", counter, live=left)),
            ("capacity limit", whole("capacity limit", keys.capacity_limit_key("demo"), cap=5)),
            (
                "capacity shard",
                whole("capacity shard", keys.capacity_shard_key("demo", 0), dealt=5, left=5 - left),
            ),
            (
                "sales tally",
                whole("sales tally", keys.tally_key("demo", ORDER), ended=1 - left) | SUMS,
            ),
            ("order", order()),
            ("mailbox order", whole("mailbox order", entry_key)),
            ("ledger entry", entry("p", "capture", 6000)),
            ("ledger entry", entry("m", "fee", -90)),
            ("movement", whole("movement", **MOVED)),
            ("payout part", whole("payout part", movementId="m")),
            ("payout step", whole("payout step", amountMinor=5910, parts=1)),
            ("document", document()),
        ):
            self.items[kind].append(item)

    def snapshot(self) -> Snapshot:
        return Snapshot(NOW, self.items, self.payments, self.cache, lambda: self.problems)


def enters(name: str, user: str, count: int, **more: Any) -> Change:
    """Somebody opens a session, and their status and the live counter say so."""

    def open_it(sale: Sale) -> None:
        status = {"sessionsUsed": 1, "liveSession": name, "liveUntil": FUTURE}
        bucket = live_bucket(FUTURE, name)
        sale.items["session"].append(session(name, user, "reservation", count, **more))
        sale.items["user status"].append(
            whole("user status", keys.user_status_key(user, "demo"), **status)
        )
        sale.items["live counter"].append(
            whole("live counter", keys.live_key("demo", bucket), live=1)
        )

    return open_it


def change(kind: str, number: int = 0, /, **attributes: Any) -> Change:
    """Change one item of a kind; the first, if not said otherwise."""
    return lambda sale: sale.items[kind][number].update(attributes)


def add(kind: str, item: dict[str, Any]) -> Change:
    return lambda sale: sale.items[kind].append(dict(item))


def drop(kind: str) -> Change:
    """Take the last item of a kind away."""
    return lambda sale: sale.items[kind].pop()


def books(*lines: dict[str, Any]) -> Change:
    """Let the provider have these lines, whatever it had."""

    def write(sale: Sale) -> None:
        sale.payments = list(lines)

    return write


def cached(sale: Sale) -> None:
    """Let the cache say what the table says now."""
    seats = sale.items["seat"]
    statuses = [
        SeatStatus(n, one["availability"], 0, one["version"]) for n, one in enumerate(seats)
    ]
    sale.cache = {("demo", "A"): statuses}


def problem(sale: Sale) -> None:
    sale.problems.append(("seats", "unknown field `colour`"))
