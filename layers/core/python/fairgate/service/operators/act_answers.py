"""Keep that an operator's act began and how it was answered, so that it is done once.

An act has many writes, so its record cannot travel in one transaction with them, as a buyer's does
(docs/adr/0007): it is written before the act and completed after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import IdempotencyMismatchError
from fairgate.ports.table import Put, TransactionRefusedError
from fairgate.service.operators.own_run import write_as_run
from fairgate.service.shared.conditions import ACT_IS_OURS, KEY_NOT_SEEN
from fairgate.service.shared.idempotency import KEPT_S
from fairgate.service.shared.keys import act_answer_key
from fairgate.service.shared.records.operators import ActAnswer

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids

BUSY_S = 30  # longer than the function may take
_TIDIED_S = 3_600  # the TTL may delete a little early, and must not before KEPT_S


class ActAnswers(Struct, frozen=True):
    """The answers to one operator's acts."""

    table: Table
    clock: Clock
    ids: Ids
    sub: str

    def begin(self, key: str, payload: str) -> tuple[ActAnswer, bool]:
        """Note that the act begins; return the record, and whether it is ours to do.

        Raises IdempotencyMismatchError: the key was used for another act.

        Cost: a transaction of one write; a read if the key was used.
        """
        begun = self._begun(key, payload)
        put = Put.of(begun, condition=KEY_NOT_SEEN, values={"now": begun.at})
        try:
            self.table.transact([put])
        except TransactionRefusedError as refused:
            before = refused.reasons[0].old(ActAnswer) if refused.reasons[0].failed else None
            if before is None:
                raise
            if before.payload != payload:
                raise IdempotencyMismatchError(
                    "This Idempotency-Key was used with another request."
                ) from refused
            return before, before.run == begun.run  # our own write, whose answer was lost
        return begun, True

    def take_over(self, before: ActAnswer) -> ActAnswer | None:
        """Begin an act again that another request left; None if a third one was faster."""
        now_ms = self.clock.now_ms()
        run, busy_until = self.ids.hex32(), rfc3339(now_ms + BUSY_S * 1000)
        if self._written(before, run=run, busyUntil=busy_until):
            return ActAnswer(
                *before.key,
                payload=before.payload,
                run=run,
                at=before.at,
                busy_until=busy_until,
                until=before.until,
                ttl=before.ttl,
            )
        return None

    def answer(self, ours: ActAnswer, answer: str) -> None:
        """Keep the answer."""
        self._written(ours, answer=answer)

    def leave(self, ours: ActAnswer) -> None:
        """Note that nobody does it any more, though its end is not known."""
        self._written(ours, busyUntil=rfc3339(self.clock.now_ms()))

    def forget(self, ours: ActAnswer) -> None:
        """Give the key back: the act was refused, and may be asked for again."""
        self._written(ours, until=rfc3339(self.clock.now_ms()))

    def _begun(self, key: str, payload: str) -> ActAnswer:
        now_ms = self.clock.now_ms()
        return ActAnswer(
            *act_answer_key(self.sub, key),
            payload=payload,
            run=self.ids.hex32(),
            at=rfc3339(now_ms),
            busy_until=rfc3339(now_ms + BUSY_S * 1000),
            until=rfc3339(now_ms + KEPT_S * 1000),
            ttl=now_ms // 1000 + KEPT_S + _TIDIED_S,
        )

    def _written(self, ours: ActAnswer, **attributes: object) -> bool:
        return write_as_run(self.table, ours, ACT_IS_OURS, **attributes)
