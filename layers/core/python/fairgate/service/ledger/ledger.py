"""Write down money that moved, in the transaction that decides or notices it, and never again.

    capture           +   settled: it bought the order, or is owed back
    refund            −   our refund has set out, or another hand has made it in its place
    refund-returned   +   it came back
    dispute           −   a bank takes a capture back
    dispute-won       +   it gives it back; 0 where we had not heard of it before
    dispute-lost      0   it keeps it; − where we had not heard of it before
    fee               −   the provider keeps it of a capture or a refund, 0 where it keeps nothing
    fee-dispute       −   and of a dispute

An entry is named after its cause, so that the same cause cannot write two. What is owed and not
sent, and a refund that is confirmed, move no money and have no entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

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
    """Return what enters a capture, with whatever it bought or will go back as."""
    return _entry(
        order.event_id,
        order.order_id,
        payment.payment,
        "capture",
        f"capture#{payment.payment}",
        payment.amount_minor,
        payment.currency,
        now,
    )


def moves_money(owed: OwedRefund, state: RefundProgress) -> bool:
    """Say whether money of a refund goes, or comes back, as it becomes ``state``."""
    return (owed.state in _GONE) != (state in _GONE)


def refund_entries(owed: OwedRefund, step: Step, now: str) -> list[Action]:
    """Return what enters a refund that goes, or comes back; [] where no money moves.

    Its ``moves`` name the entry: whoever writes from an older reading finds it there.
    """
    if not moves_money(owed, step.state):
        return []
    gone = step.state in _GONE
    part = f"#{owed.part}" if owed.part else ""
    entry = _entry(
        owed.event_id,
        owed.order_id,
        owed.payment_id,
        "refund" if gone else "refund-returned",
        f"refund#{owed.payment_id}{part}#{owed.ledger_entries}",
        -owed.amount_minor if gone else owed.amount_minor,
        owed.currency,
        now,
        step.refund_id or owed.refund_id,
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
    """Return what enters a dispute that is now ``state``; [] where it stays as it was."""
    if before is not None and before.state == state:
        return []
    had = before is not None and before.state in _TAKEN
    moved = (had - (state in _TAKEN)) * dispute.amount_minor
    return [
        _entry(
            order.event_id,
            order.order_id,
            dispute.payment,
            _DISPUTE[state],
            f"dispute#{dispute.id}#{times}#{state}",
            moved,
            dispute.currency,
            now,
            dispute.id,
        )
    ]


def fee_entry(event: EventId, order: OrderId, moved: Movement, now: str) -> Put:
    """Return what enters the fee of a movement, with the movement itself."""
    return _entry(
        event,
        order,
        moved.payment,
        "fee-dispute" if moved.kind.startswith("dispute") else "fee",
        f"fee#{moved.id}",
        -moved.fee_minor,
        moved.currency,
        now,
        moved.id,
    )


def _entry(
    event: EventId,
    order: OrderId,
    payment: str,
    kind: LedgerKind,
    cause: str,
    amount_minor: int,
    currency: str,
    now: str,
    thing: str = "",
) -> Put:
    session = session_of_order(order)
    key = ledger_key(session, order, cause)
    entry = LedgerEntry(
        *key,
        gsi1_pk=ledger_index(event, session),
        gsi1_sk=f"{now}#{key.sk}",
        entry_id=cause,
        event_id=event,
        order_id=order,
        payment_id=payment,
        kind=kind,
        amount_minor=amount_minor,
        currency=currency,
        at=now,
        thing=thing,
    )
    return Put.of(entry)
