"""Somebody at the box office: gives money back, parts and whole orders, makes tickets void,
erases buyers and changes prices.

Whole orders are those of a cancelled event, whose mark is theirs alone: the sale goes on, and
what comes back is sold again, so that the write is met by everything that a sale does.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from fairgate.domain.shared.credential import verify_credential
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.refunds.refund_part import PartRefunder
from fairgate.service.shared.session_view import read_session
from fairgate_lab.engine.secrets import KEYS
from fairgate_ops.operate.cancel_event.give_all_back import AllGiver

if TYPE_CHECKING:
    import random

    from fairgate.service.shared.records.orders import Order
    from fairgate_lab.simulate.sale.sale import Sale

ACTS_MAX = 4
CANCELS = 0.25  # instead of a refund in part
ENDS_SESSION = 0.5
LOOKS = 12  # for an order that has tickets by now
WHOLE = 0.3  # of an order, and not one ticket of it
ERASURES, VOID_FIRST = 16, 0.3
EDITS, EDIT_MS_MAX = 8, 6_000  # while most buyers are inside
PRICES_MINOR = {"stalls": (3_000, 4_500, 9_000), "standing": (2_000, 2_500)}
FEES_MINOR = {"fee_order_minor": (0, 250), "fee_ticket_minor": (0, 120)}
AMOUNTS = (1, 500, 1_500, 99_999)  # the last is more than is left


class Staff:
    """Decides now and then, between what buyers do."""

    def __init__(self, sale: Sale, rng: random.Random) -> None:
        self.sale, self.rng = sale, rng

    def live(self) -> None:
        for number in range(self.rng.randint(0, ACTS_MAX)):
            self.sale.scheduler.sleep(self.rng.randint(0, self.sale.long_ms))
            order = self.some_order()
            if order is None:
                continue
            if self.rng.random() < CANCELS:
                self._give_all_back(order)
            else:
                self._refund(order, f"s{number // 2}")

    def void(self) -> None:
        """Make tickets void, now and then the same ones again."""
        for _ in range(LOOKS):
            self.sale.scheduler.sleep(self.rng.randint(0, self.sale.long_ms))
            order = self.some_order()
            tickets = [entry.ticket for entry in order.tickets] if order is not None else []
            if order is None or not tickets:
                continue
            ticket = "" if self.rng.random() < WHOLE else self.rng.choice(tickets)
            world = self.sale.container()
            with suppress(FairgateError):
                TicketVoider(world.table, world.clock).void(order, ticket)

    def erase(self) -> None:
        """Erase buyers' addresses, mostly refused; now and then of what was made void for it."""
        for _ in range(ERASURES):
            self.sale.scheduler.sleep(self.rng.randint(0, self.sale.long_ms))
            order = self.some_order()
            if order is None:
                continue
            world = self.sale.container()
            eraser = BuyerEraser(world.table, world.clock)
            with suppress(FairgateError):
                if order.tickets and self.rng.random() < VOID_FIRST:
                    TicketVoider(world.table, world.clock).void(order)
                eraser.erase(order.key, eraser.orders_with_tasks())

    def edit(self) -> None:
        """Change prices and fees while others hold, buy and give back."""
        for _ in range(EDITS):
            self.sale.scheduler.sleep(self.rng.randint(0, EDIT_MS_MAX))
            prices = {tier: self.rng.choice(minor) for tier, minor in PRICES_MINOR.items()}
            fees = {name: self.rng.choice(minor) for name, minor in FEES_MINOR.items()}
            wanted = {"prices_minor": prices} | fees
            world = self.sale.container()
            with suppress(FairgateError):
                event = self.rng.choice(sorted(self.sale.events))
                edit_event(world.table, world.clock, event, wanted)

    def some_order(self) -> Order | None:
        """Return the newest order of a session that somebody has opened, as it is now."""
        if not self.sale.leaked_credentials:
            return None
        session = self.rng.choice(sorted(self.sale.leaked_credentials))
        user, text = self.sale.leaked_credentials[session]
        victim = verify_credential(text, KEYS.session, 0)
        with suppress(FairgateError):
            orders = read_session(self.sale.container().table, victim.session, user).orders
            return orders[-1] if orders else None
        return None

    def _give_all_back(self, order: Order) -> None:
        """As the job of a cancelled event does it, ended somewhere in the middle or not."""
        world = self.sale.container()
        giver = AllGiver(world.table, world.clock, world.payments)
        event = self.sale.events[order.event_id]
        cancelled = msgspec.structs.replace(event, cancelled_at=rfc3339(world.clock.now_ms()))
        history, scheduler = self.sale.history, self.sale.scheduler
        with suppress(FairgateError):
            if self.rng.random() < ENDS_SESSION:
                history.begin("end", order.session, scheduler.now_ms)
                giver.end(order.session)
            asked = history.begin("cancel", order.session, scheduler.now_ms, order=order.order_id)
            self.sale.asked_in_time.add(order.order_id)  # a later request may get this one
            decided = giver.decide(cancelled, order)
            if decided.event_cancelled and not order.event_cancelled:
                history.end(asked, "ok", scheduler.now_ms)
            for owed in giver.refunds(decided):
                if owed.waits:
                    giver.send(owed)

    def _refund(self, order: Order, key: str) -> None:
        """Leave a refused or unanswered refund to the sweeper."""
        world = self.sale.container()
        refunder = PartRefunder(world.table, world.clock, world.payments)
        with suppress(FairgateError):
            refunder.refund(order, self.rng.choice(AMOUNTS), key=key)
