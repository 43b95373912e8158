"""Enter every dispute that the provider lists, in case its webhook was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.deadline import require_left
from fairgate.ports.payments import UnreadableEntry
from fairgate.service.books.books import STOP_S, Difference
from fairgate.service.shared.failures import failure_of

if TYPE_CHECKING:
    from fairgate.service.books.books import Reconciled
    from fairgate.service.books.raise_differences import Raiser
    from fairgate.service.refunds.disputes import DisputeKeeper


def hear_disputes(
    keeper: DisputeKeeper, raiser: Raiser, since_ms: int, compared: Reconciled
) -> None:
    """Enter disputes one by one. One that cannot be read becomes a manual task.

    Cost: the provider's list; two reads a dispute.
    """
    try:
        for dispute in keeper.payments.disputes(since_ms):
            require_left(STOP_S)
            if isinstance(dispute, UnreadableEntry):
                raiser.unreadable(compared, dispute, thing="dispute")
                continue
            try:
                heard = keeper.heard(dispute)
            except Exception as error:  # noqa: BLE001 one dispute does not stop the others
                what = f"dispute {dispute.id} of {dispute.order}"
                compared.failures.append(failure_of(what, error))
                continue
            if heard == "noted":
                text = f"dispute {dispute.id} is {dispute.state}"
                compared.differences.append(
                    Difference("dispute-noted", dispute.order, dispute.payment, text)
                )
    except Exception as error:  # noqa: BLE001 the comparison of orders goes on
        compared.failures.append(failure_of("the provider's list of disputes", error))
