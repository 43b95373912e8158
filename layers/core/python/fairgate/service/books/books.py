"""What a comparison of books and orders found."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from fairgate.request_ids import current

if TYPE_CHECKING:
    from fairgate.service.shared.failures import Failure

STOP_S = 30.0  # with less time left, a run ends and notes how far it got
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
    """A difference between the books and the orders.

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
    held_ms: int | None = None  # the next run starts here again: something may succeed then
    complete: bool = True  # the provider's list was read to its end

    def hold(self, at_ms: int) -> None:
        """Let the next run start here or earlier."""
        self.held_ms = at_ms if self.held_ms is None else min(self.held_ms, at_ms)

    def count(self, *kinds: Kind) -> int:
        return sum(difference.kind in kinds for difference in self.differences)

    @property
    def repaired(self) -> int:
        return self.count(*_REPAIRED)

    @property
    def raised(self) -> int:
        """Count the differences that are new."""
        return sum(d.kind == "raised" and d.new for d in self.differences)
