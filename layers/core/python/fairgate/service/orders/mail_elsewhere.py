"""Let a buyer have the tickets of an order mailed to another address, or again to the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.tickets.issue_tickets import require_valid_tickets

if TYPE_CHECKING:
    from fairgate.ports.outside import MailQueue
    from fairgate.service.orders.change_address import AddressChanger
    from fairgate.service.shared.records.orders import Order


def mail_elsewhere(
    changer: AddressChanger, mail_queue: MailQueue, order: Order, email: str
) -> Order:
    """Change the order's address and queue its tickets' mail; a repetition mails them once more.

    Raises:
        MailAddressError: no mail can be sent there.
        WrongStateError: its buyer has no valid ticket of it, or their address was erased.
        DependencyUnavailableError: the address or the mail could not be written; ask again.

    Cost: one transaction, one message.
    """
    require_valid_tickets(order)
    changed = changer.change(order, email)
    mail_queue.mail(changed.order_id, again=True)
    return changed
