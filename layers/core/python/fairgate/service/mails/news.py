"""Find the changes of an order or a refund that its buyer gets a mail about.

The table's stream has the item before and after a write, and these are compared. So nothing older
than the stream is mailed.

   order    declined · refund_due · cancelled · a place returned · tickets void · disputed, and back
            a ticket that its buyer passed on; later holders have no address here
   refund   owed ──► pending, succeeded (on its way) ──► failed (it came back)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.service.shared.letters import mail_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.domain.orders.order import OrderState
    from fairgate.ports.mails import MailCase, MailKind
    from fairgate.service.shared.records.orders import Order, OwedRefund

_ON_ITS_WAY = ("pending", "succeeded")


class News(Struct, frozen=True):
    """A change that a buyer gets one mail about.

    Attributes:
        change: names it among the changes of its kind and order, always in the same way.
        payment, part: of the refund that it is about.
    """

    kind: MailKind
    case: MailCase
    change: str = ""
    payment: str = ""
    part: int = 0

    @property
    def about(self) -> str:
        """Return its name within its order."""
        parts = (self.kind, self.case, self.payment, str(self.part or ""), self.change)
        return "#".join(part for part in parts if part)

    def mail_id(self, order: str) -> str:
        """Return the id of its mail, always the same, without anything of the payment."""
        return mail_id(self.kind, order, self.about)


def order_news(old: Order, new: Order) -> list[News]:
    """Return what is new of an order; most changes are none."""
    news = _state_news(old, new)
    if new.cancelled_at and not old.cancelled_at:
        news.append(News("cancelled", "event" if new.event_cancelled else "order"))
    news += [
        News("cancelled", "place", str(number))
        for number in range(len(old.returned), len(new.returned))
    ]
    voided = sorted({one.at for one in new.voided} - {one.at for one in old.voided})
    news += [News("cancelled", "void", at) for at in voided]
    return news + [
        News("passed", "passed", str(number))
        for number in range(len(old.passed), len(new.passed))
        if not new.passed[number].giver
    ]


def _state_news(old: Order, new: Order) -> list[News]:
    if new.state == "pending":
        declined = new.last_attempt == "declined" != old.last_attempt
        return [News("payment", "declined")] if declined else []
    if new.state == old.state:
        return []
    if old.state == "disputed" and new.state == "ticketed":
        return [News("payment", "restored", new.updated_at)]
    if new.state == "refund_due":  # from refunded: its refund came back, which is other news
        return [News("payment", "unsold")] if old.state != "refunded" else []
    case = _BY_STATE.get(new.state)
    return [News("payment", case, new.updated_at)] if case is not None else []


_BY_STATE: Mapping[OrderState, MailCase] = {
    "disputed": "disputed",
    "charged_back": "charged-back",
}


def refund_news(old: OwedRefund, new: OwedRefund) -> list[News]:
    """Return the news of a refund: it is on its way, or it came back."""
    kind: MailKind
    case: MailCase
    if new.state in _ON_ITS_WAY and old.state not in _ON_ITS_WAY:
        kind, case = "refund", _part_or_all(new)
    elif new.state == "failed" and old.state in _ON_ITS_WAY:
        kind, case = "payment", "returned"
    else:
        return []
    return [News(kind, case, new.changed_at, payment=new.payment_id, part=new.part)]


def _part_or_all(refund: OwedRefund) -> MailCase:
    return "part" if refund.part else "all"
