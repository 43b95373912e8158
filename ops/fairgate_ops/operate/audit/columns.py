"""Lines of the log → columns of numbers, with every lottery number drawn again.

This is the part that costs: a line is parsed and two HMACs are made. It runs in several processes.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fairgate.domain.gate.admission import lottery_number, ticket_of
from fairgate.domain.gate.admission_log import OPEN_UNTIL
from fairgate.domain.shared.jws import from_b64url

if TYPE_CHECKING:
    import numpy.typing as npt

VERDICTS = ("", "admit", "sample-admit", OPEN_UNTIL)
LIVE_UNTIL_END = ("reservation", "checkout", "expired")  # sessions that lasted until ``until_ms``
TIME_MS_MAX = 10**14
H_MAX = 1e12  # as domain/gate/gate_config.py
_TOKEN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}")
_SESSION = re.compile(r"ses_[0-9a-f]{32}|[A-Za-z0-9_-]{22}")
_USER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:|@-]{0,127}|[A-Za-z0-9_-]{22}")
KEY_BYTES = 16
_KEYS = ("session", "token", "user")
_REJECTED_MAX = 100

# One admission, as it is compared. Keys are 16 bytes each, as two numbers.
ROW = np.dtype(
    [
        ("line", "i8"),
        ("session", "u8", 2),
        ("token", "u8", 2),
        ("user", "u8", 2),
        ("u", "f8"),
        ("h", "f8"),
        ("iat", "i8"),
        ("at_ms", "i8"),
        ("until_ms", "i8"),
        ("edge_at", "i8"),
        ("verdict", "u1"),
        ("held", "f8"),  # d, how far the draw was held back at capacity; NaN if unknown
        ("until_end", "?"),  # nothing ended the session before its time
        ("recorded", "?"),  # the line says how it was decided
        ("lot_right", "?"),
        ("id_right", "?"),  # the token's id carries the time of its issue
    ]
)


@dataclass
class Columns:
    """What some lines say. ``names`` holds the user of each row, joined by line feeds."""

    rows: npt.NDArray[Any]
    names: bytes
    orders: list[tuple[int, str, bytes]] = field(default_factory=list)  # line, order, session
    end: dict[str, int] | None = None
    rejected: list[tuple[int, str]] = field(default_factory=list)
    lines: int = 0


@dataclass(frozen=True)
class DrawTask:
    """What a process needs to know to draw again."""

    event: str
    mode: str
    draw_key: bytes
    number_key: bytes
    published: bool


def columns_of(task: DrawTask, first_line: int, block: bytes) -> Columns:
    """Every line of ``block``; a line that is not what it must be is rejected with its number."""
    rows: list[tuple[Any, ...]] = []
    names: list[str] = []
    found = Columns(np.empty(0, ROW), b"")
    for number, line in enumerate(block.split(b"\n"), start=first_line):
        found.lines += 1
        try:
            fields = json.loads(line)
            if "user" in fields:
                rows.append(_row(task, number, fields))
                names.append(fields["user"])
            elif "order" in fields:
                session = _key(_SESSION, fields["session"], "session")
                found.orders.append((number, str(fields["order"]), session))
            elif "end" in fields:
                found.end = {name: int(count) for name, count in fields["end"].items()}
            elif number != 1:
                found.rejected.append((number, "is neither an admission nor an order"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if len(found.rejected) < _REJECTED_MAX:
                found.rejected.append((number, _reason(error)))
    found.rows = _array(rows)
    found.names = "\n".join(names).encode()
    return found


def _row(task: DrawTask, number: int, fields: dict[str, Any]) -> tuple[Any, ...]:
    user, token = fields["user"], fields["token"]
    session = _key(_SESSION, fields["session"], "session")
    if not _USER.fullmatch(user):
        raise ValueError("its user is none")
    who = _hashed(user)
    at_ms, until_ms = _time(fields, "at_ms"), _time(fields, "until_ms")
    until_end = fields["state"] in LIVE_UNTIL_END
    if "lot" not in fields:
        unknown = (1.0, 0.0, 0, at_ms, until_ms, 0, 0, np.nan, until_end, False, True, True)
        return (number, session, _hashed(str(token)), who, *unknown)
    if not _TOKEN_ID.fullmatch(token):
        raise ValueError("its token is none")
    digits = token.replace("-", "")
    iat, h = _time(fields, "iat"), _operational(fields, "h")
    lot = from_b64url(fields["lot"])
    if len(lot) != KEY_BYTES:
        raise ValueError("its lot has not 16 bytes")
    lot_right = (
        task.published or ticket_of(task.draw_key, task.mode, task.event, user, token) == lot
    )
    return (
        number,
        session,
        bytes.fromhex(digits),
        who,
        lottery_number(task.number_key, lot),
        h,
        iat,
        at_ms,
        until_ms,
        _time(fields, "edge_at"),
        VERDICTS.index(fields["verdict"]),
        np.nan if "d" not in fields else _operational(fields, "d"),
        until_end,
        True,
        lot_right,
        int(digits[:12], 16) // 1000 == iat,
    )


def _array(rows: list[tuple[Any, ...]]) -> npt.NDArray[Any]:
    """Column by column: many times faster than row by row."""
    array = np.empty(len(rows), ROW)
    names = ROW.names or ()
    for name, column in zip(names, zip(*rows, strict=True), strict=False):
        if name in _KEYS:
            array[name] = np.frombuffer(b"".join(column), "u8").reshape(-1, 2)
        else:
            array[name] = column
    return array


def _operational(fields: dict[str, Any], name: str) -> float:
    value = fields[name]
    if type(value) not in (int, float) or not 0 <= value <= H_MAX:
        raise ValueError(f"its {name} is no operational time")
    return float(value)


def _hashed(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=KEY_BYTES).digest()


def _key(shape: re.Pattern[str], text: str, name: str) -> bytes:
    """A session's 16 bytes, by its own id or by its pseudonym."""
    if not shape.fullmatch(text):
        raise ValueError(f"its {name} is none")
    return bytes.fromhex(text[4:]) if text.startswith("ses_") else from_b64url(text)


def _time(fields: dict[str, Any], name: str) -> int:
    value = fields[name]
    if type(value) is not int or not 0 <= value <= TIME_MS_MAX:
        raise ValueError(f"its {name} is no time")
    return value


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"has no {error}"
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return "is not JSON"
    return str(error) if isinstance(error, ValueError) else "is not what an export writes"
