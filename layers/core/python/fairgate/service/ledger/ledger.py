"""Enter money that moved, once, in the transaction that decides or notices it.

    capture           +   settled: it bought the order, or is owed back
    refund            −   our refund is under way, or was made outside Fairgate instead
    refund-returned   +   it came back
    dispute           −   a bank takes a capture back
    dispute-won       +   it gives it back; 0 if the dispute was not known before
    dispute-lost      0   it keeps it; − if the dispute was not known before
    fee               −   the provider keeps it of a capture or a refund; 0 if it keeps nothing
    fee-dispute       −   and of a dispute

An entry is named after its cause, so the same cause cannot write two entries. A refund that is owed
and not sent has no entry. The confirmation of a refund adds none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NotRequired, TypedDict, Unpack

from fairgate.domain.shared.ids import session_of_order
from fairgate.ports.table import Put
from fairgate.service.shared.keys import ledger_index, ledger_key
from fairgate.service.shared.records.orders import LedgerEntry, LedgerKind

if TYPE_CHECKING:
    from fairgate.domain.shared.ids import EventId, OrderId
    from fairgate.ports.payments import Dispute, DisputeState, Movement, PaymentEvent
    from fairgate.ports.table import Action
    from fairgate.service.ledger.refund_steps import Step
    from fairgate.service.shared.records.orders import (
        DisputeRecord,
        Order,
        OwedRefund,
        RefundProgress,
    )

_GONE = ("pending", "succeeded")  # a refund in these states is out of our hands
_TAKEN = ("open", "lost")  # and so is a disputed capture
_DISPUTE: Mapping[DisputeState, LedgerKind] = {
    "open": "dispute",
    "won": "dispute-won",
    "lost": "dispute-lost",
}


def captured(order: Order, payment: PaymentEvent, now: str) -> Put:
    """Return the entry of a capture: it bought the order, or goes back as a refund."""
    return _entry(
        f"capture#{payment.payment}",
        event_id=order.event_id,
        order_id=order.order_id,
        payment_id=payment.payment,
        kind="capture",
        amount_minor=payment.amount_minor,
        currency=payment.currency,
        at=now,
    )


def moves_money(owed: OwedRefund, state: RefundProgress) -> bool:
    """Tell whether a refund's money leaves or comes back when it becomes ``state``."""
    return (owed.state in _GONE) != (state in _GONE)


def refund_entries(owed: OwedRefund, step: Step, now: str) -> list[Action]:
    """Return the entry of a refund that leaves or comes back; [] if no money moves.

    The count of its entries names the new one, so a writer with an older reading is refused.
    """
    if not moves_money(owed, step.state):
        return []
    gone = step.state in _GONE
    part = f"#{owed.part}" if owed.part else ""
    entry = _entry(
        f"refund#{owed.payment_id}{part}#{owed.ledger_entries}",
        event_id=owed.event_id,
        order_id=owed.order_id,
        payment_id=owed.payment_id,
        kind="refund" if gone else "refund-returned",
        amount_minor=-owed.amount_minor if gone else owed.amount_minor,
        currency=owed.currency,
        at=now,
        thing=step.refund_id or owed.refund_id,
    )
    return [entry]


def dispute_entries(
    order: Order,
    dispute: Dispute,
    before: DisputeRecord | None,
    state: DisputeState,
    times: int,
    now: str,
) -> list[Action]:
    """Return the entry of a dispute that is now ``state``; [] if its state is the same."""
    if before is not None and before.state == state:
        return []
    had = before is not None and before.state in _TAKEN
    moved = (had - (state in _TAKEN)) * dispute.amount_minor
    return [
        _entry(
            f"dispute#{dispute.id}#{times}#{state}",
            event_id=order.event_id,
            order_id=order.order_id,
            payment_id=dispute.payment,
            kind=_DISPUTE[state],
            amount_minor=moved,
            currency=dispute.currency,
            at=now,
            thing=dispute.id,
        )
    ]


def fee_entry(event: EventId, order: OrderId, moved: Movement, now: str) -> Put:
    """Return the entry of a movement's fee. It is written with the movement."""
    return _entry(
        f"fee#{moved.id}",
        event_id=event,
        order_id=order,
        payment_id=moved.payment,
        kind="fee-dispute" if moved.kind.startswith("dispute") else "fee",
        amount_minor=-moved.fee_minor,
        currency=moved.currency,
        at=now,
        thing=moved.id,
    )


class _Fields(TypedDict):
    """Fields of an entry, as ``LedgerEntry`` describes them."""

    event_id: EventId
    order_id: OrderId
    payment_id: str
    kind: LedgerKind
    amount_minor: int
    currency: str
    at: str
    thing: NotRequired[str]


def _entry(cause: str, **fields: Unpack[_Fields]) -> Put:
    """Build the write of an entry. ``cause`` names it."""
    session = session_of_order(fields["order_id"])
    key = ledger_key(session, fields["order_id"], cause)
    index = {"gsi1_pk": ledger_index(fields["event_id"], session)}
    return Put.of(
        LedgerEntry(*key, **index, gsi1_sk=f"{fields['at']}#{key.sk}", entry_id=cause, **fields)
    )
