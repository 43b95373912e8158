"""Assess what the risk desk has counted: points, rules, and texts that say so plainly.

A user is counted under their id, an address and its network under keyed hashes of theirs, so that
no table and no log holds an address. Counts slide over ten minutes. Level 1 asks for a harder
challenge, level 2 locks out for a while. Only what an account does itself can lock it out: many
people share an address, and more share a network. So nobody is flagged either for what others there
do: every rule asks for cases of the account's own.

The edge answers violations itself and forwards a share of them, so a case stands for 1/share of
its kind, and one alone may be anybody's: a wrong clock, a second tab, a shared computer. Whoever
was seen fewer than three times in the window is never flagged, whatever a case weighs and whoever
else is at their address; nobody is locked out who was seen fewer than six times.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from fairgate.domain.shared.jws import b64url

WINDOW_S = 600
FLAGGED_S = 1_800  # level 1, and what remains of level 2 after the lock-out
LOCKED_S = 600
EXTRA_POW_BITS = 4  # sixteen times the work
PARDON_S = 2 * WINDOW_S  # until all that was counted before has slid out

Subject = Literal["user", "address", "network"]
Counts = Mapping[str, float]  # verdict → cases in the window
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# How much a case weighs. What honest people do by the way (a sign-in that ran out, a token that
# expired while a laptop slept, a token of another event of their own) weighs nothing.
POINTS: Counts = {
    "early": 1,
    "no-solution": 2,
    "bad-solution": 2,
    "bad-token": 4,
    "other-event": 4,
    "other-user": 8,
    "redeemed": 2,
    "inside": 2,
}
# What the origin itself sees, every time. The first two weigh nothing: an answer that was lost, a
# second tab, a second device.
REPEATS = frozenset({"redeemed", "inside"})
FREE_REPEATS = 2
_NETWORK_BITS = {4: 24, 6: 48}
_ADDRESS_BITS = {4: 32, 6: 64}  # a household has a /64 of IPv6
_HASH_BYTES = 16


# How often an account must have been seen itself. One with five early attempts, the most that its
# own rule bears, is seen three times with a probability of 0.1 % where one in twenty is forwarded.
SEEN_TO_FLAG = 3
SEEN_TO_LOCK = 6
OWN_POINTS = 3  # half of what the account's own rule asks for, and no less


class Rule(Struct, frozen=True):
    """A rule: so many points of a subject within the window lead to this level.

    Attributes:
        seen: how often the account itself must have been seen.
        own_points: what the account's own cases must weigh, for a subject that others share.
        labelled: how many of its cases must have come from an address that the firewall named.
    """

    name: str
    subject: Subject
    points: float
    level: Literal[1, 2]
    seen: int = SEEN_TO_FLAG
    own_points: float = 0
    labelled: float = 0


# The figures: a page that obeys makes none of these cases, one with a wrong clock a few.
RULES = (
    Rule("account-persists", "user", 24, 2, seen=SEEN_TO_LOCK),
    Rule("account", "user", 6, 1),
    Rule("address", "address", 60, 1, own_points=OWN_POINTS),
    Rule("network", "network", 600, 1, own_points=OWN_POINTS),
    # Honest buyers use anonymous networks, too: like a shared address, such a one halves what the
    # account's own cases may weigh. Without cases of its own it says nothing of anybody.
    Rule("anonymous", "user", OWN_POINTS, 1, labelled=SEEN_TO_FLAG),
)
TOKENS_RULE = "tokens"
# A page takes one, a reload none. Of an account in the sample every queue request is seen.
TOKENS_PER_WINDOW = 50.0

_NOTICED = {
    "early": "asked before the time that was given",
    "no-solution": "asked without solving the challenge",
    "bad-solution": "sent a wrong solution of the challenge",
    "bad-token": "sent a waiting token that was never issued",
    "other-event": "used the waiting token of another event",
    "other-user": "used somebody else's waiting token",
    "redeemed": "used a waiting token again that had opened its session",
    "inside": "asked to come in while it was inside already",
}
_SHARED = {
    "address": "this internet address",
    "network": "this part of the network",
}
ADVICE = (
    "Keep one window of the waiting room open, do not refresh it, and use no scripts: the page"
    " asks by itself at the right time, and asking more often never helps."
)


class Tally(Struct, frozen=True):
    """What was counted of a subject in ten minutes.

    Attributes:
        cases: verdict → cases, each counted as the 1/share that it stands for.
        sampled: how many were forwarded to stand for them.
        labelled: of how many of those the firewall said that the address is an anonymous one.
    """

    cases: Counts = field(default_factory=dict)
    sampled: float = 0
    labelled: float = 0

    @property
    def points(self) -> float:
        return sum(_points(verdict, count) for verdict, count in self.cases.items())

    @property
    def seen(self) -> float:
        """Return how many cases that weigh anything were really seen."""
        return self.sampled + sum(_beyond_free(self.cases.get(verdict, 0)) for verdict in REPEATS)

    @property
    def is_estimate(self) -> bool:
        """Say whether cases stand for others that nobody has seen."""
        forwarded = sum(self.cases.get(verdict, 0) for verdict in POINTS if verdict not in REPEATS)
        return forwarded > self.sampled + 0.5  # both are sums of parts


class Assessment(Struct, frozen=True):
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
    names: dict[Subject, str] = {"user": account(user)} if user else {}
    if ip := _parsed(address):
        names["address"] = _hashed(key, "address", ip, _ADDRESS_BITS)
        names["network"] = _hashed(key, "network", ip, _NETWORK_BITS)
    return names


def account(user: str) -> str:
    """Name a user as ``subjects`` does."""
    return f"u#{user}"


def hashed_address(key: bytes, address: str) -> str:
    """Name an address as ``subjects`` does, without its network; "" for what is unknown."""
    ip = _parsed(address)
    return _hashed(key, "address", ip, _ADDRESS_BITS) if ip else ""


def _parsed(address: str) -> _Address | None:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def _hashed(key: bytes, subject: Subject, ip: _Address, bits: Mapping[int, int]) -> str:
    """Hash the network of so many bits. ``ip_network`` writes the same, in 5 to 15 µs more."""
    dropped = ip.max_prefixlen - bits[ip.version]
    first = type(ip)(int(ip) >> dropped << dropped)
    text = f"desk|{subject}|{first}/{bits[ip.version]}"
    digest = hmac.digest(key, text.encode(), hashlib.sha256)[:_HASH_BYTES]
    return f"{subject[0]}#{b64url(digest)}"


def windows(now_s: int) -> tuple[int, int]:
    """Return the starts of the running window and of the one before it."""
    start_s = now_s - now_s % WINDOW_S
    return start_s, start_s - WINDOW_S


def sliding(running: Tally, before: Tally, now_s: int) -> Tally:
    """Count the cases of the last ten minutes, those of the window before evenly spread over it."""
    share = 1 - now_s % WINDOW_S / WINDOW_S
    names = {*running.cases, *before.cases}
    return Tally(
        {name: running.cases.get(name, 0) + share * before.cases.get(name, 0) for name in names},
        running.sampled + share * before.sampled,
        running.labelled + share * before.labelled,
    )


def assess(tallies: Mapping[Subject, Tally]) -> Assessment | None:
    """Return the strictest rule that applies to the account, or None."""
    own = tallies.get("user", Tally())
    for rule in RULES:
        points = tallies.get(rule.subject, Tally()).points
        own_part = own.seen >= rule.seen and own.points >= rule.own_points
        if points >= rule.points and own_part and own.labelled >= rule.labelled:
            return Assessment(rule.level, rule.name, round(points, 1), _sentence(rule, own))
    tokens = own.cases.get("sample-queue", 0)
    if tokens >= TOKENS_PER_WINDOW:
        sentence = f"In the last ten minutes this account took {tokens:,.0f} waiting tokens."
        return Assessment(1, TOKENS_RULE, round(tokens, 1), sentence)
    return None


def _points(verdict: str, count: float) -> float:
    counted = _beyond_free(count) if verdict in REPEATS else count
    return POINTS.get(verdict, 0) * counted


def _beyond_free(repeats: float) -> float:
    return max(0.0, repeats - FREE_REPEATS)


def _sentence(rule: Rule, own: Tally) -> str:
    """Say what the account did: the case that weighs most, and where others did the like."""
    verdict = max(own.cases, key=lambda name: _points(name, own.cases[name]))
    times = max(1, round(own.cases[verdict]))
    often = "once" if times == 1 else f"{times:,} times"
    if own.is_estimate and verdict not in REPEATS:
        often = f"about {often}"
    text = f"In the last ten minutes this account {_NOTICED[verdict]} {often}"
    if rule.labelled:
        return f"{text}, from an address that hides where it is."
    if rule.subject == "user":
        return f"{text}."
    return f"{text}, and many requests of this kind came from {_SHARED[rule.subject]}."
