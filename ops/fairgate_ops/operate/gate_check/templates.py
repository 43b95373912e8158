"""Fill the gate's rows for a deployment: the same cases at another time, event and with new keys.

A row holds a request and the value that answers it, at a fixed time and under keys that everybody
can read. Filled, its times are moved to now, its event is one that exists for the check alone, and
whatever verified under the old keys is signed again under fresh ones. What did not verify stays as
it is, and so stays wrong.
"""

from __future__ import annotations

import copy
import json
import secrets
from dataclasses import dataclass
from typing import Any

from fairgate.domain.gate import admission
from fairgate.domain.gate.gate_config import GateConfig, parse_gate
from fairgate.domain.gate.gate_value import pack, unpack
from fairgate.domain.shared import jws
from fairgate.errors import FairgateError
from fairgate_ops.operate.gate_check.rows import EVENT_ID, Row

_NEAR_S = 2  # how much too early an attempt may be
# What lies ahead in a row is put this much further ahead: a written value takes a minute or two
# until it is read everywhere.
_SLACK_S = 900
_CHARS_MAX = 8192
_TOKENS = (("authorization", "JWT", "a"), ("x-fairgate-token", "WR", "t"))


@dataclass(frozen=True)
class FilledValue:
    """A row's value under the check's own event. ``gate`` is None where the gate must refuse it."""

    event_id: str
    text: str
    gate: GateConfig | None


def fill_value(row: Row, event_id: str, now_s: int) -> FilledValue:
    """The row's value at ``now_s`` with fresh keys; one without a gate's layout stays as it is."""
    text = row.value or ""
    try:
        document = unpack(text)
    except ValueError:
        return FilledValue(event_id, text, None)
    text = pack(_moved_document(document, row.now_s, now_s - row.now_s))
    return FilledValue(event_id, text, _parsed(text))


def fill_event(row: Row, filled: FilledValue | None, now_s: int) -> dict[str, Any]:
    """The request as it must be sent at ``now_s``; without a value only the times matter not."""
    event = copy.deepcopy(row.event)
    request = event["request"]
    event_id = filled.event_id if filled else f"{EVENT_ID}-unknown"
    request["uri"] = request["uri"].replace(f"/{EVENT_ID}/", f"/{event_id}/")
    old = _parsed(row.value or "")
    if filled is None or filled.gate is None or old is None:
        return event
    for header, typ, ring in _TOKENS:
        entry = request["headers"].get(header)
        if entry is not None:
            scheme, _, text = entry["value"].rpartition(" ")
            text = _moved_token(text, typ, ring, row, old, filled, filled.gate, now_s)
            entry["value"] = f"{scheme} {text}".strip()
    return event


def _moved_document(document: dict[str, Any], row_now_s: int, by_s: int) -> dict[str, Any]:
    moved = {**document, "g": _fresh_key()}
    for ring in ("t", "a"):
        moved[ring] = {kid: _fresh_key() for kid in moved[ring]}
    for name in ("ou", "ds"):
        if isinstance(moved[name], int) and moved[name]:
            moved[name] = _moved_time(moved[name], row_now_s, by_s)
    moved["ep"] = [[_moved_time(epoch[0], row_now_s, by_s), *epoch[1:]] for epoch in moved["ep"]]
    return moved


def _moved_token(
    text: str,
    typ: str,
    ring: str,
    row: Row,
    old: GateConfig,
    filled: FilledValue,
    new: GateConfig,
    now_s: int,
) -> str:
    """Signed again under the new keys if the old ones signed it, else as it is."""
    old_keys, new_keys = (
        (old.auth_keys, new.auth_keys) if ring == "a" else (old.token_keys, new.token_keys)
    )
    for kid, key in old_keys.items():
        try:
            payload = jws.verified_payload(text, typ=typ, keys={kid: key}, chars_max=_CHARS_MAX)
        except FairgateError:
            continue
        claims = json.loads(payload)
        for name in ("iat", "exp", "boff"):
            if name in claims:
                claims[name] = _moved_time(claims[name], row.now_s, now_s - row.now_s)
        if claims.get("evt") == EVENT_ID:
            claims["evt"] = filled.event_id
        if claims.get("h"):  # the same progress, however long the value took to arrive
            progress = admission.operational_time(old.epochs, row.now_s) - claims["h"] / 1e9
            h = max(0.0, admission.operational_time(new.epochs, now_s) - progress)
            claims["h"] = admission.billionths(h)
        return jws.encode(typ, kid, claims, new_keys[kid])
    return text


def _moved_time(time_s: float, row_now_s: int, by_s: int) -> float:
    return time_s + by_s + (_SLACK_S if time_s > row_now_s + _NEAR_S else 0)


def _parsed(text: str) -> GateConfig | None:
    try:
        return parse_gate(text)
    except FairgateError:
        return None


def _fresh_key() -> str:
    return jws.b64url(secrets.token_bytes(32))
