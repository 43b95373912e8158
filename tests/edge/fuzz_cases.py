"""The kinds of hostile request, and which one a seed and a number make."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from msgspec import structs

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.jws import b64url
from tests.edge.fuzz_corpus import (
    BASE64,
    GENUINE,
    ODD_TEXT,
    SUMMER,
    WINTER,
    Base,
    Case,
    bases,
    claims_of,
    compact,
    damaged,
    gates,
    made,
    sent,
    sign,
    sign_segments,
    strange_header,
    strange_payload,
    uri,
    wrong_key,
)
from tests.edge.fuzz_slips import SLIPS
from tests.edge.gate_tools import NOW_S

Chance = random.Random


def make_case(seed: int, number: int) -> Case:
    """Case ``number`` of ``seed``."""
    chance = Chance(seed * 2**40 + number)
    base = chance.choice(bases())
    if chance.random() < GENUINE:
        return Case(number, "genuine", uri(base.event), sent(base))
    kind = chance.choice(list(KINDS))
    case = KINDS[kind](chance, base)
    if chance.random() < 0.05 and not case.broken:  # and now the queue
        case = replace(case, uri=case.uri.replace("/admission", "/queue"))
    return replace(case, number=number, kind=kind)


def damaged_token(chance: Chance, base: Base) -> Case:
    return made(base, sent(base, token=damaged(chance, base.token)))


def damaged_auth(chance: Chance, base: Base) -> Case:
    return made(base, sent(base, auth="Bearer " + damaged(chance, base.auth)))


def forged_header(chance: Chance, base: Base) -> Case:
    """Another header, rightly signed, wrongly signed, or not at all."""
    key = chance.choice([gates()[base.event].token_keys["w1"], wrong_key(chance, base.event)])
    token = sign(strange_header(chance, "WR", "w1"), compact(claims_of(base.token)), key)
    if chance.random() < 0.2:
        token = token[: token.rindex(".") + 1] + chance.choice(["", "A" * 43, "A"])
    return made(base, sent(base, token=token))


def forged_auth_header(chance: Chance, base: Base) -> Case:
    key = chance.choice([gates()[base.event].auth_keys["a1"], wrong_key(chance, base.event)])
    auth = sign(strange_header(chance, "JWT", "a1"), compact(claims_of(base.auth)), key)
    return made(base, sent(base, auth=f"Bearer {auth}"))


def signed_by_others(chance: Chance, base: Base) -> Case:
    """The best of claims under a key that is not for them."""
    claims = claims_of(base.token) | {"h": 0, "exp": NOW_S + 10**6}
    token = sign(
        header("WR", chance.choice(["w1", "w2"])), compact(claims), wrong_key(chance, base.event)
    )
    return made(base, sent(base, token=token))


def wrong_claims(chance: Chance, base: Base) -> Case:
    """Signed as the gate signs, but nothing that the gate would write."""
    gate = gates()[base.event]
    kid = chance.choice(["w1", "w2"])
    payload = strange_payload(chance, claims_of(base.token))
    return made(base, sent(base, token=sign(header("WR", kid), payload, gate.token_keys[kid])))


def wrong_auth_claims(chance: Chance, base: Base) -> Case:
    kid = chance.choice(["a1", "a2"])
    claims = claims_of(base.auth)
    if chance.random() < 0.3:
        groups: list[Any] = [[], ["operators"], ["a", "b"], "operators", [1], [[]], ["A B"], ["]"]]
        claims["grp"] = chance.choice(groups)
    payload = strange_payload(chance, claims)
    auth = sign(header("JWT", kid), payload, gates()[base.event].auth_keys[kid])
    return made(base, sent(base, auth=f"Bearer {auth}"))


def other_spelling(chance: Chance, base: Base) -> Case:
    """The right claims, signed, in base64 that is not the one canonical spelling."""
    gate = gates()[base.event]
    head, payload, _ = base.token.split(".")
    text = compact(claims_of(base.token)).encode()
    blanks = [text, text[:-1] + b" }", text[:-1] + b"  }"]  # two of them with a byte too much
    payload = chance.choice([payload, *(b64url(spelled) for spelled in blanks)])
    spelled = chance.choice(
        [payload + "=", payload + "==", payload[:-1] + chance.choice(BASE64), payload + "A",
         payload.replace("-", "+").replace("_", "/"), payload + "\n", payload + "."]
    )  # fmt: skip
    head = chance.choice([head, head, head + "=", head[:-1] + chance.choice(BASE64)])
    return made(base, sent(base, token=sign_segments(head, spelled, gate.token_keys["w1"])))


def swapped_kid(chance: Chance, base: Base) -> Case:
    """A key that exists, under another key's name."""
    gate = gates()[base.event]
    pairs = [("w1", "w2"), ("w2", "w1"), ("a1", "w1"), ("w1", "a1")]
    kid, other = chance.choice(pairs)
    key = {**gate.token_keys, **gate.auth_keys}[other]
    return made(
        base, sent(base, token=sign(header("WR", kid), compact(claims_of(base.token)), key))
    )


def of_somebody_else(chance: Chance, base: Base) -> Case:
    other = chance.choice(bases())
    return chance.choice(
        [
            made(base, sent(base, token=other.token, nonce=other.solution)),
            made(base, sent(base, auth=f"Bearer {other.auth}")),
            replace(made(base, sent(base)), uri=uri(WINTER if base.event == SUMMER else SUMMER)),
            made(base, sent(base, token=base.auth)),
            made(base, sent(base, auth=f"Bearer {base.token}")),
        ]
    )


def for_another_event(chance: Chance, base: Base) -> Case:
    """Signed by this event's key, about another event: what a shared key would let happen."""
    gate = gates()[base.event]
    names = ["winter-night", "summer-night", "summer-nigh", "e", base.event + "-", "summer--night"]
    place = structs.replace(base.place, event=chance.choice(names))
    return made(base, sent(base, token=encode_waiting_token(place, gate)))


def for_another_user(chance: Chance, base: Base) -> Case:
    gate = gates()[base.event]
    names = ["ada", "grace", base.user + "x", base.user[:-1] + "z", base.user.upper()]
    place = structs.replace(base.place, sub=chance.choice(names))
    return made(base, sent(base, token=encode_waiting_token(place, gate)))


def at_a_wrong_time(chance: Chance, base: Base) -> Case:
    """Rightly signed: expired, early, from the future, or young."""
    gate = gates()[base.event]
    place = base.place
    what = chance.randrange(5)
    if what == 0:
        place = structs.replace(place, exp=chance.choice([0, 1, NOW_S - 10**6, NOW_S - 1, NOW_S]))
    elif what == 1:
        place = structs.replace(place, boff=NOW_S + chance.choice([3, 4, 60, 10**6, 10**9]))
    elif what == 2:
        place = structs.replace(place, iat=NOW_S + chance.choice([61, 3600, 10**6, 10**9]))
    elif what == 3:
        place = structs.replace(place, h=place.h + chance.choice([0.0, 11.9, 36.0, 1e6, 9e11]))
    else:
        issued_ms = NOW_S * 1000 - chance.randint(0, 400_000)
        fresh = issue_waiting_token(
            gate, base.event, base.user, request_id=str(chance.random()), ip="", now_ms=issued_ms
        )
        place = structs.replace(fresh, boff=min(fresh.boff, NOW_S), exp=max(fresh.exp, NOW_S + 1))
    nonce = proof_of_work.solve(place.ch, place.pow_bits)
    return made(base, sent(base, token=encode_waiting_token(place, gate), nonce=nonce))


def at_another_moment(chance: Chance, base: Base) -> Case:
    moments = [0, 1, NOW_S - 3600, NOW_S - 13, NOW_S - 12, NOW_S + 599, NOW_S + 600, 10**10]
    now_ms = chance.choice(moments) * 1000 + chance.choice([0, 1, 500, 999])
    return made(base, sent(base), now_ms=now_ms)


def auth_at_a_wrong_time(chance: Chance, base: Base) -> Case:
    claims = claims_of(base.auth)
    if chance.random() < 0.5:
        claims["exp"] = chance.choice([0, 1, NOW_S - 3600, NOW_S - 1, NOW_S])
    else:
        claims["iat"] = NOW_S + chance.choice([61, 3600, 10**9])
    auth = sign(header("JWT", "a1"), compact(claims), gates()[base.event].auth_keys["a1"])
    return made(base, sent(base, auth=f"Bearer {auth}"))


def wrong_solution(chance: Chance, base: Base) -> Case:
    other = chance.choice(bases())
    unsolved = next(
        str(n) for n in range(10**6) if not proof_of_work.verify(base.place.ch, 3, str(n))
    )
    right = base.solution
    wrong = [
        "", unsolved, other.solution, "-1", "+" + right, " " + right, right + " ", right + "\n",
        right + "\x00", "0" + right, "0x" + right, right + ".0", right + "e0", "9" * 17,
        "9" * 10_000, "٣", "１", "NaN", "null", base.place.ch, f"{right},{right}", *ODD_TEXT,
    ]  # fmt: skip
    return made(base, sent(base, nonce=chance.choice(wrong)))


def odd_scheme(chance: Chance, base: Base) -> Case:
    token = base.auth
    written = [
        f"bearer {token}", f"BEARER {token}", f"Basic {token}", "Bearer", "Bearer ", token, "", " ",
        f"Bearer  {token}", f"Bearer\t{token}", f"Bearer {token} ", f"Bearer {token}\n", "Bearer .",
        f"Bearer {token}, Bearer {token}", f" Bearer {token}", f"Bearer:{token}",
        f"Bearer {token}.", f"Bearer \ud800{token}", f"Bearer {token}\x00", f'Bearer "{token}"',
        f"Digest Bearer {token}",
    ]  # fmt: skip
    return made(base, sent(base, auth=chance.choice(written)))


def missing_headers(chance: Chance, base: Base) -> Case:
    headers = sent(base)
    for name in chance.sample(sorted(headers), chance.randint(1, 3)):
        del headers[name]
    return made(base, headers)


def repeated_headers(chance: Chance, base: Base) -> Case:
    """A header sent twice is one entry whose value is the first, with all of them beside it."""
    headers = sent(base)
    name = chance.choice(sorted(headers))
    other = sent(chance.choice(bases()))[name]
    values = [headers[name], other]
    chance.shuffle(values)
    headers[name] = {"value": values[0], "multiValue": [{"value": v} for v in values]}
    return made(base, headers)


def spoofed_word(chance: Chance, base: Base) -> Case:
    """The client says itself what only the gate may say."""
    word = chance.choice(["v1.1800000000.admit." + "A" * 22, "admit", "", "v1.0.admit.", "\ud800"])
    headers = sent(base, token=damaged(chance, base.token)) | {"x-fairgate-edge": word}
    return made(base, headers)


def odd_paths(chance: Chance, base: Base) -> Case:
    path = uri(base.event)
    paths = [
        path + "/", path + "\n", path + "?x", path.upper(), "/" + path, path.replace("/", "//"), "",
        path.replace(base.event, "%73ummer-night"), path.replace(base.event, "../" + base.event),
        path.replace(base.event, "e" * 41), path.replace(base.event, "unknown"), "/api/desk", "/",
        path.replace(base.event, "__proto__"), path.replace("admission", "queue"), path + "\x00",
        path.replace(base.event, "é"), path + "\ud800",
    ]  # fmt: skip
    methods = ["POST", "POST", "GET", "PUT", "OPTIONS", "post", ""]
    case = made(base, sent(base), method=chance.choice(methods))
    return replace(case, uri=chance.choice(paths))


def broken_entries(chance: Chance, base: Base) -> Case:
    """Nothing that CloudFront would ever give, and still no reason to fall over."""
    headers = sent(base)
    name = chance.choice(sorted(headers))
    odd: list[Any] = [None, 7, [], {}]
    values: list[Any] = [None, {}, *({"value": value} for value in odd), [], 7]
    values += [{"multiValue": [{"value": headers[name]}]}, {"value": [headers[name]]}, True, "text"]
    headers[name] = {"entry": chance.choice(values)}
    return made(base, headers, broken=True)


def header(typ: str, kid: str) -> str:
    return json.dumps({"typ": typ, "alg": "HS256", "kid": kid}, separators=(",", ":"))


KINDS: dict[str, Callable[[Chance, Base], Case]] = {
    kind.__name__.replace("_", "-"): kind
    for kind in (
        damaged_token, damaged_auth, forged_header, forged_auth_header, signed_by_others,
        wrong_claims, wrong_auth_claims, other_spelling, swapped_kid, of_somebody_else,
        for_another_event, for_another_user, at_a_wrong_time, at_another_moment,
        auth_at_a_wrong_time, wrong_solution, odd_scheme, missing_headers, repeated_headers,
        spoofed_word, odd_paths, broken_entries,
    )
} | SLIPS  # fmt: skip
