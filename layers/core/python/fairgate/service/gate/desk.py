"""The risk desk: every violation and every sample is counted; rules decide, and keep their reason.

What it decides stands in the user's standing, where the transaction that opens a session heeds
it. The rules themselves, and what people are told, are in ``domain/gate/risk.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.edge_header import VERDICTS
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
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.gate.user_status import Standing
from fairgate.service.shared.keys import owned, standing_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_DAY_S = 86_400
_DECISIONS_KEPT_S = 30 * _DAY_S
_MINUTE_CHARS = len("2026-01-01T00:00")

# A decision is made once, whoever else sees the same counts.
NOT_FLAGGED = "attribute_not_exists(#flaggedUntil) OR #flaggedUntil <= :now"
NOT_LOCKED = "attribute_not_exists(#lockedUntil) OR #lockedUntil <= :now"


@dataclass(frozen=True)
class RiskDesk:
    """Cost: one UpdateItem a subject (user, address, network) and one BatchGetItem a case."""

    table: Table
    clock: Clock

    def receive(
        self, event: str, gate: GateConfig, user: str, address: str, verdict: str
    ) -> tuple[Standing, Assessment | None]:
        """Count one case, judge it, and say how the user stands now.

        The assessment is None unless this case led to a new decision.
        """
        now_ms = self.clock.now_ms()
        counted = subjects(gate.edge_key, user, address)
        running, before = windows(now_ms // 1000)
        for subject in counted.values():
            self.table.update(
                Update(
                    "reservations",
                    _pk(event, subject),
                    _window(running),
                    set={"ttl": running + 3 * WINDOW_S},
                    add={_attribute(verdict): 1},
                )
            )
        items = self._read(event, user, counted.values(), (running, before))
        standing = Standing.of(items.get(standing_key(user, event)), rfc3339(now_ms))
        if not user:
            return standing, None
        seen: dict[Subject, Counts] = {
            subject: sliding(
                _counts(items.get((_pk(event, name), _window(running)))),
                _counts(items.get((_pk(event, name), _window(before)))),
                now_ms // 1000,
            )
            for subject, name in counted.items()
        }
        found = assess(seen, gate.sample_queue)
        if found is None or standing.pardoned or found.level <= standing.level:
            return standing, None
        return self._decide(event, user, found, seen["user"], now_ms), found

    def record_issue(self, event: str, gate: GateConfig) -> None:
        """Count one sampled token for the controller's estimate of the crowd."""
        now_ms = self.clock.now_ms()
        self.table.update(
            Update(
                "reservations",
                f"Q#{event}",
                rfc3339(now_ms)[:_MINUTE_CHARS],
                set={
                    "h": operational_time(gate.epochs, now_ms / 1000),
                    "ttl": now_ms // 1000 + 2 * _DAY_S,
                },
                add={"count": 1},
            )
        )

    def show(self, event: str, user: str) -> dict[str, Any]:
        """How a user stands, what was counted in the last windows, and every decision."""
        now = rfc3339(self.clock.now_ms())
        items = self.table.query("reservations", _pk(event, f"u#{user}"))
        standing = Standing.of(self.table.get("reservations", *standing_key(user, event)), now)
        return {
            "level": standing.level,
            "until": standing.until,
            "noticed": standing.noticed,
            "pardoned": standing.pardoned,
            "windows": [
                {"starts_at": rfc3339(int(i["SK"][2:]) * 1000), "cases": dict(_counts(i))}
                for i in items
                if i["SK"].startswith("W#")
            ],
            "decisions": [
                {"at": i["SK"][2:], **{name: i[name] for name in _DECISION}}
                for i in items
                if i["SK"].startswith("X#")
            ],
        }

    def pardon(self, event: str, user: str, *, by: str, reason: str) -> None:
        """Lift what was decided, and decide nothing more until all that was counted is past.

        Raises NotFoundError when the desk has nothing on this user.
        """
        now_ms = self.clock.now_ms()
        if self.table.get("reservations", *standing_key(user, event)) is None:
            raise NotFoundError(f"The desk has decided nothing about {user}.")
        until = rfc3339(now_ms + PARDON_S * 1000)
        lifted = {"flaggedUntil": "", "lockedUntil": "", "pardonedUntil": until}
        said = _decision(event, user, now_ms, level=0, rule="pardon", until=until, noticed=reason)
        self.table.transact(
            [
                Update("reservations", *standing_key(user, event), set=lifted),
                replace(said, item={**said.item, "by": by}),
            ]
        )

    def _read(
        self, event: str, user: str, counted: Iterable[str], starts: tuple[int, int]
    ) -> dict[tuple[str, str], dict[str, Any]]:
        keys = [(_pk(event, subject), _window(start)) for subject in counted for start in starts]
        if user:
            keys.append(standing_key(user, event))
        found = self.table.get_many("reservations", keys) if keys else []
        return {(item["PK"], item["SK"]): item for item in found}

    def _decide(
        self, event: str, user: str, found: Assessment, seen: Counts, now_ms: int
    ) -> Standing:
        """Write the decision beside the standing; somebody else's in between is as good."""
        flagged = rfc3339(now_ms + FLAGGED_S * 1000)
        lasts: dict[str, str] = {"flaggedUntil": flagged}
        until, condition = flagged, NOT_FLAGGED
        if found.level == 2:  # noqa: PLR2004 the level
            until, condition = rfc3339(now_ms + LOCKED_S * 1000), NOT_LOCKED
            lasts |= {"lockedUntil": until}
        told = {"deskRule": found.rule, "deskNoticed": found.noticed}
        actions: list[Action] = [
            Update(
                "reservations",
                *standing_key(user, event),
                condition=condition,
                values={"now": rfc3339(now_ms)},
                set={**lasts, **told, **owned(user, event, event)},
            ),
            _decision(
                event,
                user,
                now_ms,
                level=found.level,
                rule=found.rule,
                until=until,
                noticed=found.noticed,
                points=found.points,
                cases={name: round(count, 1) for name, count in seen.items()},
            ),
        ]
        try:
            self.table.transact(actions)
        except TransactionRefusedError:
            item = self.table.get("reservations", *standing_key(user, event))
            return Standing.of(item, rfc3339(now_ms))
        return Standing(found.level, until, found.noticed, found.rule)


_DECISION = ("level", "rule", "until", "noticed", "points", "cases", "by")


def _decision(event: str, user: str, now_ms: int, **reason: Any) -> Put:
    item = {
        "PK": _pk(event, f"u#{user}"),
        "SK": f"X#{rfc3339(now_ms)}",
        "points": 0,
        "cases": {},
        "by": "rules",
        "ttl": now_ms // 1000 + _DECISIONS_KEPT_S,
    }
    return Put("reservations", item | reason, condition="")


def _pk(event: str, subject: str) -> str:
    return f"D#{event}#{subject}"


def _window(start_s: int) -> str:
    return f"W#{start_s:011d}"


def _attribute(verdict: str) -> str:
    return verdict.replace("-", "_")  # names of attributes in expressions have no hyphens


def _counts(item: Mapping[str, Any] | None) -> Counts:
    item = item or {}
    return {v: float(item[_attribute(v)]) for v in VERDICTS if _attribute(v) in item}
