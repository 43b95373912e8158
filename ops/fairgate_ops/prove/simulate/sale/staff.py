"""Somebody at the box office: gives parts of orders' money back, and makes tickets void."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fairgate.adapters.memory.secrets import KEYS
from fairgate.domain.shared.credential import verify_credential
from fairgate.errors import FairgateError
from fairgate.service.orders.refund_part import PartRefunder
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.shared.session_view import read_session

if TYPE_CHECKING:
    import random

    from fairgate.service.shared.records.orders import Order
    from fairgate_ops.prove.simulate.sale.sale import Sale

ACTS_MAX = 4
LOOKS = 12  # for an order that has tickets by now
WHOLE = 0.3  # of an order, and not one ticket of it
AMOUNTS = (1, 500, 1_500, 99_999)  # the last is more than is left


class Staff:
    """Decides now and then, between what buyers do."""

    def __init__(self, sale: Sale, rng: random.Random) -> None:
        self.sale, self.rng = sale, rng

    def live(self) -> None:
        for number in range(self.rng.randint(0, ACTS_MAX)):
            self.sale.scheduler.sleep(self.rng.randint(0, self.sale.long_ms))
            order = self._some_order()
            if order is not None:
                self._refund(order, f"s{number // 2}")

    def void(self) -> None:
        """Make tickets void, now and then the same ones again."""
        for _ in range(LOOKS):
            self.sale.scheduler.sleep(self.rng.randint(0, self.sale.long_ms))
            order = self._some_order()
            tickets = [entry.ticket for entry in order.tickets] if order is not None else []
            if order is None or not tickets:
                continue
            ticket = "" if self.rng.random() < WHOLE else self.rng.choice(tickets)
            world = self.sale.container()
            with suppress(FairgateError):
                TicketVoider(world.table, world.clock).void(order, ticket)

    def _some_order(self) -> Order | None:
        if not self.sale.leaked_credentials:
            return None
        session = self.rng.choice(sorted(self.sale.leaked_credentials))
        user, text = self.sale.leaked_credentials[session]
        victim = verify_credential(text, KEYS.session, 0)
        with suppress(FairgateError):
            orders = read_session(self.sale.container().table, victim.session, user).orders
            return orders[-1] if orders else None
        return None

    def _refund(self, order: Order, key: str) -> None:
        """What is refused or not answered is left to those who follow refunds."""
        world = self.sale.container()
        refunder = PartRefunder(world.table, world.clock, world.payments)
        with suppress(FairgateError):
            refunder.refund(order, self.rng.choice(AMOUNTS), key=key)
