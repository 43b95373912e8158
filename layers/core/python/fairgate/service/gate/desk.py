"""Judge violations and samples at the risk desk: count them, decide by rules, keep the reason.

A decision is written to the user's status, which the transaction that opens a session checks, and
takes the account out of the count of the crowd. ``domain/gate/risk.py`` has the rules and the texts
for buyers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from fairgate.domain.gate.risk import (
    FLAGGED_S,
    LOCKED_S,
    WINDOW_S,
    Assessment,
    Subject,
    Tally,
    assess,
    sliding,
    subjects,
    windows,
)
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import Key, Record
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.gate.count_crowd import CrowdMember
from fairgate.service.gate.user_status import DeskStatus
from fairgate.service.shared.conditions import USER_NOT_FLAGGED, USER_NOT_LOCKED
from fairgate.service.shared.keys import (
    DESK_COUNT,
    DESK_DECISION,
    desk_count_key,
    desk_decision_key,
    desk_pk,
    user_status_key,
)
from fairgate.service.shared.records.gate import DeskCount, DeskDecision, SampledAccount
from fairgate.service.shared.records.sessions import UserStatus
from fairgate.service.shared.tally import desk_decided

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairgate.domain.gate.edge_header import EdgeWord
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

DECISIONS_KEPT_S = 30 * 86_400
_TRIES = 3  # an account may be counted once while it is judged
Names = Mapping[Subject, str]


class _Findings(Struct, frozen=True):
    """What the table has about a user."""

    status: DeskStatus
    tallies: Mapping[Subject, Tally] = field(default_factory=dict)
    member: SampledAccount | None = None


class RiskDesk(Struct, frozen=True):
    """Counts and judges cases.

    Cost: one UpdateItem a subject (user, address, network) and one BatchGetItem a case.
    """

    table: Table
    clock: Clock

    def receive(
        self, event: str, gate: GateConfig, user: str, word: EdgeWord, *, labelled: bool = False
    ) -> DeskStatus:
        """Count a violation as 1/share cases, and judge the user.

        Args:
            labelled: the firewall says that it came from an anonymous address.
        """
        names = subjects(gate.edge_key, user, word.address)
        weight = {_attribute(word.verdict): _stands_for(word.share(gate)), "sampled": 1}
        if labelled:
            weight["labelled"] = 1
        self._add(event, names.values(), weight)
        return self._judged(event, gate, user, names)

    def repeated(
        self, event: str, gate: GateConfig, user: str, address: str, verdict: str
    ) -> DeskStatus:
        """Count what the origin saw, ``redeemed`` or ``inside``, and judge the user.

        The first two in a window do not weigh. Only the account is counted, not its address.

        Cost: one UpdateItem and one BatchGetItem.
        """
        names = subjects(gate.edge_key, user, address)
        self._add(event, [names["user"]], {_attribute(verdict): 1})
        return self._judged(event, gate, user, names)

    def join(self, event: str, gate: GateConfig, user: str) -> None:
        """Count the account of a sampled queue request once, and not while it is flagged.

        Repeats write nothing. Neither does an account that is not sampled: an edge with an older
        value may forward it.

        Cost: one BatchGetItem of two items; for an account's first request also one
            TransactWriteItems of two items. For an account that is not sampled nothing.
        """
        now_ms = self.clock.now_ms()
        member = CrowdMember(event, gate, user)
        if not member.is_sampled:
            return
        found = self._read(member, {}, now_ms)
        if not found.status.level:
            replace(member, known=found.member).count(self.table, now_ms)

    def show(self, event: str, user: str) -> dict[str, Any]:
        """Return a user's status, the counts of the last windows, and every decision."""
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

    def _add(self, event: str, names: Iterable[str], counts: Mapping[str, float]) -> None:
        running, _before = windows(self.clock.now_ms() // 1000)
        for name in names:
            self.table.update(
                Update(
                    "reservations",
                    *desk_count_key(event, name, running),
                    set={"ttl": running + 3 * WINDOW_S},
                    add=counts,
                )
            )

    def _judged(self, event: str, gate: GateConfig, user: str, names: Names) -> DeskStatus:
        member = CrowdMember(event, gate, user)
        return self._decided(member, self._read(member, names, self.clock.now_ms()))

    def _read(self, member: CrowdMember, names: Names, now_ms: int) -> _Findings:
        """Read the counts of the two windows and the user's items, in one batch."""
        event, user, now_s = member.event, member.user, now_ms // 1000
        starts = windows(now_s)
        wanted: list[tuple[type[Record], Key]] = [
            (DeskCount, desk_count_key(event, name, start))
            for name in names.values()
            for start in starts
        ]
        wanted.append((UserStatus, user_status_key(user, event)))
        if member.is_sampled:
            wanted.append((SampledAccount, member.key))
        counts: dict[Key, Tally] = {}
        status, known = None, None
        for record in self.table.find_each(wanted):
            if isinstance(record, DeskCount):
                counts[record.key] = record.tally
            elif isinstance(record, UserStatus):
                status = record
            elif isinstance(record, SampledAccount):
                known = record
        tallies: dict[Subject, Tally] = {}
        for subject, name in names.items():
            running, before = (
                counts.get(desk_count_key(event, name, start), Tally()) for start in starts
            )
            tallies[subject] = sliding(running, before, now_s)
        return _Findings(DeskStatus.of(status, rfc3339(now_ms)), tallies, known)

    def _status(self, event: str, user: str, now: str) -> DeskStatus:
        return DeskStatus.of(self.table.find(UserStatus, user_status_key(user, event)), now)

    def _decided(self, member: CrowdMember, findings: _Findings) -> DeskStatus:
        """Decide by the rules, if they ask for a higher level than the present one."""
        judged, status = assess(findings.tallies), findings.status
        if judged is None or status.pardoned or judged.level <= status.level:
            return status
        now_ms, own = self.clock.now_ms(), findings.tallies["user"]
        now = rfc3339(now_ms)
        decided = _decision(member.event, member.user, judged, own, now_ms)
        known = findings.member
        for _ in range(_TRIES):
            until = rfc3339(now_ms + FLAGGED_S * 1000)
            out = replace(member, known=known).leave_out(until, now_ms) if member.is_sampled else []
            try:
                self.table.transact([*decided, *out])
            except TransactionRefusedError as refused:
                if refused.reasons[0].failed:  # another request has decided the same
                    break
                known = self.table.find(SampledAccount, member.key)
            else:
                return _status_by(judged, now_ms)
        return self._status(member.event, member.user, now)


def _status_by(judged: Assessment, now_ms: int) -> DeskStatus:
    return DeskStatus(judged.level, _until(judged, now_ms), judged.noticed, judged.rule)


def _until(judged: Assessment, now_ms: int) -> str:
    lasts_s = LOCKED_S if judged.level == _LOCKED else FLAGGED_S
    return rfc3339(now_ms + lasts_s * 1000)


def _decision(
    event: str, user: str, judged: Assessment, own: Tally, now_ms: int
) -> Sequence[Action]:
    """Return the writes of the decision: the user's status, its record, the tally."""
    now, until = rfc3339(now_ms), _until(judged, now_ms)
    locks = judged.level == _LOCKED
    lasts = {"flaggedUntil": rfc3339(now_ms + FLAGGED_S * 1000)}
    if locks:
        lasts |= {"lockedUntil": until}
    decision = DeskDecision(
        *desk_decision_key(event, user, now),
        level=judged.level,
        rule=judged.rule,
        noticed=judged.noticed,
        until=until,
        points=judged.points,
        cases={name: round(count, 1) for name, count in own.cases.items()},
        seen=round(own.seen, 1),
        ttl=now_ms // 1000 + DECISIONS_KEPT_S,
    )
    return [
        Update(
            "reservations",
            *user_status_key(user, event),
            condition=USER_NOT_LOCKED if locks else USER_NOT_FLAGGED,
            values={"now": now},
            set={**lasts, "deskRule": judged.rule, "deskNoticed": judged.noticed},
        ),
        Put.of(decision, condition=""),
        desk_decided(event, user, locks=locks),
    ]


def _stands_for(share: float) -> float:
    """Return how many cases a sampled one stands for."""
    if share <= 0:  # an edge with an older value has forwarded it
        return 1
    weight = round(1 / share, 3)
    return int(weight) if weight.is_integer() else weight


_LOCKED = 2
_DECISION = ("level", "rule", "until", "noticed", "points", "cases", "seen", "by")


def _attribute(verdict: str) -> str:
    return verdict.replace("-", "_")  # names of attributes in expressions have no hyphens
