"""Issue, re-sign and validate the waiting-room token, at the origin exactly as at the edge."""

from __future__ import annotations

import re

from msgspec.structs import replace

from fairgate.domain.gate import admission
from fairgate.domain.gate.gate_config import GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.shared import jws
from fairgate.domain.shared.ids import EVENT_ID, USER_ID
from fairgate.errors import UnauthenticatedError, WaitingTokenEndedError

_TYP = "WR"
CHARS_MAX = 1024
POW_BITS_MAX = 32
_BYTES_16 = r"[A-Za-z0-9_-]{21}[AQgw]"
# Every claim in its order and in one spelling, as edge/gate/src/token.js has it, because parsers
# differ about repeated names and unusual numbers.
_SHAPES = {
    "exp": f"({jws.MOMENT})",
    "boff": f"({jws.MOMENT})",
    "lvl": "([01])",
    "iat": f"({jws.MOMENT})",
    "lot": f'"({_BYTES_16})"',
    "ch": f'"({_BYTES_16})"',
    "id": '"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12})"',
    "pow": "([0-9]|[12][0-9]|3[0-2])",
    "h": "(0|[1-9][0-9]{0,20})",
    "evt": f'"({EVENT_ID.pattern})"',
    "sub": f'"({USER_ID.pattern})"',
}
_PAYLOAD = re.compile(
    "{" + ",".join(f'"{name}":{shape}' for name, shape in _SHAPES.items()) + " {0,2}}"
)


def issue_waiting_token(
    gate: GateConfig,
    event: str,
    sub: str,
    *,
    request_id: str,
    ip: str,
    now_ms: int,
    challenge_level: int = 0,
    extra_pow_bits: int = 0,
) -> WaitingToken:
    """Issue a new place as the edge would; a flagged one may get a harder challenge."""
    key = gate.token_keys[gate.token_kid]
    digest = jws.mac(key, f"id|{request_id}|{ip}|{sub}|{now_ms}")
    rest = digest.hex()
    time = f"{now_ms:012x}"
    token_id = f"{time[:8]}-{time[8:]}-7{rest[:3]}-8{rest[3:6]}-{rest[6:18]}"
    lot = admission.lottery_ticket(gate, event, sub, token_id)
    u = admission.lottery_number(gate.number_key, lot)
    boff = admission.backoff(gate, token_id, lot, u, 0.0, now_ms / 1000)
    iat = now_ms // 1000
    return WaitingToken(
        id=token_id,
        event=event,
        sub=sub,
        iat=iat,
        exp=boff + gate.token_ttl_s,
        h=admission.on_grid(admission.operational_time(gate.epochs, iat)),
        lot=lot,
        ch=jws.b64url(digest[16:]),
        pow_bits=min(POW_BITS_MAX, gate.pow_bits + extra_pow_bits),
        boff=boff,
        challenge_level=challenge_level,
    )


def postponed(token: WaitingToken, gate: GateConfig, boff: int) -> WaitingToken:
    """Return the same place with a new time to come back and a life that reaches beyond it."""
    return replace(token, boff=boff, exp=boff + gate.token_ttl_s)


def hardened(token: WaitingToken, gate: GateConfig, boff: int, extra_pow_bits: int) -> WaitingToken:
    """Return the same place, flagged, with a challenge that is harder by so many bits."""
    bits = max(token.pow_bits, min(POW_BITS_MAX, gate.pow_bits + extra_pow_bits))
    return replace(postponed(token, gate, boff), challenge_level=1, pow_bits=bits)


def encode_waiting_token(token: WaitingToken, gate: GateConfig) -> str:
    values = (
        token.exp,
        token.boff,
        token.challenge_level,
        token.iat,
        jws.b64url(token.lot),
        token.ch,
        token.id,
        token.pow_bits,
        admission.billionths(token.h),
        token.event,
        token.sub,
    )
    claims = dict(zip(_SHAPES, values, strict=True))
    return jws.encode(_TYP, gate.token_kid, claims, gate.token_keys[gate.token_kid])


def parse_waiting_token(text: str, gate: GateConfig, now_s: float) -> WaitingToken:
    """Return the token, if this event's keys signed it and ``now_s`` lies in its life.

    The caller compares ``event`` and ``sub`` with its own.

    Raises:
        WaitingTokenEndedError: its life is over.
        UnauthenticatedError: for anything else.
    """
    token = read_waiting_token(text, gate)
    if token.iat > now_s + jws.ISSUED_AHEAD_S:
        raise UnauthenticatedError("The waiting token does not verify.")
    if token.exp <= now_s:
        raise WaitingTokenEndedError("Your waiting token has ended. Please join again.")
    return token


def read_waiting_token(text: str, gate: GateConfig) -> WaitingToken:
    """Return the token, whatever the time, if this event's keys signed it.

    Raises:
        UnauthenticatedError: for anything else.
    """
    payload = jws.verified_payload(text, typ=_TYP, keys=gate.token_keys, chars_max=CHARS_MAX)
    match = _PAYLOAD.fullmatch(payload)
    if match is None:
        raise UnauthenticatedError("The waiting token does not verify.")
    exp, boff, challenge_level, iat, lot, ch, token_id, pow_bits, h, event, sub = match.groups()
    return WaitingToken(
        id=token_id,
        event=event,
        sub=sub,
        iat=int(iat),
        exp=int(exp),
        h=int(h) / 1e9,
        lot=jws.from_b64url(lot),
        ch=ch,
        pow_bits=int(pow_bits),
        boff=int(boff),
        challenge_level=int(challenge_level),
    )
