"""Pass tickets on: offer, accept, withdraw and cancel, several at one moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fairgate.errors import FairgateError
from fairgate.http import paths
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.tickets.take_back import TicketTaker
from fairgate_lab.simulate.sale.client import Client, Reply
from fairgate_lab.simulate.sale.staff import Staff

if TYPE_CHECKING:
    import random

    from fairgate.service.shared.records.orders import Order, TicketEntry
    from fairgate_lab.simulate.sale.sale import Sale

LOOKS = 25  # for an order that has tickets by now
ACTS_MAX = 4  # about one offer
KEYED = 0.5
LATE_HOLDS = 5  # in the longest times of a hold
LATE = 0.5  # an act may come long after, when the offer's time is over


class Passers:
    """Everybody's other hand, once something is bought.

    Attributes:
        takes_back: staff gives tickets back to their buyers beside them.
    """

    def __init__(
        self,
        sale: Sale,
        users: Sequence[str],
        rng: random.Random,
        *,
        takes_back: bool,
    ) -> None:
        self.sale, self.rng, self.takes_back = sale, rng, takes_back
        self.clients = {user: Client(sale, user) for user in users}
        self._staff = Staff(sale, rng)
        self._offers = 0

    def live(self) -> None:
        for _ in range(LOOKS):
            self.sale.scheduler.sleep(self.rng.randint(0, self.sale.long_ms // 2))
            order = self._staff.some_order()
            if order is not None and order.tickets:
                self._pass_on(order)

    def _pass_on(self, order: Order) -> None:
        entry = self.rng.choice(order.tickets)
        giver = self.clients[order.holder_of(entry)]
        path = paths.TICKET_OFFER.format(order=order.order_id, ticket=entry.ticket)
        self._offers += 1
        key = {"idempotency-key": f"o-{self._offers}"} if self._chance(KEYED) else {}

        def offer() -> Reply:
            return giver.call("transfers", "POST", path, headers=key)

        if self._chance(0.2):
            self._also("twin offer", offer)
        offered = offer()
        if offered.outcome == "unknown":
            offered = offer()
        if offered.outcome != "ok":
            return
        token = str(offered.body["token"])
        acts: list[Callable[[], object]] = [
            lambda: self._accept(token),
            lambda: self._accept(token),
            lambda: giver.call("transfers", "DELETE", path),
            lambda: self._cancel_place(order, entry),
            lambda: self._cancel(order),
            lambda: self._void(order, entry.ticket),
        ]
        weights = [6, 6, 2, 2, 1, 1]
        if self.takes_back:
            acts.append(lambda: self._take_back(order, entry.ticket))
            weights.append(4)
        for act in self.rng.choices(acts, weights, k=self.rng.randint(1, ACTS_MAX)):
            self._also("act", act)

    def _accept(self, token: str) -> None:
        """Sometimes a second time, as after an answer that was lost."""
        user = self.rng.choice(sorted(self.clients))
        key = {"idempotency-key": f"a-{token[-12:]}"} if self._chance(KEYED) else {}
        for _ in range(self.rng.randint(1, 2)):
            self.clients[user].call("transfers", "POST", paths.TRANSFERS, {"token": token}, key)
        self.clients[user].call("transfers", "GET", paths.HELD_TICKETS)

    def _cancel(self, order: Order) -> None:
        """Its buyer cancels all of it, whichever account has a ticket then."""
        self._buyer_of(order).cancel(order.session, order.order_id)

    def _cancel_place(self, order: Order, entry: TicketEntry) -> None:
        """Its buyer gives one place back, which the page offers, or which it did not show."""
        client = self._buyer_of(order)
        shown = client.order(order.order_id).body.get("cancellation") or {}
        place = place_of(order, entry, shown.get("places", []))
        client.cancel(order.session, order.order_id, "", place)

    def _buyer_of(self, order: Order) -> Client:
        client = self.clients[order.user_id]
        client.event = order.event_id
        return client

    def _void(self, order: Order, ticket: str) -> None:
        world = self.sale.container()
        with suppress(FairgateError):
            TicketVoider(world.table, world.clock).void(order, ticket)

    def _take_back(self, order: Order, ticket: str) -> None:
        """Staff gives it back to its buyer, whichever account has it then."""
        world = self.sale.container()
        with suppress(FairgateError):
            TicketTaker(world.table, world.clock).take_back(order, ticket)

    def _chance(self, of_one: float) -> bool:
        return self.rng.random() < of_one

    def _also(self, name: str, act: Callable[[], object]) -> None:
        late_ms = self.rng.randint(0, LATE_HOLDS * self.sale.long_ms) if self._chance(LATE) else 0
        self.sale.scheduler.spawn(f"passer's {name}", act, after_ms=late_ms)


def place_of(
    order: Order, entry: TicketEntry, offered: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Return the place of a ticket as the order's page offers it, or as the order has it.

    The page may be lost, and its buyer cancels all the same: then the history needs the seat.
    """
    for place in offered:
        if entry.ticket in place["tickets"]:
            return place
    seats = [unit.seat for unit in order.units for _ in range(unit.places)]  # as tickets follow
    seat = seats[list(order.tickets).index(entry)]
    return {"seat": seat or None, "tickets": [entry.ticket]}
