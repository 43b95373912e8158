"""Hostile requests for the gate, each from a seed and a number: the same two make the same one.

A case starts from material that would be admitted and is then damaged: as text, in its header, in
its claims (signed with a right or a wrong key), or by putting together what does not belong
together. Nothing here says what the gate should answer; fuzz_oracle.py does.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec.structs import replace

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.gate_config import Epoch, GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.jws import b64url
from tests.edge.gate_tools import NOW_S, make_gate

SUMMER, WINTER = "summer-night", "winter-night"
USERS = ("ada", "grace", "auth0|5f7c", "x@example.org")
GENUINE = 0.02  # of all cases: what must be admitted, or the fuzzer proves nothing
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
ODD_TEXT = (
    "", " ", "\t", "\n", "\r\n", "\x00", "=", "==", "+", "/", "%00", "%2e", "..", ".", ",", ";",
    '"', "é", "ſ", "\u212a", "٣", "😀", "\U0010ffff", "\ud800", "\udfff\ud800", "\ufeff", "\u202e",
)  # fmt: skip
TIMES: tuple[Any, ...] = (
    0, -1, 1, NOW_S - 1, NOW_S, NOW_S + 1, NOW_S + 3, NOW_S + 10**6, 10**10, 99_999_999_999,
    100_000_000_000, 10**12, 2**53, 2**64, -(2**63), 10**30, 1.5, NOW_S + 0.5, 1.8e9, -0.0, True,
    False, None, "", str(NOW_S + 600), "soon", [], [NOW_S + 600], {}, {"a": 1},
)  # fmt: skip
NUMBERS = (  # as they are spelled; JSON or not
    "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-999", "1e400", "-0", "-1", "0x10", "007",
    "00", ".5", "5.", "1_000", "+1", "1e", "1e5", "1E5", "1e+5", "0e0", "9" * 400, "0." + "0" * 400,
    "1.0", "0.1e1", "null", "true", "[]", "{}", '"0"', "1 ", " 1", "0\u0660", "undefined", "0n",
)  # fmt: skip
KIDS: tuple[Any, ...] = (
    "w1", "w2", "a1", "w9", "", "W1", "w1 ", "__proto__", "constructor", "toString", "length", "0",
    "hasOwnProperty", "../w1", "w1\x00", "w1'--", "😀", "\ud800", "k" * 1000, None, 0, 1, True, [],
    ["w1"], {"w1": 1},
)  # fmt: skip


@dataclass(frozen=True)
class Base:
    """One buyer's material at one event, as good as it gets."""

    user: str
    event: str
    auth: str
    place: WaitingToken
    token: str
    solution: str


@dataclass(frozen=True)
class Case:
    """One request. A header is its text, or whatever stands for the event's entry."""

    number: int
    kind: str
    uri: str
    headers: dict[str, Any]
    now_ms: int = NOW_S * 1000
    method: str = "POST"
    broken: bool = False  # not the structure that CloudFront gives to a function


@cache
def gates() -> dict[str, GateConfig]:
    """Two events whose key ids are the same and whose keys are not."""
    summer = make_gate(
        token_keys={"w1": bytes(range(32, 64)), "w2": bytes(range(1, 33))},
        auth_keys={"a1": bytes(range(64, 96)), "a2": bytes(range(2, 34))},
        pow_bits=3,
        curve=2.0,
    )
    winter = make_gate(
        mode="t",
        draw_key=b"winter draw key, 32 bytes long!!",
        token_keys={"w1": b"winter token key 1, 32 bytes....", "w2": bytes(range(3, 35))},
        auth_keys=summer.auth_keys,
        edge_key=b"winter edge key, 32 bytes long!!",
        epochs=(Epoch(NOW_S - 3600, 0.0, 0.01),),
        pow_bits=3,
    )
    return {SUMMER: summer, WINTER: winter}


@cache
def bases() -> tuple[Base, ...]:
    """Everybody, at both events, with places old enough for any u that they have."""
    return tuple(base_of(user, event) for user in USERS for event in (SUMMER, WINTER))


def base_of(user: str, event: str) -> Base:
    gate = gates()[event]
    auth = issue_auth_token(user, [], gate.auth_keys["a1"], "a1", NOW_S - 60, 7200)
    place = issue_waiting_token(
        gate, event, user, request_id=user, ip="::1", now_ms=(NOW_S - 3000) * 1000
    )
    place = replace(place, h=0.0, exp=NOW_S + 600, boff=NOW_S - 10)
    solution = proof_of_work.solve(place.ch, place.pow_bits)
    return Base(user, event, auth, place, encode_waiting_token(place, gate), solution)


def uri(event: str) -> str:
    return f"/api/events/{event}/admission"


def sent(base: Base, **changes: Any) -> dict[str, Any]:
    names = {
        "auth": "authorization",
        "token": "x-fairgate-token",
        "nonce": "x-fairgate-solution",
        "slip": "x-fairgate-slip",
    }
    headers: dict[str, Any] = {
        "authorization": f"Bearer {base.auth}",
        "x-fairgate-token": base.token,
        "x-fairgate-solution": base.solution,
    }
    return headers | {names[key]: value for key, value in changes.items()}


def made(base: Base, headers: dict[str, Any], **changes: Any) -> Case:
    return Case(0, "", uri(base.event), headers, **changes)


def sign(header: str | bytes, payload: str | bytes, key: bytes) -> str:
    """A token with exactly this header, and this payload with the blanks that it needs."""
    return sign_segments(b64url(_bytes(header)), b64url(blanked(_bytes(payload))), key)


def blanked(payload: bytes) -> bytes:
    """As the issuers do it: a multiple of three bytes, with the blanks before the last brace."""
    brace = payload[-1:] if payload.endswith(b"}") else b""
    return payload[: len(payload) - len(brace)] + b" " * (-len(payload) % 3) + brace


def sign_segments(header: str, payload: str, key: bytes) -> str:
    covered = f"{header}.{payload}"
    text_key = b64url(key).encode()
    digest = hmac.digest(text_key, covered.encode("utf-8", "surrogatepass"), hashlib.sha256)
    return f"{covered}.{b64url(digest)}"


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def claims_of(text: str) -> dict[str, Any]:
    payload = text.split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(payload + "=="))
    return found


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# --- text, whatever it means


def flip_bit(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ (1 << chance.randrange(7))) + text[at + 1 :]


def replace_character(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice(BASE64) + text[at + 1 :]


def truncate(chance: random.Random, text: str) -> str:
    cut = chance.randrange(len(text))
    return chance.choice([text[:cut], text[cut:], text[: cut // 2] + text[cut:]])


def oversize(chance: random.Random, text: str) -> str:
    by = chance.choice([1, 43, 700, 1024, 2048, 8000, 20_000])
    return chance.choice(
        [text + "A" * by, "A" * by + text, text + "." + "A" * by, text * (by // len(text) + 2)]
    )


def insert(chance: random.Random, text: str) -> str:
    at = chance.choice([0, len(text), chance.randrange(len(text))])
    return text[:at] + chance.choice(ODD_TEXT) + text[at:]


def last_bits(chance: random.Random, text: str) -> str:
    """Another last character of a segment: often the same bytes in another spelling."""
    parts = text.split(".")
    at = chance.randrange(len(parts))
    if parts[at]:
        parts[at] = parts[at][:-1] + chance.choice(BASE64)
    return ".".join(parts)


def padded(chance: random.Random, text: str) -> str:
    parts = text.split(".")
    at = chance.randrange(len(parts))
    parts[at] += chance.choice(["=", "==", "%3D"])
    return ".".join(parts)


def standard_alphabet(chance: random.Random, text: str) -> str:
    return text.replace("-", "+").replace("_", "/") if chance.random() < 0.7 else text.swapcase()


def rearrange(chance: random.Random, text: str) -> str:
    parts = text.split(".")
    chance.shuffle(parts)
    keep = chance.choice(
        [parts, parts[:1], parts[:2], [*parts, parts[0]], ["", *parts], [*parts, ""]]
    )
    return chance.choice([".", ".", ".", "..", ",", ""]).join(keep)


def splice(chance: random.Random, text: str) -> str:
    """Head of one, tail of another; or segments of several."""
    other = chance.choice(bases())
    donor = chance.choice([other.token, other.auth])
    if chance.random() < 0.5:
        pairs = zip(text.split("."), donor.split("."), strict=False)
        return ".".join(chance.choice(pair) for pair in pairs)
    cut = chance.randrange(len(text))
    return text[:cut] + donor[cut:]


TEXT: tuple[Callable[[random.Random, str], str], ...] = (
    flip_bit, replace_character, truncate, oversize, insert, last_bits, padded, standard_alphabet,
    rearrange, splice,
)  # fmt: skip


def damaged(chance: random.Random, text: str) -> str:
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        text = chance.choice(TEXT)(chance, text) or "A"
    return text


# --- headers


def strange_header(chance: random.Random, typ: str, kid: str) -> str:
    fields: dict[str, Any] = {"typ": typ, "alg": "HS256", "kid": kid}
    what = chance.randrange(7)
    if what == 0:
        algs = [
            "none", "None", "NONE", "nOnE", "RS256", "ES256", "HS384", "HS512", "hs256", "", None, 0
        ]  # fmt: skip
        fields["alg"] = chance.choice(algs)
    elif what == 1:
        fields["kid"] = chance.choice(KIDS)
    elif what == 2:
        fields["typ"] = chance.choice(["WR", "JWT", "SES", "wr", "jwt", "", None, "at+jwt", ["WR"]])
    elif what == 3:
        extra: dict[str, Any] = {
            "jku": "https://example.org/k", "jwk": {"kty": "oct", "k": ""}, "crit": ["b64"],
            "b64": False, "zip": "DEF", "x5u": "file:///", "__proto__": {"alg": "none"},
        }  # fmt: skip
        name = chance.choice(list(extra))
        fields[name] = extra[name]
    elif what == 4:
        names = list(fields)
        chance.shuffle(names)
        fields = {name: fields[name] for name in names[: chance.choice([1, 2, 3, 3, 3])]}
    elif what == 5:
        return compact(fields).replace(",", chance.choice([", ", ",\n", " ,"]))
    else:
        doubled = chance.choice(['"alg":"none"', '"kid":"w2"', '"alg":"HS256"'])
        return compact(fields)[:-1] + "," + doubled + "}"
    return compact(fields)


# --- claims


def strange_payload(chance: random.Random, claims: Mapping[str, Any]) -> bytes:  # noqa: PLR0911 one kind each
    changed = dict(claims)
    name: str
    what = chance.randrange(10)
    if what == 0:
        name = chance.choice([n for n in ("iat", "exp", "boff", "h") if n in changed])
        changed[name] = chance.choice(TIMES)
    elif what == 1:  # a number in a spelling of its own
        name = chance.choice([n for n in ("iat", "exp", "boff", "h", "pow", "lvl") if n in changed])
        changed[name] = "@@"
        return _bytes(compact(changed).replace('"@@"', chance.choice(NUMBERS)))
    elif what == 2:  # said twice
        name = chance.choice(list(changed))
        second = chance.choice([changed[name], "", 0, "grace", NOW_S + 10**6])
        text = compact(changed)
        twin = f'"{name}":{compact(second)}'
        return _bytes(chance.choice([f"{{{twin},{text[1:]}", f"{text[:-1]},{twin}}}"]))
    elif what == 3:
        name = chance.choice(list(changed))
        changed[name] = chance.choice(
            [None, True, [], {}, [changed[name]], {"": changed[name]}, "", *ODD_TEXT, "A" * 700]
        )
    elif what == 4:
        names = [
            "__proto__", "constructor", "toString", "admin", "sub\x00", "SUB", "evt ", "length",
        ]  # fmt: skip
        changed[chance.choice(names)] = chance.choice([{}, {"sub": "grace"}, nested(300), 1])
    elif what == 5:
        names = list(changed)
        chance.shuffle(names)
        changed = {
            n: changed[n] for n in names[: chance.choice([0, 1, len(names) - 1, len(names)])]
        }
    elif what == 6:  # the same text, escaped, or with room in it
        text = compact(changed)
        sub = str(changed.get("sub", "a"))
        escaped = f"\\u{ord(sub[0]):04x}" + sub[1:]
        odd = chance.choice(["\\ud800", "\\u0000", "\\ud83d\\ude00", "\\x41", "\\u00zz"])
        spelled = [
            text.replace(f'"{sub}"', f'"{escaped}"'), text.replace(f'"{sub}"', f'"{sub}{odd}"'),
            text.replace(",", ", "), f" {text}", f"{text}\n", text + "\x00", "\ufeff" + text,
            text[:-1] + ",}",
        ]  # fmt: skip
        return _bytes(chance.choice(spelled))
    elif what == 9:  # blanks, but not those
        text = compact(changed)
        room = " " * chance.choice([3, 4, 5, 6])
        return _bytes(chance.choice([text[:-1] + room + "}", "{" + room + text[1:], text + room]))
    elif what == 7:
        whole: list[Any] = [[], [changed], None, "", 0, True, compact(changed), nested(100)]
        return _bytes(compact(chance.choice(whole)))
    else:
        encoded = compact(changed).encode()
        at = chance.randrange(len(encoded))
        no_utf8 = chance.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\x00"])
        return encoded[:at] + no_utf8 + encoded[at:]
    return _bytes(compact(changed))


def nested(depth: int) -> object:
    value: object = 0
    for n in range(depth):
        value = [value] if n % 2 else {"a": value}
    return value


def wrong_key(chance: random.Random, event: str) -> bytes:
    gate, other = gates()[event], gates()[WINTER if event == SUMMER else SUMMER]
    return chance.choice(
        [
            b"", bytes(32), b"secret", chance.randbytes(32), gate.draw_key, gate.edge_key,
            gate.auth_keys["a1"], other.token_keys["w1"], b64url(gate.token_keys["w1"]).encode(),
            gate.token_keys["w1"][:-1], gate.token_keys["w1"] + b"\x00", b"None", b"undefined",
        ]
    )  # fmt: skip
