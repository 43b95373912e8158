"""Judge the progress of a refund: its state, whether that is new, and when to ask again."""

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

ALREADY = "already-refunded"  # outside Fairgate, like in the provider's dashboard
IN_VAIN = ("failed", "refused")
FOLLOWED_S = 30 * 86_400  # after it was sent: a bank may send money back for weeks
ARRIVED_S = 3_600  # a refund that has just arrived is asked about later
_DAY_S = 86_400
LATE_S = 14 * _DAY_S  # banks take five to ten working days
# The tasks of a payment that end once all that we owe of it has gone back.
_ENDED: Sequence[TaskKind] = ("refund-refused", "refund-failed", "refund-missing")
# Webhooks come in any order, so a state of higher rank is kept.
RANK: Mapping[RefundProgress, int] = {
    "owed": 0,
    "refused": 0,
    "pending": 1,
    "succeeded": 2,
    "failed": 3,
}


class Step(Struct, frozen=True):
    """The progress of a refund.

    Attributes:
        beyond: the refund outside Fairgate by which more went back than we owe of a valid order.
        all_ours: we owed everything that went back of the capture; None: not calculated.
        look_again: ours is refused, and the provider did not say whether money went back anyway.
    """

    state: RefundProgress
    refund_id: str = ""
    reason: str = ""
    beyond: Refund | None = None
    all_ours: bool | None = None
    look_again: bool = False


def is_news(owed: OwedRefund, step: Step) -> bool:
    """Say whether a step is progress over the noted state."""
    if owed.state == "owed" and owed.sent_at:
        return False  # sent before states were kept: over
    if owed.state == step.state:
        return False
    if owed.state == "failed":
        return step.refund_id not in ("", owed.refund_id)  # one outside Fairgate
    if step.state == "refused":
        return owed.waits
    return RANK[step.state] > RANK[owed.state]


def is_asked_about(owed: OwedRefund, now_ms: int) -> bool:
    """Say whether the provider is asked about the progress of a sent refund."""
    if owed.state == "succeeded":
        return now_ms - epoch_ms(owed.changed_at or owed.sent_at) >= ARRIVED_S * 1000
    return owed.state == "pending"


def next_look_s(state: RefundProgress, sent_at: str, now_ms: int) -> int | None:
    """Return the seconds until the next question, about the refund's age; None: never again."""
    age_s = (now_ms - epoch_ms(sent_at)) // 1000
    if state == "pending":
        return min(max(age_s, REFUND_OVERDUE_S), _DAY_S)
    if state == "succeeded" and age_s < FOLLOWED_S:
        return max(age_s, _DAY_S)
    return None


def is_late(owed: OwedRefund, now_ms: int) -> bool:
    """Say whether it is pending for so long that a person should ask the provider."""
    return owed.state == "pending" and now_ms - epoch_ms(owed.sent_at) >= LATE_S * 1000


def task_about(owed: OwedRefund) -> dict[str, str]:
    """Return the ids that a task about a refund names."""
    return {"event": owed.event_id, "order": owed.order_id, "payment": owed.payment_id}


def late_task(owed: OwedRefund) -> tuple[TaskKind, str, str]:
    """Return the task about a late refund: its kind, what to do, and about which thing."""
    what = (
        f"Ask the provider what became of refund {owed.refund_id}, on its way since {owed.sent_at}."
        " Refund nothing another way while it may still arrive."
    )
    return "refund-missing", what, f"late {owed.thing}".strip()


def ended_kinds(owed: OwedRefund, step: Step, now_ms: int) -> Sequence[TaskKind]:
    """Return the kinds of tasks about the payment that a refund ends; none if nothing had failed.

    Tasks about refunds outside Fairgate end too, unless more went back than we owe. Once the order
    is cancelled, nobody has to decide whether to cancel it.
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
    """Return the progress of several refunds that give back all we owe; None: they do not.

    All parts of a capture are added up, because a refund outside Fairgate does not say which part
    it replaces. If more than that goes back of a valid order, a person judges.

    Args:
        known: everything we owe of the capture, with ``owed``.
        refunds: every refund of the capture, by us or outside Fairgate; the newest last.
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
