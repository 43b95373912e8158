"""What a comparison of books and orders found."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from fairgate.request_ids import current

if TYPE_CHECKING:
    from fairgate.service.shared.failures import Failure

STOP_S = 30.0  # with less than this left of a run, it ends by itself and says where
Kind = Literal[
    "settled", "refund-sent", "refund-noted", "tickets-asked", "dispute-noted", "raised", "failed"
]
_REPAIRED: tuple[Kind, ...] = (
    "settled",
    "refund-sent",
    "refund-noted",
    "tickets-asked",
    "dispute-noted",
)


@dataclasses.dataclass(frozen=True, slots=True)  # noqa: TID251 a field is left out of ==
class Difference:
    """One thing on which the books and the orders did not agree.

    ``new`` is False if an earlier run made the task.
    """

    kind: Kind
    order: str
    payment: str
    what: str
    new: bool = True
    correlation_id: str = dataclasses.field(default_factory=current, compare=False)


class Reconciled(Struct):
    """What one run compared and found."""

    since: str
    until: str
    captures: int = 0
    settling: int = 0  # captures too young to compare: a webhook may be on its way
    differences: list[Difference] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    held_ms: int | None = None  # from when on something may succeed next time
    complete: bool = True  # the provider's list was read to its end

    def hold(self, at_ms: int) -> None:
        """Let the next run begin here again, at the latest."""
        self.held_ms = at_ms if self.held_ms is None else min(self.held_ms, at_ms)

    def count(self, *kinds: Kind) -> int:
        return sum(difference.kind in kinds for difference in self.differences)

    @property
    def repaired(self) -> int:
        return self.count(*_REPAIRED)

    @property
    def raised(self) -> int:
        """Count what nobody has been told before."""
        return sum(d.kind == "raised" and d.new for d in self.differences)
