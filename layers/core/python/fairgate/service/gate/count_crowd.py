"""Count each sampled account once, however often it asks.

A keyed hash of the account decides at the edge and here whether it is sampled, so nobody can know
it. Accounts that the desk has flagged are not counted. docs/adr/0022.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.gate.admission import operational_time, sampled_account
from fairgate.domain.gate.controller import Cohort
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Action, TransactionRefusedError, Update
from fairgate.service.shared.conditions import (
    ACCOUNT_COUNTED_THEN,
    ACCOUNT_MAY_BE_COUNTED,
    ACCOUNT_NOT_COUNTED,
)
from fairgate.service.shared.keys import sampled_account_key, sampled_key, sampled_partitions
from fairgate.service.shared.readable import read_readable
from fairgate.service.shared.records.gate import SampledAccount, SampledMinute

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.record import Key
    from fairgate.ports.table import Table

_MINUTE = len("2026-01-01T00:00")
_KEPT_S = 2 * 86_400  # after the sale start, or after joining if that is later


class CrowdMember(Struct, frozen=True):
    """One account of an event, as it is counted.

    Attributes:
        known: its item as it was read; None: no item.
    """

    event: str
    gate: GateConfig
    user: str
    known: SampledAccount | None = None

    @property
    def key(self) -> Key:
        return sampled_account_key(self.event, self.user)

    @property
    def is_sampled(self) -> bool:
        return sampled_account(self.gate, self.event, self.user)

    def count(self, table: Table, now_ms: int) -> bool:
        """Count the account in this minute. Returns False if it is counted or left out already.

        Cost: one TransactWriteItems of two items; nothing if ``known`` says so.
        """
        now = rfc3339(now_ms)
        if self.known is not None and (self.known.minute or self.known.left_out_until > now):
            return False
        minute, ttl = now[:_MINUTE], self._ttl(now_ms)
        mark = Update(
            "reservations",
            *self.key,
            condition=ACCOUNT_MAY_BE_COUNTED,
            values={"none": "", "now": now},
            set={"minute": minute, "leftOutUntil": "", "ttl": ttl},
        )
        counter = Update(
            "reservations",
            *sampled_key(self.event, minute, self.user),
            set={"h": operational_time(self.gate.epochs, now_ms / 1000), "ttl": ttl},
            add={"count": 1},
        )
        try:
            table.transact([mark, counter])
        except TransactionRefusedError:  # counted by another request, or flagged, in between
            return False
        return True

    def leave_out(self, until: str, now_ms: int) -> list[Action]:
        """Return the writes that take the account out of the count until then.

        They are refused if the account was counted or taken out since it was read.
        """
        out = {"minute": "", "leftOutUntil": until, "ttl": self._ttl(now_ms)}
        if self.known is None or not self.known.minute:
            not_yet = ACCOUNT_NOT_COUNTED
            return [
                Update("reservations", *self.key, condition=not_yet, values={"none": ""}, set=out)
            ]
        minute = self.known.minute
        mark = Update(
            "reservations",
            *self.key,
            condition=ACCOUNT_COUNTED_THEN,
            values={"minute": minute},
            set=out,
        )
        counter = sampled_key(self.event, minute, self.user)
        return [mark, Update("reservations", *counter, add={"count": -1})]

    def _ttl(self, now_ms: int) -> int:
        return max(now_ms // 1000, self.gate.sale_start_s) + _KEPT_S


def counted_again(known: SampledAccount | None) -> list[Action]:
    """Return the writes after which an account that was left out is counted again."""
    if known is None or not known.left_out_until:
        return []
    out = {"leftOutUntil": ""}
    return [
        Update(
            "reservations", *known.key, condition=ACCOUNT_NOT_COUNTED, values={"none": ""}, set=out
        )
    ]


def sampled_cohorts(table: Table, event: str) -> list[Cohort]:
    """Read how many sampled accounts joined in each minute, in order, with its last h.

    A damaged counter counts nobody. Cost: a query for each partition of counters.
    """
    parts = [read_readable(table, SampledMinute, pk) for pk in sampled_partitions(event)]
    minutes: dict[str, Cohort] = {}
    for counter in (record for part in parts for record in part.records):
        before = minutes.get(counter.minute, Cohort(counter.h, 0.0))
        minutes[counter.minute] = Cohort(max(before.h, counter.h), before.count + counter.count)
    return [minutes[minute] for minute in sorted(minutes)]
