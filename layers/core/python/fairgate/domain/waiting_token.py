"""The waiting-room token: issued and re-signed at the edge, validated again at the origin."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
from dataclasses import dataclass, replace
from typing import Any

from fairgate.domain import admission, jws
from fairgate.domain.gate_config import TIME_MAX_S, GateConfig, is_whole
from fairgate.domain.ids import EVENT_ID, USER_ID
from fairgate.errors import UnauthenticatedError

_TYP = "WR"
CHARS_MAX = 1024
POW_BITS_MAX = 32
LEVEL_MAX = 1
_BYTES_16_CHARS = 22
_TOKEN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}")
_CLAIMS = ("id", "evt", "sub", "iat", "exp", "h", "lot", "ch", "pow", "boff", "lvl")


@dataclass(frozen=True)
class WaitingToken:
    """One buyer's place in one event's room. Times are whole epoch seconds."""

    id: str
    event: str
    sub: str
    iat: int
    exp: int
    h: float
    lot: bytes
    ch: str
    pow_bits: int
    boff: int
    level: int


def issue_waiting_token(
    gate: GateConfig,
    event: str,
    sub: str,
    *,
    request_id: str,
    ip: str,
    now_ms: int,
    level: int = 0,
    extra_pow_bits: int = 0,
) -> WaitingToken:
    """A new place, exactly as the edge would issue it; a flagged one may get a harder challenge."""
    key = gate.token_keys[gate.token_kid]
    rest = _mac(key, f"id|{request_id}|{ip}|{sub}|{now_ms}").hex()
    time = f"{now_ms:012x}"
    token_id = f"{time[:8]}-{time[8:]}-7{rest[:3]}-8{rest[3:6]}-{rest[6:18]}"
    lot = admission.lottery_ticket(gate, event, sub, token_id)
    u = admission.lottery_number(gate.number_key, lot)
    boff = admission.backoff(gate, token_id, u, 0.0, now_ms / 1000)
    iat = now_ms // 1000
    return WaitingToken(
        id=token_id,
        event=event,
        sub=sub,
        iat=iat,
        exp=boff + gate.token_ttl_s,
        h=admission.operational_time(gate.epochs, iat),
        lot=lot,
        ch=jws.b64url(_mac(key, f"ch|{token_id}")[:16]),
        pow_bits=min(POW_BITS_MAX, gate.pow_bits + extra_pow_bits),
        boff=boff,
        level=level,
    )


def postponed(token: WaitingToken, gate: GateConfig, boff: int) -> WaitingToken:
    """The same place with a new time to come back and a life that reaches beyond it."""
    return replace(token, boff=boff, exp=boff + gate.token_ttl_s)


def encode_waiting_token(token: WaitingToken, gate: GateConfig) -> str:
    values = (
        token.id,
        token.event,
        token.sub,
        token.iat,
        token.exp,
        int(token.h) if token.h == int(token.h) else token.h,  # as JavaScript writes it
        jws.b64url(token.lot),
        token.ch,
        token.pow_bits,
        token.boff,
        token.level,
    )
    claims = dict(zip(_CLAIMS, values, strict=True))
    return jws.encode(_TYP, gate.token_kid, claims, gate.token_keys[gate.token_kid])


def parse_waiting_token(text: str, gate: GateConfig, now_s: float) -> WaitingToken:
    """The token, if this event's keys signed it and it has not expired.

    The caller compares ``event`` and ``sub`` with its own.

    Raises:
        UnauthenticatedError: for anything else.
    """
    refused = UnauthenticatedError("The waiting token does not verify.")
    claims = jws.decode(text, typ=_TYP, keys=gate.token_keys, chars_max=CHARS_MAX)
    if not text.startswith(tuple(_header(kid) for kid in gate.token_keys)):
        raise refused
    if tuple(claims) != _CLAIMS or not _claims_valid(claims):
        raise refused
    if claims["exp"] <= now_s:
        raise UnauthenticatedError("The waiting token has expired; ask for a new one.")
    return WaitingToken(
        id=claims["id"],
        event=claims["evt"],
        sub=claims["sub"],
        iat=claims["iat"],
        exp=claims["exp"],
        h=float(claims["h"]),
        lot=jws.from_b64url(claims["lot"]),
        ch=claims["ch"],
        pow_bits=claims["pow"],
        boff=claims["boff"],
        level=claims["lvl"],
    )


def _claims_valid(claims: dict[str, Any]) -> bool:
    h = claims["h"]
    return (
        _matches(_TOKEN_ID, claims["id"])
        and _matches(EVENT_ID, claims["evt"])
        and _matches(USER_ID, claims["sub"])
        and all(is_whole(claims[name], TIME_MAX_S) for name in ("iat", "exp", "boff"))
        and isinstance(h, int | float)
        and not isinstance(h, bool)
        and math.isfinite(h)
        and h >= 0
        and _is_16_bytes(claims["lot"])
        and _is_16_bytes(claims["ch"])
        and is_whole(claims["pow"], POW_BITS_MAX)
        and is_whole(claims["lvl"], LEVEL_MAX)
    )


def _matches(shape: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and shape.fullmatch(value) is not None


def _is_16_bytes(value: object) -> bool:
    if not isinstance(value, str) or len(value) != _BYTES_16_CHARS:
        return False
    try:
        jws.from_b64url(value)
    except ValueError:
        return False
    return True


def _header(kid: str) -> str:
    header = json.dumps({"typ": _TYP, "alg": "HS256", "kid": kid}, separators=(",", ":"))
    return jws.b64url(header.encode()) + "."


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), hashlib.sha256)
