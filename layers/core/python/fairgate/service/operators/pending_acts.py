"""Keep what an operator asked for until another one confirms it, for ten minutes.

A request is named by the hash of who asks for what: who confirms its name confirms these arguments.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.shared.conditions import PENDING_IS_OVER, PENDING_MAY_BE_CONFIRMED
from fairgate.service.shared.idempotency import fingerprint
from fairgate.service.shared.keys import pending_act_key
from fairgate.service.shared.records.operators import PendingAct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

    class Asked(Protocol):
        """What was asked for: a request of the API."""

        @property
        def act(self) -> str: ...
        @property
        def arguments(self) -> Mapping[str, Any]: ...
        @property
        def confirm(self) -> str: ...
        @property
        def if_match(self) -> str: ...


OPEN_S = 600
_KEPT_S = 86_400


class PendingActs(Struct, frozen=True):
    """The requests that wait for a second person."""

    table: Table
    clock: Clock

    def of(self, event: str, asked: Asked, by: str, groups: Sequence[str] = ()) -> PendingAct:
        """Make the record of a request, which waits from now on; ``groups`` are the asker's."""
        now_ms = self.clock.now_ms()
        arguments = json.dumps(asked.arguments, sort_keys=True, separators=(",", ":"))
        return PendingAct(
            *pending_act_key(event, _name(asked.act, arguments, asked.confirm, asked.if_match, by)),
            act=asked.act,
            arguments=arguments,
            confirm=asked.confirm,
            if_match=asked.if_match,
            by=by,
            groups=groups,
            at=rfc3339(now_ms),
            until=rfc3339(now_ms + OPEN_S * 1000),
            ttl=now_ms // 1000 + _KEPT_S,
        )

    def like(self, request: PendingAct) -> PendingAct | None:
        """Return the same request, asked before, while it waits. Cost: a read."""
        before = self.table.find(PendingAct, request.key)
        return before if before is not None and self._waits(before) else None

    def keep(self, request: PendingAct) -> PendingAct:
        """Keep it; return the same one if that was kept a moment ago. Cost: a write."""
        now = rfc3339(self.clock.now_ms())
        try:
            self.table.transact([Put.of(request, condition=PENDING_IS_OVER, values={"now": now})])
        except TransactionRefusedError as refused:
            before = refused.reasons[0].old(PendingAct)
            if before is None:
                raise
            return before
        return request

    def waiting(self, event: str) -> list[PendingAct]:
        """Read what waits at an event."""
        found = self.table.query(PendingAct, pending_act_key(event, "").pk)
        return [one for one in found if self._waits(one)]

    def find(self, event: str, name: str) -> PendingAct:
        """Read a request. Raises NotFoundError: there is none, or it is not what its name says."""
        found = self.table.find(PendingAct, pending_act_key(event, name[:64] or "-"))
        if found is None or found.sk != _name(
            found.act, found.arguments, found.confirm, found.if_match, found.by
        ):
            raise NotFoundError(f"Nobody has asked for {name[:64]} at {event}.")
        return found

    def must_be_confirmable(self, request: PendingAct, sub: str) -> None:
        """Raises WrongStateError: it is over, was confirmed, or is the caller's own."""
        if request.by == sub:
            raise WrongStateError("You asked for it yourself: another person has to confirm it.")
        if request.confirmed_by:
            raise WrongStateError("Somebody has confirmed it already: the event's log has it.")
        if not self._waits(request):
            raise WrongStateError(f"It ended at {request.until}: ask for it again.")

    def take(self, request: PendingAct, sub: str) -> None:
        """Confirm it, once, for the caller to do it now.

        Raises WrongStateError. Cost: a write.
        """
        taken = Update(
            "reservations",
            *request.key,
            condition=PENDING_MAY_BE_CONFIRMED,
            values={"now": rfc3339(self.clock.now_ms()), "me": sub, "at": request.at},
            set={"confirmedBy": sub},
        )
        try:
            self.table.update(taken)
        except TransactionRefusedError as refused:
            raise WrongStateError(
                "Somebody has confirmed it meanwhile, or it has ended: the event's log has it."
            ) from refused

    def _waits(self, one: PendingAct) -> bool:
        return not one.confirmed_by and one.until > rfc3339(self.clock.now_ms())


def _name(*parts: str) -> str:
    return "req_" + fingerprint(parts)
