"""Say how an order's refund stands, as its buyer may know it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from msgspec import Struct

from fairgate.domain.orders.order import RefundStanding
from fairgate.service.shared.keys import duty_id, duty_key, refund_prefix
from fairgate.service.shared.records.orders import (
    Duty,
    DutyKind,
    OwedRefund,
    RefundProgress,
)

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import Order

_LEAST_GOOD_FIRST: tuple[RefundStanding, ...] = get_args(RefundStanding)
_STANDING: Mapping[RefundProgress, RefundStanding] = {
    "owed": "owed",
    "pending": "sent",
    "succeeded": "arrived",
    "failed": "attention",
    "refused": "attention",
}
# What a person has to do about it. Of the last two there is a duty only where the provider does not
# know the refund any more.
_DUTY: Mapping[RefundProgress, DutyKind] = {
    "failed": "refund-failed",
    "refused": "refund-refused",
    "pending": "refund-missing",
    "succeeded": "refund-missing",
}


class BuyersRefund(Struct, frozen=True):
    """How far an order's refund is; of several captures, those with the least good news.

    ``second_payment``: among them is one that did not buy the order's tickets.
    """

    state: RefundStanding
    amount_minor: int
    second_payment: bool = False


def refund_standing(table: Table, order: Order) -> BuyersRefund | None:
    """Read how the order's refund stands; None where nothing is owed back.

    A second payment of an order that keeps its tickets is owed back as well.

    Cost: none for an order that waits for its payment or its tickets. Else a query, and a read for
    each capture that is owed back.
    """
    if order.state in ("pending", "paid"):
        return None
    by_standing = defaultdict[RefundStanding, list[OwedRefund]](list)
    for owed in table.query(OwedRefund, order.session, refund_prefix(order.order_id)):
        by_standing[_standing(table, owed)].append(owed)
    if not by_standing:
        return None
    worst = min(by_standing, key=_LEAST_GOOD_FIRST.index)
    amount_minor = sum(owed.amount_minor for owed in by_standing[worst])
    others = any(owed.payment_id != order.payment_id for owed in by_standing[worst])
    return BuyersRefund(worst, amount_minor, others)


def _standing(table: Table, owed: OwedRefund) -> RefundStanding:
    if owed.state == "owed":
        return "arrived" if owed.sent_at else "owed"  # sent before states were kept
    # each that came back has its own
    thing = (owed.refund_id if owed.state == "failed" else "") or owed.thing
    name = duty_id(_DUTY[owed.state], owed.event_id, owed.order_id, owed.payment_id, thing)
    duty = table.find(Duty, duty_key(name))
    if duty is not None:
        return "handled" if duty.done_at else "attention"
    return _STANDING[owed.state]
