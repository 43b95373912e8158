"""Rows of rotation, modes and broken values, beside those of ``generate.rows``."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate
from fairgate.domain.gate.gate_value import FIGURES_AT, HEADS_AT, OLDER_AT
from fairgate.domain.gate.waiting_token import encode_waiting_token
from fairgate.domain.shared import jws
from fairgate.domain.shared.auth_token import issue_auth_token
from tests.edge import generate as g
from tests.edge.gate_tools import NOW_S, ONE_TAU_S, SUB, make_event, make_gate, with_figure

Row = Callable[[str, "GateConfig | str | None", dict[str, Any], Any], None]
SPOOFED = {"x-fairgate-edge": "v1.1.admit.AAAAAAAAAAAAAAAAAAAAAA"}


def add_rows(row: Row) -> None:
    rotation(row)
    callers(row)
    modes(row)
    broken(row)


def rotation(row: Row) -> None:
    """Old keys verify while the gate lists them; nothing else does, whatever a header names."""
    old_gate = make_gate()
    keys = {"w1": old_gate.token_keys["w1"], "w2": bytes(range(128, 160))}
    gate = make_gate(token_keys=keys, token_kid="w2")
    young, old = g.place(old_gate, ago_s=20), replace(g.place(old_gate), h=0.0)
    signed_before = encode_waiting_token(young, old_gate)
    again = g.answered(gate, young, "waiting")
    row(
        "admission-token-old-key",
        gate,
        g.attempt(gate, young, **{"x-fairgate-token": signed_before}),
        again,
    )
    let_in = {"x-fairgate-token": encode_waiting_token(old, old_gate)}
    row(
        "admission-token-old-key-admitted",
        gate,
        g.attempt(gate, old, **let_in),
        g.forwarded(gate, "admit"),
    )
    gone = make_gate(token_keys={"w2": keys["w2"]}, token_kid="w2")
    for name, token, verdict_gate in (
        ("unknown-key", encode_waiting_token(old, old_gate), gone),
        ("swapped-kid", swapped(old_gate, keys), gate),
    ):
        event = g.attempt(verdict_gate, old, **{"x-fairgate-token": token})
        row(f"admission-token-{name}", verdict_gate, event, g.forwarded(verdict_gate, "bad-token"))
    auth_keys = {"a1": old_gate.auth_keys["a1"], "a2": bytes(range(160, 192))}
    two = make_gate(auth_keys=auth_keys)
    event = make_event("queue", {"authorization": g.auth(old_gate)})
    row("queue-auth-old-key", two, event, g.joined(two, "waiting"))
    unknown = make_gate(auth_keys={"a2": auth_keys["a2"]})
    row("queue-auth-unknown-key", unknown, event, g.forwarded(unknown, "bad-auth", sub=""))


def swapped(gate: GateConfig, keys: dict[str, bytes]) -> str:
    """A token that names the new key and is signed with the old one."""
    old = replace(g.place(gate), h=0.0)
    mixed = make_gate(token_keys={"w2": keys["w1"]}, token_kid="w2")
    return encode_waiting_token(old, mixed)


# What a key slot could hold when there is no key, as anybody might guess it.
KNOWN_KEYS = {"dots": "." * 43, "blanks": " " * 43, "nothing": "", "zeros": "A" * 43}
AUTH_START, TOKEN_START = b'{"typ":"JWT","alg":"HS256","kid":', b'{"typ":"WR","alg":"HS256","kid":"'
CLAIMS = f'{{"sub":"{SUB}","iat":{NOW_S - 60},"exp":{NOW_S + 600}}}'.encode()


def headless(start: bytes, payload: bytes, key: str) -> str:
    """A token whose header ends where a key id should stand, signed with a key that is known."""
    padded = payload[:-1].rstrip(b" ") + b" " * (-len(payload[:-1].rstrip(b" ") + b"}") % 3) + b"}"
    covered = jws.b64url(start + padded)
    digest = hmac.digest(key.encode(), covered.encode(), hashlib.sha256)
    return f"{covered}.{jws.b64url(digest)}"


def callers(row: Row) -> None:
    gate = make_gate()
    old = replace(g.place(gate), h=0.0)
    young = g.place(gate, ago_s=20)
    row(
        "admission-no-auth",
        gate,
        g.attempt(gate, old, authorization=""),
        g.forwarded(gate, "no-auth", sub=""),
    )
    late = issue_auth_token(SUB, [], gate.auth_keys["a1"], "a1", NOW_S - 60, 60)
    row(
        "admission-auth-expired",
        gate,
        g.attempt(gate, old, authorization=f"Bearer {late}"),
        g.forwarded(gate, "bad-auth", sub=""),
    )
    ahead = issue_auth_token(SUB, [], gate.auth_keys["a1"], "a1", NOW_S + 3600, 600)
    row(
        "queue-auth-from-the-future",
        gate,
        make_event("queue", {"authorization": f"Bearer {ahead}"}),
        g.forwarded(gate, "bad-auth", sub=""),
    )
    for name, key in KNOWN_KEYS.items():
        event = make_event(
            "queue", {"authorization": f"Bearer {headless(AUTH_START, CLAIMS, key)}"}
        )
        row(f"queue-auth-headless-{name}", gate, event, g.forwarded(gate, "bad-auth", sub=""))
        payload = jws.from_b64url(encode_waiting_token(old, gate).split(".")[1])
        event = g.attempt(gate, old, **{"x-fairgate-token": headless(TOKEN_START, payload, key)})
        row(f"admission-token-headless-{name}", gate, event, g.forwarded(gate, "bad-token"))
    small = {"authorization": "bearer" + g.auth(gate)[6:]}
    row(
        "queue-auth-scheme-in-small-letters",
        gate,
        make_event("queue", small),
        g.joined(gate, "waiting"),
    )
    row(
        "admission-auth-scheme-in-small-letters",
        gate,
        g.attempt(gate, old, **small),
        g.forwarded(gate, "admit"),
    )
    row(
        "admission-spoofed-word",
        gate,
        g.attempt(gate, old, **SPOOFED),
        g.forwarded(gate, "admit"),
    )
    row(
        "admission-spoofed-word-not-yet",
        gate,
        g.attempt(gate, young, **SPOOFED),
        g.answered(gate, young, "waiting"),
    )
    row(
        "queue-spoofed-word-no-auth",
        gate,
        make_event("queue", SPOOFED),
        g.forwarded(gate, "no-auth", sub=""),
    )
    flagged = replace(young, level=1, pow_bits=gate.pow_bits + 4)
    row(
        "admission-flagged-not-yet",
        gate,
        g.attempt(gate, flagged),
        g.answered(gate, flagged, "waiting"),
    )


def modes(row: Row) -> None:
    chance = make_gate(mode="t")
    young = g.place(chance, ago_s=1)
    auth = {"authorization": g.auth(chance)}
    row("queue-mode-token", chance, make_event("queue", auth), g.joined(chance, "waiting"))
    row(
        "admission-mode-token-not-yet",
        chance,
        g.attempt(chance, young),
        g.answered(chance, young, "waiting"),
    )
    beacon = make_gate(beacon_key=bytes(range(192, 224)), curve=3.0)
    young = g.place(beacon, ago_s=20)
    row(
        "admission-beacon-not-yet",
        beacon,
        g.attempt(beacon, young),
        g.answered(beacon, young, "waiting"),
    )
    doors = make_gate(doors_s=NOW_S + 900, epochs=(Epoch(NOW_S + 900, 0.0, 1 / ONE_TAU_S),))
    early = replace(g.place(doors), boff=NOW_S)
    row(
        "admission-before-doors",
        doors,
        g.attempt(doors, early),
        g.answered(doors, early, "prequeue"),
    )
    over = make_gate(open_until_s=NOW_S - 1)
    young = g.place(over, ago_s=20)
    row(
        "admission-open-until-over",
        over,
        g.attempt(over, young),
        g.answered(over, young, "waiting"),
    )
    ahead = make_gate(epochs=(Epoch(NOW_S - 60, 0.2, 0.0), Epoch(NOW_S + 60, 0.2, 1.0)))
    young = replace(g.place(ahead), h=0.2)
    row(
        "admission-epoch-still-to-come",
        ahead,
        g.attempt(ahead, young),
        g.answered(ahead, young, "waiting"),
    )


def broken(row: Row) -> None:
    """Whatever a value lacks or has wrong, nobody is decided about."""
    gate = make_gate()
    old = g.attempt(gate, replace(g.place(gate), h=0.0))
    closed = g.refused(503, "dependency-unavailable")
    value = dump_gate(gate)
    middle = HEADS_AT + len("dzEifQ.")
    for name, place, figure in (
        ("not-a-number", 4, math.nan),
        ("endless-number", 10, math.inf),
        ("unknown-state", 1, 5.0),
        ("state-between-two", 1, 0.5),
        ("unknown-mode", 2, 2.0),
        ("other-version", 0, 2.0),
        ("curve-below-one", 3, 0.5),
        ("no-epochs", 14, math.nan),
        ("half-an-epoch", 16, math.nan),
        ("endless-epoch", 16, math.inf),
        ("h-below-zero", 15, -1.0),
        ("slope-below-zero", 16, -0.1),
        ("signing-head-missing", 12, float(HEADS_AT)),
    ):
        row(f"gate-{name}", with_figure(value, place, figure), old, closed)
    for name, text in {
        "auth-head-missing": with_figure(value[:middle], 13, float(middle)),
        "key-cut-short": value[4:],
        "figures-cut-short": value[: OLDER_AT - 8],
        "figures-that-are-none": value[:FIGURES_AT]
        + " " * (OLDER_AT - FIGURES_AT)
        + value[OLDER_AT:],
    }.items():
        row(f"gate-{name}", text, old, closed)
    row("gate-null", "null", old, closed)
    row("gate-empty", "", old, closed)
