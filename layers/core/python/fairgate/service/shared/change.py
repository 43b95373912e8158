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


class UnderWayError(DependencyUnavailableError):
    """Reports that only a part of another request's commit is seen.

    Plain reads see the items of a transaction appear one by one. docs/adr/0007.
    """


def under_way() -> UnderWayError:
    return UnderWayError("This is being done at this moment. Please ask again.", retry_after_s=1)


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
    its answer lost. ``decide`` may run several times, so its side effects must be repeatable. Both
    may raise UnderWayError: then they run again.

    Args:
        seen: what the caller has just read; None: read it here.
        contended: makes the error to raise if others keep changing the item.

    Cost: an UpdateItem, or a TransactWriteItems for several actions; a read and another write for
    each change by others in between.
    """
    for attempt in range(ATTEMPTS_MAX + 1):
        try:
            write = decide(read() if attempt or seen is None else seen)
            if write.actions and attempt == ATTEMPTS_MAX:
                break
            if write.actions:
                _commit(table, write.actions)
        except TransactionRefusedError as refused:
            if write.refused is not None:
                write.refused(refused.reasons)
        except UnderWayError:
            if attempt == ATTEMPTS_MAX:
                raise
        else:
            return write.done
        clock.back_off(attempt)
    raise contended()


def until_whole(clock: Clock, read: Callable[[], Done | None]) -> Done:
    """Read until there is a result. Raises UnderWayError after ATTEMPTS_MAX reads."""
    for attempt in range(ATTEMPTS_MAX):
        if (found := read()) is not None:
            return found
        clock.back_off(attempt)
    raise under_way()


def _commit(table: Table, actions: Sequence[Action]) -> None:
    if len(actions) == 1 and isinstance(actions[0], Update):
        table.update(actions[0])  # half the price of a transaction
    else:
        table.transact(actions)
