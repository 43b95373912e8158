"""Change the address to which an order's mails go: by its buyer until it is paid, else by staff.

order    address, mailbox ──► the new ones
session  place in the event's index, by the address ──► the new one      all in one transaction
mailbox  the old address's entry ends, the new one's begins (paid orders)

A mailed link names the old mailbox, so it no longer opens the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.shared.mail_address import sent_to
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import WrongStateError
from fairgate.ports.record import GSI1SK
from fairgate.ports.table import Action, Put, Update
from fairgate.service.shared.change import Write
from fairgate.service.shared.keys import order_in_event, session_key
from fairgate.service.shared.mailbox_keys import mailbox_order_key
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.mails import MailboxOrder

if TYPE_CHECKING:
    from fairgate.domain.shared.ids import Mailbox
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.orders import Order


class AddressChanger(Struct, frozen=True):
    """Changes the address of an order. Cost: one transaction of two to four items."""

    table: Table
    clock: Clock
    addresses_key: bytes  # hashes the address

    def change(self, order: Order, email: str) -> Order:
        """Have all later mails about an order sent to this address; a repetition changes nothing.

        Raises:
            MailAddressError: no mail can be sent there.
            WrongStateError: its buyer's address was erased.
            NotFoundError: there is no such order.
            DependencyUnavailableError: it keeps being changed; nothing was written.
        """
        sent_to(email)

        def decide(order: Order) -> Write[Order]:
            if order.erased_at:
                detail = f"Its buyer's address was erased on request at {order.erased_at}."
                raise WrongStateError(detail, state=order.state)
            return self.changed(order, email)

        return change_order(self.table, self.clock, order, decide)

    def changed(self, order: Order, email: str, **also: Any) -> Write[Order]:
        """Return the write that changes it, and these fields with it."""
        now_ms = self.clock.now_ms()
        if order.email == email:
            if all(getattr(order, name) == value for name, value in also.items()):
                return Write(order)
            after, update = order_changed(order, **also)
            return Write(after, [update])
        mailbox = mailbox_of(self.addresses_key, email)
        after, update = order_changed(
            order, email=email, mailbox=mailbox, updated_at=rfc3339(now_ms), **also
        )
        place = {GSI1SK: order_in_event(order.created_at, order.order_id, email)}
        actions: list[Action] = [
            update,
            Update("reservations", *session_key(order.session), set=place),
        ]
        if order.payment_id and order.mailbox != mailbox:
            actions += _listed(order, order.mailbox, ttl=now_ms // 1000)
            actions += _listed(order, mailbox)
        return Write(after, actions)


def _listed(order: Order, mailbox: Mailbox, *, ttl: int = 0) -> list[Action]:
    """Return the write of the order's entry in a mailbox's list; [] without a mailbox."""
    if not mailbox:
        return []
    key = mailbox_order_key(mailbox, order.order_id)
    return [Put.of(MailboxOrder(*key, order_id=order.order_id, ttl=ttl), condition="")]
