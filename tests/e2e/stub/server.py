"""Stands for the whole service in the tests of the pages: answers as docs/api.md says.

A test changes ``stub.world`` to bring about what the pages must explain.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from fairgate.domain.seating.status_vector import pack
from tests.e2e.stub import venue as hall
from tests.e2e.stub.answers import ORDER, SESSION, Refused, stamp
from tests.e2e.stub.event import EVENT, tiers
from tests.e2e.stub.feed import Feed, change_id
from tests.e2e.stub.handler import Handler
from tests.e2e.stub.passing import passed_on
from tests.e2e.stub.world import World
from tests.support.http_server import served

POW = 10


class Stub:
    """Serves the pages and the fake API on a free loopback port."""

    def __init__(self, sold: hall.Hall | None = None) -> None:
        self.world = World(hall=sold or hall.Hall())
        self.sections = self.world.hall.sections
        self.reshape: Callable[[Any], Any] = lambda body: body  # answers of another version
        self.lock = threading.Lock()
        self.feed = Feed()
        self.base_url = ""  # until it starts
        self._served = ExitStack()

    def start(self) -> Stub:
        handler = type("BoundHandler", (Handler,), {"stub": self})
        self.base_url = self._served.enter_context(served(handler))
        return self

    def stop(self) -> None:
        """End it; raises what an answer raised, unless the page left before it was written."""
        self._served.close()

    def inside(self, seconds: float = 600) -> None:
        """Open a session without the waiting room."""
        self.world.session_state = "reservation"
        self.world.session_ends = self.world.now() + seconds

    # --- answers -----------------------------------------------------------------------------

    def statuses(self, section: str) -> str:
        held = self._held()
        ids = hall.seat_ids(self.sections[section])
        return "".join("1" if s in held else "2" if s in self.world.taken else "0" for s in ids)

    def _held(self) -> set[str]:
        return {u["seat"] for h in self.world.holds for u in h["units"] if u["kind"] == "seat"}

    def availability(self) -> dict[str, Any]:
        counts = {
            name: {"total": len(s), "available": s.count("0")}
            for name, s in ((n, self.statuses(n)) for n in self.sections)
        }
        areas = {
            area["id"]: {"capacity": area["capacity"], "available": self.world.floor_left}
            for area in self.world.hall.overview["areas"]
        }
        now = self.world.now()
        return {
            "event": EVENT,
            "as_of": stamp(now),
            "id": change_id(now),
            "sections": counts,
            "areas": areas,
        }

    def counts(self) -> dict[str, Any]:
        self.changes("")
        return self.availability()

    def seats(self, section: str) -> dict[str, Any]:
        self.changes(section)
        now = self.world.now()
        return {
            "event": EVENT,
            "section": section,
            "as_of": stamp(now),
            "id": change_id(now),
            "statuses": self.statuses(section),
        }

    def status_vector(self) -> bytes:
        return b"".join(pack(bytes(map(int, self.statuses(name)))) for name in self.sections)

    def changes(self, section: str) -> str:
        if section:
            statuses = dict(enumerate(self.statuses(section)))
            return self.feed.told(section, {"seats": statuses})
        counts = self.availability()
        return self.feed.told("", {"section": counts["sections"], "area": counts["areas"]})

    def queue(self) -> tuple[int, dict[str, Any]]:
        return 200, self._place("wt-0") | {
            "challenge": {"ch": "AAECAwQFBgcICQoLDA0ODw", "pow": POW},
            "sale_starts_at": stamp(self.world.sale_starts_at),
        }

    def _place(self, token: str) -> dict[str, Any]:
        """What the edge says of a place, in whole seconds, given just now or waiting on."""
        now, sale_starts_at = int(self.world.now()), self.world.sale_starts_at
        paused, early = self.world.state == "paused", now < sale_starts_at
        return {
            "state": "paused" if paused else "prequeue" if early else "waiting",
            "token": token,
            "boff": math.ceil(self.world.postponed(max(now, sale_starts_at))),
            "now": now,
            "estimate": None if early or paused else self.world.estimate,
        }

    def admission(self, headers: Any) -> tuple[int, dict[str, Any]]:
        token, nonce = headers["x-fairgate-token"], headers["x-fairgate-solution"]
        digest = hashlib.sha256(f"AAECAwQFBgcICQoLDA0ODw:{nonce}".encode()).digest()
        if int.from_bytes(digest[:4], "big") >> (32 - POW):
            raise Refused(429, "too-early", retry_after=1)
        if self.world.place_ends <= self.world.now():
            raise Refused(401, "waiting-token-ended")
        self.world.admissions.append(token)
        if self.world.lock is not None:
            again = {"retry_after": self.world.lock_again_s, "token": token}
            raise Refused(403, "locked-out", **again, **self.world.lock)
        count = len(self.world.admissions)
        if self.world.state == "paused":
            place = self._waiting(count)
            return 202, place | {"retry_after": place["boff"] - place["now"]}
        if count <= self.world.polls_before_admission:
            return 202, self._waiting(count)
        self.inside()
        return 201, self.session()

    def appeal(self, wish: dict[str, Any]) -> dict[str, Any]:
        if self.world.lock is None:
            raise Refused(409, "wrong-state")
        self.world.appeals.append(wish.get("text", ""))
        self.world.lock |= {"appealed": True}
        return self.world.lock

    def _waiting(self, count: int) -> dict[str, Any]:
        return self._place(f"wt-{count}") | {"slip": f"slip-{count}"}

    def session(self) -> dict[str, Any]:
        world = self.world
        if world.session_state not in ("reservation", "checkout") or (
            world.session_ends <= world.now()
        ):
            raise Refused(404, "not-found", sessions_left=world.sessions_left)
        session = {
            "session": SESSION,
            "event": EVENT,
            "expires_at": stamp(world.session_ends),
            "state": world.session_state,
            "hold_limit": 6,
            "credential": "cred",
            "tiers": tiers(world),
            "fees": world.fees,
            "ask_address": world.ask_address,
            "terms_url": world.sellers.get("terms_url"),
            "holds": world.holds,
        }
        in_checkout = world.session_state == "checkout"
        return session | ({"order": self.order()} if in_checkout else {})

    def hold(self, wish: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.session()
        gone = [s for s in wish.get("seats", []) if s in self.world.taken or s in self._held()]
        if gone:
            raise Refused(409, "seats-taken", seats=gone)
        units: list[dict[str, Any]] = [self._unit(seat) for seat in wish.get("seats", [])]
        tiers_of = {area["id"]: area["tier"] for area in self.world.hall.overview["areas"]}
        units += [
            {
                "kind": "area",
                "area": area,
                "quantity": n,
                "tier": tiers_of[area],
                "label": f"{n} x {area}",
            }
            for area, n in wish.get("areas", {}).items()
        ]
        hold = {
            "hold": f"hld_{len(self.world.keys):032d}",
            "session": SESSION,
            "expires_at": stamp(self.world.session_ends),
            "units": units,
        }
        self.world.holds.append(hold)
        return 201, hold

    def _unit(self, seat: str) -> dict[str, Any]:
        section, row, found = self.world.hall.seats[seat]
        label = f"{self.sections[section]['name']} · Row {row['name']} · Seat {found['number']}"
        unit = {"kind": "seat", "seat": seat, "section": section, "tier": found["tier"]}
        return unit | {"label": label}

    def best(self, wish: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.world.wishes.append(wish)
        unwanted = wish.get("without", [])
        for section in [wish["section"]] if wish.get("section") else self.sections:
            ids, statuses = hall.seat_ids(self.sections[section]), self.statuses(section)
            free = ("1" if i in unwanted else s for i, s in zip(ids, statuses, strict=True))
            at = "".join(free).find("0" * wish["quantity"])
            if at >= 0:
                return self.hold({"seats": ids[at : at + wish["quantity"]]})
        raise Refused(409, "no-seats-found")

    def order(self) -> dict[str, Any]:
        if not self.world.order_state:
            raise Refused(404, "not-found")
        by_tier: dict[str, int] = {}
        for unit in (u for h in self.world.holds for u in h["units"]):
            by_tier[unit["tier"]] = by_tier.get(unit["tier"], 0) + unit.get("quantity", 1)
        lines: list[dict[str, Any]] = [
            {
                "label": t["name"],
                "tier": t["id"],
                "kind": "tickets",
                "quantity": by_tier[t["id"]],
                "price_minor": t["price_minor"],
                "vat_bp": 700,
                "vat_minor": round(by_tier[t["id"]] * t["price_minor"] * 700 / 10_700),
            }
            for t in self.world.hall.tiers
            if t["id"] in by_tier
        ]
        tickets, ends = sum(by_tier.values()), self.world.order_ends or self.world.session_ends
        lines += self._fee_lines(tickets)
        return {
            "order": ORDER,
            "session": SESSION,
            "event": EVENT,
            "state": self.world.order_state,
            "total_minor": sum(line["quantity"] * line["price_minor"] for line in lines),
            "currency": "EUR",
            "lines": lines,
            "expires_at": stamp(ends),
            "settling_until": stamp(ends + 1_800),
            "last_attempt": self.world.last_attempt,
            "email": self.world.email,
            "mailed_at": self.world.mailed_at,
            "postal_address": self.world.postal_address,
            "payment": "pi_3QdemoReference" if self.world.order_state == "ticketed" else None,
            "tickets": tickets - len(self.world.void) - passed_on(self),
            "ticket_labels": self._ticket_labels(),
            "refund": self.world.refund,
            "cancellation": self.world.cancellation,
            "returned": self.world.returned,
            "void": self.world.void,
            "event_cancelled": False,
            "transfer": self.world.transfer,
            "invoice": self.world.invoice and self.world.order_state != "pending",
        }

    def _ticket_labels(self) -> list[str]:
        """Labels of what still admits, as the units or else the transfer's list name them."""
        if self.world.order_state != "ticketed":
            return []
        if self.world.transfer:
            own = [one for one in self.world.transfer["tickets"] if one["state"] != "passed-on"]
            return [one["label"] for one in own]
        labels = [unit["label"] for hold in self.world.holds for unit in hold["units"]]
        return [one for one in labels if not one.endswith(tuple(self.world.void))]

    def _fee_lines(self, tickets: int) -> list[dict[str, Any]]:
        fees = self.world.fees
        lines = (
            ("Fee per order", 1, fees["order_minor"]),
            ("Fee per ticket", tickets, fees["ticket_minor"]),
        )
        return [
            {
                "label": label,
                "tier": "",
                "kind": "fee",
                "quantity": n,
                "price_minor": minor,
                "vat_bp": 0,
                "vat_minor": 0,
            }
            for label, n, minor in lines
            if minor and n
        ]

    def checkout(self, wish: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.session()
        self.world.accepted_terms = wish.get("terms")
        self.world.email, self.world.postal_address = wish["email"], wish.get("postal_address")
        self.world.session_state, self.world.order_state = "checkout", "pending"
        pay = f"{self.base_url}/sandbox/pay/1"
        return 201, {
            "order": self.order(),
            "pay_url": pay,
            "expires_at": stamp(self.world.session_ends),
            "credential": "cred2",
        }

    def exchange(self) -> tuple[int, dict[str, Any]]:
        return 200, self.world.sign_in()

    def release(self, hold: str) -> tuple[int, None]:
        self.world.holds[:] = [known for known in self.world.holds if known["hold"] != hold]
        return 204, None

    def leave(self) -> tuple[int, None]:
        self.world.session_state = "cancelled"
        self.world.refund = self.world.refund_on_leave or self.world.refund
        return 204, None

    def ticket(self, unit: str) -> str:
        return self.world.ticket.replace("{unit}", unit)

    def mailed_to(self, email: str) -> dict[str, Any]:
        self.world.email = email
        return self.order()

    def paid(self, action: str) -> None:
        if action == "pay":
            self.world.order_state, self.world.session_state = "ticketed", "finalised"
