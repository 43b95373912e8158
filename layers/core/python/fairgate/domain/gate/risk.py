"""Assess what the risk desk has counted: points, rules, and texts that say so plainly.

A user is counted under their id, an address and its network under keyed hashes of theirs, so that
no table and no log holds an address. Counts slide over ten minutes. Level 1 asks for a harder
challenge, level 2 locks out for a while. Only what an account does itself can lock it out: many
people share an address, and more share a network.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fairgate.domain.shared.jws import b64url

WINDOW_S = 600
FLAGGED_S = 1_800  # level 1, and what remains of level 2 after the lock-out
LOCKED_S = 600
EXTRA_POW_BITS = 4  # sixteen times the work
PARDON_S = 2 * WINDOW_S  # until all that was counted before has slid out

Subject = Literal["user", "address", "network"]
Counts = Mapping[str, float]  # verdict → cases in the window

# How much a case weighs. What honest people do by the way (a sign-in that ran out, a token that
# expired while a laptop slept) weighs nothing against their account.
POINTS: Counts = {
    "early": 1,
    "no-solution": 2,
    "bad-solution": 2,
    "bad-token": 4,
    "other-event": 4,
    "other-user": 8,
    "bad-auth": 1,
    "no-auth": 1,
}
_NETWORK_BITS = {4: 24, 6: 48}
_ADDRESS_BITS = {4: 32, 6: 64}  # a household has a /64 of IPv6
_HASH_BYTES = 16


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: so many points of a subject within the window lead to this level."""

    name: str
    subject: Subject
    points: float
    level: Literal[1, 2]


# The figures: a page that obeys makes none of these cases, one with a wrong clock a few.
RULES = (
    Rule("account-persists", "user", 24, 2),
    Rule("account", "user", 6, 1),
    Rule("address", "address", 60, 1),
    Rule("network", "network", 600, 1),
)
TOKENS_RULE = "tokens"
TOKENS_PER_WINDOW = 50.0  # a page takes one, a reload none
SAMPLES_LEAST = 3  # fewer say nothing about a rate

_NOTICED = {
    "early": "asked before the time that was given",
    "no-solution": "asked without solving the challenge",
    "bad-solution": "sent a wrong solution of the challenge",
    "bad-token": "sent a waiting token that was never issued",
    "other-event": "used the waiting token of another event",
    "other-user": "used somebody else's waiting token",
    "bad-auth": "came with a sign-in that does not verify",
    "no-auth": "came without signing in",
}
_WHO = {
    "user": "this account",
    "address": "this internet address",
    "network": "this part of the network",
}
ADVICE = (
    "Keep one window of the waiting room open, do not refresh it, and use no scripts: the page"
    " asks by itself at the right time, and asking more often never helps."
)


@dataclass(frozen=True, slots=True)
class Assessment:
    """An assessment: the rule that applies, why, and what the person is told."""

    level: Literal[1, 2]
    rule: str
    points: float
    noticed: str


def subjects(key: bytes, user: str, address: str) -> dict[Subject, str]:
    """List whom a case is counted under; what is not known is left out.

    Args:
        key: the event's edge key, so that hashes of two events cannot be brought together.
        user: "" when the caller is not authenticated.
        address: of the viewer; anything but an IP address counts as unknown.
    """
    names: dict[Subject, str] = {"user": f"u#{user}"} if user else {}
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return names
    ip = getattr(ip, "ipv4_mapped", None) or ip
    for subject, bits in (
        ("address", _ADDRESS_BITS[ip.version]),
        ("network", _NETWORK_BITS[ip.version]),
    ):
        network = ipaddress.ip_network((ip, bits), strict=False)
        text = f"desk|{subject}|{network}"
        digest = hmac.digest(key, text.encode(), hashlib.sha256)[:_HASH_BYTES]
        names[subject] = f"{subject[0]}#{b64url(digest)}"  # type: ignore[index] # both are Subjects
    return names


def windows(now_s: int) -> tuple[int, int]:
    """Return the starts of the running window and of the one before it."""
    start_s = now_s - now_s % WINDOW_S
    return start_s, start_s - WINDOW_S


def sliding(running: Counts, before: Counts, now_s: int) -> dict[str, float]:
    """Count the cases of the last ten minutes, those of the window before evenly spread over it."""
    share = 1 - now_s % WINDOW_S / WINDOW_S
    names = {*running, *before}
    return {name: running.get(name, 0) + share * before.get(name, 0) for name in names}


def assess(counts: Mapping[Subject, Counts], sample_queue: float) -> Assessment | None:
    """Return the strictest rule that applies, or None."""
    for rule in RULES:
        cases = counts.get(rule.subject, {})
        points = sum(POINTS.get(verdict, 0) * count for verdict, count in cases.items())
        if points >= rule.points:
            return Assessment(
                rule.level, rule.name, round(points, 1), _sentence(rule.subject, cases)
            )
    sampled = counts.get("user", {}).get("sample-queue", 0)
    if sampled >= SAMPLES_LEAST and sample_queue > 0:
        tokens = sampled / sample_queue
        if tokens >= TOKENS_PER_WINDOW:
            sentence = (
                f"In the last ten minutes this account took about {tokens:,.0f} waiting tokens."
            )
            return Assessment(1, TOKENS_RULE, round(tokens, 1), sentence)
    return None


def _sentence(subject: Subject, cases: Counts) -> str:
    """The case that weighs most, as a sentence."""
    verdict = max(cases, key=lambda name: POINTS.get(name, 0) * cases[name])
    times = max(1, round(cases[verdict]))
    often = "once" if times == 1 else f"{times:,} times"
    return f"In the last ten minutes {_WHO[subject]} {_NOTICED[verdict]} {often}."
