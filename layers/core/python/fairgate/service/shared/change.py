"""Change an item that many write: read, decide, write if unchanged, else try again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Action, Refusal, TransactionRefusedError, Update

if TYPE_CHECKING:
    from fairgate.errors import FairgateError
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

ATTEMPTS_MAX = 6  # writes; the pauses after them add up to 0.8 s on average (Clock.back_off)

Seen = TypeVar("Seen")
Done = TypeVar("Done")


class Write(Struct, Generic[Done], frozen=True):
    """What to write, and the result once it is written. Without actions it is the result now.

    Attributes:
        refused: is called with the reasons of a refusal; raises if another attempt cannot help.
    """

    done: Done
    actions: Sequence[Action] = ()
    refused: Callable[[Sequence[Refusal]], None] | None = None


def under_way() -> DependencyUnavailableError:
    """Return the error for a repeated request that sees only a part of the first one's commit.

    Plain reads see the items of a transaction appear one by one. docs/adr/0007.
    """
    return DependencyUnavailableError(
        "This is being done at this moment. Please ask again.", retry_after_s=1
    )


def change(
    table: Table,
    clock: Clock,
    read: Callable[[], Seen],
    decide: Callable[[Seen], Write[Done]],
    *,
    seen: Seen | None = None,
    contended: Callable[[], FairgateError] = under_way,
) -> Done:
    """Write what ``decide`` makes of what ``read`` returns; return the result of that write.

    After the last refusal ``decide`` runs once more, because our own write may have succeeded with
    its answer lost. ``decide`` may run several times, so its side effects must be repeatable.

    Args:
        seen: what the caller has just read; None: read it here.
        contended: makes the error to raise if others keep changing the item.

    Cost: an UpdateItem, or a TransactWriteItems for several actions; a read and another write for
    each change by others in between.
    """
    for attempt in range(ATTEMPTS_MAX + 1):
        write = decide(read() if attempt or seen is None else seen)
        if not write.actions:
            return write.done
        if attempt == ATTEMPTS_MAX:
            break
        try:
            _commit(table, write.actions)
        except TransactionRefusedError as refused:
            if write.refused is not None:
                write.refused(refused.reasons)
            clock.back_off(attempt)
            continue
        return write.done
    raise contended()


def _commit(table: Table, actions: Sequence[Action]) -> None:
    if len(actions) == 1 and isinstance(actions[0], Update):
        table.update(actions[0])  # half the price of a transaction
    else:
        table.transact(actions)
