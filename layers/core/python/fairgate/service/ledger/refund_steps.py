"""Say where a refund has come to, whether that is news, and when it is asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import epoch_ms
from fairgate.service.shared.due import REFUND_OVERDUE_S
from fairgate.service.shared.records.orders import RefundProgress, TaskKind

if TYPE_CHECKING:
    from fairgate.ports.payments import Refund
    from fairgate.service.shared.records.orders import OwedRefund

ALREADY = "already-refunded"  # by another hand
IN_VAIN = ("failed", "refused")
FOLLOWED_S = 30 * 86_400  # after it was sent: a bank may send money back for weeks
ARRIVED_S = 3_600  # nobody asks about one that has only just arrived
_DAY_S = 86_400
LATE_S = 14 * _DAY_S  # on its way for so long: banks take five to ten working days
# What is done about a payment once all that we owe of it has gone back.
_ENDED: Sequence[TaskKind] = ("refund-refused", "refund-failed", "refund-missing")
# What is later in this order stays: webhooks come in any order.
RANK: Mapping[RefundProgress, int] = {
    "owed": 0,
    "refused": 0,
    "pending": 1,
    "succeeded": 2,
    "failed": 3,
}


class Step(Struct, frozen=True):
    """Where a refund has come to.

    Attributes:
        beyond: another hand's, by which more went back than we owe of an order that stands.
        all_ours: whatever went back of the capture, we owed; None where nobody has reckoned.
        look_again: nobody could say whether another hand had given back what ours is refused for.
    """

    state: RefundProgress
    refund_id: str = ""
    reason: str = ""
    beyond: Refund | None = None
    all_ours: bool | None = None
    look_again: bool = False


def is_news(owed: OwedRefund, step: Step) -> bool:
    """Say whether a step leads further than what is noted."""
    if owed.state == "owed" and owed.sent_at:
        return False  # sent before states were kept: over
    if owed.state == step.state:
        return False
    if owed.state == "failed":
        return step.refund_id not in ("", owed.refund_id)  # another hand's, as the provider says
    if step.state == "refused":
        return owed.waits
    return RANK[step.state] > RANK[owed.state]


def is_asked_about(owed: OwedRefund, now_ms: int) -> bool:
    """Say whether the provider is asked how far one that was sent has come."""
    if owed.state == "succeeded":
        return now_ms - epoch_ms(owed.changed_at or owed.sent_at) >= ARRIVED_S * 1000
    return owed.state == "pending"


def next_look_s(state: RefundProgress, sent_at: str, now_ms: int) -> int | None:
    """Return when it is asked about next: as far ahead as it is old, within bounds; None: never."""
    age_s = (now_ms - epoch_ms(sent_at)) // 1000
    if state == "pending":
        return min(max(age_s, REFUND_OVERDUE_S), _DAY_S)
    if state == "succeeded" and age_s < FOLLOWED_S:
        return max(age_s, _DAY_S)
    return None


def is_late(owed: OwedRefund, now_ms: int) -> bool:
    """Say whether one is on its way for so long that a person asks the provider about it."""
    return owed.state == "pending" and now_ms - epoch_ms(owed.sent_at) >= LATE_S * 1000


def task_about(owed: OwedRefund) -> dict[str, str]:
    """Return the ids that a task about a refund names."""
    return {"event": owed.event_id, "order": owed.order_id, "payment": owed.payment_id}


def late_task(owed: OwedRefund) -> tuple[TaskKind, str, str]:
    """Return what a person does about a late one: its kind, what is to be done, and about what."""
    what = (
        f"Ask the provider what became of refund {owed.refund_id}, on its way since {owed.sent_at}."
        " Refund nothing another way while it may still arrive."
    )
    return "refund-missing", what, f"late {owed.thing}".strip()


def ended_kinds(owed: OwedRefund, step: Step, now_ms: int) -> Sequence[TaskKind]:
    """Name the kinds of tasks about the payment that a refund ends; none if nothing failed before.

    What another hand gave back ends too, unless more went back than we owe; and once the order is
    cancelled, nobody has to decide whether to cancel it.
    """
    if not (owed.reason or owed.state in IN_VAIN or step.reason == ALREADY):
        return _ENDED if is_late(owed, now_ms) else ()
    in_part = not owed.part if step.all_ours is None else step.all_ours
    kinds = [*_ENDED]
    kinds += ["refunded-in-part"] if in_part else []
    kinds += [] if owed.part else ["refunded-elsewhere"]
    return kinds


def together(
    owed: OwedRefund, known: Sequence[OwedRefund], refunds: Sequence[Refund]
) -> Step | None:
    """Say how far several refunds have come that give back all we owe; None: they do not.

    Of a capture that goes back in parts all parts count: whose place a refund by another hand
    takes, it does not say. What goes beyond them where the order stands is a person's to judge.

    Args:
        known: what we owe of the capture, ``owed`` among it.
        refunds: every refund of it, whoever made it; the newest last.
    """
    due = sum(one.amount_minor for one in known)
    stay = [refund for refund in refunds if refund.state != "failed"]
    back = sum(refund.amount_minor for refund in stay)
    if back < due or not stay:
        return None
    of_others = {one.refund_id for one in known if one.part != owed.part}
    taken = [refund for refund in stay if refund.part in (0, owed.part)] or stay
    taken = [refund for refund in taken if refund.id not in of_others] or taken
    last = ([refund for refund in taken if refund.state == "pending"] or taken)[-1]
    ours, stands = back == due, all(one.part for one in known)
    reason = ALREADY if owed.state in IN_VAIN else ""
    beyond = last if stands and not ours else None
    return Step(last.state, last.id, reason, beyond=beyond, all_ours=ours)
