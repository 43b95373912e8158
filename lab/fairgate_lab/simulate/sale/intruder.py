"""Somebody who acts on other people's sessions: with a stolen credential, and past the handlers.

The services are called as a handler with a defect would call them: the first line of defence is
gone, and each condition has to refuse by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential, verify_credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import FairgateError
from fairgate.http import paths
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.session_view import SessionView, read_session
from fairgate_lab.engine.secrets import KEYS
from fairgate_lab.simulate.sale import venue
from fairgate_lab.simulate.sale.client import Client

if TYPE_CHECKING:
    from fairgate.bootstrap import Container
    from fairgate_lab.simulate.sale.sale import Sale

NAME = "mallory"


class Intruder:
    """Tries until the sale is over; whatever succeeds is a defect."""

    def __init__(self, sale: Sale) -> None:
        self.sale = sale
        self.client = Client(sale, NAME)
        self.rng = self.client.rng

    def live(self) -> None:
        tries: tuple[Callable[[Container, Credential], bool], ...] = (
            self._steal,
            self._hold,
            self._hold_elsewhere,
            self._hold_late,
            self._release,
            self._end,
            self._begin,
            self._cancel,
        )
        for _ in range(self.rng.randint(0, 12)):
            self.sale.scheduler.sleep(self.rng.randint(0, 10_000))
            if not self.sale.leaked_credentials:
                continue
            session = self.rng.choice(sorted(self.sale.leaked_credentials))
            _, text = self.sale.leaked_credentials[session]
            victim = verify_credential(text, KEYS.session, 0)
            attempt = self.rng.choice(tries)
            try:
                done = attempt(self.sale.container(), victim)
            except FairgateError:
                continue
            if done:
                self.sale.fleet.defects.append(f"{NAME} could {attempt.__name__} of {session}")

    def _steal(self, _world: Container, victim: Credential) -> bool:
        """The stolen credential, with an own account's token."""
        _, text = self.sale.leaked_credentials[victim.session]
        headers = {paths.HEADER_SESSION: text}
        path = paths.SESSION.format(session=victim.session)
        return self.client.call("checkout", "DELETE", path, headers=headers).outcome == "ok"

    def _hold(self, world: Container, victim: Credential) -> bool:
        return self._held(world, replace(victim, user=UserId(NAME)), self.rng.choice(venue.SEATS))

    def _hold_elsewhere(self, world: Container, victim: Credential) -> bool:
        """A session of one event that reaches into another."""
        elsewhere = next(event for event in venue.EVENTS if event != victim.event)
        credential = replace(victim, event=EventId(elsewhere))
        return self._held(world, credential, venue.SEATS[0])

    def _hold_late(self, world: Container, victim: Credential) -> bool:
        """Its own user, when the time is up and nobody has noticed yet."""
        late_ms = self.sale.scheduler.now_ms - epoch_ms(victim.expires_at)
        session = self._seen(victim).session
        if late_ms <= 0 or session.expires_at != victim.expires_at:
            return False
        return self._held(world, victim, self.rng.choice(venue.SEATS))

    def _held(self, world: Container, credential: Credential, seat: str) -> bool:
        unit = Unit("seat", seat, venue.SECTION, "stalls", seat)
        SeatHolder(world.table, world.clock, world.ids).hold(credential, [unit])
        return True

    def _release(self, world: Container, victim: Credential) -> bool:
        holds = [reservation.hold_id for reservation in self._seen(victim).reservations]
        if not holds:
            return False
        SeatReleaser(world.table, world.clock).release_hold(victim.session, NAME, holds[0])
        return True

    def _end(self, world: Container, victim: Credential) -> bool:
        SeatReleaser(world.table, world.clock).end_session(victim.session, "cancelled", NAME)
        return True

    def _begin(self, world: Container, victim: Credential) -> bool:
        beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.expiry_queue)
        event = self.sale.events[victim.event]
        beginner.begin(event, SessionId(victim.session), NAME, "m@example.org")
        return True

    def _cancel(self, world: Container, victim: Credential) -> bool:
        """As if nobody had asked whose order it is."""
        orders = [o for o in self._seen(victim).orders if o.state in ("paid", "ticketed")]
        event = self.sale.events[victim.event]
        if not orders or not event.cancel_until:
            return False
        canceller = OrderCanceller(world.table, world.clock, world.payments)
        canceller.cancel(event, msgspec.structs.replace(orders[0], user_id=UserId(NAME)))
        return True

    def _seen(self, victim: Credential) -> SessionView:
        return read_session(self.sale.table(), victim.session)
