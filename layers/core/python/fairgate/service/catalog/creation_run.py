"""One run of ``event create``, which writes only while no other run has begun the same event.

A run begins by writing a nonce of its own over the one it read. Every row, every value of the gate
and the event itself then stand in a transaction that checks the nonce, so DynamoDB refuses whatever
a run sends once another has begun, however late it comes. Putting the event on sale takes the nonce
away: what the run itself sent twice cannot arrive after that either, when seats may be sold.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.reading import quoted
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, WrongStateError
from fairgate.ports.table import IS_NEW, Check, Put, TransactionRefusedError, Update
from fairgate.service.gate.record_gate import with_gate
from fairgate.service.shared.conditions import CREATION_AS_READ, CREATION_IS_OURS
from fairgate.service.shared.keys import creation_key, event_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.gate import Creation

_ENDED = ""  # the nonce of a creation that no run is at


class CreationRun(Struct, frozen=True):
    """A run that has begun.

    Attributes:
        nonce: up to 32 characters that no other run has.
        completes: another has begun before, or there is a gate of one.
    """

    event: str
    nonce: str
    completes: bool = False

    def begin(self, table: Table, before: Creation | None, who: str, now_ms: int) -> None:
        """Take the creation over from what was read of it.

        Raises WrongStateError: another run was faster, or the event is on sale by now.
        """
        begun = Update(
            "catalog",
            *creation_key(self.event),
            condition=CREATION_AS_READ,
            values={"nonce": _ENDED if before is None else before.nonce},
            set={"atMs": now_ms, "who": who, "nonce": self.nonce},
        )
        not_on_sale = Check("catalog", *event_key(self.event), condition=IS_NEW)
        try:
            table.transact([begun, not_on_sale], f"{self.nonce}-b")
        except TransactionRefusedError as error:
            if error.reasons[1].failed:
                raise taken(self.event) from error
            raise _overtaken(self.event) from error

    @property
    def is_ours(self) -> Check:
        """Return what each of its writes carries."""
        return Check(
            "catalog",
            *creation_key(self.event),
            condition=CREATION_IS_OURS,
            values={"nonce": self.nonce},
        )

    def publish(self, table: Table, sale: Event, gate: GateConfig, now_ms: int) -> None:
        """Put the event on sale, and end the run.

        It comes with its gate and the first version of the gate's history: nobody completes an
        event that is on sale.

        Raises:
            WrongStateError: another has begun.
            DependencyUnavailableError: it may be on sale or not.
        """
        recorded, version = with_gate(sale, gate, now_ms)
        ended = Update(
            "catalog",
            *creation_key(self.event),
            condition=CREATION_IS_OURS,
            values={"nonce": self.nonce},
            set={"nonce": _ENDED},
        )
        try:
            with self.while_ours():
                table.transact([Put.of(recorded), ended, version], f"{self.nonce}-p")
        except DependencyUnavailableError as error:
            raise DependencyUnavailableError(
                f"Whether {self.event} is on sale by now is not known: the tables did not answer."
                " `event list` says it; where it is not on sale, run this again."
            ) from error

    @contextmanager
    def while_ours(self) -> Iterator[None]:
        """Do what carries ``is_ours``. Raises WrongStateError: another run has begun meanwhile."""
        try:
            yield
        except TransactionRefusedError as error:
            raise _overtaken(self.event) from error


def taken(event: str, begun: Creation | None = None) -> WrongStateError:
    """Say that there is such an event; who was interrupted looks whether it is theirs."""
    detail = (
        f"There is an event {quoted(event)} already; choose another id. `event list` shows all."
    )
    if begun is not None:
        who = f"{begun.who} began to create it at {rfc3339(begun.at_ms)}"
        detail += f" {who}: if that was this command, it is done. Look: `event show {event}`."
    return WrongStateError(detail)


def _overtaken(event: str) -> WrongStateError:
    return WrongStateError(
        f"Somebody, or another shell of yours, is creating {event} now. What this command wrote is"
        " theirs to complete, and it writes nothing more. Wait for theirs, then look:"
        f" `event show {event}`. If theirs breaks off as well, run this again."
    )
