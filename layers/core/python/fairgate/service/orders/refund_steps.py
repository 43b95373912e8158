"""Say where a refund has come to, and whether that is news."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.service.shared.records.orders import RefundProgress

if TYPE_CHECKING:
    from fairgate.ports.payments import Refund
    from fairgate.service.shared.records.orders import OwedRefund

ALREADY = "already-refunded"  # by another hand
IN_VAIN = ("failed", "refused")
# What is later in this order stays: webhooks come in any order.
RANK: Mapping[RefundProgress, int] = {
    "owed": 0,
    "refused": 0,
    "pending": 1,
    "succeeded": 2,
    "failed": 3,
}


@dataclass(frozen=True, slots=True)
class Step:
    """Where a refund has come to.

    Attributes:
        beyond: another hand's, by which more went back than we owe of an order that stands.
        all_ours: whatever went back of the capture, we owed.
    """

    state: RefundProgress
    refund_id: str = ""
    reason: str = ""
    beyond: Refund | None = None
    all_ours: bool = False


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
