"""Lift the risk desk's decisions by hand, or keep an account locked out longer.

Both answer the account's open appeal. A person's lock-out is the same attribute as the rules', so
the transaction that opens a session obeys both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.gate.risk import BY_HAND, KEPT_S_MAX, PARDON_S
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import LimitExceededError, NotFoundError, VersionConflictError, WrongStateError
from fairgate.ports.table import Put, Update
from fairgate.service.gate.count_crowd import CrowdMember, counted_again
from fairgate.service.gate.desk import DECISIONS_KEPT_S
from fairgate.service.gate.user_status import DeskStatus
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import APPEAL_AS_READ, LOCK_MAY_BE_EXTENDED
from fairgate.service.shared.keys import (
    appeal_key,
    desk_decision_key,
    sampled_account_key,
    user_status_key,
)
from fairgate.service.shared.records.gate import DeskDecision, SampledAccount
from fairgate.service.shared.records.sessions import UserStatus
from fairgate.service.shared.tally import desk_decided

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Action, Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event


class _AsRead(Struct, frozen=True):
    status: UserStatus | None
    member: SampledAccount | None


class PersonAtDesk(Struct, frozen=True):
    """Writes what a person has decided.

    Attributes:
        by: who it is, for the decision and the appeal.

    Cost: two reads and one TransactWriteItems of two to six items.
    """

    table: Table
    clock: Clock
    by: str = ""

    def must_know(self, event: str, user: str) -> None:
        """Raise NotFoundError if the desk has nothing on this user."""
        _known(user, self._read(event, user))

    def pardon(self, event: str, user: str, reason: str) -> None:
        """Lift the decisions, and decide nothing until the counts have expired.

        Raises NotFoundError: the desk has nothing on this user.
        """

        def decide(seen: _AsRead) -> Write[None]:
            now_ms, status = self.clock.now_ms(), _known(user, seen)
            until = rfc3339(now_ms + PARDON_S * 1000)
            lifted = Update(
                "reservations",
                *user_status_key(user, event),
                condition=APPEAL_AS_READ,
                values={"appealed": status.appealed_until},
                set={"flaggedUntil": "", "lockedUntil": "", "pardonedUntil": until},
            )
            actions = [
                lifted,
                self._decision(event, user, "pardon", reason, until),
                *self._answered(event, user, status, "lifted"),
                *counted_again(seen.member),
            ]
            return Write(None, actions)

        self._change(event, user, decide)

    def extend(self, sale: Event, gate: GateConfig, user: str, until: str, reason: str) -> None:
        """Lock an account out until then, also one that nothing is against.

        The account is left out of the count of the crowd for as long.

        Args:
            until: RFC 3339.

        Raises:
            LimitExceededError: that is past, more than a day ahead, or after the sale's end.
            WrongStateError: it is locked out for longer already, or the sale is over.
        """
        event = sale.id
        self._must_be_allowed(sale, until)

        def decide(seen: _AsRead) -> Write[None]:
            status = seen.status or UserStatus(*user_status_key(user, event))
            now_ms = self.clock.now_ms()
            _must_be_later(status, until)
            kept = Update(
                "reservations",
                *status.key,
                condition=LOCK_MAY_BE_EXTENDED,
                values={"until": until, "appealed": status.appealed_until},
                set={
                    "lockedUntil": until,
                    "pardonedUntil": "",
                    "deskRule": BY_HAND,
                    "deskNoticed": reason,
                },
            )
            member = CrowdMember(event, gate, user, seen.member)
            actions = [
                kept,
                self._decision(event, user, BY_HAND, reason, until),
                desk_decided(event, user, locks=True),
                *self._answered(event, user, status, "kept"),
                *(member.leave_out(until, now_ms) if member.is_sampled else []),
            ]
            return Write(None, actions)

        self._change(event, user, decide)

    def must_be_extensible(self, sale: Event, user: str, until: str) -> None:
        """Raise what ``extend`` would."""
        self._must_be_allowed(sale, until)
        if (status := self._read(sale.id, user).status) is not None:
            _must_be_later(status, until)

    def _must_be_allowed(self, sale: Event, until: str) -> None:
        now_ms = self.clock.now_ms()
        now, latest = rfc3339(now_ms), rfc3339(now_ms + KEPT_S_MAX * 1000)
        if sale.ends_at:
            latest = min(latest, sale.ends_at)
        if latest <= now:
            raise WrongStateError("The sale is over: nobody comes in any more.")
        if not now < until <= latest:
            raise LimitExceededError(
                "A person may lock an account out for a day at most, and not beyond the end of the"
                f" sale: until {latest} here."
            )

    def _read(self, event: str, user: str) -> _AsRead:
        return _AsRead(
            self.table.find(UserStatus, user_status_key(user, event)),
            self.table.find(SampledAccount, sampled_account_key(event, user)),
        )

    def _change(self, event: str, user: str, decide: Callable[[_AsRead], Write[None]]) -> None:
        change(
            self.table,
            self.clock,
            lambda: self._read(event, user),
            decide,
            contended=lambda: VersionConflictError("This account is being judged. Look again."),
        )

    def _decision(self, event: str, user: str, rule: str, reason: str, until: str) -> Put:
        now_ms = self.clock.now_ms()
        decision = DeskDecision(
            *desk_decision_key(event, user, rfc3339(now_ms)),
            level=2 if rule == BY_HAND else 0,
            rule=rule,
            noticed=reason,
            until=until,
            by=self.by,
            ttl=now_ms // 1000 + DECISIONS_KEPT_S,
        )
        return Put.of(decision, condition="")

    def _answered(
        self, event: str, user: str, status: UserStatus, answer: Literal["lifted", "kept"]
    ) -> list[Action]:
        """Return the write that answers the open appeal; [] if there is none."""
        now = rfc3339(self.clock.now_ms())
        if not DeskStatus.of(status, now).appealed:
            return []
        key = appeal_key(event, user, status.appealed_until)
        outcome = {"answeredAt": now, "answer": answer, "by": self.by}
        return [Update("reservations", *key, set=outcome)]


def _known(user: str, seen: _AsRead) -> UserStatus:
    if seen.status is None:
        raise NotFoundError(f"The desk has decided nothing about {user}.")
    return seen.status


def _must_be_later(status: UserStatus, until: str) -> None:
    if status.locked_until >= until:
        raise WrongStateError(
            f"The account is locked out until {status.locked_until} already. Lift it instead, or"
            " name a later time."
        )
