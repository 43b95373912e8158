"""One run of ``event create``, which writes only while no other run has begun the same event.

A run begins by replacing the nonce that it read by its own. Each later write is a transaction that
checks the nonce, so DynamoDB refuses late writes of a run after another one has begun. Putting the
event on sale removes the nonce: then late duplicates of the run's own writes are refused as well,
because seats may be sold.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.reading import quoted
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, WrongStateError
from fairgate.ports.table import IS_NEW, Check, Delete, Put, TransactionRefusedError, Update
from fairgate.service.gate.record_gate import with_gate
from fairgate.service.shared.conditions import CREATION_AS_READ, CREATION_IS_OURS
from fairgate.service.shared.keys import (
    API_TOKENS,
    GRANTS,
    creation_key,
    event_key,
    gate_version_key,
    grants_of,
    house_block_key,
)
from fairgate.service.shared.readable import read_readable
from fairgate.service.shared.records.gate import GateVersionRecord
from fairgate.service.shared.records.house import HouseBlock
from fairgate.service.shared.records.operators import ApiToken, RoleGrant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.record import Key
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.gate import Creation

_ENDED = ""  # the nonce while no run may write
_BATCH = 99  # of a transaction's hundred actions


class CreationRun(Struct, frozen=True):
    """A run that has begun.

    Attributes:
        nonce: up to 32 characters that no other run has.
        completes: another run has begun before, or has left a gate.
        layout: of the chart whose rows it writes.
        rows: so many of them were written before.
        alone: the event has no other rows.
    """

    event: str
    nonce: str
    completes: bool = False
    layout: str = ""
    rows: int = 0
    alone: bool = False

    def begin(self, table: Table, before: Creation | None, who: str, now_ms: int) -> None:
        """Take over the creation as it was read.

        Raises WrongStateError: another run was faster, or the event is on sale now.
        """
        begun = Update(
            "catalog",
            *creation_key(self.event),
            condition=CREATION_AS_READ,
            values={"nonce": _ENDED if before is None else before.nonce},
            set={
                "atMs": now_ms,
                "who": who,
                "nonce": self.nonce,
                "layout": self.layout,
                "rows": self.rows,
                "alone": self.alone,
                "rowsBy": self.nonce,
            },
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
        """Return the check that each of its writes carries."""
        return Check(
            "catalog",
            *creation_key(self.event),
            condition=CREATION_IS_OURS,
            values={"nonce": self.nonce},
        )

    def wrote(self, table: Table, rows: int) -> None:
        """Note that so many rows are written: a run after this one goes on there.

        Raises TransactionRefusedError: another run has begun.
        """
        noted = Update(
            "catalog",
            *creation_key(self.event),
            condition=CREATION_IS_OURS,
            values={"nonce": self.nonce},
            set={"rows": rows},
        )
        table.transact([noted])

    def forget_versions(self, table: Table) -> None:
        """Remove the gate's history of a draft of this id that was deleted.

        Raises TransactionRefusedError: another run has begun.

        Cost: a query; two write units a version.
        """
        left = table.query(GateVersionRecord, gate_version_key(self.event, 0).pk)
        self._remove(table, [one.key for one in left])

    def forget_blocks(self, table: Table) -> None:
        """Remove blocks, roles and tokens of a draft that was deleted; cost and errors as above."""
        left = read_readable(table, HouseBlock, house_block_key(self.event, "").pk)
        self._remove(table, [*(one.key for one in left.records), *left.damaged])
        roles = table.query(RoleGrant, GRANTS, grants_of(self.event))
        tokens = table.query(ApiToken, API_TOKENS)
        gone = [*roles, *(one for one in tokens if one.event_id == self.event)]
        self._remove(table, [one.key for one in gone])

    def _remove(self, table: Table, keys: Sequence[Key]) -> None:
        for start in range(0, len(keys), _BATCH):
            gone = [Delete("catalog", *key) for key in keys[start : start + _BATCH]]
            table.transact([*gone, self.is_ours])

    def publish(self, table: Table, sale: Event, gate: GateConfig, now_ms: int) -> None:
        """Put the event on sale with its gate and the gate's first version, and end the run.

        Raises:
            WrongStateError: another run has begun.
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
                " Look with `event list`. If it is not on sale, run this again."
            ) from error

    @contextmanager
    def while_ours(self) -> Iterator[None]:
        """Run writes that carry ``is_ours``. Raises WrongStateError: another run has begun."""
        try:
            yield
        except TransactionRefusedError as error:
            raise _overtaken(self.event) from error


def taken(event: str, begun: Creation | None = None) -> WrongStateError:
    """Return that the id is taken, and by whom: an interrupted command may find its own event."""
    detail = (
        f"There is an event {quoted(event)} already; choose another id. `event list` shows all."
    )
    if begun is not None:
        who = f"{begun.who} began to create it at {rfc3339(begun.at_ms)}"
        detail += f" {who}: if that was this command, it is done. Look: `event show {event}`."
    return WrongStateError(detail)


def _overtaken(event: str) -> WrongStateError:
    return WrongStateError(
        f"Somebody, or another shell of yours, is creating {event} now, or deletes it. What this"
        " command wrote is theirs, and it writes nothing more. Wait for theirs, then look:"
        f" `event show {event}`. If theirs breaks off as well, run this again."
    )
