"""Let a change of an event or its gate happen only if both are as somebody saw them.

A version is two hashes: of what people set of the event, and of its gate's rules. Each writer
compares its part with what it has just read, and its write is refused when that has changed. Keys
are in no hash, nor is what follows from other writes.
"""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from fairgate.errors import MalformedInputError, PreconditionFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.shared.records.catalog import Event

CHARS = 16  # of each hash
VERSION = re.compile(rf"[0-9a-f]{{{CHARS}}}-[0-9a-f]{{{CHARS}}}")
_NONE = "0" * CHARS  # of an event that cannot be read
# Written with the gate, by the system, or at every write.
_NOT_EDITED = frozenset(
    {
        *("version", "state", "saleOpensAt", "openUntil", "epochsLog", "gateBehind"),
        *("lastChange", "beacon", "drawKeyRevealed", "counted"),
    }
)
_KEYS = ("d", "g", "u", "t", "a", "tc", "ts", "v")  # and the format


class _Seen:
    """What of an event is still to be as it was seen; a part is "" once we have written it."""

    def __init__(self, event: str, version: str) -> None:
        self.event = event
        self.of_event, self.of_gate = version.split("-")


_seen: ContextVar[_Seen | None] = ContextVar("seen", default=None)


def version_of(sale: Event | None, gate: GateConfig) -> str:
    """Return the version of an event with its gate; sale None: it is damaged."""
    return f"{_NONE if sale is None else _of_event(sale)}-{_of_gate(gate)}"


@contextmanager
def only_if(event: str, version: str) -> Iterator[None]:
    """Refuse changes of the event in this block if it is not of this version; "": of any.

    Raises MalformedInputError: no version looks like this.
    """
    if version and not VERSION.fullmatch(version):
        raise MalformedInputError("if_match is a version, as `event show` gives it.")
    before = _seen.set(_Seen(event, version) if version else None)
    try:
        yield
    finally:
        _seen.reset(before)


def must_be_seen_event(sale: Event) -> None:
    """Raises PreconditionFailedError: somebody has edited the event since."""
    seen = _of(sale.sk)
    if seen is not None and seen.of_event not in ("", _of_event(sale)):
        raise _changed(sale.sk)


def must_be_seen_gate(event: str, gate: GateConfig) -> None:
    """Raises PreconditionFailedError: somebody has changed the gate since."""
    seen = _of(event)
    if seen is not None and seen.of_gate not in ("", _of_gate(gate)):
        raise _changed(event)


def event_written(event: str) -> None:
    """Expect our own write from now on."""
    if (seen := _of(event)) is not None:
        seen.of_event = ""


def gate_written(event: str) -> None:
    """Expect our own write from now on."""
    if (seen := _of(event)) is not None:
        seen.of_gate = ""


def _of(event: str) -> _Seen | None:
    seen = _seen.get()
    return seen if seen is not None and seen.event == event else None


def _of_event(sale: Event) -> str:
    return _hash({name: value for name, value in sale.item().items() if name not in _NOT_EDITED})


def _of_gate(gate: GateConfig) -> str:
    from fairgate.domain.gate.gate_config import gate_document

    return _hash({name: value for name, value in gate_document(gate).items() if name not in _KEYS})


def _hash(value: dict[str, Any]) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:CHARS]


def _changed(event: str) -> PreconditionFailedError:
    return PreconditionFailedError(
        f"{event} has changed since you looked: read it again, and decide again. If an answer to"
        " you was lost, the change may be your own."
    )
