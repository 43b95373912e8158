"""What is right about a request, asked of others than the gate.

``objections`` knows neither the gate nor Python's twin of it: PyJWT for the signatures, hashlib for
the draw, explicit checks for the rest. ``origin_says`` is the Python twin's verdict, by the
functions that the origin runs.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jwt
from jwt.types import Options

from fairgate.domain.gate import admission, proof_of_work
from fairgate.domain.gate.gate_config import GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import read_waiting_token
from fairgate.domain.shared.auth_token import CHARS_MAX, verify_auth_token
from fairgate.domain.shared.jws import ISSUED_AHEAD_S, b64url, from_b64url
from fairgate.errors import SignInEndedError, UnauthenticatedError, WaitingTokenEndedError
from tests.edge.fuzz_corpus import Case, compact, gates

ROUTE = re.compile(r"/api/events/(.{0,40})/(queue|admission)", re.DOTALL)
GRACE_S = 2
AHEAD_S = 60
SIGNED_IN = b64url(b'{"typ":"JWT","alg":"HS256","kid":')  # what is no such thing is read no further
WAITS = b64url(b'{"typ":"WR","alg":"HS256","kid":"')
SLIP = r"(\d{10})(\d{10})([0-9a-f]{8})([\w-]{22})(\d+)"
CLAIMS = ["exp", "boff", "lvl", "iat", "lot", "ch", "id", "pow", "h", "evt", "sub"]


def value_of(case: Case, name: str) -> str:
    """The header as the gate sees it: a sign-in that is sent twice is none."""
    said = case.headers.get(name, "")
    if name == "authorization" and isinstance(said, dict) and "multiValue" in said:
        return ""
    return said if isinstance(said, str) else str(said.get("value", ""))


# --- independent


def objections(case: Case) -> list[str]:
    """Why this request must not be admitted; empty when it is genuinely valid."""
    match = ROUTE.fullmatch(case.uri)
    if match is None or match[2] != "admission" or case.method != "POST" or case.broken:
        return ["not an admission request"]
    gate = gates().get(match[1])
    if gate is None:
        return ["no such event"]
    now_s = case.now_ms / 1000
    scheme, _, auth = value_of(case, "authorization").partition(" ")
    if scheme.lower() != "bearer":
        return ["no bearer token"]
    try:
        caller = _claims("JWT", auth, gate.auth_keys)
        claims = _claims("WR", value_of(case, "x-fairgate-token"), gate.token_keys)
    except (ValueError, jwt.InvalidTokenError) as error:
        return [f"no token of ours: {error!r}"]
    wrong = [] if _whole(caller, "exp") and caller["exp"] > now_s else ["signed in no longer"]
    if not _whole(caller, "iat") or caller["iat"] > now_s + AHEAD_S:
        wrong.append("signed in from the future")
    if list(claims) != CLAIMS or not all(_whole(claims, n) for n in ("iat", "exp", "boff", "pow")):
        return [*wrong, "not the claims of a waiting token"]
    for name, good in {
        "event": claims["evt"] == match[1],
        "user": claims["sub"] == caller.get("sub"),
        "expired": claims["exp"] > now_s,
        "early": claims["boff"] - GRACE_S <= now_s,
        "from the future": claims["iat"] <= now_s + AHEAD_S,
        "solution": _solved(claims, value_of(case, "x-fairgate-solution")),
        "turn": _drawn(gate, claims, now_s),
    }.items():
        if not good:
            wrong.append(name)
    return wrong


def _claims(typ: str, text: str, keys: Mapping[str, bytes]) -> dict[str, Any]:
    """By PyJWT, and then the canonical spelling that RFC 7515 leaves to others."""
    if text.count(".") != 2 or len(text) > 2048:
        raise ValueError("not a compact token")
    for part in text.split("."):
        data = base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
        if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != part:
            raise ValueError("not canonical")
    header = jwt.get_unverified_header(text)
    if set(header) != {"typ", "alg", "kid"} or (header["typ"], header["alg"]) != (typ, "HS256"):
        raise ValueError("another header")
    if header["kid"] not in keys:
        raise ValueError("no such key")
    options: Options = {"verify_exp": False, "verify_iat": False, "verify_sub": False}
    text_key = base64.urlsafe_b64encode(keys[header["kid"]]).rstrip(b"=")
    jwt.decode(text, text_key, algorithms=["HS256"], options=options)
    payload = base64.urlsafe_b64decode(text.split(".")[1] + "==")
    found = json.loads(payload, object_pairs_hook=_once, parse_constant=_no_constant)
    if not isinstance(found, dict):
        raise ValueError("not an object")  # noqa: TRY004 as every other refusal here
    if not payload.endswith(b"}") or len(payload) % 3:
        raise ValueError("not the blanks of ours")
    if compact(found).encode() != payload[:-1].rstrip(b" ") + b"}" or b"   }" in payload[-4:]:
        raise ValueError("another spelling of its claims")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a claim said twice")
    return dict(pairs)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _whole(claims: Mapping[str, Any], name: str) -> bool:
    value = claims.get(name)
    return type(value) is int and value >= 0


def _solved(claims: Mapping[str, Any], nonce: str) -> bool:
    if re.fullmatch("0|[1-9][0-9]*", nonce) is None or len(nonce) > 15:
        return False
    digest = hashlib.sha256(f"{claims['ch']}:{nonce}".encode()).digest()
    return f"{int.from_bytes(digest, 'big'):0256b}".startswith("0" * claims["pow"])


def _drawn(gate: GateConfig, claims: Mapping[str, Any], now_s: float) -> bool:
    if type(claims["h"]) is not int or claims["h"] < 0:
        return False
    key = base64.urlsafe_b64encode(gate.draw_key).rstrip(b"=")
    number = hmac.new(key, str(claims["lot"]).encode(), hashlib.sha256).digest()[:8]
    (epoch,) = gate.epochs  # the corpus has gates with one
    x = max(0.0, epoch.h + (now_s - epoch.start_s) * epoch.slope - claims["h"] / 1e9)
    return int.from_bytes(number, "big") / 2**64 < 1 - math.exp(-(x**gate.curve)) + 1e-9


# --- the Python twin


def origin_says(case: Case) -> tuple[str, str, str]:  # noqa: PLR0911 one row of the table each
    """(verdict, event, sub) of the gate's table, computed by fairgate.domain.

    Where the edge itself answers 401, the verdict is the code of the problem.
    """
    match = ROUTE.fullmatch(case.uri)
    if match is None:
        return "404", "", ""
    if case.method != "POST":
        return "405", "", ""
    event = match[1]
    authorization = value_of(case, "authorization")
    if authorization[:7].lower() != "bearer ":
        return "no-auth", event, ""
    if not authorization[7:].startswith(SIGNED_IN) or len(authorization) > 7 + CHARS_MAX:
        return "bad-auth", event, ""
    gate = gates().get(event)
    if gate is None:
        return "404", "", ""
    now_s = case.now_ms / 1000
    slip = slip_of(case, gate) if match[2] == "admission" else None
    if slip and _slip_decides(slip, gate, now_s):
        return "202", event, ""
    try:
        sub = verify_auth_token(authorization[7:], gate.auth_keys, now_s).sub
    except SignInEndedError as error:
        return error.code, event, ""
    except UnauthenticatedError:
        return "bad-auth", event, ""
    if match[2] == "queue":
        return "200", event, sub
    return _place_says(case, gate, event, sub, slip), event, sub


@dataclass(frozen=True)
class Slip:
    """What a genuine slip says."""

    until_s: int
    place: WaitingToken  # of which it says no more than its turn is computed from


def slip_of(case: Case, gate: GateConfig) -> Slip | None:
    """The request's slip, if its seal is this gate's over this token and this sign-in."""
    says, seal = value_of(case, "x-fairgate-slip")[:-24], value_of(case, "x-fairgate-slip")[-24:]
    token, auth = value_of(case, "x-fairgate-token"), value_of(case, "authorization")
    ends = token[-24:] + auth[-24:]
    if len(ends) != 2 * 24:
        return None
    key = base64.urlsafe_b64encode(gate.token_keys[gate.token_kid]).rstrip(b"=")
    covered = (ends + says).encode("utf-8", "replace")
    digest = base64.urlsafe_b64encode(hmac.digest(key, covered, hashlib.sha256)).decode()
    if seal != digest[:24]:
        return None
    sealed = re.fullmatch(SLIP, says)
    assert sealed is not None  # by us
    boff, until, digits, lot, h = sealed.groups()
    place = WaitingToken(
        id=digits, event="", sub="", iat=0, exp=0, h=int(h) / 1e9, lot=from_b64url(lot), ch="",
        pow_bits=0, boff=int(boff), challenge_level=0,
    )  # fmt: skip
    return Slip(int(until), place)


def _slip_decides(slip: Slip, gate: GateConfig, now_s: float) -> bool:
    """Whether it is asked at its time, and its place neither comes in nor needs a new token."""
    if now_s < slip.place.boff - admission.EARLY_GRACE_S:
        return False
    decision = admission.decide(gate, slip.place, now_s)
    return not decision.admitted and decision.boff_s <= slip.until_s


def _place_says(case: Case, gate: GateConfig, event: str, sub: str, slip: Slip | None) -> str:  # noqa: PLR0911 rows
    now_s = case.now_ms / 1000
    text = value_of(case, "x-fairgate-token")
    if not text:
        return "no-token"
    try:
        place = read_waiting_token(text, gate)
    except UnauthenticatedError:
        return "bad-token"
    if place.iat > now_s + ISSUED_AHEAD_S:
        return "bad-token"
    if place.event != event:
        return "other-event"
    if place.sub != sub:
        return "other-user"
    if place.exp <= now_s:
        return WaitingTokenEndedError.code
    if now_s < (slip.place if slip else place).boff - admission.EARLY_GRACE_S:
        return "early"
    nonce = value_of(case, "x-fairgate-solution")
    if not nonce:
        return "no-solution"
    if not proof_of_work.verify(place.ch, place.pow_bits, nonce):
        return "bad-solution"
    return "admit" if admission.decide(gate, place, now_s).admitted else "202"
