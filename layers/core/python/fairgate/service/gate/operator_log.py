"""What operators did: who, when, what, and how it ended; signed, and chained to what came before.

An entry ``asked`` stands before the act and another one after it (``done`` or ``refused``), so an
act whose end nobody knows shows as one that was only asked. Each entry's mac covers the entry
before it: one that is changed, or taken out between others, breaks the chain.

The key comes from the event's edge key, which the gate's value holds and the tables do not: who
can write to the table alone cannot write history. See docs/adr/0006-operators-acts-are-signed.md.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import VersionConflictError
from fairgate.ports.table import Put, TransactionRefusedError
from fairgate.service.gate.control_gate import redacted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Phase = Literal["asked", "done", "refused"]

ATTEMPTS_MAX = 8
WHO_CHARS_MAX = 256
_NUMBER_DIGITS = 8  # zero-padded, so that the table sorts entries in their order
_FIRST = "fairgate"  # what the first entry is chained to


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of an event's log.

    Attributes:
        number: 1, 2, 3, … without gaps.
        detail: what was asked for, or why it was refused.
        gate: the gate's value as it was written, without its keys; None where it was not.
    """

    number: int
    at: str
    who: str
    act: str
    phase: Phase
    detail: Mapping[str, Any]
    gate: Mapping[str, Any] | None
    mac: str

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "mac"}


@dataclass(frozen=True)
class OperatorLog:
    """One event's log, in the catalogue's table. Cost: a query and a conditional write an entry."""

    table: Table
    clock: Clock
    event: str
    key: bytes

    @classmethod
    def of(cls, table: Table, clock: Clock, event: str, gate: GateConfig) -> OperatorLog:
        return cls(table, clock, event, log_key(gate))

    def append(
        self,
        who: str,
        act: str,
        phase: Phase,
        detail: Mapping[str, Any],
        gate: GateConfig | None = None,
    ) -> LogEntry:
        """Raises VersionConflictError, DependencyUnavailableError: then nothing was logged."""
        for _ in range(ATTEMPTS_MAX):
            entries = self.read()
            last = entries[-1] if entries else None
            entry = LogEntry(
                number=last.number + 1 if last else 1,
                at=rfc3339(self.clock.now_ms()),
                who=who[:WHO_CHARS_MAX],
                act=act,
                phase=phase,
                detail=detail,
                gate=None if gate is None else redacted(gate),
                mac="",
            )
            mac = self._mac(entry, last.mac if last else _FIRST)
            try:
                self.table.transact([Put("catalog", self._item(entry, mac))])
            except TransactionRefusedError:  # somebody else wrote this number
                continue
            return entry
        raise VersionConflictError("Others keep writing to the log. Please try again.")

    def read(self) -> list[LogEntry]:
        """Every entry, the oldest first; strongly consistent."""
        return [_entry(item) for item in self.table.query("catalog", _pk(self.event))]

    def check(self, entries: Sequence[LogEntry]) -> list[str]:
        """What is wrong with them, [] when nothing is. The newest could be missing unnoticed."""
        wrong, before = [], _FIRST
        for position, entry in enumerate(entries, start=1):
            if entry.number != position:
                wrong.append(f"Entry {position} is missing.")
                break
            genuine = self._mac(entry, before).encode()
            if not hmac.compare_digest(entry.mac.encode(), genuine):
                wrong.append(f"Entry {entry.number} is not what was signed.")
            before = entry.mac
        return wrong

    def _mac(self, entry: LogEntry, before: str) -> str:
        fields = [self.event, before, *entry.as_json().values()]
        text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
        return hmac.digest(self.key, text.encode(), hashlib.sha256).hex()

    def _item(self, entry: LogEntry, mac: str) -> dict[str, Any]:
        return {
            "PK": _pk(self.event),
            "SK": f"{entry.number:0{_NUMBER_DIGITS}d}",
            "at": entry.at,
            "who": entry.who,
            "act": entry.act,
            "phase": entry.phase,
            "detail": json.dumps(entry.detail),
            "gate": json.dumps(entry.gate),
            "mac": mac,
        }


def log_key(gate: GateConfig) -> bytes:
    return hmac.digest(gate.edge_key, b"operator-log", hashlib.sha256)


def _pk(event: str) -> str:
    return f"LOG#{event}"


def _entry(item: Mapping[str, Any]) -> LogEntry:
    """Whatever the table holds: what somebody spoilt is for ``check`` to say."""
    return LogEntry(
        number=int(item["SK"]) if item["SK"].isdecimal() else 0,
        at=item.get("at", ""),
        who=item.get("who", ""),
        act=item.get("act", ""),
        phase=item.get("phase", ""),
        detail=_loaded(item.get("detail", "")),
        gate=_loaded(item.get("gate", "")),
        mac=str(item.get("mac", "")),
    )


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {"spoilt": text}
