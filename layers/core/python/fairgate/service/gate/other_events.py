"""Recognise a waiting token of another event: two events in two tabs are no violation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fairgate.domain.gate.waiting_token import CHARS_MAX, read_waiting_token
from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.jws import from_b64url
from fairgate.errors import DependencyUnavailableError, NotFoundError, UnauthenticatedError

if TYPE_CHECKING:
    from fairgate.service.gate.read_gate import GateReader

_NAMED = re.compile(f'"evt":"({EVENT_ID.pattern})"'.encode())


def belongs_elsewhere(gates: GateReader, token: str, event: str, user: str) -> bool:
    """Say whether the gate of another event has issued this token to this user.

    Each event has its own keys, so this event's gate cannot tell such a token from a forged one. An
    expired token counts too. If the other gate cannot be read now, the token is believed: nobody
    is accused of what cannot be checked.

    Cost: one read of the gate that the token names, unless it is cached.
    """
    named = _event_named_in(token)
    if named in ("", event):
        return False
    try:
        waiting = read_waiting_token(token, gates.gate(named))
    except DependencyUnavailableError:
        return True
    except (NotFoundError, UnauthenticatedError):
        return False
    return waiting.event == named and waiting.sub == user


def _event_named_in(token: str) -> str:
    """Return the event that a token names, unverified; "" if it names none."""
    parts = token.split(".")
    if len(token) > CHARS_MAX or len(parts) != 3:  # noqa: PLR2004 of a compact JWS
        return ""
    try:
        match = _NAMED.search(from_b64url(parts[1]))
    except ValueError:  # UnicodeEncodeError among them
        return ""
    return "" if match is None else match[1].decode()
