"""Keep an append-only, hash-chained log of operators' actions, with who, when and the outcome.

An entry ``asked`` is written before the action and another one after it: ``done``, ``refused``, or
``incomplete`` if some steps were not done. An action with an unknown end has only ``asked``. The
MAC of each entry covers the entry before it, so a changed or removed entry breaks the chain.

The key comes from the event's edge key, which only the gate's value contains: a writer of entries
who cannot read that value cannot forge history. See docs/adr/0006-operators-acts-are-signed.md.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, structs

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError, VersionConflictError
from fairgate.ports.table import Put
from fairgate.service.gate.control_gate import redacted
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.keys import log_entry_key
from fairgate.service.shared.records.gate import LogRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Phase = Literal["asked", "done", "incomplete", "refused"]

WHO_CHARS_MAX = 256
DETAIL_CHARS_MAX = 350_000  # an item has room for 400 KB, with the gate's value
# The acts whose entries name a buyer's account.
DESK_PARDON, DESK_EXTEND = "desk pardon", "desk extend"
_FIRST = "fairgate"  # the first entry is chained to this


class LogEntry(Struct, frozen=True):
    """One line of an event's log.

    Attributes:
        number: 1, 2, 3, … without gaps.
        detail: what was asked for, and which steps were not done; or why it was refused.
        gate: the gate's value as it was written, without its keys; None: not written.
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
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "mac"}


class OperatorLog(Struct, frozen=True):
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
        """Append an entry.

        Raises VersionConflictError, DependencyUnavailableError, MalformedInputError (what is asked
        for is too long): then nothing was logged.
        """
        if phase != "incomplete" and len(json.dumps(detail)) > DETAIL_CHARS_MAX:
            raise MalformedInputError(
                f"It asks for too much at once: the log keeps {DETAIL_CHARS_MAX:,} characters of an"
                " act. Do it in several parts."
            )

        def decide(entries: Sequence[LogEntry]) -> Write[LogEntry]:
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
            return Write(entry, [Put.of(self._record(entry, mac))])

        def contended() -> VersionConflictError:
            return VersionConflictError("Others keep writing to the log. Please try again.")

        return change(self.table, self.clock, self.read, decide, contended=contended)

    def read(self) -> list[LogEntry]:
        """Read every entry, the oldest first; strongly consistent."""
        pk = log_entry_key(self.event, 0).pk
        return [entry_of(record) for record in self.table.query(LogRecord, pk)]

    def check(self, entries: Sequence[LogEntry]) -> list[str]:
        """List what is wrong with entries. Newest entries may be missing without a trace."""
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

    def _record(self, entry: LogEntry, mac: str) -> LogRecord:
        return LogRecord(
            *log_entry_key(self.event, entry.number),
            at=entry.at,
            who=entry.who,
            act=entry.act,
            phase=entry.phase,
            detail=json.dumps(entry.detail),
            gate=json.dumps(entry.gate),
            mac=mac,
        )


def without_buyer(entry: LogEntry) -> LogEntry:
    """Return the entry as those may see it who may not see buyers."""
    if entry.act not in (DESK_PARDON, DESK_EXTEND):
        return entry
    kept = {name: entry.detail[name] for name in ("code", "reason") if name in entry.detail}
    return structs.replace(entry, detail=kept)


def log_key(gate: GateConfig) -> bytes:
    return hmac.digest(gate.edge_key, b"operator-log", hashlib.sha256)


def entry_of(record: LogRecord) -> LogEntry:
    """Convert a record, also a damaged one, which ``check`` then reports."""
    return LogEntry(
        number=int(record.sk) if record.sk.isdecimal() else 0,
        at=record.at,
        who=record.who,
        act=record.act,
        phase=record.phase,
        detail=_loaded(record.detail) or {},
        gate=_loaded(record.gate),
        mac=str(record.mac),
    )


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return {"spoilt": text}
    return value if value is None or isinstance(value, dict) else {"spoilt": text}
