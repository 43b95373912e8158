"""Judge violations and samples at the risk desk: count them, decide by rules, keep the reason.

What it decides stands in the user's status, where the transaction that opens a session heeds
it. The rules themselves, and what people are told, are in ``domain/gate/risk.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.risk import (
    FLAGGED_S,
    LOCKED_S,
    PARDON_S,
    WINDOW_S,
    Assessment,
    Counts,
    Subject,
    assess,
    sliding,
    subjects,
    windows,
)
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.ports.record import Key, Record
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.gate.user_status import DeskStatus
from fairgate.service.shared.conditions import USER_NOT_FLAGGED, USER_NOT_LOCKED
from fairgate.service.shared.due import minute_of
from fairgate.service.shared.keys import (
    DESK_COUNT,
    DESK_DECISION,
    desk_count_key,
    desk_decision_key,
    desk_pk,
    sampled_key,
    user_status_key,
)
from fairgate.service.shared.records.gate import DeskCount, DeskDecision
from fairgate.service.shared.records.sessions import UserStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_DAY_S = 86_400
_DECISIONS_KEPT_S = 30 * _DAY_S


@dataclass(frozen=True)
class RiskDesk:
    """Counts and judges cases.

    Cost: one UpdateItem a subject (user, address, network) and one BatchGetItem a case.
    """

    table: Table
    clock: Clock

    def receive(
        self, event: str, gate: GateConfig, user: str, address: str, verdict: str
    ) -> tuple[DeskStatus, Assessment | None]:
        """Count one case, judge it, and say what counts for the user now.

        The assessment is None unless this case led to a new decision.
        """
        now_ms = self.clock.now_ms()
        counted = subjects(gate.edge_key, user, address)
        running, before = windows(now_ms // 1000)
        for subject in counted.values():
            self.table.update(
                Update(
                    "reservations",
                    *desk_count_key(event, subject, running),
                    set={"ttl": running + 3 * WINDOW_S},
                    add={_attribute(verdict): 1},
                )
            )
        counts, status = self._read(event, user, counted.values(), (running, before), now_ms)
        if not user:
            return status, None
        cases: dict[Subject, Counts] = {
            subject: sliding(
                counts.get(desk_count_key(event, name, running), {}),
                counts.get(desk_count_key(event, name, before), {}),
                now_ms // 1000,
            )
            for subject, name in counted.items()
        }
        judged = assess(cases, gate.sample_queue)
        if judged is None or status.pardoned or judged.level <= status.level:
            return status, None
        return self._decide(event, user, judged, cases["user"], now_ms), judged

    def record_issue(self, event: str, gate: GateConfig) -> None:
        """Count one sampled token for the controller's estimate of the crowd."""
        now_ms = self.clock.now_ms()
        self.table.update(
            Update(
                "reservations",
                *sampled_key(event, minute_of(rfc3339(now_ms))),
                set={
                    "h": operational_time(gate.epochs, now_ms / 1000),
                    "ttl": now_ms // 1000 + 2 * _DAY_S,
                },
                add={"count": 1},
            )
        )

    def show(self, event: str, user: str) -> dict[str, Any]:
        """Show a user's status, what was counted in the last windows, and every decision."""
        now = rfc3339(self.clock.now_ms())
        kinds: Mapping[str, type[Record]] = {DESK_COUNT: DeskCount, DESK_DECISION: DeskDecision}
        records = self.table.partition(kinds, desk_pk(event, f"u#{user}"))
        status = self._status(event, user, now)
        return {
            "level": status.level,
            "until": status.until,
            "noticed": status.noticed,
            "pardoned": status.pardoned,
            "windows": [
                {"starts_at": rfc3339(record.window_s * 1000), "cases": record.cases}
                for record in records
                if isinstance(record, DeskCount)
            ],
            "decisions": [
                {"at": record.at, **{name: getattr(record, name) for name in _DECISION}}
                for record in records
                if isinstance(record, DeskDecision)
            ],
        }

    def pardon(self, event: str, user: str, *, by: str, reason: str) -> None:
        """Lift what was decided, and decide nothing more until all that was counted is past.

        Raises NotFoundError when the desk has nothing on this user.
        """
        now_ms = self.clock.now_ms()
        key = user_status_key(user, event)
        if self.table.find(UserStatus, key) is None:
            raise NotFoundError(f"The desk has decided nothing about {user}.")
        until = rfc3339(now_ms + PARDON_S * 1000)
        lifted = {"flaggedUntil": "", "lockedUntil": "", "pardonedUntil": until}
        pardon = DeskDecision(
            *desk_decision_key(event, user, rfc3339(now_ms)),
            level=0,
            rule="pardon",
            noticed=reason,
            until=until,
            by=by,
            ttl=now_ms // 1000 + _DECISIONS_KEPT_S,
        )
        self.table.transact(
            [Update("reservations", *key, set=lifted), Put.of(pardon, condition="")]
        )

    def _read(
        self,
        event: str,
        user: str,
        counted: Iterable[str],
        starts: tuple[int, int],
        now_ms: int,
    ) -> tuple[dict[Key, Counts], DeskStatus]:
        """Read what was counted in the two windows, and the user's status: one batch of reads."""
        keys = [desk_count_key(event, subject, start) for subject in counted for start in starts]
        kinds: list[type[Record]] = [DeskCount] * len(keys)
        if user:
            keys.append(user_status_key(user, event))
            kinds.append(UserStatus)
        counts: dict[Key, Counts] = {}
        status = None
        for record in self.table.find_each(list(zip(kinds, keys, strict=True))):
            if isinstance(record, DeskCount):
                counts[record.key] = record.cases
            elif isinstance(record, UserStatus):
                status = record
        return counts, DeskStatus.of(status, rfc3339(now_ms))

    def _status(self, event: str, user: str, now: str) -> DeskStatus:
        return DeskStatus.of(self.table.find(UserStatus, user_status_key(user, event)), now)

    def _decide(
        self, event: str, user: str, judged: Assessment, cases: Counts, now_ms: int
    ) -> DeskStatus:
        """Write the decision beside the status; somebody else's in between is as good."""
        now = rfc3339(now_ms)
        flagged = rfc3339(now_ms + FLAGGED_S * 1000)
        lasts: dict[str, str] = {"flaggedUntil": flagged}
        until, locks = flagged, judged.level == 2  # noqa: PLR2004 the level
        if locks:
            until = rfc3339(now_ms + LOCKED_S * 1000)
            lasts |= {"lockedUntil": until}
        reason = {"deskRule": judged.rule, "deskNoticed": judged.noticed}
        decision = DeskDecision(
            *desk_decision_key(event, user, now),
            level=judged.level,
            rule=judged.rule,
            noticed=judged.noticed,
            until=until,
            points=judged.points,
            cases={name: round(count, 1) for name, count in cases.items()},
            ttl=now_ms // 1000 + _DECISIONS_KEPT_S,
        )
        actions: list[Action] = [
            Update(
                "reservations",
                *user_status_key(user, event),
                condition=USER_NOT_LOCKED if locks else USER_NOT_FLAGGED,
                values={"now": now},
                set={**lasts, **reason},
            ),
            Put.of(decision, condition=""),
        ]
        try:
            self.table.transact(actions)
        except TransactionRefusedError:
            return self._status(event, user, now)
        return DeskStatus(judged.level, until, judged.noticed, judged.rule)


_DECISION = ("level", "rule", "until", "noticed", "points", "cases", "by")


def _attribute(verdict: str) -> str:
    return verdict.replace("-", "_")  # names of attributes in expressions have no hyphens
